"""Random tests draw the same examples every time, so that a red run can be run again.

`DYNGEN_DEEP=1` draws new ones, for a long run.
"""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("repeatable", derandomize=True, deadline=None)
if not os.environ.get("DYNGEN_DEEP"):
    settings.load_profile("repeatable")

"""`python -m dyngen.cli`."""

from __future__ import annotations

import sys

from dyngen.cli import main

sys.exit(main())

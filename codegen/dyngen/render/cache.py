"""The folder of what dyngen can make anew at any time."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from dyngen import __version__


def cache_folder() -> Path:
    """This version's folder, where the platform keeps such things; it may not exist yet."""
    base = os.environ.get("XDG_CACHE_HOME")
    if not base and sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or "~/AppData/Local"
    elif not base:
        base = "~/Library/Caches" if sys.platform == "darwin" else "~/.cache"
    return Path(base).expanduser() / "dyngen" / __version__

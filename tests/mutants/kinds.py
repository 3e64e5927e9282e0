"""All kinds of faults."""

from __future__ import annotations

from .bounds import BOUNDS
from .deployment import DEPLOYMENT
from .pages import PAGES
from .patterns import PATTERNS
from .queries import QUERIES
from .runtime_kinds import RUNTIME
from .writes import WRITES

KINDS = (*BOUNDS, *QUERIES, *PAGES, *WRITES, *PATTERNS, *RUNTIME, *DEPLOYMENT)

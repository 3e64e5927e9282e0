"""What ends a command with exit code 2."""

from __future__ import annotations


class Unusable(Exception):
    """Input that cannot be read or used; the message says what and what to do."""

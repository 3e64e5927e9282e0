"""Guesses at what an author meant by a name that nothing answers to."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

_CUTOFF = 0.7


def nearest(word: str, candidates: Iterable[str]) -> str | None:
    """The candidate most like `word`, or None if none is much like it.

    Case and the difference between `-`, `_` and spaces do not count. Of equally good candidates
    the one named first is taken, so the answer never depends on a hash seed.
    """
    names: dict[str, str] = {}
    for candidate in candidates:
        if candidate != word:
            names.setdefault(_plain(candidate), candidate)
    plain = _plain(word)
    if plain in names:
        return names[plain]
    best: str | None = None
    best_ratio = _CUTOFF
    matcher = difflib.SequenceMatcher(b=plain, autojunk=False)
    for key, candidate in names.items():
        matcher.set_seq1(key)
        if (
            matcher.real_quick_ratio() < best_ratio
            or matcher.quick_ratio() < best_ratio
        ):
            continue
        ratio = matcher.ratio()
        if ratio > best_ratio:
            best, best_ratio = candidate, ratio
    return best


def did_you_mean(word: str, candidates: Iterable[str]) -> str | None:
    """The remedy "did you mean `order_id`?" for an unknown `word`, or None if nothing is near."""
    candidate = nearest(word, candidates)
    return None if candidate is None else f"did you mean `{candidate}`?"


def listed(names: Iterable[str], conjunction: str = "or", *, limit: int = 12) -> str:
    """Names for a sentence: "`a`, `b` or `c`"; past `limit`, the number of the others."""
    quoted = [f"`{name}`" for name in names]
    if len(quoted) > limit:
        more = len(quoted) - limit + 1
        return f"{', '.join(quoted[: limit - 1])} {conjunction} {more} others"
    if len(quoted) < 2:
        return "".join(quoted)
    return f"{', '.join(quoted[:-1])} {conjunction} {quoted[-1]}"


def _plain(name: str) -> str:
    return name.casefold().replace("-", "_").replace(" ", "_")

"""The options of scalar types: which exist, and what they may say."""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from dyngen.design.values import MAX_DIGITS, Problem, normalise
from dyngen.diagnostics.build import error
from dyngen.diagnostics.model import Diagnostic, Label
from dyngen.keys.languages import charset_intervals
from dyngen.runtime.scalars import charset_pattern
from dyngen.source.nodes import Node, Scalar
from dyngen.types import model as types
from dyngen.types.model import Precision, Stored, ValueType

_OPTIONS = {
    "string": ("min_length", "max_length", "charset", "fold"),
    "integer": ("min", "max"),
    "decimal": ("digits", "places", "min", "max"),
    "binary": ("min_length", "max_length"),
    "timestamp": ("precision", "stored"),
}
_FINEST = {
    Stored.EPOCH_SECONDS: Precision.SECONDS,
    Stored.EPOCH_MILLISECONDS: Precision.MILLISECONDS,
}
_COARSE_TO_FINE = tuple(Precision)
_BRACKET = re.compile(r"(?<!\\)(?:\\\\)*\]")  # one that is not escaped


def options_of(word: str) -> tuple[str, ...]:
    """The options of a type that say which values it has."""
    return _OPTIONS.get(word, ())


def build_scalar(
    word: str, options: Mapping[str, Node]
) -> tuple[ValueType | None, list[Diagnostic]]:
    """The scalar type (or json) `word` with these options; DG103 for what they cannot say."""
    reader = _Options(options)
    made: ValueType
    match word:
        case "string":
            made = reader.string()
        case "integer":
            made = reader.integer()
        case "decimal":
            made = reader.decimal()
        case "binary":
            low, high = reader.lengths()
            made = types.Binary(low, high)
        case "timestamp":
            made = reader.timestamp()
        case _:
            made = _PLAIN[word]
    return (None if reader.found else made), reader.found


_PLAIN: Mapping[str, ValueType] = {
    "float": types.Float(),
    "boolean": types.Boolean(),
    "date": types.Date(),
    "uuid": types.Uuid(),
    "ulid": types.Ulid(),
    "json": types.Json(),
}


@dataclass(slots=True)
class _Options:
    """Reads options, and collects what is wrong with them."""

    options: Mapping[str, Node]
    found: list[Diagnostic] = field(default_factory=list)

    def string(self) -> types.String:
        low, high = self.lengths()
        charset, fold = self.charset(), self.word("fold", "upper", "lower")
        if charset is not None and fold is not None and not self.found:
            first, last = "AZ" if fold == "lower" else "az"
            if all(
                ord(first) <= least and greatest <= ord(last)
                for least, greatest in charset_intervals(charset)
            ):
                self.report(
                    "charset",
                    f"no text in {fold} case consists of `{charset}`",
                    help="text is folded first: write what it then consists of",
                    beside="fold",
                )
        return types.String(low, high, charset, fold)

    def integer(self) -> types.Integer:
        low, high = self.whole("min"), self.whole("max")
        for name, value in (("min", low), ("max", high)):
            if value is not None and len(str(abs(value))) > MAX_DIGITS:
                self.report(name, f"a number has at most {MAX_DIGITS} digits")
        self.ordered("min", low, "max", high)
        return types.Integer(low, high)

    def decimal(self) -> types.Decimal:
        digits, places = self.whole("digits"), self.whole("places")
        if digits is not None and not 1 <= digits <= MAX_DIGITS:
            self.report("digits", f"a number has 1 to {MAX_DIGITS} digits")
        if places is not None and not 0 <= places <= MAX_DIGITS:
            self.report("places", f"a number has 0 to {MAX_DIGITS} decimal places")
        self.ordered("places", places, "digits", digits)
        if self.found:
            return types.Decimal()
        unlimited = types.Decimal(digits, places)
        low, high = self.number("min", unlimited), self.number("max", unlimited)
        self.ordered("min", low, "max", high)
        return types.Decimal(digits, places, low, high)

    def timestamp(self) -> types.Timestamp:
        precisions = [p.value for p in Precision]
        precision = self.word("precision", *precisions)
        kind = self.word("stored", Stored.EPOCH_SECONDS, Stored.EPOCH_MILLISECONDS)
        stored = Stored.TEXT if kind is None else Stored(kind)
        finest = _FINEST.get(stored)
        if precision is None:
            plain = finest or Precision.MILLISECONDS
            return types.Timestamp(plain, stored)
        kept = Precision(precision)
        if finest and _COARSE_TO_FINE.index(kept) > _COARSE_TO_FINE.index(finest):
            self.report(
                "precision",
                f"`stored: {stored}` keeps no {precision}",
                help=f"leave `precision` out, or write `precision: {finest}`",
                beside="stored",
            )
        return types.Timestamp(kept, stored)

    # --- single options --------------------------------------------------------------------------------

    def lengths(self) -> tuple[int, int | None]:
        low, high = self.whole("min_length"), self.whole("max_length")
        if low is not None and low < 0:
            self.report("min_length", "a length is 0 or more")
        if high is not None and high < 1:
            self.report("max_length", "the greatest length is 1 or more")
        self.ordered("min_length", low, "max_length", high)
        return low or 0, high

    def charset(self) -> str | None:
        text = self.text("charset")
        if text is None:
            return None
        if not _is_charset(text):
            self.report(
                "charset",
                f"`{text}` is no set of characters",
                help="write what stands inside the brackets of a regular expression, "
                "as in `A-Za-z0-9_-`",
            )
        return text

    def number(self, name: str, of: types.Decimal) -> Decimal | None:
        node = self.options.get(name)
        if node is None:
            return None
        if not isinstance(node, Scalar):
            self.report(name, "this is no number")
            return None
        value = normalise(node.value, of)
        if isinstance(value, Problem):
            self.report(name, value.message)
            return None
        return value if isinstance(value, Decimal) else None

    def whole(self, name: str) -> int | None:
        node = self.options.get(name)
        match node:
            case None:
                return None
            case Scalar(value=bool()):
                pass
            case Scalar(value=int(value)):
                return value
        self.report(name, "this is no whole number")
        return None

    def text(self, name: str) -> str | None:
        node = self.options.get(name)
        match node:
            case None:
                return None
            case Scalar(value=str(value)) if value:
                return value
        self.report(name, "this is no text")
        return None

    def word(self, name: str, *known: str) -> str | None:
        text = self.text(name)
        if text is not None and text not in known:
            self.report(name, f"`{text}` is not one of {', '.join(known)}")
            return None
        return text

    def ordered(
        self,
        low_name: str,
        low: int | Decimal | None,
        high_name: str,
        high: int | Decimal | None,
    ) -> None:
        if low is not None and high is not None and low > high:
            self.report(
                low_name,
                f"`{low_name}`, {low}, is more than `{high_name}`, {high}",
                beside=high_name,
            )

    def report(
        self, name: str, message: str, *, help: str | None = None, beside: str = ""
    ) -> None:
        other = self.options.get(beside)
        self.found.append(
            error(
                "DG103",
                message,
                self.options[name].span,
                secondary=[] if other is None else [Label(other.span)],
                help=[help],
            )
        )


def _is_charset(text: str) -> bool:
    """Whether `text` is what stands inside one pair of brackets of a regular expression."""
    if _BRACKET.search(text):
        return False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter(
                "error"
            )  # `[` and `--` may come to mean something else
            charset_pattern(text)
    except (re.error, FutureWarning):
        return False
    return True

"""What a template may consist of, and the text it makes of values.

The rules keep three promises: different values give different texts, the order of texts is the order
of values, and the texts of each part can be told from what follows them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from dyngen.keys.automata import GREATEST, Builder, common_text
from dyngen.keys.encoding import Encoder, encoder, shards
from dyngen.keys.languages import Domain, add_part, characters, placeholder_text
from dyngen.keys.model import (
    SHARD,
    Encoding,
    Literal,
    Part,
    Piece,
    Shard,
    Template,
)
from dyngen.runtime import keytext
from dyngen.types.model import (
    Binary,
    Boolean,
    Date,
    Decimal,
    Enum,
    Float,
    Integer,
    String,
    Timestamp,
    Ulid,
    Uuid,
)

DELIMITER = "#"
"""What delimits in escaped keys: below every character of a value, and followed by `$`."""

_TIME_OF_DAY = re.compile("%[HMS]")
_BIG_ENDIAN = (
    "Y",
    "Ym",
    "Ymd",
    "YmdH",
    "YmdHM",
    "YmdHMS",
    "Yj",
    "YjH",
    "YjHM",
    "YjHMS",
    "G",
    "GV",
)


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with one piece of a template, and the remedy."""

    message: str
    help: str
    piece: int


# --- properties of parts ----------------------------------------------------------------------------


def lossy(part: Part) -> bool:
    """Whether different values share a text, as those of a bucket do."""
    return part.bucket is not None


def prefix_free(part: Part) -> bool:
    """Whether no value's text begins another's, so that the text itself says where it ends."""
    match part.type:
        case String() | Binary():
            return False
        case Enum(members=members):
            texts = sorted(member.stored for member in members)
            return not any(b.startswith(a) for a, b in pairwise(texts))
        case _:
            return True


def order_exact(part: Part) -> bool:
    """Whether the order of texts in a key (reversed for `desc`) is the order of values.

    Of a bucket: the order of the moments it keeps. Enums are ordered by declaration, text by code
    points; in a raw key, where no text begins another, or none goes on with less than its delimiter.
    """
    if part.bucket is not None:
        return "".join(re.findall("%(.)", part.bucket)) in _BIG_ENDIAN
    match part.type:
        case Enum(members=members):
            texts = [member.stored for member in members]
            return texts == sorted(texts) and not any(
                longer.startswith(text) and longer[len(text)] <= part.before
                for text, longer in pairwise(texts)
                if part.before
            )
        case String(min_length=shortest, max_length=longest) if part.before:
            return shortest == longest or all(
                low > ord(part.before) for low, _ in _characters(part)
            )
        case Binary() if part.before:
            return part.before < "0"
        case _:
            return True


def _characters(part: Part) -> tuple[tuple[int, int], ...]:
    writer = encoder(part, Encoding(raw=True))
    return characters(writer) if isinstance(writer, keytext.Text) else ((0, GREATEST),)


# --- the rules --------------------------------------------------------------------------------------


def check(template: Template) -> tuple[Problem, ...]:
    """All that is wrong with a template, in the order of its pieces."""
    problems: list[Problem] = []
    followers = (*template.pieces[1:], None)
    for at, (piece, follower) in enumerate(
        zip(template.pieces, followers, strict=True)
    ):
        if isinstance(piece, Literal):
            continue
        by = piece.by if isinstance(piece, Shard) else (piece,)
        found = [p for part in by for p in _value_problems(part)]
        if not found:
            found = list(_follower_problems(piece, follower, template.encoding))
        problems.extend(Problem(message, help, at) for message, help in found)
    return tuple(problems)


def _value_problems(part: Part) -> Iterator[tuple[str, str]]:
    name, of = f"`{part.attribute}`", part.type
    match of:
        case Integer(minimum=None) | Integer(maximum=None):
            yield (
                f"{name} has no fixed width in a key, because it has no least and greatest value",
                "give it both: `{type: integer, min: 0, max: 999999}`",
            )
        case Decimal() if of.places is None or (of.digits is None and not _bounded(of)):
            yield (
                f"{name} has no fixed width in a key",
                "give it digits and places: `{type: decimal, digits: 12, places: 2}`",
            )
        case Float():
            yield f"{name} is a float, whose texts are in no order", "use a decimal or an integer"
        case Enum(members=members) if any(not m.stored for m in members):
            yield f"a value of {name} is stored as empty text", "store it as other text"
        case _ if not isinstance(of, _KEY_TYPES):
            yield f"{name} holds a structure, which no key can hold", "use one of its attributes"
    if part.bucket is not None:
        yield from _bucket_problems(part)
    elif part.desc and not isinstance(of, Integer | Decimal | Timestamp | Date):
        yield (
            f"{name} cannot be inverted",
            "`:desc` is for integers, decimals, timestamps and dates;"
            " a query reads any sort key backwards too: `order_by: ... desc`",
        )


def _bounded(of: Decimal) -> bool:
    return of.minimum is not None and of.maximum is not None


_KEY_TYPES = (
    String
    | Integer
    | Decimal
    | Float
    | Boolean
    | Binary
    | Timestamp
    | Date
    | Uuid
    | Ulid
    | Enum
)


def _bucket_problems(part: Part) -> Iterator[tuple[str, str]]:
    if not isinstance(part.type, Timestamp | Date):
        yield f"`{part.attribute}` is no moment", "buckets are for timestamps and dates"
    elif isinstance(part.type, Date) and _TIME_OF_DAY.search(part.bucket or ""):
        yield f"`{part.attribute}` is a date, without a time of day", "use %Y %m %d %j %G %V"


def _follower_problems(
    piece: Part | Shard, follower: Piece | None, encoding: Encoding
) -> Iterator[tuple[str, str]]:
    name = "`shard`" if isinstance(piece, Shard) else f"`{piece.attribute}`"
    delimiter = encoding.delimiter if encoding.raw else DELIMITER
    between = f"put a literal between them, such as `{delimiter}`"
    ends_itself = isinstance(piece, Shard) or prefix_free(piece)
    if isinstance(follower, Part | Shard):
        if not ends_itself:
            yield f"nothing says where {name} ends and the next part begins", between
        elif isinstance(follower, Part) and isinstance(follower.type, String | Binary):
            yield f"`{follower.attribute}` follows {name} directly", between
    elif isinstance(follower, Literal) and isinstance(piece, Part) and not ends_itself:
        yield from _literal_problems(piece, follower.text, encoding)
    if isinstance(piece, Part) and piece.placeholder is not None and encoding.raw:
        yield from _placeholder_problems(piece)


def _literal_problems(
    part: Part, literal: str, encoding: Encoding
) -> Iterator[tuple[str, str]]:
    """What may follow a part whose values begin one another."""
    name = f"`{part.attribute}`"
    if not encoding.raw:
        if not literal.startswith(DELIMITER):
            yield (
                f"the text of {name} can hold `{literal[0]}`, so the key does not say where it ends",
                f"begin the literal after it with `{DELIMITER}`",
            )
        return
    match part.type:
        case Binary() if literal[0] in "0123456789abcdef":
            yield (
                f"{name} can hold `{literal[0]}`, so the key does not say where it ends",
                "begin the literal after it with another character",
            )
        case Enum(members=members):
            texts = [member.stored for member in members]
            for text in texts:
                longer = next(
                    (t for t in texts if t.startswith(text + literal[0])), None
                )
                if longer is not None:
                    yield (
                        f"`{text}` followed by `{literal[0]}` begins `{longer}`, another value of"
                        f" {name}",
                        "store other texts, or use another delimiter",
                    )


def _placeholder_problems(part: Part) -> Iterator[tuple[str, str]]:
    """Raw keys: a placeholder that a value could be taken for."""
    text = part.placeholder or ""
    writer = encoder(part, Encoding(raw=True))
    if _taken_for_value(part, text, writer):
        yield (
            f"a value of `{part.attribute}` can be taken for `{text}`, which stands for none",
            "choose a text that no value can be, or limit the values",
        )
    elif part.before and part.before in text:
        yield f"`{text}` holds the `{part.before}` that follows it", "choose another text"


def _taken_for_value(part: Part, text: str, writer: Encoder) -> bool:
    """Whether a value is `text`; for values that end themselves, whether one begins the other."""
    shortest = 1 if prefix_free(part) else len(text)
    for end in range(shortest, len(text) + 1):
        try:
            writer.parse(text[:end])
        except ValueError:
            continue
        return True
    if not prefix_free(part):
        return False
    values, longer = Builder(), Builder()
    end = values.state(accepting=True)
    start = add_part(values, part, Encoding(raw=True), Domain(missing=False), end)
    begun = longer.finish(longer.literal(text, longer.anything()))
    return common_text(values.finish(start), begun) is not None


# --- as it is written -------------------------------------------------------------------------------


def written(template: Template) -> str:
    """The template as a spec writes it: `ISSUE#{number:desc}`."""
    return "".join(_written(piece) for piece in template.pieces)


def _written(piece: Piece) -> str:
    match piece:
        case Literal(text=text):
            return text
        case Shard():
            return f"{{{SHARD}}}"
        case Part(bucket=bucket, desc=desc, placeholder=placeholder):
            form = f":{bucket}" if bucket else ":desc" if desc else ""
            missing = f"|{placeholder}" if placeholder else ""
            return f"{{{piece.attribute}{form}{missing}}}"


# --- the text of values -----------------------------------------------------------------------------


def encode(template: Template, values: Mapping[str, object]) -> str | None:
    """The key's text, or None where it is absent: an attribute without a placeholder is missing.

    `values` are attributes by name; None is missing. Raises KeyValueError.
    """
    texts = [_piece_text(piece, template.encoding, values) for piece in template.pieces]
    known = [text for text in texts if text is not None]
    return "".join(known) if len(known) == len(texts) else None


def _piece_text(
    piece: Piece, encoding: Encoding, values: Mapping[str, object]
) -> str | None:
    match piece:
        case Literal(text=text):
            return text
        case Part():
            return _part_text(piece, encoding, values)
        case Shard(by=by):
            texts = [_part_text(part, encoding, values) for part in by]
            known = [text for text in texts if text is not None]
            return shards(piece).of(*known) if len(known) == len(texts) else None


def _part_text(
    part: Part, encoding: Encoding, values: Mapping[str, object]
) -> str | None:
    value = values.get(part.attribute)
    if value is not None:
        return encoder(part, encoding).text(value)
    return None if part.placeholder is None else placeholder_text(part, encoding)

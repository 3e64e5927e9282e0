"""Faults of the runtime: how values are written in keys, batches, retries."""

from __future__ import annotations

from collections.abc import Iterator

from dyngen.design.model import Computed
from dyngen.keys.model import Encoding, Part
from dyngen.python.suite import samples
from dyngen.types.model import Decimal, Integer, String, ValueType

from .edits import Edit, Package
from .kind import Kind


def _escaping_skipped(package: Package) -> Iterator[Edit]:
    """Values that hold a delimiter then look like other values."""
    escaped = [part.type for part, encoding in _parts(package) if not encoding.raw]
    if any(isinstance(of, String) and _is_escaped(of) for of in escaped):
        yield from package.runtime("scalars").rewritten(
            "return text.translate(_ESCAPES) if _ESCAPED.search(text) else text",
            "return text",
        )


def _is_escaped(of: String) -> bool:
    """Whether some text of this type holds a character that is written otherwise in a key."""
    return any(samples.valid(String(charset=of.charset), char) for char in " !#$%")


def _number_unpadded(package: Package) -> Iterator[Edit]:
    """10 then comes before 9."""
    if any(map(_of_several_digits, (part.type for part, _ in _parts(package)))):
        yield from package.runtime("ordered").rewritten(
            'f"{number:0{width}d}" if', 'f"{number}" if'
        )


def _of_several_digits(of: ValueType) -> bool:
    """Whether the numbers of a type have different lengths unless they are padded."""
    match of:
        case Integer(minimum=int(least), maximum=int(greatest)):
            return least < 0 or greatest > 9
        case _:
            return isinstance(of, Integer | Decimal)


def _parts(package: Package) -> Iterator[tuple[Part, Encoding]]:
    """The values that stand in computed keys, as they are given."""
    for entity in package.design.schema.entities:
        computed = {each.name for each in entity.attributes if each.computed}
        for form in entity.keys.values():
            for case in form.cases if isinstance(form, Computed) else ():
                for piece in case.template.pieces:
                    if isinstance(piece, Part) and piece.attribute not in computed:
                        yield piece, case.template.encoding


def _unread_dropped(package: Package) -> Iterator[Edit]:
    if package.uses("batches.batch_get(") or package.uses("hydrate=Hydration("):
        yield from package.runtime("batches").rewritten(
            'response.get("UnprocessedKeys", {})', "{}"
        )


def _unwritten_dropped(package: Package) -> Iterator[Edit]:
    if package.uses("batches.batch_write("):
        yield from package.runtime("batches").rewritten(
            'in response.get("UnprocessedItems", {}).get(table, ())', "in ()"
        )


def _batch_written_again(package: Package) -> Iterator[Edit]:
    """All of a request is sent again, though most of it was written."""
    if package.uses("batches.batch_write("):
        yield from package.runtime("batches").rewritten(
            "if key not in unprocessed:", "if not unprocessed:"
        )


def _transaction_of_another_token(package: Package) -> Iterator[Edit]:
    """A transaction that is tried again is another one, and may be carried out twice."""
    if package.uses("transactions.write("):
        yield from package.runtime("transactions").rewritten(
            "attempt = Request(request.operation, request.arguments, backoff.delay)",
            "token = {'ClientRequestToken': environment.new_token()}\n"
            "        attempt = Request(\n"
            "            request.operation, request.arguments | token, backoff.delay\n"
            "        )",
        )


RUNTIME = (
    Kind("escaping skipped", _escaping_skipped, ("create_stores",)),
    Kind("number unpadded", _number_unpadded, ("create_stores",)),
    Kind("unread keys dropped", _unread_dropped, ("not_read", "left_over")),
    Kind("unprocessed items dropped", _unwritten_dropped, ("not_written", "left_over")),
    Kind(
        "batch written twice by a retry",
        _batch_written_again,
        ("twice",),
    ),
    Kind("retried under another token", _transaction_of_another_token, ("token",)),
)

"""The condition grammar: `where`, `when`, `guard` and `filter`, and the operands of writes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dyngen.diagnostics.suggest import did_you_mean, listed
from dyngen.source.nodes import Entry, Mapping, Node, Scalar, Sequence
from dyngen.source.quoting import key
from dyngen.spec.model import (
    AllOf,
    AnyOf,
    Condition,
    Constant,
    ItemValue,
    Name,
    Not,
    Now,
    Operand,
    Operator,
    Param,
    Test,
    Where,
)
from dyngen.spec.nodes import Reading, joined, name_of, part_of

COMPARISONS = (
    Operator.EQ,
    Operator.NE,
    Operator.LT,
    Operator.LTE,
    Operator.GT,
    Operator.GTE,
)
"""What `size` can be compared by."""

ITEM_VALUE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\.[A-Za-z_][A-Za-z0-9_-]*", re.ASCII)
"""`player.game_id`: an attribute of an item that a transaction takes."""

_OPERATORS = {operator.value: operator for operator in Operator}
_BARE = {
    Operator.PRESENT: 0,
    Operator.ABSENT: 0,
    Operator.BETWEEN: 2,
}  # operands of an operator that stands alone; one, where it is not listed


def read_where(
    reading: Reading, node: Node | None, *, transaction: bool = False
) -> Where | None:
    """A conjunction of conditions. In a transaction, `player.game_id` is an item's value."""
    if node is None:
        return None
    entries = reading.entries(node, "a mapping from attribute to condition")
    conditions = (
        condition
        for entry in entries
        for condition in _conditions(reading, entry, transaction)
    )
    return Where(tuple(conditions), node.span)


def read_operand(
    reading: Reading, node: Node, *, words: bool = True, transaction: bool = False
) -> Operand | None:
    """A parameter, the clock, an item's value, or a constant.

    `words`: whether `param`, `now` and `player.game_id` have their meaning, as everywhere but
    under `eq` and in the list of `in`.
    """
    match node:
        case Scalar(value="param") if words:
            return Param(node.span)
        case Scalar(value="now") if words:
            return Now(node.span)
        case Scalar(value=str(text)) if (
            words and transaction and ITEM_VALUE.fullmatch(text)
        ):
            item, _, attribute = text.partition(".")
            return ItemValue(item, attribute, node.span)
        case Scalar(value=value):
            return Constant(value, node.span)
        case Mapping(entries=(Entry(key=Scalar(value="param"), value=inner),)):
            name = reading.name(inner, "the name of a parameter")
            return None if name is None else Param(node.span, name.text)
        case Mapping(
            entries=(Entry(key=Scalar(value="value"), value=Scalar() as inner),)
        ):
            return Constant(inner.value, inner.span)
        case _:
            reading.report(
                "DG042",
                "this is no value",
                node.span,
                "write a constant, `{param: name}` for a parameter, or `{value: text}` "
                "for a text that is also a word of the language",
            )
            return None


# --- conditions -----------------------------------------------------------------------------------


def _conditions(
    reading: Reading, entry: Entry, transaction: bool
) -> Iterator[Condition]:
    name, node = name_of(entry), entry.value
    span = joined(name.span, node.span)
    match name.text:
        case "not":
            inner = read_where(reading, node, transaction=transaction)
            if inner is not None and inner.conditions:
                yield Not(_all_of(inner), span)
        case "any" | "all" as word:
            parts = (
                read_where(reading, item, transaction=transaction)
                for item in reading.items(node, "a list of conditions")
            )
            alternatives = tuple(
                _all_of(part) for part in parts if part and part.conditions
            )
            if alternatives:
                yield (AnyOf if word == "any" else AllOf)(alternatives, span)
        case _:
            entity, path = split_entity(reading, name)
            yield from _tests(reading, entity, path, node, transaction)


def _all_of(where: Where) -> Condition:
    if len(where.conditions) == 1:
        return where.conditions[0]
    return AllOf(where.conditions, where.span)


def split_entity(reading: Reading, name: Name) -> tuple[str | None, Name]:
    """`Issue.state` as entity and attribute; a plain name has no entity."""
    head, dot, rest = name.text.partition(".")
    if not dot or head not in reading.entities:
        return None, name
    return head, Name(rest, part_of(name, len(head) + 1, len(name.text)))


def _tests(
    reading: Reading, entity: str | None, path: Name, node: Node, transaction: bool
) -> Iterator[Test]:
    if isinstance(node, Scalar):
        test = _bare_test(reading, entity, path, node, transaction)
        if test is not None:
            yield test
        return
    for entry in reading.entries(node, "an operator, a constant, or a mapping"):
        word = name_of(entry)
        operator = _OPERATORS.get(word.text)
        if operator is None or operator in (Operator.PRESENT, Operator.ABSENT):
            reading.report(
                "DG041",
                f"`{word.text}` is no operator that takes a value",
                word.span,
                (
                    f"write it alone: `{key(path.text)}: {word.text}`"
                    if operator
                    else did_you_mean(word.text, _OPERATORS)
                ),
            )
            continue
        size_operator, operands = _operands(reading, operator, entry.value, transaction)
        if operands is not None:
            span = joined(word.span, entry.value.span)
            yield Test(path, operator, operands, span, entity, size_operator)


def _bare_test(
    reading: Reading, entity: str | None, path: Name, node: Scalar, transaction: bool
) -> Test | None:
    """`status: eq`, `status: PENDING`, `created_at: now`."""
    span = node.span
    operator = _OPERATORS.get(node.value) if isinstance(node.value, str) else None
    if operator is Operator.SIZE:
        reading.report(
            "DG041",
            "`size` has to be compared with something",
            span,
            f"write e.g. `{key(path.text)}: {{size: {{lt: 10}}}}`",
        )
        return None
    if operator is not None:
        operands = (Param(span),) * _BARE.get(operator, 1)
        return Test(path, operator, operands, span, entity)
    if node.value == "param":
        reading.report(
            "DG043",
            "`param` is a word of `set`, `add` and the like",
            span,
            f"a condition on a parameter is `{key(path.text)}: eq`",
            f'for the text write `{key(path.text)}: {{eq: "param"}}`',
        )
        return None
    operand = read_operand(reading, node, transaction=transaction)
    if operand is None:
        return None
    return Test(path, Operator.EQ, (operand,), span, entity)


def _operands(
    reading: Reading, operator: Operator, node: Node, transaction: bool
) -> tuple[Operator | None, tuple[Operand, ...] | None]:
    """The operands of an operator, and the comparison inside `size`."""
    match operator, node:
        case Operator.SIZE, _:
            return _size(reading, node, transaction)
        case Operator.BETWEEN, Sequence(items=(_, _) as items):
            ends = [read_operand(reading, n, transaction=transaction) for n in items]
            present = tuple(end for end in ends if end is not None)
            return None, present if len(present) == 2 else None
        case Operator.BETWEEN, _:
            reading.report(
                "DG042",
                "`between` takes two values",
                node.span,
                "write `[low, high]`, each a constant or `{param: name}`; "
                "both ends are included",
            )
            return None, None
        case Operator.IN, Sequence(items=items) if items:
            return None, _list_of_constants(reading, items)
        case Operator.IN, Mapping():
            operand = read_operand(reading, node)
            if isinstance(operand, Param):
                return None, (operand,)
        case Operator.EQ, _:
            operand = read_operand(reading, node, words=False)
            return None, None if operand is None else (operand,)
        case _ if operator is not Operator.IN:
            operand = read_operand(reading, node, transaction=transaction)
            return None, None if operand is None else (operand,)
    reading.report(
        "DG042",
        "`in` takes a list of constants, or one parameter that holds them",
        node.span,
        "write `{in: [A, B]}` or `{in: {param: name}}`",
    )
    return None, None


def _list_of_constants(
    reading: Reading, items: tuple[Node, ...]
) -> tuple[Operand, ...] | None:
    operands: list[Operand] = []
    for item in items:
        operand = read_operand(reading, item, words=False)
        if isinstance(operand, Constant):
            operands.append(operand)
        elif operand is not None:
            reading.report(
                "DG042",
                "the list of `in` holds constants only",
                item.span,
                "`{in: {param: name}}` takes the whole list as a parameter",
            )
    return tuple(operands) if len(operands) == len(items) else None


def _size(
    reading: Reading, node: Node, transaction: bool
) -> tuple[Operator | None, tuple[Operand, ...] | None]:
    match node:
        case Mapping(entries=(Entry(key=Scalar(value=word), value=inner),)):
            comparison = _OPERATORS.get(str(word))
            if comparison in COMPARISONS:
                operand = read_operand(
                    reading,
                    inner,
                    words=comparison is not Operator.EQ,
                    transaction=transaction,
                )
                return comparison, None if operand is None else (operand,)
    reading.report(
        "DG042",
        "`size` takes one comparison",
        node.span,
        f"write e.g. `{{size: {{lt: 10}}}}`, with {listed(COMPARISONS)}",
    )
    return None, None

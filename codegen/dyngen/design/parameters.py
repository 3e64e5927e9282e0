"""The parameters of patterns: their names, and when two are the same one."""

from __future__ import annotations

from collections.abc import Iterable

from dyngen.design.model import Param
from dyngen.design.paths import Target
from dyngen.design.values import describe
from dyngen.diagnostics.build import error
from dyngen.diagnostics.model import Diagnostic, Label, Span
from dyngen.spec.model import Operator
from dyngen.types import model as types
from dyngen.types.model import ValueType, key_type

_SUFFIX = {
    Operator.GTE: "_from",
    Operator.LTE: "_to",
    Operator.GT: "_after",
    Operator.LT: "_before",
    Operator.BEGINS_WITH: "_prefix",
    Operator.IN: "_in",
    Operator.SIZE: "_size",
}


def parameter(
    target: Target,
    of: ValueType,
    span: Span,
    *,
    name: str | None = None,
    operator: Operator = Operator.EQ,
    position: int = 0,
    many: bool = False,
) -> Param:
    """The parameter compared with or written to `target`, under `name` or the name that follows.

    `position` tells the two operands of `between` apart.
    """
    words = [target.attribute.name, *(s.name for s in target.steps if s.name)]
    if operator is Operator.BETWEEN:
        suffix = ("_from", "_to")[position]
    else:
        suffix = _SUFFIX.get(operator, "")
    return Param(
        name or "_".join(words) + suffix,
        of,
        span,
        many,
        attribute=target.attribute.name,
        renamed=name is not None,
    )


def merge_params(
    params: Iterable[Param],
) -> tuple[tuple[Param, ...], list[Diagnostic]]:
    """Each parameter once: the same name is the same parameter.

    A key in a map is any text: a parameter that is one keeps the type of its other use. DG144 where
    two of one name have different types, or get the same name by chance from different attributes
    (`{param: name}` renames).
    """
    merged: dict[str, Param] = {}
    found: list[Diagnostic] = []
    for param in params:
        first = merged.setdefault(param.name, param)
        if first.map_key and not param.map_key and _is_text(param):
            merged[param.name] = param
            continue
        if param.map_key and _is_text(first):
            continue
        by_chance = first.attribute != param.attribute and not (
            first.renamed or param.renamed
        )
        if by_chance or not _same(first, param):
            found.append(
                error(
                    "DG144",
                    f"two parameters are called `{param.name}`",
                    param.span,
                    f"{_shape(param)} for `{param.attribute}`",
                    secondary=[
                        Label(first.span, f"{_shape(first)} for `{first.attribute}`")
                    ],
                    help=["name one of them by `{param: another_name}`"],
                )
            )
    return tuple(merged.values()), found


def comparable(first: ValueType, second: ValueType) -> bool:
    """Whether a value of one type can be given where the other is wanted, apart from limits."""
    match first, second:
        case types.Enum(members=ours), types.Enum(members=theirs):
            return ours == theirs
        case types.Timestamp(stored=ours), types.Timestamp(stored=theirs):
            return ours == theirs
        case (
            (types.List(of=ours), types.List(of=theirs))
            | (types.Set(of=ours), types.Set(of=theirs))
            | (types.Map(of=ours), types.Map(of=theirs))
        ):
            return comparable(ours, theirs)
        case types.Object(), types.Object():
            return first == second
        case _:
            return type(first) is type(second)


def _is_text(param: Param) -> bool:
    """Whether its value is stored as text, so that it can be a key in a map too."""
    return not param.many and key_type(param.type) == "S"


def _same(first: Param, second: Param) -> bool:
    return first.many == second.many and comparable(first.type, second.type)


def _shape(param: Param) -> str:
    kind = describe(param.type)
    return f"several values, each {kind}," if param.many else kind

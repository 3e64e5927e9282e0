"""What may be asked of a version token: whether it is the one that a caller read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dyngen.design.model import Condition, Entity, Param, Test, tests_in
from dyngen.design.naming import snake
from dyngen.diagnostics.build import error
from dyngen.diagnostics.model import Diagnostic, Label
from dyngen.spec.model import Operator


def idle_questions(
    entity: Entity, conditions: Sequence[Condition], *, guards: bool
) -> Iterator[Diagnostic]:
    """Conditions on the version token that no caller has a use for: every write makes it another."""
    version = entity.version
    if version is None:
        return
    for condition in conditions:
        if guards and isinstance(condition, Test) and _is_the_one_read(condition):
            continue
        for test in tests_in((condition,)):
            if test.attribute == version.name:
                yield error(
                    "DG141",
                    f"`{version.name}` is the version token, of which nothing can be asked "
                    + ("but whether it is as it was read" if guards else "by a filter"),
                    test.span,
                    secondary=[Label(version.span, "declared here")],
                    help=[
                        (
                            "compare it with a parameter, beside the other conditions: "
                            f"`{version.name}: eq`"
                            if guards
                            else "leave it out; `guard` asks for it when the item is written"
                        )
                    ],
                )


def _is_the_one_read(test: Test) -> bool:
    return test.operator is Operator.EQ and isinstance(test.operands[0], Param)


def shared(
    guards: Sequence[tuple[Entity, Sequence[Condition]]],
) -> Iterator[Diagnostic]:
    """Parameters that would have to be the versions of several items, which are never alike."""
    seen: dict[str, Test] = {}
    for entity, guard in guards:
        for test, name in _asked(entity, guard):
            if name not in seen:
                seen[name] = test
                continue
            own = f"{snake(entity.name)}_{test.attribute}"
            yield error(
                "DG214",
                f"`{name}` would have to be the version of two items, which are never alike",
                test.span,
                secondary=[Label(seen[name].span, "asked here, too")],
                help=[
                    "give each a parameter of its own: "
                    f"`{test.attribute}: {{eq: {{param: {own}}}}}`"
                ],
            )


def _asked(entity: Entity, guard: Sequence[Condition]) -> Iterator[tuple[Test, str]]:
    for test in guard:
        if isinstance(test, Test) and entity.version is not None:
            names = [o.name for o in test.operands if isinstance(o, Param)]
            if test.attribute == entity.version.name:
                yield from ((test, name) for name in names)

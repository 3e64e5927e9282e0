"""Conditions as written, resolved against an entity: typed constants and named parameters.

Used for `when` by the resolver, and for `where`, `guard` and `filter` by the planner.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from dyngen.design.model import (
    AllOf,
    AnyOf,
    Attribute,
    Condition,
    Const,
    Entity,
    Not,
    Operand,
    Param,
    Test,
)
from dyngen.design.operands import (
    bare_word,
    clock,
    constant,
    item_value,
    known_operators,
    repeated,
)
from dyngen.design.operators import (
    KEY_OPERATORS,
    MAX_IN,
    ORDERING,
    misfit,
    operand_type,
    sorts_as_declared,
    unsorted_enum,
)
from dyngen.design.parameters import merge_params, parameter
from dyngen.design.paths import Target, resolve_path
from dyngen.design.values import describe
from dyngen.design.versions import idle_questions
from dyngen.diagnostics.build import error
from dyngen.diagnostics.model import Diagnostic, Label, Span
from dyngen.diagnostics.suggest import listed, nearest
from dyngen.spec import model as spec
from dyngen.spec.model import Operator
from dyngen.types import model as types
from dyngen.types.model import ValueType


class Role(StrEnum):
    """What a condition is for; it decides what may be said."""

    WHERE = "where"
    WHEN = "when"
    GUARD = "guard"
    FILTER = "filter"


def resolve_where(
    where: spec.Where | None,
    entity: Entity,
    *,
    role: Role = Role.WHERE,
    together: Sequence[Entity] = (),
    items: Mapping[str, Entity] | None = None,
    broken: Collection[str] = (),
) -> tuple[tuple[Condition, ...], tuple[Param, ...], list[Diagnostic]]:
    """The conditions that `where` puts on `entity`, and the parameters they take.

    Args:
        where: the conditions as written; None puts none.
        entity: whose attributes are meant. Only name, place and attributes are looked at.
        role: what the conditions are for.
        together: all entities of the pattern in their order, where there are several. A bare name
            stands for every one that has it, and the conditions on the others are left out here.
            What is wrong for all of them is reported by the first one's call only.
        items: the items passed to the transaction, by parameter name (`player`).
        broken: names of attributes that could not be resolved; conditions on them are left out.

    Returns:
        The conditions (a conjunction), the distinct parameters in order of appearance, and what is
        wrong. What is wrong with one condition leaves the others as they are.
    """
    if where is None:
        return (), (), []
    resolver = _Resolver(
        entity, role, tuple(together) or (entity,), items or {}, frozenset(broken)
    )
    conditions = resolver.all_of(where.conditions)
    params, clashes = merge_params(resolver.params)
    idle = (
        idle_questions(entity, conditions, guards=role is Role.GUARD)
        if role in (Role.GUARD, Role.FILTER)
        else ()
    )
    return conditions, params, [*resolver.found, *clashes, *idle]


def _bare(test: spec.Test) -> bool:
    """Whether a constant stands alone (`status: PENDING`), not as `{eq: PENDING}`."""
    return len(test.operands) == 1 and test.operands[0].span == test.span


@dataclass
class _Resolver:
    """Collects parameters and findings while it goes through one `where`."""

    entity: Entity
    role: Role
    together: tuple[Entity, ...]
    items: Mapping[str, Entity]
    broken: frozenset[str]
    params: list[Param] = field(default_factory=list)
    found: list[Diagnostic] = field(default_factory=list)

    @property
    def keyed(self) -> bool:
        """Whether the conditions are to be served by keys."""
        return self.role in (Role.WHERE, Role.WHEN)

    @property
    def first(self) -> bool:
        """Whether this call reports what is wrong for all entities of the pattern."""
        return self.together[0].name == self.entity.name

    def all_of(self, conditions: Iterable[spec.Condition]) -> tuple[Condition, ...]:
        return tuple(
            resolved
            for condition in conditions
            if (resolved := self.condition(condition)) is not None
        )

    def condition(self, condition: spec.Condition) -> Condition | None:
        if isinstance(condition, spec.Test):
            return self.test(condition)
        if self.keyed:
            if self.first:
                self.report(
                    "DG141",
                    f"`any`, `all` and `not` cannot stand in `{self.role}`",
                    Label(condition.span),
                    _instead(self.role),
                )
            return None
        if isinstance(condition, spec.Not):
            inner = self.condition(condition.of)
            return None if inner is None else Not(inner)
        parts = self.all_of(condition.of)
        if not parts:
            return None
        return AnyOf(parts) if isinstance(condition, spec.AnyOf) else AllOf(parts)

    def test(self, test: spec.Test) -> Condition | None:
        if not self.concerns(test):
            return None
        target = resolve_path(test.path, self.entity, broken=self.broken)
        if target is None:
            return None
        if isinstance(target, Diagnostic):
            self.found.append(target)
            return None
        if not self.allowed(test, target):
            return None
        operands = tuple(self.operands(test, target))
        if len(operands) < len(test.operands):
            return None
        twice = repeated(operands) if test.operator is Operator.IN else None
        if twice is not None:
            self.found.append(twice)
            return None
        if _reversed(test.operator, operands):
            self.report(
                "DG142",
                "nothing lies between these two: the first is the greater",
                Label(test.span),
                ["write the lesser value first"],
            )
            return None
        self.params.extend(target.params)
        self.params.extend(o for o in operands if isinstance(o, Param))
        return Test(
            target.attribute.name,
            test.operator,
            operands,
            test.span,
            target.path,
            test.size_operator,
        )

    def concerns(self, test: spec.Test) -> bool:
        """Whether the test is about this entity; reports names that no entity has."""
        head = test.path.text.split(".")[0]
        if test.entity is not None:
            names = [e.name for e in self.together]
            if self.first and test.entity not in names:
                self.report(
                    "DG112",
                    f"this pattern does not read {test.entity}",
                    Label(_with_entity(test.path, test.entity)),
                    [f"it reads {listed(names, 'and')}"],
                )
            return test.entity == self.entity.name
        owners = [e for e in self.together if _has(e, head)]
        if head in self.broken or len(self.together) == 1:
            return True
        if not owners:
            if self.first:
                self.found.append(self.nobody_has(test.path, head))
            return False
        if self.entity not in owners:
            return False
        mine, others = owners[0].attribute(head), owners[1:]
        if owners[0].name == self.entity.name:
            for other in others:
                self.same_type(test.path, mine, other)
        return True

    def nobody_has(self, name: spec.Name, head: str) -> Diagnostic:
        entities = [e.name for e in self.together]
        guess = nearest(head, [a.name for e in self.together for a in e.attributes])
        if guess is None and "." in name.text:
            guess = nearest(head, entities)
        return error(
            "DG111",
            f"neither {listed(entities, 'nor')} has an attribute `{head}`",
            name.span,
            "not declared",
            secondary=[
                Label(e.span, f"{e.name} is declared here") for e in self.together
            ],
            help=[
                (
                    f"did you mean `{guess}`?"
                    if guess
                    else "name an attribute of one of them, or leave the condition out"
                )
            ],
        )

    def same_type(self, name: spec.Name, mine: Attribute, other: Entity) -> None:
        theirs = other.attribute(mine.name)
        if theirs.type != mine.type:
            self.report(
                "DG145",
                f"`{mine.name}` has different types in the entities of this pattern",
                Label(name.span),
                [
                    f"give both the same type (a name from `types`), or name one "
                    f"entity's attribute: `{other.name}.{mine.name}`"
                ],
                [
                    Label(mine.span, f"{describe(mine.type)} here"),
                    Label(theirs.span, f"{describe(theirs.type)} here"),
                ],
            )

    # --- what may be asked ---------------------------------------------------------------------

    def allowed(self, test: spec.Test, target: Target) -> bool:
        """Whether the operator fits the role and the type; reports it if not."""
        operator, keyed = test.operator, self.keyed
        if keyed and operator not in KEY_OPERATORS:
            self.report(
                "DG141",
                f"`{operator}` cannot stand in `{self.role}`",
                Label(test.span),
                _instead(self.role),
            )
            return False
        if keyed and target.steps:
            self.report(
                "DG141",
                f"`{test.path.text}` lies inside an attribute, "
                f"which no `{self.role}` can ask about",
                Label(test.path.span),
                [
                    "keys are made of whole attributes; "
                    "make it an attribute of its own, or use a guard or a filter"
                ],
            )
            return False
        wanted = misfit(operator, target.type, keyed=keyed)
        if wanted is not None:
            self.report(
                "DG140",
                f"`{operator}` does not work on {describe(target.type)}",
                Label(test.span),
                [wanted],
                [
                    Label(
                        target.attribute.span,
                        f"`{target.attribute.name}` is declared here",
                    )
                ],
            )
            return False
        if (
            operator in ORDERING
            and isinstance(target.type, types.Enum)
            and not sorts_as_declared(target.type)
        ):
            self.found.append(
                unsorted_enum(
                    target.type,
                    target.attribute.name,
                    Label(test.span, f"`{operator}` compares them"),
                )
            )
            return False
        if operator is Operator.IN and len(test.operands) > MAX_IN:
            self.report(
                "DG140",
                f"`in` takes at most {MAX_IN} values",
                Label(test.span),
                ["pass them as a parameter: `in`"],
            )
            return False
        return True

    # --- operands --------------------------------------------------------------------------------

    def operands(self, test: spec.Test, target: Target) -> Iterator[Operand]:
        of = operand_type(test.operator, target.type)
        for position, operand in enumerate(test.operands):
            resolved = self.operand(test, target, operand, of, position)
            if resolved is not None:
                yield resolved

    def operand(
        self,
        test: spec.Test,
        target: Target,
        operand: spec.Operand,
        of: ValueType,
        position: int,
    ) -> Operand | None:
        if self.role is Role.WHEN and not isinstance(operand, spec.Constant):
            self.report(
                "DG147",
                "`when` takes constants only",
                Label(operand.span),
                [
                    "whether an item has a key must follow from the item alone: "
                    "write a value, `present` or `absent`"
                ],
            )
            return None
        found: Operand | Diagnostic
        match operand:
            case spec.Param(span=span, name=name):
                found = parameter(
                    target,
                    of,
                    span,
                    name=name,
                    operator=test.operator,
                    position=position,
                    many=test.operator is Operator.IN and len(test.operands) == 1,
                )
            case spec.Constant(value=str()) if _bare(test):
                known = known_operators(keyed=self.keyed)
                found = bare_word(operand, target, of, known)
            case spec.Constant():
                found = constant(operand, target, of, self.entity)
            case spec.Now():
                found = clock(operand, test.path, of)
            case spec.ItemValue():
                found = item_value(operand, self.items, of)
        if isinstance(found, Diagnostic):
            self.found.append(found)
            return None
        return found

    def report(
        self,
        code: str,
        message: str,
        place: Label,
        help: Sequence[str],
        secondary: Sequence[Label] = (),
    ) -> None:
        self.found.append(
            error(
                code,
                message,
                place.span,
                place.text,
                secondary=secondary,
                help=help,
            )
        )


def _with_entity(path: spec.Name, entity: str) -> Span:
    """The place of `Issue.state`, of which `path` is the second word."""
    return replace(path.span, column=path.span.column - len(entity) - 1)


def _has(entity: Entity, name: str) -> bool:
    return any(a.name == name for a in entity.attributes)


def _instead(role: Role) -> list[str]:
    if role is Role.WHEN:
        return ["`when` is a list of conditions that all hold; write several cases"]
    return [
        "a key can be asked for "
        f"{listed(KEY_OPERATORS, 'and')}; anything else is a `filter` or a `guard`"
    ]


def _reversed(operator: Operator, operands: Sequence[Operand]) -> bool:
    match operator, operands:
        case Operator.BETWEEN, (Const(value=low), Const(value=high)):
            return bool(low > high)  # type: ignore[operator]  # both of one ordered type
        case _:
            return False

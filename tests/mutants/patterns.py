"""Faults of patterns that write: their guards, and what they remove."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dyngen.design.model import (
    AllOf,
    Computed,
    Condition,
    Const,
    Entity,
    Test,
)
from dyngen.design.plans import DeletePlan, UpdatePlan
from dyngen.python import names
from dyngen.python.suite.oracle import holds
from dyngen.spec.model import Operator

from .edits import Edit, Module, Package, called
from .kind import Kind

_REQUESTS = (".writing.update_request", ".writing.delete_request")
_ACTIONS = (".transactions.update", ".transactions.delete", ".transactions.check")


@dataclass(frozen=True)
class Written:
    """A request or an action of a transaction that a pattern is generated as, and its plan."""

    module: Module
    call: ast.Call
    entity: Entity
    guard: Sequence[Condition]

    @property
    def conditions(self) -> list[ast.expr]:
        """What it asks of the item, apart from being there."""
        for argument in self.call.args:
            if isinstance(argument, ast.Call) and called(argument).endswith(".all_of"):
                return argument.args[1:]
        return []

    @property
    def changes(self) -> list[ast.Call]:
        """What it does, change by change."""
        for argument in self.call.args:
            if isinstance(argument, ast.List):
                return [each for each in argument.elts if isinstance(each, ast.Call)]
        return []

    @property
    def list(self) -> ast.List:
        """The list of its changes."""
        return next(each for each in self.call.args if isinstance(each, ast.List))


def written(package: Package) -> Iterator[Written]:
    """What the patterns of a package write."""
    schema = package.design.schema
    plans: list[UpdatePlan | DeletePlan] = [
        *package.design.updates,
        *package.design.deletes,
    ]
    for module in package.modules:
        for plan in plans:
            method = module.function(names.method(plan.name))
            entity = schema.entity(plan.entity)
            if method and module.path.endswith(
                f"/{names.repository_module(entity.name)}.py"
            ):
                for call in _within(module, method, _REQUESTS):
                    yield Written(module, call, entity, plan.guard)
        for transaction in package.design.transactions:
            method = module.function(names.method(transaction.name))
            if method and module.path.endswith("/service.py"):
                members = [
                    each
                    for each in transaction.members
                    if each.action.value in ("update", "delete", "check")
                ]
                calls = list(_within(module, method, _ACTIONS))
                for member, call in zip(members, calls, strict=True):
                    entity = schema.entity(member.entity)
                    yield Written(module, call, entity, member.guard)


def _within(
    module: Module, method: ast.FunctionDef, functions: Sequence[str]
) -> Iterator[ast.Call]:
    found = [call for name in functions for call in module.calls(name)]
    for call in sorted(found, key=lambda call: call.lineno):
        if method.lineno <= call.lineno <= (method.end_lineno or 0):
            yield call


# --- guards ---------------------------------------------------------------------------------------


def _guard_forgotten(package: Package) -> Iterator[Edit]:
    for write in written(package):
        whole = next(
            (each for each in write.call.args if write.conditions and _is_all(each)),
            None,
        )
        for condition in write.conditions:
            if whole is not None and not _is_token(condition):
                yield write.module.drop(condition)
    for module in package.modules:
        for call in module.calls(".revising.revise"):
            for argument in call.args:
                if isinstance(argument, ast.List):
                    for condition in argument.elts:
                        yield module.drop(condition)


def _is_all(argument: ast.expr) -> bool:
    return isinstance(argument, ast.Call) and called(argument).endswith(".all_of")


def _is_token(condition: ast.expr) -> bool:
    """Whether it asks that this very write has not been carried out yet."""
    return "token[" in ast.unparse(condition)


def _attribute(change: ast.Call) -> object:
    match change.args:
        case [ast.Constant(value=name), *_] | [
            ast.Tuple(elts=[ast.Constant(value=name), *_]),
            *_,
        ]:
            return name
        case _:
            return None


# --- changes --------------------------------------------------------------------------------------


def _removal_forgotten(package: Package) -> Iterator[Edit]:
    for write in written(package):
        for change in write.changes:
            name = _attribute(change)
            if called(change) == ".writing.remove" and not _is_absent(
                write.entity, name, write.guard
            ):
                yield write.module.drop(change)


def _is_absent(entity: Entity, stored: object, guard: Sequence[Condition]) -> bool:
    """Whether no item that meets the guard has the attribute, so that there is nothing to remove."""
    tests = list(_tests(guard))
    for attribute in entity.attributes:
        if attribute.stored == stored:
            return any(
                test.attribute == attribute.name and test.operator is Operator.ABSENT
                for test in tests
            )
    form = entity.keys.get(str(stored))
    return isinstance(form, Computed) and all(
        any(_excludes(test, needed) for test in tests for needed in case.when)
        for case in form.cases
    )


def _tests(conditions: Sequence[Condition]) -> Iterator[Test]:
    """The tests that must all hold."""
    for condition in conditions:
        match condition:
            case Test(path=()):
                yield condition
            case AllOf(of=parts):
                yield from _tests(parts)


def _excludes(test: Test, needed: Test) -> bool:
    """Whether an item that meets the one test cannot meet the other."""
    if test.attribute != needed.attribute:
        return False
    match test:
        case Test(operator=Operator.EQ, operands=(Const(value=value),)):
            return not holds(needed, {test.attribute: value}, {})
        case Test(operator=Operator.ABSENT):
            return not holds(needed, {}, {})
        case Test(operator=Operator.PRESENT):
            return needed.operator is Operator.ABSENT
        case _:
            return False


def _key_left_as_it_was(package: Package) -> Iterator[Edit]:
    """A pattern changes an attribute, and not the key that is computed from it."""
    derived = {
        (each.entity, key.attribute)
        for each in package.design.writes
        for key in each.derived
    }
    for write in written(package):
        for change in write.changes:
            key = (write.entity.name, _attribute(change))
            if called(change) == ".writing.set_to" and key in derived:
                yield write.module.drop(change)


PATTERNS = (
    Kind("guard forgotten", _guard_forgotten, ("guard", "refused")),
    Kind("removal forgotten by a pattern", _removal_forgotten),
    Kind("stale key of a pattern", _key_left_as_it_was),
)

"""The files of a suite, as text."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, partial
from importlib.resources import files

from dyngen.design.model import Entity, Schema
from dyngen.design.plans import Design
from dyngen.python import entities, names
from dyngen.python.harness import HARNESS
from dyngen.python.literals import docstring, text
from dyngen.python.modes import BLOCKING, Mode, modes
from dyngen.python.modules import from_imports, used_names
from dyngen.python.names import Scope
from dyngen.python.suite import support
from dyngen.python.suite.cases import ReadCase, read_case
from dyngen.python.suite.deployment import permits, times_to_live
from dyngen.python.suite.foreign import Place, place_of
from dyngen.python.suite.model import (
    KindSource,
    Package,
    ReadClass,
    ServiceSource,
    TestModule,
)
from dyngen.python.suite.oracle import NOW
from dyngen.python.suite.patterns import Plan, pattern_class
from dyngen.python.suite.reads import read_class, sweep_class
from dyngen.python.suite.sources import plain, source
from dyngen.python.suite.transactions import transaction_class
from dyngen.python.suite.writes import write_class
from dyngen.render.environment import environment
from dyngen.types.model import Timestamp

_DATETIME = {"dt": "import datetime as dt"}

_STANDARD = {
    "Any": "typing",
    "Collection": "collections.abc",
    "Decimal": "decimal",
    "Mapping": "collections.abc",
    "Path": "pathlib",
    "partial": "functools",
    "replace": "dataclasses",
}


def suite_files(design: Design, header: str) -> dict[str, str]:
    """The unformatted text of every file of the suite, by its path below the output folder.

    `header` is the comment that begins every generated file.
    """
    schema = design.schema
    package = Package(
        service=schema.service,
        services=tuple(map(partial(_service, schema), modes(design.client))),
        harness=f"{schema.service}_harness",
        support=f"{schema.service}_support",
    )
    suite = _Suite(design, header, package)
    found = {
        "tests/conftest.py": suite.conftest(),
        f"tests/{package.support}.py": suite.support(),
        package.test_path("tables"): suite.tables(),
    }
    modules = dict(suite.modules())
    for name, tests in modules.items():
        found[package.test_path(name)] = suite.tests(tests)
    found[package.test_path("histories")] = suite.histories(modules)
    for name, module in harness_files():
        found[f"tests/{package.harness}/{name}"] = f"{header}\n{module}"
    return found


def _service(schema: Schema, mode: Mode) -> ServiceSource:
    name = names.service_class(schema.service, (e.name for e in schema.entities))
    blocking = mode is BLOCKING
    return ServiceSource(
        class_name=f"{mode.prefix}{name}",
        constant="SUITE" if blocking else "ASYNC_SUITE",
        id=text("blocking" if blocking else "async"),
        blocking=blocking,
    )


def harness_files() -> Iterator[tuple[str, str]]:
    """The modules of the test kit, which every suite has a verbatim copy of."""
    folder = files("dyngen") / "testkit"
    modules = [each for each in folder.iterdir() if each.name.endswith(".py")]
    for module in sorted(modules, key=lambda each: each.name):
        yield module.name, module.read_text(encoding="utf-8")


class _Suite:
    def __init__(self, design: Design, header: str, package: Package) -> None:
        self.design = design
        self.schema = design.schema
        self.header = header
        self.package = package
        self.cases = [read_case(design.schema, plan) for plan in design.reads]
        self.alike: dict[Place, list[ReadCase]] = {}
        for case in self.cases:
            self.alike.setdefault(place_of(case), []).append(case)

    def conftest(self) -> str:
        return self._module("conftest", "")

    def tables(self) -> str:
        return self._module(
            "tables",
            "",
            times_to_live=plain(times_to_live(self.schema)),
            permits=plain(permits(self.design)),
        )

    def support(self) -> str:
        scans = frozenset(
            (plan.table, alternative.route.index)
            for plan in self.design.reads
            for alternative in plan.alternatives
            if alternative.route.scan
        )
        said = f"What the tests of {self.package.service} share: tables, entities, sample items."
        return self._module(
            "support",
            said,
            now=source(Timestamp(), NOW),
            tables=[
                plain(support.table_arguments(each)) for each in self.schema.tables
            ],
            kinds=self._kinds(),
            scans=support.scans_literal(scans),
        )

    def _kinds(self) -> list[KindSource]:
        """The entities, those first that mark values of others, which name them."""
        writes = {each.entity: each for each in self.design.writes}
        entities_ = self.schema.entities
        marking = self._marking()
        return [
            support.kind_source(self.schema, entity, writes[entity.name])
            for entity in sorted(entities_, key=lambda each: each.name not in marking)
        ]

    def _marking(self) -> frozenset[str | None]:
        """The entities whose items mark unique values of others."""
        return frozenset(
            unique.marker for each in self.schema.entities for unique in each.unique
        )

    def modules(self) -> Iterator[tuple[str, TestModule]]:
        """The test modules: one for each entity, one for what is of several."""
        for entity in self.schema.entities:
            yield names.snake(entity.name), self._of_entity(entity)
        module = self._of_service()
        if module.reads or module.writes:
            yield "service", module

    def histories(self, modules: Mapping[str, TestModule]) -> str:
        """The test module of histories, made of the test classes of the others."""
        marking = self._marking()
        kinds = [
            names.kind(each.name)
            for each in self.schema.entities
            if each.name not in marking
        ]
        proofs = [
            f"{name}_tests.{proof}"
            for name, module in modules.items()
            for proof in module.classes
        ]
        imports = {
            f"{name}_tests": f"import {self.package.test_module(name)} as {name}_tests"
            for name in modules
        }
        said = "Histories of random calls by two writers, while things go wrong."
        return self._module("histories", said, imports, kinds=kinds, proofs=proofs)

    def _of_entity(self, entity: Entity) -> TestModule:
        design, schema, scope = self.design, self.schema, Scope()
        writes = next(each for each in design.writes if each.entity == entity.name)
        reads = [
            self._read(case, scope)
            for case in self.cases
            if case.plan.entities == (entity.name,)
        ]
        reads += [
            sweep_class(schema, plan, _test_name(scope, plan.name))
            for plan in design.delete_eaches
            if plan.read.entities == (entity.name,)
        ]
        own = write_class(
            schema, entity, writes, _test_name(scope, f"{entity.name}Writes")
        )
        plans: list[Plan] = [*design.updates, *design.deletes, *design.moves]
        patterns = [
            pattern_class(schema, plan, _test_name(scope, plan.name))
            for plan in plans
            if plan.entity == entity.name
        ]
        return TestModule(
            docstring=(
                f"{entity.name}: every read returns what matches and reads nothing else; every "
                "write keeps keys true."
            ),
            reads=tuple(reads),
            writes=(*([own] if own else []), *patterns),
        )

    def _of_service(self) -> TestModule:
        design, schema, scope = self.design, self.schema, Scope()
        reads = [
            self._read(case, scope)
            for case in self.cases
            if len(case.plan.entities) > 1
        ]
        transactions = [
            transaction_class(schema, plan, _test_name(scope, plan.name))
            for plan in design.transactions
        ]
        return TestModule(
            docstring=(
                "What is of several entities: reads return what matches and nothing else, "
                "transactions do all or nothing."
            ),
            reads=tuple(reads),
            writes=tuple(each for each in transactions if each is not None),
        )

    def _read(self, case: ReadCase, scope: Scope) -> ReadClass:
        name = _test_name(scope, case.plan.name)
        return read_class(self.schema, case, name, self.alike[place_of(case)])

    def tests(self, module: TestModule) -> str:
        return self._module("tests", module.docstring, module=module)

    def _module(
        self,
        template: str,
        said: str,
        modules: Mapping[str, str] = {},
        **values: object,
    ) -> str:
        body = (
            environment()
            .get_template(f"pytest/{template}.py.j2")
            .render(package=self.package, header=self.header, **values)
        )
        if not said:
            return body
        imports = self._imports(body, modules)
        return f"{self.header}\n{docstring(said, 0)}\n\n{imports}\n\n{body}"

    # --- imports ----------------------------------------------------------------------------------

    def _imports(self, code: str, modules: Mapping[str, str]) -> str:
        tree = ast.parse(code)
        used = used_names(tree).difference(_defined(tree))
        groups = [
            ["from __future__ import annotations"],
            [*_whole(used, _DATETIME), *_from(used, _STANDARD)],
            [*_whole(used, modules), *_from(used, self._ours)],
        ]
        return "\n\n".join("\n".join(lines) for lines in groups if lines)

    @cached_property
    def _ours(self) -> Mapping[str, str]:
        """Where what a module may use of the package and of the harness is defined."""
        package, harness = self.package.service, self.package.harness
        found = {
            name: f"{harness}.{module}"
            for module, all_ in HARNESS.items()
            for name in all_
        }
        found |= {
            "NOW": self.package.support,
            "Environment": f"{package}._runtime.clock",
            "Query": package,
            "capacity": f"{package}._runtime",
            "keytext": f"{package}._runtime",
            "draws": harness,
            "strategies": "hypothesis",
            "errors": f"{package}._runtime",
            **{each.class_name: package for each in self.package.services},
        }
        found |= dict.fromkeys(self._exported(), package)
        for entity in self.schema.entities:
            found[names.repository_module(entity.name)] = package
            found[names.kind(entity.name)] = self.package.support
            found[support.sample_function(entity)] = self.package.support
        return found

    def _exported(self) -> Iterator[str]:
        """The names of the package's own types."""
        yield from (names.class_name(of.name) for of in entities.enums(self.schema))
        yield from (names.class_name(of.name) for of in entities.objects(self.schema))
        for entity in self.schema.entities:
            yield names.class_name(entity.name)
            yield names.key_class(entity.name)
            for plan in entities.projections(entity, self.design.reads):
                yield entities.projection_class(plan)


def _test_name(scope: Scope, name: str) -> str:
    return scope.claim(f"Test{names.pascal(name)}")


def _defined(tree: ast.Module) -> Iterator[str]:
    """The names that a module defines itself."""
    for statement in tree.body:
        match statement:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.Assign(targets=[ast.Name(id=name)]):
                yield name


def _whole(used: set[str], modules: Mapping[str, str]) -> Sequence[str]:
    return sorted(line for name, line in modules.items() if name in used)


def _from(used: set[str], modules: Mapping[str, str]) -> Sequence[str]:
    return from_imports({name: modules[name] for name in used & modules.keys()})

"""The test classes of reads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import prod

from dyngen.design.model import Attribute, Entity, Schema, tests_in
from dyngen.design.plans import DeleteEachPlan, FanOut, OrderKey, Parameter
from dyngen.python import entities, names, types
from dyngen.python.literals import comment, text
from dyngen.python.suite import support
from dyngen.python.suite.calls import (
    CallPlan,
    conditions_of,
    meets,
    most_read,
    optional_parameters,
)
from dyngen.python.suite.cases import Many, ReadCase, read_case
from dyngen.python.suite.foreign import foreign_reads
from dyngen.python.suite.links import hydrated, links
from dyngen.python.suite.model import Line, ReadClass
from dyngen.python.suite.nested import Values
from dyngen.python.suite.oracle import Writer, parameters
from dyngen.python.suite.sources import plain, source
from dyngen.python.suite.specimens import Specimen, base
from dyngen.python.suite.stored import with_computed
from dyngen.spec.model import Action, Operator
from dyngen.types.model import List, Set


def read_class(
    schema: Schema, case: ReadCase, name: str, alike: Sequence[ReadCase]
) -> ReadClass:
    """The test class of a read; `alike` are the cases of all reads of the same place."""
    return _Builder(schema, case, foreign_reads(case, alike)).build(name)


def sweep_class(schema: Schema, plan: DeleteEachPlan, name: str) -> ReadClass:
    """The test class of a pattern that deletes what a read finds."""
    read = replace(plan.read, name=plan.name, description=plan.description)
    built = _Builder(schema, read_case(schema, read)).build(name)
    kept = ("kinds", "table", "given", "calls", "sources")
    return replace(
        built,
        bases=("SweepProof",),
        view=None,
        view_class=None,
        assignments=tuple(
            each for each in built.assignments if each.split()[0] in kept
        ),
        returns="int",
    )


class _Builder:
    def __init__(
        self, schema: Schema, case: ReadCase, foreign: Sequence[ReadCase] = ()
    ) -> None:
        self.schema = schema
        self.plan = plan = case.plan
        self.case = case
        self.foreign = foreign
        self.entities = [schema.entity(each) for each in plan.entities]
        self.optional = optional_parameters(plan)
        self.target = hydrated(schema, plan)
        self.common = self._common()
        self.like = (
            f"like_{names.snake(plan.name)}"
            if self.common
            else support.sample_function(self.entities[0])
        )

    def build(self, name: str) -> ReadClass:
        item = self._item()
        classes = [names.class_name(entity.name) for entity in self.entities]
        view = self._view(item)
        return ReadClass(
            name=name,
            bases=tuple(self._bases()),
            docstring=support.described(
                self.plan.description, f"The access pattern {self.plan.name}."
            ),
            like=self.like,
            sample=support.sample_function(self.entities[0]),
            common=tuple(self._common_arguments()),
            assignments=tuple(self._assignments(item)),
            items=tuple(self._items()),
            method=self.method(),
            returns=self._returns(classes),
            item=item,
            item_class=" | ".join(classes),
            arguments=tuple(map(self._argument, self.plan.parameters)),
            matches=self._matches(item),
            keyed=self._keyed(item),
            view=view,
            view_class=None if view is None else entities.projection_class(self.plan),
        )

    def _item(self) -> str:
        """What the oracle calls an item: no parameter has that name."""
        parameters = [names.parameter(each.name) for each in self.plan.parameters]
        name = names.item_variable(self.entities[0].name)
        if len(self.entities) > 1 or name in parameters:
            name = "item"
        return names.Scope(parameters).claim(name)

    # --- what is proven ---------------------------------------------------------------------------

    def _bases(self) -> Iterator[str]:
        plan, case = self.plan, self.case
        if plan.action is Action.GET:
            yield "GetProof"
        elif plan.one is not None:
            if self.target is not None:
                yield "HydrationProof"
            yield "FirstProof" if plan.one == "first" else "OnlyProof"
            if plan.one != "first" and case.matching > 1:
                yield "SecondProof"
        else:
            if case.others and case.matching > 1:
                yield "CursorProof"
            if self.foreign:
                yield "ForeignCursorProof"
            if case.empty:
                yield "EmptyProof"
            if plan.page_size is not None and self._enough(plan.page_size):
                yield "PageSizeProof"
            if plan.hydrate is not None:
                yield "HydratedProof"
            else:
                yield "FilterProof" if self._filtered else "QueryProof"

    @property
    def _filtered(self) -> bool:
        """Whether a filter drops items that were read."""
        return self.plan.filter is not None or self.plan.expires is not None

    def _enough(self, page_size: int) -> bool:
        more = 0 if self.case.many is None else self.case.many.count
        return self.case.matching + more > page_size

    def _assignments(self, item: str) -> Iterator[str]:
        kinds = ", ".join(names.kind(entity.name) for entity in self.entities)
        yield f"kinds = [{kinds}]"
        yield f"table = {text(self.plan.table)}"
        yield f"given = {self._parameters(self.case.calls[0].parameters)}"
        yield f"calls = [{', '.join(map(self._call, self.case.calls))}]"
        bases = list(self._bases())
        if "CursorProof" in bases:
            yield f"others = [{', '.join(map(self._changed, self.case.others))}]"
        if "ForeignCursorProof" in bases:
            yield f"foreign = [{', '.join(map(self._called, self.foreign))}]"
        if "EmptyProof" in bases:
            yield f"empty = [{', '.join(map(self._changed, self.case.empty))}]"
        whole = [each for each in self.plan.parameters if self._is_whole(each)]
        yield f"sources = {{{', '.join(map(self._source_of, whole))}}}"
        order = list(self._order(item))
        if order or self.plan.one == "first":
            yield f"order = [{', '.join(order)}]"
        if self.plan.consistent:
            yield "consistent = True"
        most = most_read(self.plan)
        if most is not None:
            yield f"at_most = {most}"
        if self.plan.max_items is not None:
            yield f"max_items = {self.plan.max_items}"
        yield from self._hydration(item)
        if "FilterProof" in bases and not all(map(self._drops, self.case.calls)):
            yield "drops = False"
        if "PageSizeProof" in bases:
            yield f"page_size = {self.plan.page_size}"
            if self.plan.max_page_size is not None:
                yield f"max_page_size = {self.plan.max_page_size}"

    def _hydration(self, item: str) -> Iterator[str]:
        """What the entries of an index lead to, where that is another entity."""
        if self.target is None:
            return
        pairs = [
            f"{text(names.attribute(theirs))}: {item}.{names.attribute(ours)}"
            for theirs, ours in links(self.schema, self.plan)
        ]
        yield f"target = {names.kind(self.target.name)}"
        yield f"follow = staticmethod(lambda {item}: {{{', '.join(pairs)}}})"

    def _drops(self, call: CallPlan) -> bool:
        """Whether a call reads an item that the filter drops."""
        where = dict(self.plan.where)
        mine = [e for e in self.case.items if e.entity.name in self.plan.entities]
        return any(
            meets(where[each.entity.name], values, call.parameters)
            and not meets(
                conditions_of(self.plan, each.entity), values, call.parameters
            )
            for each in mine
            for values in [with_computed(each.entity, each.values)]
        )

    def _is_whole(self, parameter: Parameter) -> bool:
        """Whether a parameter is compared with attributes, not with what is in them or their size."""
        tests = (
            (entity, test)
            for entity in self.entities
            for test in tests_in(conditions_of(self.plan, entity))
            if parameter.name in parameters(test)
        )
        return not any(
            test.path
            or test.operator is Operator.SIZE
            or (
                test.operator is Operator.CONTAINS
                and isinstance(entity.attribute(test.attribute).type, Set | List)
            )
            for entity, test in tests
        )

    def _source_of(self, parameter: Parameter) -> str:
        attribute = parameter.attribute or parameter.name
        return f"{text(names.parameter(parameter.name))}: {text(names.attribute(attribute))}"

    def _order(self, item: str) -> Iterator[str]:
        """The declared order, as far as what is returned shows it; entities as they are listed."""
        if self.target is not None:
            return
        if len(self.entities) > 1:
            classes = ", ".join(names.class_name(each.name) for each in self.entities)
            yield f"By(lambda {item}: [{classes}].index(type({item})))"
        for by in self.plan.order_by:
            if (
                self.plan.projected is not None
                and by.attribute not in self.plan.projected
            ):
                return
            yield self._by(by, item)

    def _by(self, by: OrderKey, item: str) -> str:
        found = f"{item}.{names.attribute(by.attribute)}"
        if not all(_has(entity, by.attribute) for entity in self.entities):
            found = f"getattr({item}, {text(names.attribute(by.attribute))}, None)"
        reverse = ", descending=True" if by.descending else ""
        return f"By(lambda {item}: {found}{reverse})"

    # --- calls ------------------------------------------------------------------------------------

    def _call(self, call: CallPlan) -> str:
        arguments = [self._changed(call.parameters)]
        if call.route.index is not None:
            arguments.append(f"index={text(call.route.index)}")
        streams = prod(_turns(each, call.parameters) for each in call.route.fan_outs)
        if streams != 1:
            arguments.append(f"streams={streams}")
        return f"Call({', '.join(arguments)})"

    def _called(self, other: ReadCase) -> str:
        """The first call of another read."""
        builder = _Builder(self.schema, other)
        call = other.calls[0].parameters
        arguments = ", ".join(
            f"{names.parameter(each.name)}={argument_source(each, call[each.name])}"
            for each in other.plan.parameters
            if each.name in call
        )
        return f"lambda db: db.{builder.method()}({arguments})"

    def _changed(self, call: Values) -> str:
        """Parameters, as a change of those of the first call."""
        first = self.case.calls[0].parameters
        if set(call) != set(first):
            return self._parameters(call)
        changes = {name: value for name, value in call.items() if value != first[name]}
        return f"given | {self._parameters(changes)}" if changes else "given"

    def _parameters(self, call: Values) -> str:
        pairs = [
            f"{text(names.parameter(each.name))}: {argument_source(each, call[each.name])}"
            for each in self.plan.parameters
            if each.name in call
        ]
        return f"{{{', '.join(pairs)}}}"

    def _argument(self, parameter: Parameter) -> str:
        assert parameter.type is not None
        kind = types.annotation(parameter.type)
        if parameter.many:
            kind = f"Collection[{kind}]"
        name = names.parameter(parameter.name)
        if not parameter.optional:
            return f"{name}: {kind}"
        default = " = None" if parameter.name in self.optional else ""
        return f"{name}: {kind} | None{default}"

    def method(self) -> str:
        """The repository's method, reached from `db`."""
        method = names.method(self.plan.name)
        if len(self.entities) > 1:
            return method
        entity = self.entities[0]
        return f"{names.repository_attribute(entity.name, entity.plural)}.{method}"

    def _returns(self, classes: Sequence[str]) -> str:
        item = " | ".join(classes)
        if self.plan.projection_name is not None:
            item = entities.projection_class(self.plan)
        if self.target is not None:
            item = names.class_name(self.target.name)
        single = self.plan.action is Action.GET or self.plan.one is not None
        return f"{item} | None" if single else f"Query[{item}]"

    # --- the oracle -------------------------------------------------------------------------------

    def _matches(self, item: str) -> str:
        if len(self.entities) == 1:
            entity = self.entities[0]
            writer = Writer(entity, item, self.optional)
            return writer.all_of(conditions_of(self.plan, entity))
        return " or ".join(
            f"(isinstance({item}, {names.class_name(entity.name)}) and {rest})"
            for entity in self.entities
            for rest in [
                Writer(entity, item, self.optional).all_of(
                    conditions_of(self.plan, entity)
                )
            ]
        )

    def _keyed(self, item: str) -> str | None:
        if not self._filtered:
            return None
        entity = self.entities[0]
        return Writer(entity, item, self.optional).all_of(self.plan.where[0][1])

    def _view(self, item: str) -> str | None:
        if self.plan.projection_name is None:
            return None
        fields = [
            f"{names.attribute(each)}={item}.{names.attribute(each)}"
            for each in self.plan.projected or ()
        ]
        return f"{entities.projection_class(self.plan)}({', '.join(fields)})"

    # --- items ------------------------------------------------------------------------------------

    def _items(self) -> Iterator[Line]:
        said = None
        for specimen in self.case.items:
            note = specimen.note if specimen.note != said else None
            said = specimen.note
            yield Line(self._made(specimen), None if note is None else comment(note))
        if self.case.many is not None:
            yield Line(self._many(), comment("more matches than a page takes"))
            if self.target is not None:
                yield Line(self._many_targets(self.case.many, self.target))

    def _made(self, specimen: Specimen, given: Mapping[str, str] | None = None) -> str:
        if specimen.entity is not self.entities[0]:
            return sample_call(specimen, given)
        arguments = _changes(specimen, given or {}, self.common)
        return f"{self.like}({', '.join(arguments)})"

    def _many(self) -> str:
        many = self.case.many
        assert many is not None
        numbered = {name: each.source("n") for name, each in many.numbered.items()}
        made = self._made(many.specimen, numbered)
        return f"*({made} for n in range({many.first}, {many.first + many.count}))"

    def _many_targets(self, many: Many, target: Entity) -> str:
        """What the many matches lead to."""
        values = base(target)
        held = with_computed(many.specimen.entity, many.specimen.values)
        numbered: dict[str, str] = {}
        for theirs, ours in links(self.schema, self.plan):
            if target.attribute(theirs).computed is not None:
                continue
            if ours in many.numbered:
                numbered[theirs] = many.numbered[ours].source("n")
            else:
                values[theirs] = held[ours]
        made = sample_call(Specimen(target, values), numbered)
        return f"*({made} for n in range({many.first}, {many.first + many.count}))"

    def _common(self) -> dict[str, object]:
        """What the first item, a match, has that is not plain."""
        first = self.case.items[0]
        plain_values = base(first.entity)
        return {
            name: first.values.get(name)
            for name in plain_values
            if first.values.get(name) != plain_values[name]
        }

    def _common_arguments(self) -> Iterator[str]:
        for name, value in self.common.items():
            attribute = self.entities[0].attribute(name)
            yield f"{names.attribute(name)}={source(attribute.type, value)}"


def sample_call(specimen: Specimen, given: Mapping[str, str] | None = None) -> str:
    """The call that makes a sample item; it names only what is not plain.

    `given` holds expressions of attributes that are not constant.
    """
    arguments = ", ".join(_changes(specimen, given or {}, {}))
    return f"{support.sample_function(specimen.entity)}({arguments})"


def _changes(
    specimen: Specimen, given: Mapping[str, str], common: Values
) -> Iterator[str]:
    plain_values = {**base(specimen.entity), **common}
    for name, value in plain_values.items():
        attribute: Attribute = specimen.entity.attribute(name)
        changed = specimen.values.get(name)
        if name in given:
            yield f"{names.attribute(name)}={given[name]}"
        elif changed != value:
            yield f"{names.attribute(name)}={source(attribute.type, changed)}"


def _turns(fan_out: FanOut, call: Values) -> int:
    if fan_out.parameter is None:
        return len(fan_out.values)
    chosen = call.get(fan_out.parameter)
    return len(set(chosen)) if isinstance(chosen, tuple) else 1


def argument_source(parameter: Parameter, value: object) -> str:
    """A parameter's value as an expression."""
    if parameter.type is None:
        return plain(value)
    if isinstance(value, tuple) and parameter.many:
        of = parameter.type
        inner = "".join(f"{source(of, each)}, " for each in value)
        return f"({inner.strip()})"
    return source(parameter.type, value)


def _has(entity: Entity, name: str) -> bool:
    return any(attribute.name == name for attribute in entity.attributes)

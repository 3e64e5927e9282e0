"""Read patterns as methods of a repository."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from dyngen.design.model import Computed
from dyngen.design.plans import (
    Alternative,
    KeyEquals,
    Parameter,
    ReadPlan,
    TextValue,
)
from dyngen.keys.model import (
    Clock,
    Encoded,
    Shard,
    Source,
)
from dyngen.python import docs, names, types
from dyngen.python.codec import Codec
from dyngen.python.decoders import selected
from dyngen.python.entities import key_attributes, projection_class, projection_function
from dyngen.python.expressions import Body, Variable
from dyngen.python.literals import docstring, strings, text
from dyngen.python.model.methods import (
    GetMethod,
    Hydration,
    QueryMethod,
    Read,
    Signature,
)
from dyngen.python.model.methods import Route as RouteModel
from dyngen.python.predicates import all_hold
from dyngen.python.routes import streams
from dyngen.spec.model import Action

_INDENT = 8

_INVALID = {"InvalidValue": "An argument that no stored item can have."}


@dataclass(frozen=True, slots=True)
class Site:
    """Where a read pattern's method stands: a repository, or the service object.

    `key_types` gives the constant that holds the key attributes of an index (or of the table) with
    their types; `table` the expression of the deployed name of one; `decode` the function that
    reads whole items of these entities.
    """

    codec: Codec
    key_types: Callable[[str | None], str]
    table: Callable[[str], str]
    decode: Callable[[tuple[str, ...]], str]


def read_method(plan: ReadPlan, site: Site) -> GetMethod | QueryMethod:
    """The method of a read pattern."""
    if plan.action is Action.GET:
        return _get(plan, site)
    return _query(plan, site)


# --- get ------------------------------------------------------------------------------------------


def _get(plan: ReadPlan, site: Site) -> GetMethod:
    entity = names.class_name(plan.entities[0])
    body = _body(plan, site.codec, frozenset())
    key = item_key(plan.alternatives[0].route.equals, body, site.codec)
    item = body.scope.claim("item")
    expired = None if plan.expires is None else _expired(plan.expires, item, body)
    return GetMethod(
        signature=Signature(
            name=names.method(plan.name),
            arguments=tuple(_arguments(plan)),
            returns=f"{entity} | None",
            docstring=_docstring(plan, site.codec, _INVALID),
        ),
        key=key,
        statements=tuple(body.statements),
        consistent=plan.consistent,
        item=item,
        expired=expired,
    )


def _expired(attribute: str, item: str, body: Body) -> str:
    """Whether the item found has expired, as DynamoDB will find when it comes to delete it."""
    of = body.entity.attribute(attribute)
    value = f"{item}.{names.attribute(attribute)}"
    past = f"{value} <= {body.value(Clock(), of.type)}"
    return f"{value} is not None and {past}" if of.optional else past


def item_key(
    equals: tuple[KeyEquals, ...], body: Body, codec: Codec, function: str = "_key"
) -> str:
    """The key of the item that equality of all key attributes names, by the entity's function."""
    sources = key_sources(equals, codec)
    wanted = key_attributes(codec.entity, codec.table)
    if all(attribute.name in sources for attribute in wanted):
        values = (body.value(sources[a.name], a.type) for a in wanted)
        return f"{function}({', '.join(values)})"
    pairs = (
        f"{text(e.attribute)}: {body.key_value(e.attribute, e.value)}" for e in equals
    )
    return f"{{{', '.join(pairs)}}}"


def key_sources(equals: tuple[KeyEquals, ...], codec: Codec) -> dict[str, Source]:
    """Where the attributes in a key take their values from, in the key's order."""
    return dict(_sources(equals, codec))


def _sources(
    equals: tuple[KeyEquals, ...], codec: Codec
) -> Iterator[tuple[str, Source]]:
    """Where the attributes in a key take their values from."""
    for each in equals:
        if isinstance(each.value, TextValue):
            for piece in each.value.text:
                if isinstance(piece, Encoded) and not isinstance(piece.part, Shard):
                    yield piece.part.attribute, piece.source
        else:
            form = codec.entity.keys[each.attribute]
            if not isinstance(form, Computed):
                yield form.attribute, each.value.source


# --- query and scan -------------------------------------------------------------------------------


def _query(plan: ReadPlan, site: Site) -> QueryMethod:
    ending = {None: "", "first": ".first()"}.get(plan.one, ".one()")
    of, decode = _returned(plan, site)
    return QueryMethod(
        signature=Signature(
            name=names.method(plan.name),
            arguments=tuple(_arguments(plan)),
            returns=f"{of} | None" if ending else of,
            docstring=_docstring(plan, site.codec, _raises(plan)),
        ),
        of=of,
        refusals=tuple(_refusals(plan)),
        routes=tuple(_routes(plan, site)),
        decode=decode,
        options=tuple(_options(plan)),
        hydration=_hydration(plan, site),
        ending=ending,
    )


def _returned(plan: ReadPlan, site: Site) -> tuple[str, str]:
    """The type of what comes back, and the function that reads it."""
    if plan.projection_name is not None:
        return projection_class(plan), projection_function(plan)
    hydrated = () if plan.hydrate is None else (plan.hydrate.entity,)
    entities = hydrated or plan.entities
    return " | ".join(map(names.class_name, entities)), site.decode(entities)


def _hydration(plan: ReadPlan, site: Site) -> Hydration | None:
    """How the items read are completed: by their own key, or by that of another entity's item."""
    if plan.hydrate is None:
        return None
    codec = site.codec
    if plan.hydrate.entity != codec.entity.name:
        return Hydration(
            table=site.table(plan.hydrate.entity),
            key=foreign_key_function(plan),
            matches="lambda _: True",
        )
    variables = _variables(plan, frozenset())
    body = codec.body(variables, [v.source for v in variables.values()])
    body.moment = "self._environment.clock()"  # as it is when items are looked at again
    item = body.scope.claim(names.item_variable(codec.entity.name))
    omittable = {name: names.parameter(name) for name in _omittable(plan)}
    tests = next(tests for name, tests in plan.where if name == codec.entity.name)
    keys = strings(key.name for key in codec.table.key.all)
    return Hydration(
        table=site.table(codec.entity.name),
        key=f"lambda item: keyparts.only(item, {keys})",
        matches=f"lambda {item}: {all_hold(body, tests, item, omittable)}",
    )


def foreign_key_function(plan: ReadPlan) -> str:
    """The function that gives the key of the other entity's item that completes an item."""
    return f"_key_of_{names.snake(plan.name)}"


def _options(plan: ReadPlan) -> Iterator[str]:
    at_most = plan.filter.at_most if plan.filter else None
    for name, value in (
        ("page_size", plan.page_size),
        ("max_page_size", plan.max_page_size),
        ("max_items", plan.max_items),
        ("at_most", plan.at_most if at_most is None else at_most),
    ):
        if value is not None:
            yield f"{name}={value}"


def _raises(plan: ReadPlan) -> dict[str, str]:
    if plan.one not in (None, "first"):
        return {**_INVALID, "MultipleItems": "A second item matches."}
    return _INVALID


def _omittable(plan: ReadPlan) -> frozenset[str]:
    """Parameters of conditions that may be left out: some route does without them."""
    if len(plan.alternatives) == 1:
        return frozenset()
    return frozenset(p.name for p in plan.parameters if p.optional)


def _refusals(plan: ReadPlan) -> Iterator[tuple[str, str]]:
    """Parameters that are given only together with others: no route takes them alone."""
    omittable = [p.name for p in plan.parameters if p.name in _omittable(plan)]
    for name in omittable:
        with_it = [a.given for a in plan.alternatives if name in a.given]
        for other in omittable:
            if other != name and all(other in given for given in with_it):
                one, two = names.parameter(name), names.parameter(other)
                yield (
                    f"{one} is not None and {two} is None",
                    text(f"{one} is given only together with {two}"),
                )


def _routes(plan: ReadPlan, site: Site) -> Iterator[RouteModel]:
    last = len(plan.alternatives) - 1
    for position, alternative in enumerate(plan.alternatives):
        given = [p for p in plan.parameters if p.name in alternative.given]
        condition = " and ".join(
            f"{names.parameter(p.name)} is not None" for p in given
        )
        body = _body(plan, site.codec, alternative.given)
        read = _read(plan, alternative, body, site)
        yield RouteModel(
            condition=None if position == last else condition,
            statements=tuple(body.statements),
            read=read,
        )


def _read(plan: ReadPlan, alternative: Alternative, body: Body, site: Site) -> Read:
    route = alternative.route
    filters = list(_filters(plan, body))
    table = site.codec.table
    key = table.key if route.index is None else table.index(route.index).key
    found, merge_by = streams(route, key, body)
    return Read(
        pattern=text(plan.name),
        table=site.table(plan.entities[0]),
        index=None if route.index is None else text(route.index),
        key_types=site.key_types(route.index),
        streams=found,
        merge_by=strings(merge_by) if merge_by else None,
        forward=route.forward,
        consistent=plan.consistent,
        filter=_all_of(filters),
        select=strings(selected(site.codec, plan)) if plan.select else None,
        scan=route.scan,
    )


def _filters(plan: ReadPlan, body: Body) -> Iterator[str]:
    """The conditions of the filter; items that have expired may not be deleted yet."""
    if plan.filter is not None:
        yield from map(body.condition, plan.filter.conditions)
    if plan.expires is not None:
        of = body.entity.attribute(plan.expires)
        name = text(of.stored)
        later = f"conditions.gt({name}, {body.clock_value(of.type)})"
        missing = f"conditions.missing({name})"
        yield f"conditions.any_of({missing}, {later})" if of.optional else later


def _all_of(conditions: list[str]) -> str | None:
    if len(conditions) < 2:
        return conditions[0] if conditions else None
    return f"conditions.all_of({', '.join(conditions)})"


# --- signatures -----------------------------------------------------------------------------------


def _body(plan: ReadPlan, codec: Codec, given: frozenset[str]) -> Body:
    variables = _variables(plan, given)
    taken = [v.source for v in variables.values()]
    body = codec.body(variables, [*taken, "found", "item", "response", "read"])
    body.clock_bound = True
    return body


def _variables(plan: ReadPlan, given: frozenset[str]) -> dict[str, Variable]:
    return {
        p.name: Variable(names.parameter(p.name), p.optional and p.name not in given)
        for p in plan.parameters
    }


def _arguments(plan: ReadPlan) -> Iterator[str]:
    omittable = _omittable(plan)
    for parameter in plan.parameters:
        yield argument(parameter, omittable=parameter.name in omittable)


def argument(parameter: Parameter, *, omittable: bool = False) -> str:
    """A parameter of a pattern as it is declared."""
    if parameter.type is None:
        raise TypeError(f"{parameter.name} takes an item")
    kind = types.annotation(parameter.type)
    if parameter.many:
        kind = f"Collection[{kind}]"
    declared = f"{names.parameter(parameter.name)}: {kind}"
    if omittable:
        return f"{declared} | None = None"
    return f"{declared} | None" if parameter.optional else declared


def _docstring(plan: ReadPlan, codec: Codec, raises: Mapping[str, str]) -> str:
    return docstring(
        docs.body(
            docs.read_summary(plan, codec.entity),
            docs.routes(plan),
            args=docs.parameters(plan.parameters, _omittable(plan)),
            raises=raises,
        ),
        _INDENT,
    )

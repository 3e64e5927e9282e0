"""Read patterns as methods of a repository."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from dyngen.design.model import Computed, KeySchema
from dyngen.design.plans import (
    Alternative,
    FanOut,
    KeyEquals,
    Parameter,
    ReadPlan,
    Route,
    TextValue,
)
from dyngen.design.plans import KeyRange as KeyRangePlan
from dyngen.keys.model import (
    SHARD,
    Bound,
    Each,
    Encoded,
    KeyText,
    RangeForm,
    Shard,
    Source,
)
from dyngen.python import docs, names, types
from dyngen.python.codec import Codec, projection_function
from dyngen.python.entities import key_attributes, projection_class
from dyngen.python.expressions import Body, Variable, common_lead
from dyngen.python.literals import docstring, strings, text
from dyngen.python.model import (
    GetMethod,
    KeyRange,
    QueryMethod,
    Read,
    Signature,
    Streams,
)
from dyngen.python.model import Route as RouteModel
from dyngen.spec.model import Action
from dyngen.types.model import Enum

_INDENT = 8

_RANGES = {
    RangeForm.EQUALS: "equals",
    RangeForm.BEGINS_WITH: "begins_with",
    RangeForm.BETWEEN: "between",
    RangeForm.AT_LEAST: "at_least",
    RangeForm.AT_MOST: "at_most",
    RangeForm.ABOVE: "above",
    RangeForm.BELOW: "below",
}

_INVALID = {"InvalidValue": "An argument that no stored item can have."}

KeyTypes = Callable[[str | None], str]
"""The constant that holds the key attributes of an index (or of the table), with their types."""


def read_method(
    plan: ReadPlan, codec: Codec, key_types: KeyTypes
) -> GetMethod | QueryMethod:
    """The method of a read pattern of one entity."""
    if plan.action is Action.GET:
        return _get(plan, codec)
    return _query(plan, codec, key_types)


# --- get ------------------------------------------------------------------------------------------


def _get(plan: ReadPlan, codec: Codec) -> GetMethod:
    entity = names.class_name(plan.entities[0])
    body = _body(plan, codec, frozenset())
    return GetMethod(
        signature=Signature(
            name=names.method(plan.name),
            arguments=tuple(_arguments(plan)),
            returns=f"{entity} | None",
            docstring=_docstring(plan, codec, _INVALID),
        ),
        key=item_key(plan.alternatives[0].route.equals, body, codec),
        statements=tuple(body.statements),
        consistent=plan.consistent,
    )


def item_key(equals: tuple[KeyEquals, ...], body: Body, codec: Codec) -> str:
    """The key of the item that equality of all key attributes names."""
    sources = dict(_sources(equals, codec))
    wanted = key_attributes(codec.entity, codec.table)
    if all(attribute.name in sources for attribute in wanted):
        values = (body.value(sources[a.name], a.type) for a in wanted)
        return f"_key({', '.join(values)})"
    pairs = (
        f"{text(e.attribute)}: {body.key_value(e.attribute, e.value)}" for e in equals
    )
    return f"{{{', '.join(pairs)}}}"


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


def _query(plan: ReadPlan, codec: Codec, key_types: KeyTypes) -> QueryMethod:
    projected = plan.projection_name is not None
    of = projection_class(plan) if projected else names.class_name(plan.entities[0])
    ending = {None: "", "first": ".first()"}.get(plan.one, ".one()")
    return QueryMethod(
        signature=Signature(
            name=names.method(plan.name),
            arguments=tuple(_arguments(plan)),
            returns=f"{of} | None" if ending else f"Query[{of}]",
            docstring=_docstring(plan, codec, _raises(plan)),
        ),
        refusals=tuple(_refusals(plan)),
        routes=tuple(_routes(plan, codec, key_types)),
        decode=projection_function(plan) if projected else "_decode",
        options=tuple(_options(plan)),
        ending=ending,
    )


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
    every = {p.name for p in plan.parameters if p.optional}
    if len(plan.alternatives) == 1:
        return frozenset()
    return frozenset(every)


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


def _routes(plan: ReadPlan, codec: Codec, key_types: KeyTypes) -> Iterator[RouteModel]:
    last = len(plan.alternatives) - 1
    for position, alternative in enumerate(plan.alternatives):
        given = [p for p in plan.parameters if p.name in alternative.given]
        condition = " and ".join(
            f"{names.parameter(p.name)} is not None" for p in given
        )
        body = _body(plan, codec, alternative.given)
        read = _read(plan, alternative, body, codec, key_types)
        yield RouteModel(
            condition=None if position == last else condition,
            statements=tuple(body.statements),
            read=read,
        )


def _read(
    plan: ReadPlan,
    alternative: Alternative,
    body: Body,
    codec: Codec,
    key_types: KeyTypes,
) -> Read:
    route = alternative.route
    filters = (
        [body.condition(each) for each in plan.filter.conditions] if plan.filter else []
    )
    index = next((i for i in codec.table.indexes if i.name == route.index), None)
    key = codec.table.key if index is None else index.key
    streams, merge_by = _streams(route, key, body)
    return Read(
        pattern=text(plan.name),
        index=None if route.index is None else text(route.index),
        key_types=key_types(route.index),
        streams=streams,
        merge_by=strings(merge_by) if merge_by else None,
        forward=route.forward,
        consistent=plan.consistent,
        filter=_all_of(filters),
        scan=route.scan,
    )


def _all_of(conditions: list[str]) -> str | None:
    if len(conditions) < 2:
        return conditions[0] if conditions else None
    return f"conditions.all_of({', '.join(conditions)})"


def _streams(
    route: Route, key: KeySchema, body: Body
) -> tuple[Streams, tuple[str, ...]]:
    """The key conditions, and the sort key attributes that several streams are merged by."""
    for fan_out in route.fan_outs:
        body.loops.append(_loop(fan_out, body))
    equal = tuple(
        (text(each.attribute), body.key_value(each.attribute, each.value))
        for each in route.equals
    )
    condition = None if route.range is None else _range(route.range, body)
    merge_by, prefix = _merge(route, key)
    streams = Streams(
        equal=equal,
        range=condition,
        prefix=None if prefix is None else body.key_text(prefix),
        loops=tuple(body.loops),
    )
    return streams, merge_by


# --- ranges ---------------------------------------------------------------------------------------


def _range(of: KeyRangePlan, body: Body) -> KeyRange:
    arguments = [text(of.attribute)]
    match of.low, of.high:
        case TextValue(text=low), TextValue(text=high):
            arguments.extend(body.bounds(of.attribute, low, high))
        case _:
            bound = Bound.PREFIX if of.form is RangeForm.BEGINS_WITH else Bound.EXACT
            arguments.extend(
                body.key_value(of.attribute, value, bound)
                for value in (of.low, of.high)
                if value is not None
            )
    if of.low_exclusive:
        arguments.append("low_exclusive=True")
    if of.high_exclusive:
        arguments.append("high_exclusive=True")
    return KeyRange(_RANGES[of.form], tuple(arguments))


# --- several streams ------------------------------------------------------------------------------


def _loop(fan_out: FanOut, body: Body) -> str:
    """The clause of a comprehension that runs through the values of a fan-out."""
    name = names.parameter(fan_out.variable)
    if any(variable.source == name for variable in body.variables.values()):
        name = f"each_{name}"
    name = body.scope.claim(name)
    body.each[fan_out.variable] = Variable(name, None in fan_out.values)
    return f"for {name} in {_values(fan_out, body)}"


def _values(fan_out: FanOut, body: Body) -> str:
    if fan_out.parameter is not None:
        return body.variables[fan_out.parameter].source
    if fan_out.variable == SHARD:
        return f"{body.encoders.shards(len(fan_out.values))}.all"
    of = fan_out.type
    known = [v for v in fan_out.values if v is not None]
    if isinstance(of, Enum) and known == [m.stored for m in of.members]:
        every = names.class_name(of.name)
        return every if len(known) == len(fan_out.values) else f"(*{every}, None)"
    sources = [
        "None" if value is None else types.constant(of, value)
        for value in fan_out.values
    ]
    return f"({', '.join(sources)}{',' if len(sources) == 1 else ''})"


def _merge(route: Route, key: KeySchema) -> tuple[tuple[str, ...], KeyText | None]:
    """How streams are merged: by which sort key attributes, and behind which text of the first.

    Sort keys of streams that a loop tells apart begin with different texts; what follows is what
    the items are ordered by, unless they are ordered by the loop's own values first.
    """
    if not route.merge_by:
        return (), None
    fixed = {each.attribute for each in route.equals}
    merge_by = tuple(k.name for k in key.sort if k.name not in fixed)
    prefix = _lead(route.range)
    ordered = {order.attribute for order in route.merge_by}
    looped = {
        piece.source.variable
        for piece in prefix
        if isinstance(piece, Encoded) and isinstance(piece.source, Each)
    }
    return merge_by, prefix if looped and not looped & ordered else None


def _lead(of: KeyRangePlan | None) -> KeyText:
    """The text that all keys in a range begin with."""
    if of is None or not isinstance(of.low, TextValue):
        return ()
    if of.form in {RangeForm.BEGINS_WITH, RangeForm.EQUALS}:
        return of.low.text
    if isinstance(of.high, TextValue):
        return common_lead(of.low.text, of.high.text)
    return ()


# --- signatures -----------------------------------------------------------------------------------


def _body(plan: ReadPlan, codec: Codec, given: frozenset[str]) -> Body:
    variables = {
        p.name: Variable(names.parameter(p.name), p.optional and p.name not in given)
        for p in plan.parameters
    }
    taken = [v.source for v in variables.values()]
    return codec.body(variables, [*taken, "found", "response", "read"])


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

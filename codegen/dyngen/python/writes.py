"""The operations of an entity, and its update patterns, as methods of a repository."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from dyngen.design.contents import template_inputs
from dyngen.design.model import Attribute, Entity, Natural
from dyngen.design.plans import (
    EntityWrites,
    KeyWrite,
    SourceTest,
    UpdatePlan,
    ValueWrite,
    WriteCase,
)
from dyngen.keys.model import Clock, Each, Fixed, Given
from dyngen.python import docs, names, types
from dyngen.python.codec import Codec
from dyngen.python.entities import annotation, key_attributes
from dyngen.python.expressions import Body, Variable
from dyngen.python.literals import docstring, strings, text, tuple_of
from dyngen.python.model import (
    Batches,
    Create,
    DataClass,
    Delete,
    Filling,
    GetMethod,
    Operations,
    Put,
    Signature,
    Update,
    UpdateMethod,
)
from dyngen.python.predicates import holds
from dyngen.python.reads import argument, item_key
from dyngen.types.model import Date, Integer, List, Set, Ulid, ValueType

_INDENT = 8
_ENVIRONMENT = "self._environment"
_INVALID = "An attribute has a value that can't be stored."


class Writes:
    """The writing methods of one entity's repository."""

    def __init__(self, writes: EntityWrites, codec: Codec) -> None:
        self._writes = writes
        self._codec = codec
        self._entity = codec.entity
        self._class = names.class_name(codec.entity.name)
        self._noun = docs.article(names.snake(codec.entity.name).replace("_", " "))
        self._item = names.item_variable(codec.entity.name)

    def operations(self) -> Operations:
        """Every operation that the entity has."""
        has = self._entity.operations.__contains__
        return Operations(
            get=self._get() if has("get") else None,
            create=self._create() if has("create") else None,
            put=self._put() if has("put") else None,
            update=self._update() if has("update") and self._changeable else None,
            delete=self._delete() if has("delete") else None,
            batches=Batches(
                get=self._batch_get() if has("batch_get") else None,
                write=self._batch_write() if has("batch_write") else None,
                key_names=strings(key.name for key in self._codec.table.key.all),
                filling=self._filling(create=False),
                encode_key=self._codec.key_call("key"),
            ),
        )

    # --- one item ---------------------------------------------------------------------------------

    def _get(self) -> GetMethod:
        attributes = key_attributes(self._entity, self._codec.table)
        arguments = ", ".join(names.attribute(a.name) for a in attributes)
        return GetMethod(
            signature=Signature(
                name="get",
                arguments=self._key_arguments(),
                returns=f"{self._class} | None",
                docstring=docstring(
                    docs.body(
                        f"The {self._class} with this key.",
                        "Reads one item of the table. Eventually consistent.",
                        raises={"InvalidValue": "No item can have this key."},
                    ),
                    _INDENT,
                ),
            ),
            statements=(),
            key=f"_key({arguments})",
            consistent=False,
        )

    def _create(self) -> Create:
        filled = [names.attribute(a.name) for a in self._entity.attributes if a.filled]
        fills = f"Fills in {_listed(filled)} where left out. " if filled else ""
        return Create(
            signature=self._signature(
                "create",
                f"Store a new {self._noun.partition(' ')[2]}, and return it as stored.",
                f"{fills}Refused if there is an item with this key.",
                raises={
                    "ItemExists": "An item with this key is already stored.",
                    "InvalidValue": _INVALID,
                },
            ),
            filling=self._filling(create=True),
        )

    def _put(self) -> Put:
        return Put(
            signature=self._signature(
                "put",
                f"Store {self._noun}, whatever was stored under its key, and return it as stored.",
                raises={"InvalidValue": f"{_INVALID[:-1]}, or is not set."},
            ),
            filling=self._filling(create=False),
        )

    def _delete(self) -> Delete:
        guarded = self._entity.version is not None
        if not guarded:
            attributes = key_attributes(self._entity, self._codec.table)
            arguments = ", ".join(names.attribute(a.name) for a in attributes)
            return Delete(
                signature=Signature(
                    name="delete",
                    arguments=self._key_arguments(),
                    returns=f"{self._class} | None",
                    docstring=docstring(
                        docs.body(
                            f"Delete the {self._class} with this key, and return it as it was.",
                            "None if there was none.",
                            raises={"InvalidValue": "No item can have this key."},
                        ),
                        _INDENT,
                    ),
                ),
                key=f"_key({arguments})",
                guarded=False,
            )
        return Delete(
            signature=self._signature(
                "delete",
                f"Delete {self._noun} as it was read, and return it as it was.",
                "Nothing is deleted unless the stored item is still the one that was read. None if the"
                " response was lost and the item was gone when the request was repeated.",
                returns=f"{self._class} | None",
                raises={
                    "StaleItem": "The item has changed since it was read, or is gone."
                },
            ),
            key=self._codec.key_call(self._item),
            guarded=True,
        )

    # --- update -----------------------------------------------------------------------------------

    def _update(self) -> Update:
        guards = self._entity.version is None and any(self.guarded_by().values())
        always = list(self._always())
        checked = (
            "Nothing is written unless the stored item is still the one that was read."
            if self._entity.version is not None
            else (
                "Nothing is written unless the stored item still has the attributes, as they were read,"
                " that its index keys are computed from."
                if guards
                else "Nothing is written if the item is gone."
            )
        )
        unknown = (
            ""
            if self._entity.version is not None
            else " With `outcome_unknown`, the request was repeated and may have succeeded."
        )
        return Update(
            signature=self._signature(
                "update",
                "Write the given attributes, and return the item as it then is.",
                f"The keys of its indexes follow. {checked}",
                raises={
                    "StaleItem": "The item has changed since it was read, or is gone."
                    + unknown,
                    "InvalidValue": _INVALID,
                },
            ),
            filling=self._filling(create=False),
            key=self._codec.key_call(self._item),
            always=f"[{', '.join(map(text, always))}]" if always else None,
            guards=guards,
        )

    @property
    def _changeable(self) -> tuple[Attribute, ...]:
        return tuple(map(self._entity.attribute, self._writes.changeable))

    def changes(self) -> DataClass | None:
        """The type of the changes that `update` takes."""
        if "update" not in self._entity.operations or not self._changeable:
            return None
        return DataClass(
            name=names.changes_class(self._entity.name),
            docstring=docstring(
                f"What `update` can change of {docs.article(self._class)}:"
                " all that its key is not made of.",
                4,
            ),
            fields=tuple(
                f"{names.attribute(a.name)}: {annotation(a)}" for a in self._changeable
            ),
        )

    def written_with(self) -> dict[str, tuple[str, ...]]:
        """Per attribute that can change: the stored attributes to write, index keys included."""
        return {
            names.attribute(a.name): (a.stored, *self._derived_from(a.name))
            for a in self._changeable
        }

    def guarded_by(self) -> dict[str, tuple[str, ...]]:
        """Per attribute that can change: the others that its index keys are computed from, as stored.

        Without a version, an update asks that those it does not change are as they were read.
        """
        return {
            names.attribute(a.name): tuple(
                self._entity.attribute(name).stored
                for name in self._partners(a.name)
                if name in self._writes.changeable
            )
            for a in self._changeable
        }

    def _partners(self, attribute: str) -> Iterator[str]:
        """The other inputs of the derived attributes that this one decides."""
        found = (
            name
            for derived in self._writes.derived
            if attribute in (inputs := self._inputs(derived.inputs))
            for name in inputs
        )
        yield from (name for name in dict.fromkeys(found) if name != attribute)

    def _derived_from(self, attribute: str) -> Iterator[str]:
        for derived in self._writes.derived:
            if attribute in self._inputs(derived.inputs):
                yield derived.attribute

    def _inputs(self, direct: Iterable[str]) -> tuple[str, ...]:
        """Inputs with what `computed` ones among them are computed from."""
        found: list[str] = []
        for name in direct:
            found.append(name)
            computed = self._entity.attribute(name).computed
            if computed is not None:
                found.extend(template_inputs(computed))
        return tuple(dict.fromkeys(found))

    def _always(self) -> Iterator[str]:
        """The stored attributes that every update writes."""
        for attribute in self._entity.attributes:
            if attribute.on_write:
                yield attribute.stored
                yield from self._derived_from(attribute.name)
        if self._entity.version is not None:
            yield self._entity.version.stored

    # --- several items ----------------------------------------------------------------------------

    def _batch_get(self) -> Signature:
        key = names.key_class(self._entity.name)
        return Signature(
            name="batch_get",
            arguments=(f"keys: Iterable[{key}]",),
            returns=f"list[{self._class} | None]",
            docstring=docstring(
                docs.body(
                    "The items with these keys, in the order asked; None where there is none.",
                    "Reads up to 100 items a request. Eventually consistent.",
                    raises={
                        "BatchIncomplete": "Some keys were not read, after all attempts."
                    },
                ),
                _INDENT,
            ),
        )

    def _batch_write(self) -> Signature:
        key = names.key_class(self._entity.name)
        return Signature(
            name="batch_write",
            arguments=(
                f"put: Iterable[{self._class}] = ()",
                f"delete: Iterable[{key}] = ()",
            ),
            returns="None",
            docstring=docstring(
                docs.body(
                    "Store and delete many items, whatever was stored under their keys.",
                    "Writes up to 25 items a request, not all or nothing. Of two items with one key, the"
                    " later is stored.",
                    raises={
                        "BatchIncomplete": "Some were not written, after all attempts.",
                        "InvalidValue": f"{_INVALID[:-1]}, or is not set.",
                        "ValueError": "An item is both to be stored and to be deleted.",
                    },
                ),
                _INDENT,
            ),
        )

    # --- update patterns --------------------------------------------------------------------------

    def update_method(self, plan: UpdatePlan) -> UpdateMethod:
        """The method of an update pattern."""
        variables = {
            p.name: Variable(names.parameter(p.name), p.optional)
            for p in plan.parameters
        }
        taken = [v.source for v in variables.values()]
        body = self._codec.body(variables, [*taken, "outcome", "token"])
        key = item_key(plan.key, body, self._codec)
        changes = [_value_change(write, body) for write in plan.writes]
        changes += [_key_change(write, body) for write in plan.keys]
        partition = text(self._codec.table.key.partition[0].name)
        conditions = [f"conditions.exists({partition})"]
        conditions += [body.condition(each) for each in plan.guard]
        token = None
        if self._entity.version is not None:
            stored = text(self._entity.version.stored)
            token = f"{{{stored}: stored.text({_ENVIRONMENT}.new_token())}}"
            changes.append(f"writing.set_to({stored}, token[{stored}])")
        return UpdateMethod(
            signature=Signature(
                name=names.method(plan.name),
                arguments=tuple(argument(p) for p in plan.parameters),
                returns=self._class,
                docstring=self._update_docstring(plan),
            ),
            statements=tuple(body.statements),
            key=key,
            changes=tuple(changes),
            condition=(
                conditions[0]
                if len(conditions) == 1
                else f"conditions.all_of({', '.join(conditions)})"
            ),
            token=token,
        )

    def _update_docstring(self, plan: UpdatePlan) -> str:
        raises = {"ItemNotFound": "There is no item with this key."}
        if plan.guard:
            raises["GuardFailed"] = "The stored item is not as asked."
        if plan.guard and self._entity.version is None:
            raises["StaleItem"] = (
                "The request was repeated and then refused; it may have succeeded before."
            )
        raises["InvalidValue"] = "An argument that can't be stored."
        at_least_once = (
            "What it adds is added at least once: if a response is lost, the request is repeated."
            if docs.counted(plan) and self._entity.version is None
            else ""
        )
        return docstring(
            docs.body(
                docs.update_summary(plan),
                docs.update(plan),
                at_least_once,
                args=docs.parameters(plan.parameters, frozenset()),
                raises=raises,
            ),
            _INDENT,
        )

    # --- helpers ----------------------------------------------------------------------------------

    def _filling(self, *, create: bool) -> Filling:
        """What a write fills in: everything left out on create, else what every write sets."""
        statements: list[str] = []
        fields: list[str] = []
        for attribute in self._entity.attributes:
            name = names.attribute(attribute.name)
            if attribute.on_write:
                value = _filled(attribute, statements)
                fields.append(f"{name}={value}")
            elif create and attribute.filled:
                value = _filled(attribute, statements)
                current = f"{self._item}.{name}"
                fields.append(f"{name}={value} if {current} is UNSET else {current}")
        if self._entity.version is not None:
            name = names.attribute(self._entity.version.name)
            fields.append(f"{name}={_ENVIRONMENT}.new_token()")
        return Filling(tuple(statements), tuple(fields))

    def _signature(
        self,
        name: str,
        *paragraphs: str,
        returns: str | None = None,
        raises: Mapping[str, str],
    ) -> Signature:
        return Signature(
            name=name,
            arguments=(),
            returns=returns or self._class,
            docstring=docstring(docs.body(*paragraphs, raises=raises), _INDENT),
        )

    def _key_arguments(self) -> tuple[str, ...]:
        return tuple(
            f"{names.attribute(a.name)}: {annotation(a)}"
            for a in key_attributes(self._entity, self._codec.table)
        )


def _filled(attribute: Attribute, statements: list[str]) -> str:
    if attribute.generated:
        kind = "ulid" if isinstance(attribute.type, Ulid) else "uuid"
        return f"{_ENVIRONMENT}.new_{kind}()"
    if not statements:
        statements.append(f"now = {_ENVIRONMENT}.clock()")
    return "now.date()" if isinstance(attribute.type, Date) else "now"


def _listed(words: list[str]) -> str:
    quoted = [f"`{word}`" for word in words]
    if len(quoted) == 1:
        return quoted[0]
    return f"{', '.join(quoted[:-1])} and {quoted[-1]}"


# --- the changes of an update pattern ---------------------------------------------------------------


def _value_change(write: ValueWrite, body: Body) -> str:
    attribute = body.entity.attribute(write.attribute)
    steps = [
        (
            body.variables[step.parameter].source
            if step.parameter is not None
            else text(step.name or "")
        )
        for step in write.path
    ]
    stored = text(attribute.stored)
    path = tuple_of([stored, *steps]) if steps else stored
    of = write.type or attribute.type
    operand = write.operand
    match write.verb:
        case "remove":
            return f"writing.remove({path})"
        case _ if operand is None:
            raise TypeError(f"{write.verb} needs an operand")
        case "set":
            form = body.entity.keys
            natural = next(
                (
                    key
                    for key, each in form.items()
                    if isinstance(each, Natural)
                    and each.attribute == write.attribute
                    and not steps
                ),
                None,
            )
            value = (
                body.stored(operand, of)
                if natural is None
                else body.natural_key(natural, of, operand)
            )
            return f"writing.set_to({path}, {_or_nothing(value, operand, of, body)})"
        case "add" if not isinstance(of, Set):
            amount = Integer() if isinstance(of, Integer) else of
            return f"writing.add_to({path}, {body.stored(operand, amount)})"
        case verb:
            function = {"add": "add_to", "append": "append_to", "delete": "delete_from"}
            return f"writing.{function[verb]}({path}, {_collection(operand, of, body)})"


def _or_nothing(value: str, operand: object, of: ValueType, body: Body) -> str:
    """A value to set, or None to remove the attribute."""
    if not isinstance(operand, Given):
        return value
    variable = body.variables[operand.parameter]
    if isinstance(of, Set):
        return f"{value} if {variable.source} else None"
    if variable.optional:
        return f"{value} if {variable.source} is not None else None"
    return value


def _collection(
    operand: Fixed | Given | Each | Clock | object, of: ValueType, body: Body
) -> str:
    """The stored form of a list or set of the one element given."""
    if not isinstance(of, List | Set):
        raise TypeError("only lists and sets have elements")
    if not isinstance(operand, Fixed | Given | Clock):
        raise TypeError(f"{operand} is no element")
    element = body.value(operand, of.of)
    kind = f"[{element}]" if isinstance(of, List) else f"{{{element}}}"
    return types.encode(of, kind)


def _key_change(write: KeyWrite, body: Body) -> str:
    stored = text(write.attribute)
    if not write.cases:
        return f"writing.remove({stored})"
    chosen = "None"
    for case in reversed(write.cases):
        value = _derived_value(write, case, body)
        condition = " and ".join(_holds(test, body) for test in case.tests)
        chosen = f"{value} if {condition} else {chosen}" if condition else value
    return f"writing.set_to({stored}, {chosen})"


def _derived_value(write: KeyWrite, case: WriteCase, body: Body) -> str:
    computed = next(
        (
            a
            for a in body.entity.attributes
            if a.computed is not None and a.stored == write.attribute
        ),
        None,
    )
    value = body.key_text(case.text)
    if computed is None:
        return body.key(write.attribute, value)
    if isinstance(computed.type, Integer):
        value = f"int({value})"
    return types.encode(computed.type, value)


def _holds(test: SourceTest, body: Body) -> str:
    source = body.value(test.source, test.type)
    optional = (
        isinstance(test.source, Given)
        and body.variables[test.source.parameter].optional
    )
    return holds(body, test.test, test.type, Variable(source, optional))


def version_attribute(entity: Entity) -> str | None:
    """The version attribute, as stored."""
    return None if entity.version is None else text(entity.version.stored)

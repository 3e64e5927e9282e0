"""How items become stored forms and back: the functions written out for one entity."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dyngen.design.model import (
    Attribute,
    Computed,
    Entity,
    KeyAttribute,
    Natural,
    Schema,
)
from dyngen.keys.model import Given
from dyngen.python import docs, names, types
from dyngen.python.encoders import Encoders
from dyngen.python.entities import annotation, key_attributes
from dyngen.python.expressions import Body, Variable
from dyngen.python.indexkeys import index_key, long_keys
from dyngen.python.literals import docstring, text
from dyngen.python.model.repository import (
    Encoder,
    ItemKey,
    KeyBranch,
    KeyFunction,
    Recognition,
)
from dyngen.python.names import Scope
from dyngen.python.predicates import holds
from dyngen.python.presence import Branch, Conjunction, key_branches, table_key_branches
from dyngen.types.model import Object, Set, String

_INDENT = 4


class Codec:
    """The functions of one repository's module that store and read its items."""

    def __init__(
        self, entity: Entity, schema: Schema, encoders: Encoders, scope: Scope
    ) -> None:
        self.entity = entity
        self.schema = schema
        self.table = schema.table(entity.table)
        self.encoders = encoders
        identifying = key_attributes(entity, self.table)
        changing = (each for each in entity.attributes if each not in identifying)
        self.item = names.item_variable(entity.name, (each.name for each in changing))
        self._functions = {
            name: scope.claim(f"_{names.private(name)}")
            for name, form in entity.keys.items()
            if isinstance(form, Computed) and name not in self.table_keys
        }

    @property
    def _marked(self) -> bool:
        """Whether the table holds markers of unique values."""
        return any(
            other.table == self.table.name
            and any(unique.marker is None for unique in other.unique)
            for other in self.schema.entities
        )

    @property
    def table_keys(self) -> tuple[str, ...]:
        """The key attributes of the table."""
        return tuple(key.name for key in self.table.key.all)

    # --- keys -------------------------------------------------------------------------------------

    def item_key(self) -> ItemKey:
        """The function that gives an item's key from the attributes that it is made of."""
        attributes = key_attributes(self.entity, self.table)
        variables = {
            a.name: Variable(names.attribute(a.name), a.optional) for a in attributes
        }
        body = self.body(variables, [v.source for v in variables.values()])
        return ItemKey(
            arguments=tuple(
                f"{names.attribute(a.name)}: {annotation(a)}" for a in attributes
            ),
            attributes=tuple(
                (text(key.name), self._table_key(key, body))
                for key in self.table.key.all
            ),
            statements=tuple(body.statements),
        )

    def _table_key(self, key: KeyAttribute, body: Body) -> str:
        form = self.entity.keys[key.name]
        if isinstance(form, Natural):
            of = self.entity.attribute(form.attribute).type
            return body.natural_key(key.name, of, Given(form.attribute))
        branches = table_key_branches(self.entity, key.name)
        sources = [body.key(key.name, body.template_text(b.template)) for b in branches]
        chosen = sources[-1]
        for branch, source in zip(branches[-2::-1], sources[-2::-1], strict=True):
            chosen = f"{source} if {self._condition(branch, body)} else {chosen}"
        return chosen

    def key_call(self, source: str, function: str = "_key") -> str:
        """The call that gives the key of the item or key object `source`, by the entity's function."""
        arguments = ", ".join(
            f"{source}.{names.attribute(a.name)}"
            for a in key_attributes(self.entity, self.table)
        )
        return f"{function}({arguments})"

    def key_functions(self) -> tuple[KeyFunction, ...]:
        """One function for each computed key attribute of an index."""
        return tuple(map(self._key_function, self._functions))

    def _key_function(self, key: str) -> KeyFunction:
        branches = key_branches(self.entity, self.table, key)
        made = []
        for branch in branches:
            body = self.item_body()
            value = body.key(key, body.template_text(branch.template))
            condition = None if branch.always else self._condition(branch, body)
            made.append(KeyBranch(condition, tuple(body.statements), value))
        return KeyFunction(
            name=self._functions[key],
            docstring=docstring(_key_summary(key, branches), _INDENT),
            branches=tuple(made),
            optional=not any(branch.always for branch in branches),
        )

    def _condition(self, branch: Branch, body: Body) -> str:
        ways = [self._conjunction(tests, body) for tests in branch.any_of]
        return ways[0] if len(ways) == 1 else " or ".join(f"({way})" for way in ways)

    def _conjunction(self, tests: Conjunction, body: Body) -> str:
        return " and ".join(
            holds(
                body,
                test,
                self.entity.attribute(test.attribute).type,
                body.variables[test.attribute],
            )
            for test in tests
        )

    # --- recognising -------------------------------------------------------------------------------

    def recognition(self, *, shared: bool) -> Recognition | None:
        """How items of the entity are told from others, if the table can hold any."""
        kind = self.table.type_attribute
        if not shared and kind is None:
            return None
        patterns = tuple(
            (
                text(key),
                self.encoders.pattern(key, *(case.template for case in form.cases)),
            )
            for key in self.table_keys
            if isinstance(form := self.entity.keys[key], Computed)
        )
        conditions = ["keyparts.fits(item, _KEY_PATTERNS)"] if patterns else []
        if kind is not None:
            wanted = types.stored_constant(String(), self.entity.name)
            conditions.append(f"item.get({text(kind)}) == {wanted}")
        name = names.class_name(self.entity.name)
        return Recognition(
            patterns=patterns,
            docstring=docstring(
                f"Whether an item of the table is {docs.article(name)}: no other has such a key.",
                _INDENT,
            ),
            condition=" and ".join(conditions) or "True",
        )

    # --- storing ----------------------------------------------------------------------------------

    def encoder(self) -> Encoder:
        """The function that stores a whole item, with the keys of its indexes."""
        body = self.item_body()
        required: list[tuple[str, str]] = []
        optional: list[tuple[str, str, str]] = []
        for attribute in self.entity.attributes:
            if attribute.stored in self.table_keys:
                continue
            variable = body.variables[attribute.name]
            value = self._stored(attribute, body)
            if variable.optional:
                condition = f"{variable.source} is not None"
                if isinstance(attribute.type, Set):
                    condition = variable.source
                optional.append((condition, text(attribute.stored), value))
            elif isinstance(attribute.type, Set):
                optional.append((variable.source, text(attribute.stored), value))
            else:
                required.append((text(attribute.stored), value))
        if self.table.type_attribute is not None:
            kind = types.stored_constant(String(), self.entity.name)
            required.append((text(self.table.type_attribute), kind))
        scope = Scope([self.item])
        named, key = scope.claim("item"), scope.claim("key")
        for name, function in zip(self._functions, self.key_functions(), strict=True):
            call = f"{function.name}({self.item})"
            if function.optional:
                optional.append((f"({key} := {call}) is not None", text(name), key))
            else:
                required.append((text(name), call))
        return Encoder(
            function="_encode",
            docstring=docstring(_encode_summary(self.entity, self._functions), _INDENT),
            argument=self.item,
            annotation=names.class_name(self.entity.name),
            spread=self.key_call(self.item),
            required=tuple(required),
            optional=tuple(optional),
            named=named,
            index_keys=tuple(map(index_key, long_keys(self.entity, self.table))),
        )

    def _stored(self, attribute: Attribute, body: Body) -> str:
        for key in self.entity.keys:
            form = self.entity.keys[key]
            if isinstance(form, Natural) and form.attribute == attribute.name:
                return body.natural_key(key, attribute.type, Given(attribute.name))
        source = body.variables[attribute.name].source
        return types.encode(attribute.type, source, text(attribute.name))

    # --- helpers ----------------------------------------------------------------------------------

    def body(self, variables: dict[str, Variable], taken: Sequence[str]) -> Body:
        """A function of this module, with these variables."""
        return Body(
            self.entity,
            self.table,
            self.table.encoding,
            self.encoders,
            variables,
            Scope(["self", *taken]),
            marked=self._marked,
        )

    def item_body(self) -> Body:
        """A function of this module that takes an item."""
        variables = {
            a.name: Variable(
                f"{self.item}.{names.attribute(a.name)}", self.may_be_none(a)
            )
            for a in self.entity.attributes
        }
        return self.body(variables, [self.item])

    def may_be_none(self, attribute: Attribute) -> bool:
        """Whether an item can lack it: also a version, if it was stored before there were any."""
        version = self.entity.version
        return attribute.optional or (
            version is not None and version.name == attribute.name
        )


def object_encoders(entity: Entity) -> tuple[Encoder, ...]:
    """The functions that store the objects inside an entity's items."""
    return tuple(map(_object_encoder, objects_of(entity)))


def objects_of(entity: Entity) -> Iterator[Object]:
    """The object types inside an entity's items, the inner ones first."""
    inner = (part for a in entity.attributes for part in types.parts(a.type))
    yield from dict.fromkeys(of for of in inner if isinstance(of, Object))


def _object_encoder(of: Object) -> Encoder:
    required: list[tuple[str, str]] = []
    optional: list[tuple[str, str, str]] = []
    for field in of.fields:
        source = f"value.{names.attribute(field.name)}"
        value = types.encode(field.type, source, f"name + {text(f'.{field.name}')}")
        if isinstance(field.type, Set):
            optional.append((source, text(field.stored), value))
        elif field.optional:
            optional.append((f"{source} is not None", text(field.stored), value))
        else:
            required.append((text(field.stored), value))
    return Encoder(
        function=types.encode_function(of.name),
        docstring=docstring(
            f"The stored form of {docs.article(names.class_name(of.name))}.", _INDENT
        ),
        argument="value",
        annotation=names.class_name(of.name),
        spread=None,
        required=tuple(required),
        optional=tuple(optional),
        named="fields",
    )


def _key_summary(key: str, branches: Sequence[Branch]) -> str:
    if any(branch.always for branch in branches):
        return f"The key attribute {key}."
    return (
        f"The key attribute {key}; None while the item is in no index that it serves."
    )


def _encode_summary(entity: Entity, computed: dict[str, str]) -> str:
    what = f"The stored form of {docs.article(names.class_name(entity.name))}"
    return f"{what}, with the keys of its indexes." if computed else f"{what}."

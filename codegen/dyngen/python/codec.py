"""How items become stored forms and back: the functions written out for one entity."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from dyngen.design.model import (
    Attribute,
    Computed,
    Entity,
    KeyAttribute,
    Natural,
    Projection,
    Schema,
    UniqueKey,
)
from dyngen.design.plans import ReadPlan
from dyngen.keys.languages import placeholder_text
from dyngen.keys.model import Encoding, Given, Literal, Part, Template
from dyngen.python import docs, names, types
from dyngen.python.encoders import Encoders
from dyngen.python.entities import annotation, key_attributes, projection_class
from dyngen.python.expressions import Body, Variable
from dyngen.python.literals import docstring, strings, text
from dyngen.python.model import (
    Decoder,
    Encoder,
    ItemKey,
    KeyBranch,
    KeyFunction,
    Kind,
    Marker,
    Recognition,
)
from dyngen.python.names import Scope
from dyngen.python.predicates import holds
from dyngen.python.presence import Branch, Conjunction, key_branches, table_key_branches
from dyngen.types.model import Enum, Object, Set, String, ValueType

_INDENT = 4


class Codec:
    """The functions of one repository's module that store and read its items."""

    def __init__(
        self, entity: Entity, schema: Schema, encoders: Encoders, scope: Scope
    ) -> None:
        self.entity = entity
        self.schema = schema
        self.table = schema.table(entity.table)
        self._encoders = encoders
        self._item = names.item_variable(entity.name)
        self._functions = {
            name: scope.claim(f"_{names.private(name)}")
            for name, form in entity.keys.items()
            if isinstance(form, Computed) and name not in self._table_keys
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
    def _table_keys(self) -> tuple[str, ...]:
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
            body = self._item_body()
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
                self._encoders.pattern(key, *(case.template for case in form.cases)),
            )
            for key in self._table_keys
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
        body = self._item_body()
        required: list[tuple[str, str]] = []
        optional: list[tuple[str, str, str]] = []
        for attribute in self.entity.attributes:
            if attribute.stored in self._table_keys:
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
        scope = Scope([self._item])
        named, key = scope.claim("item"), scope.claim("key")
        for name, function in zip(self._functions, self.key_functions(), strict=True):
            call = f"{function.name}({self._item})"
            if function.optional:
                optional.append((f"({key} := {call}) is not None", text(name), key))
            else:
                required.append((text(name), call))
        return Encoder(
            function="_encode",
            docstring=docstring(_encode_summary(self.entity, self._functions), _INDENT),
            argument=self._item,
            annotation=names.class_name(self.entity.name),
            spread=self.key_call(self._item),
            required=tuple(required),
            optional=tuple(optional),
            named=named,
        )

    def _stored(self, attribute: Attribute, body: Body) -> str:
        for key in self.entity.keys:
            form = self.entity.keys[key]
            if isinstance(form, Natural) and form.attribute == attribute.name:
                return body.natural_key(key, attribute.type, Given(attribute.name))
        return types.encode(attribute.type, body.variables[attribute.name].source)

    # --- unique values ------------------------------------------------------------------------------

    def kind(self) -> Kind:
        """How items are stored, for writes that take items as they were."""
        stored = [a.stored for a in self.entity.attributes]
        if self.table.type_attribute is not None:
            stored.append(self.table.type_attribute)
        version = self.entity.version
        return Kind(
            key_names=strings(self._table_keys),
            attributes=strings(dict.fromkeys([*stored, *self.entity.keys])),
            version=None if version is None else text(version.stored),
        )

    def marker(self, of: UniqueKey, table_of: Callable[[str], str]) -> Marker:
        """The marker of one unique value; `table_of` gives the deployed name of an entity's table."""
        body = self._item_body()
        body.encoding = Encoding()  # also in a table whose own keys are raw
        variables = (body.variables[name] for name in of.attributes)
        required = [f"{v.source} is not None" for v in variables if v.optional]
        attributes = strings(of.attributes)
        if of.marker is not None:
            value = self._declared_marker(of, body, attributes, table_of(of.marker))
        else:
            key = body.local("text", self._marker_text(of, body))
            pairs = (
                f"{text(name)}: {body.key(name, key)}" for name in self._table_keys
            )
            value = f"unique.marker(table, {attributes}, {{{', '.join(pairs)}}})"
        return Marker(" and ".join(required) or None, tuple(body.statements), value)

    def _marker_text(self, of: UniqueKey, body: Body) -> str:
        """`$Entity#attributes#values`; within a tenant, its value comes first."""
        tenant = self.schema.tenant
        scoped = tenant is not None and any(
            a.name == tenant for a in self.entity.attributes
        )
        first = [tenant] if scoped and tenant is not None else []
        pieces: list[Literal | Part] = [
            Literal(f"${self.entity.name}#{','.join(of.attributes)}#")
        ]
        for name in dict.fromkeys([*first, *of.attributes]):
            pieces += [Part(name, self.entity.attribute(name).type), Literal("#")]
        return body.template_text(Template(tuple(pieces[:-1])))

    def _declared_marker(
        self, of: UniqueKey, body: Body, attributes: str, table: str
    ) -> str:
        """A declared entity's item, made of the attributes that both have."""
        other = self.schema.entity(of.marker or "")
        fields = ", ".join(
            f"{names.attribute(a.name)}={body.variables[a.name].source}"
            for a in other.attributes
            if a.name in body.variables and a.computed is None
        )
        made = (
            f"{foreign_encoder(other.name)}({names.class_name(other.name)}({fields}))"
        )
        item = body.local("marker", made)
        keys = strings(key.name for key in self.schema.table(other.table).key.all)
        key = f"keyparts.only({item}, {keys})"
        return f"unique.Marker({attributes}, {table}, {key}, {item})"

    # --- reading ----------------------------------------------------------------------------------

    def decoder(self, *, recognised: bool) -> Decoder:
        """The function that reads a whole item."""
        return Decoder(
            function="_decode",
            docstring=docstring(
                f"The {names.class_name(self.entity.name)} that an item holds.", _INDENT
            ),
            returns=names.class_name(self.entity.name),
            fields=tuple(
                self._decoded(attribute)
                for attribute in self.entity.attributes
                if attribute.computed is None
            ),
            foreign="not _is_own(item)" if recognised else None,
        )

    def projection_decoder(self, plan: ReadPlan, *, recognised: bool) -> Decoder:
        """The function that reads what an index projects."""
        name = projection_class(plan)
        return self._partial_decoder(
            plan,
            plan.projected or (),
            Decoder(
                function=projection_function(plan),
                docstring=docstring(f"The {name} that an index entry holds.", _INDENT),
                returns=name,
                fields=(),
                foreign=(
                    "not keyparts.fits(item, _KEY_PATTERNS)" if recognised else None
                ),
            ),
        )

    def foreign_key_decoder(self, plan: ReadPlan, other: Codec) -> Decoder:
        """The function that reads the key of another entity's item, which an item refers to."""
        ours = dict(plan.hydrate.key) if plan.hydrate else {}
        entity = names.class_name(other.entity.name)
        wanted = key_attributes(other.entity, other.table)
        made = self._partial_decoder(
            plan,
            tuple(ours[attribute.name] for attribute in wanted),
            Decoder(
                function=f"_key_of_{names.snake(plan.name)}",
                docstring=docstring(
                    f"The key of the {entity} that completes an item.", _INDENT
                ),
                returns="wire.Item",
                calls=foreign_key(other.entity.name),
                fields=(),
            ),
        )
        renamed = (
            f"{names.attribute(attribute.name)}={field.partition('=')[2]}"
            for attribute, field in zip(wanted, made.fields, strict=True)
        )
        return replace(made, fields=tuple(renamed))

    def _partial_decoder(
        self, plan: ReadPlan, attributes: Sequence[str], decoder: Decoder
    ) -> Decoder:
        """`decoder`, made to read these attributes; those not stored are in the keys."""
        stored = self._stored_everywhere(plan)
        keys: dict[str, Computed] = {
            key: form
            for key, form in self.entity.keys.items()
            if isinstance(form, Computed)
            and len(form.cases) == 1
            and (stored is None or key in stored)
        }
        body = self.body({}, ["item", "found", "text", "missing"])
        fields = []
        parts: dict[str, str] = {}
        for attribute in map(self.entity.attribute, attributes):
            if stored is None or attribute.stored in stored:
                fields.append(self._decoded(attribute))
            else:
                fields.append(self._from_key(attribute, keys, parts, body))
        return replace(
            decoder,
            statements=tuple(
                f"{variable} = keyparts.parts(item[{text(key)}], {text(key)}, {pattern})"
                for key, variable in parts.items()
                for pattern in [
                    self._encoders.pattern(key, keys[key].cases[0].template)
                ]
            ),
            fields=tuple(fields),
        )

    def selected(self, plan: ReadPlan) -> tuple[str, ...]:
        """The stored attributes to ask for, so that the projection can be read."""
        stored = self._stored_everywhere(plan)
        found = (self.entity.attribute(name).stored for name in plan.projected or ())
        return tuple(name for name in found if stored is None or name in stored)

    def _stored_everywhere(self, plan: ReadPlan) -> frozenset[str] | None:
        """The stored attributes that every index holds that the read may take; None: all."""
        held: frozenset[str] | None = None
        for alternative in plan.alternatives:
            if alternative.route.index is None:
                continue
            index = self.table.index(alternative.route.index)
            if index.projection is not Projection.ALL:
                keys = {key.name for key in (*index.key.all, *self.table.key.all)}
                here = frozenset((*keys, *index.included))
                held = here if held is None else held & here
        return held

    def _from_key(
        self,
        attribute: Attribute,
        keys: dict[str, Computed],
        parts: dict[str, str],
        body: Body,
    ) -> str:
        """A keyword argument of the class, read from a computed key that holds the attribute."""
        key, part = next(
            (key, piece)
            for key, form in keys.items()
            for piece in form.cases[0].template.pieces
            if isinstance(piece, Part)
            and piece.attribute == attribute.name
            and piece.bucket is None
        )
        if key not in parts:
            parts[key] = body.scope.claim(f"{names.private(key)}_parts")
        group = f"{parts[key]}[{text(names.snake(attribute.name))}]"
        encoder = self._encoders.constant(part, self.table.encoding)
        source = "text" if part.placeholder is not None else group
        value = f"keyparts.parse({source}, {text(key)}, {encoder}.parse)"
        if isinstance(attribute.type, Enum):
            value = f"{names.class_name(attribute.type.name)}({value})"
        field = names.attribute(attribute.name)
        if part.placeholder is None:
            return f"{field}={value}"
        placeholder = text(placeholder_text(part, self.table.encoding))
        return f"{field}=(None if (text := {group}) == {placeholder} else {value})"

    def _decoded(self, attribute: Attribute) -> str:
        return _decoded_field(
            names.attribute(attribute.name),
            attribute.type,
            attribute.stored,
            text(attribute.stored),
            optional=self._may_be_none(attribute),
        )

    # --- helpers ----------------------------------------------------------------------------------

    def body(self, variables: dict[str, Variable], taken: Sequence[str]) -> Body:
        """A function of this module, with these variables."""
        return Body(
            self.entity,
            self.table,
            self.table.encoding,
            self._encoders,
            variables,
            Scope(["self", *taken]),
            marked=self._marked,
        )

    def _item_body(self) -> Body:
        variables = {
            a.name: Variable(
                f"{self._item}.{names.attribute(a.name)}", self._may_be_none(a)
            )
            for a in self.entity.attributes
        }
        return self.body(variables, [self._item])

    def _may_be_none(self, attribute: Attribute) -> bool:
        """Whether an item can lack it: also a version, if it was stored before there were any."""
        version = self.entity.version
        return attribute.optional or (
            version is not None and version.name == attribute.name
        )


def projection_function(plan: ReadPlan) -> str:
    """The function that reads what an index projects."""
    return f"_decode_{names.snake(projection_class(plan))}"


def foreign_key(entity: str) -> str:
    """What another module calls the function that gives the key of an entity's items."""
    return f"_{names.snake(entity)}_key"


def foreign_encoder(entity: str) -> str:
    """What another module calls the function that stores an entity's items."""
    return f"_encode_{names.snake(entity)}"


def foreign_markers(entity: str) -> str:
    """What another module calls the function that gives the markers of an entity's items."""
    return f"_{names.snake(entity)}_markers"


def foreign_decoder(entity: str) -> str:
    """What another module calls the function that reads an entity's items."""
    return f"_decode_{names.snake(entity)}"


def object_encoders(entity: Entity) -> tuple[Encoder, ...]:
    """The functions that store the objects inside an entity's items."""
    return tuple(map(_object_encoder, _objects(entity)))


def object_decoders(entity: Entity) -> tuple[Decoder, ...]:
    """The functions that read the objects inside an entity's items."""
    return tuple(map(_object_decoder, _objects(entity)))


def _objects(entity: Entity) -> Iterator[Object]:
    inner = (part for a in entity.attributes for part in types.parts(a.type))
    yield from dict.fromkeys(of for of in inner if isinstance(of, Object))


def _object_encoder(of: Object) -> Encoder:
    required: list[tuple[str, str]] = []
    optional: list[tuple[str, str, str]] = []
    for field in of.fields:
        source = f"value.{names.attribute(field.name)}"
        value = types.encode(field.type, source)
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


def _object_decoder(of: Object) -> Decoder:
    return Decoder(
        function=types.decode_function(of.name),
        docstring=docstring(
            f"The {names.class_name(of.name)} that an attribute holds.", _INDENT
        ),
        returns=names.class_name(of.name),
        fields=tuple(
            _decoded_field(
                names.attribute(field.name),
                field.type,
                field.stored,
                f"name + {text(f'.{field.stored}')}",
                optional=field.optional,
            )
            for field in of.fields
        ),
    )


def _decoded_field(
    field: str, of: ValueType, stored: str, name: str, *, optional: bool
) -> str:
    """A keyword argument of the class, read from `item`."""
    if not optional and not isinstance(of, Set):
        return f"{field}={types.decode(of, f'item[{text(stored)}]', name)}"
    absent = "None" if optional else "frozenset()"
    value = types.decode(of, "found", name)
    present = f"(found := item.get({text(stored)})) is not None"
    return f"{field}=({value} if {present} else {absent})"


def _key_summary(key: str, branches: Sequence[Branch]) -> str:
    if any(branch.always for branch in branches):
        return f"The key attribute {key}."
    return (
        f"The key attribute {key}; None while the item is in no index that it serves."
    )


def _encode_summary(entity: Entity, computed: dict[str, str]) -> str:
    what = f"The stored form of {docs.article(names.class_name(entity.name))}"
    return f"{what}, with the keys of its indexes." if computed else f"{what}."

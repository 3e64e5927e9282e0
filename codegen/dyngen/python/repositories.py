"""The module of one entity's repository, put together."""

from __future__ import annotations

from dyngen.design.model import Entity, Index, Schema, Table
from dyngen.design.plans import Design, EntityWrites, ReadPlan
from dyngen.python import docs, names, types
from dyngen.python.codec import Codec, object_encoders
from dyngen.python.decoders import (
    decoder,
    foreign_key_decoder,
    object_decoders,
    projection_decoder,
    slotted,
)
from dyngen.python.encoders import Definition, Encoders
from dyngen.python.entities import projections
from dyngen.python.literals import docstring, strings, text
from dyngen.python.markers import kind, marker
from dyngen.python.model.methods import Method, ReviseMethod
from dyngen.python.model.repository import Decoder, Repository, RepositoryClass
from dyngen.python.modes import Mode, modes
from dyngen.python.names import Scope
from dyngen.python.patterns import WritePattern, write_method
from dyngen.python.reads import Site, read_method
from dyngen.python.writes import Writes, version_attribute
from dyngen.types.model import Enum


def repository(entity: Entity, design: Design) -> Repository:
    """The module of the repository of `entity`."""
    return _Repository(entity, design).model()


class _Repository:
    """Puts the module together: what makes names comes before what lists them."""

    def __init__(self, entity: Entity, design: Design) -> None:
        self._entity = entity
        self._design = design
        self._table = design.schema.table(entity.table)
        self._scope = Scope([*names.PRIVATE, *self._private_names()])
        self._encoders = Encoders(self._scope)
        self._key_types = KeyTypes(self._table, self._scope)
        self._codec = Codec(entity, design.schema, self._encoders, self._scope)
        self._writes = Writes(self._entity_writes(), self._codec)
        self._site = Site(
            self._codec, self._key_types, self._table_expression, self._decoder_of
        )

    def model(self) -> Repository:
        entity, codec, writes = self._entity, self._codec, self._writes
        shared = shares_table(entity, self._design.schema)
        recognition = codec.recognition(shared=shared)
        recognised = recognition is not None and bool(recognition.patterns)
        item_key = codec.item_key()
        encoder = codec.encoder()
        key_functions = codec.key_functions()
        projected = tuple(
            slotted(projection_decoder(codec, plan, recognised=recognised), self._scope)
            for plan in projections(entity, self._design.reads)
        )
        foreign_keys = tuple(map(self._foreign_key, self._hydrating()))
        methods = tuple(map(self._method, self._patterns()))
        markers = tuple(
            marker(codec, each, self._marker_table) for each in entity.unique
        )
        revises = any(isinstance(method, ReviseMethod) for method in methods)
        name = names.class_name(entity.name)
        table = self._table
        return Repository(
            classes=tuple(
                RepositoryClass(
                    mode=mode,
                    name=f"{mode.prefix}{names.repository_class(entity.name)}",
                    docstring=docstring(_summary(name, mode), 4),
                )
                for mode in modes(self._design.client)
            ),
            table=text(table.name),
            entity=name,
            item=codec.item,
            key_class=names.key_class(entity.name),
            key_call=codec.key_call("key"),
            key_names=strings(key.name for key in table.key.all),
            partition_key=text(table.key.partition[0].name),
            version=version_attribute(entity),
            constants=self._encoders.definitions,
            missing_texts=self._encoders.missing_texts,
            enum_mappings=tuple(
                (types.members_constant(of.name), names.class_name(of.name))
                for of in self._enums()
            ),
            key_types=self._key_types.definitions,
            changes=writes.changes(),
            written_with=tuple(
                (text(name), strings(written))
                for name, written in writes.written_with().items()
            ),
            guarded_by=tuple(
                (text(name), strings(guards))
                for name, guards in writes.guarded_by().items()
            ),
            methods=methods,
            operations=writes.operations(),
            item_kind=kind(codec) if revises or markers else None,
            markers=markers,
            recognition=recognition,
            other_tables=tuple(
                (table_argument(other), text(other)) for other in self._other_tables()
            ),
            item_key=item_key,
            key_functions=key_functions,
            encoder=encoder,
            decoder=slotted(
                decoder(codec, recognised=recognition is not None), self._scope
            ),
            projections=projected,
            foreign_keys=foreign_keys,
            object_encoders=object_encoders(entity),
            object_decoders=tuple(
                slotted(each, self._scope) for each in object_decoders(entity)
            ),
        )

    def _private_names(self) -> list[str]:
        encoders = (made.function for made in object_encoders(self._entity))
        decoders = (made.function for made in object_decoders(self._entity))
        constants = (types.members_constant(of.name) for of in self._enums())
        return [*encoders, *decoders, *constants]

    def _entity_writes(self) -> EntityWrites:
        return next(w for w in self._design.writes if w.entity == self._entity.name)

    def _enums(self) -> list[Enum]:
        found = (part for a in self._entity.attributes for part in types.parts(a.type))
        return list(dict.fromkeys(of for of in found if isinstance(of, Enum)))

    # --- patterns ---------------------------------------------------------------------------------

    def _patterns(self) -> list[ReadPlan | WritePattern]:
        """The entity's patterns in the order of the spec."""
        design, entity = self._design, self._entity.name
        own: list[ReadPlan | WritePattern] = []
        own += [plan for plan in design.reads if plan.entities == (entity,)]
        own += [plan for plan in design.updates if plan.entity == entity]
        own += [plan for plan in design.deletes if plan.entity == entity]
        own += [plan for plan in design.moves if plan.entity == entity]
        own += [p for p in design.delete_eaches if p.read.entities == (entity,)]
        return sorted(own, key=lambda plan: (plan.span is None, plan.span or 0))

    def _method(self, plan: ReadPlan | WritePattern) -> Method:
        if isinstance(plan, ReadPlan):
            return read_method(plan, self._site)
        return write_method(plan, self._site)

    def _decoder_of(self, entities: tuple[str, ...]) -> str:
        if entities == (self._entity.name,):
            return "_decode"
        return names.foreign_decoder(entities[0])

    # --- items of other entities that complete what is read -----------------------------------------

    def _hydrating(self) -> list[ReadPlan]:
        return [
            plan
            for plan in self._design.reads
            if plan.entities == (self._entity.name,)
            and plan.hydrate is not None
            and plan.hydrate.entity != self._entity.name
        ]

    def _foreign_key(self, plan: ReadPlan) -> Decoder:
        schema = self._design.schema
        other = schema.entity(plan.hydrate.entity if plan.hydrate else "")
        codec = Codec(other, schema, self._encoders, Scope())
        return foreign_key_decoder(self._codec, plan, codec)

    def _other_tables(self) -> list[str]:
        return other_tables(self._entity, self._design)

    def _marker_table(self, entity: str) -> str:
        """The argument of `_markers` that names the table of the markers of a declared entity."""
        table = self._design.schema.entity(entity).table
        return "table" if table == self._table.name else table_argument(table)

    def _table_expression(self, entity: str) -> str:
        table = self._design.schema.entity(entity).table
        own = table == self._table.name
        return "self._table_name" if own else f"self._{table_argument(table)}"


OPTIONS = {
    "environment": "The clock and the sources of new ids, to be replaced in tests.",
    "cursor_secret": "Signs the cursors of pages, so that a changed one is refused.",
    "fast_decoding": "Lets the client decode responses in one go; off, it is left as it is.",
}
"""Arguments that repositories and the service object share, for docstrings."""


class KeyTypes:
    """The constants of a module that say of which attributes, and types, the keys of an index are."""

    def __init__(self, table: Table, scope: Scope) -> None:
        self._table = table
        self._scope = scope
        self._made: dict[str | None, Definition] = {}

    def __call__(self, name: str | None) -> str:
        """The constant of an index, or of the table."""
        if name not in self._made:
            index = None if name is None else self._table.index(name)
            wanted = names.private(name or self._table.name).upper()
            self._made[name] = Definition(
                self._scope.claim(f"_{wanted}_KEY_TYPES"),
                _key_types(self._table, index),
            )
        return self._made[name].name

    @property
    def definitions(self) -> tuple[Definition, ...]:
        """The constants, in order of first use."""
        return tuple(self._made.values())


def shares_table(entity: Entity, schema: Schema) -> bool:
    """Whether other entities live in the entity's table."""
    return any(
        other.table == entity.table and other.name != entity.name
        for other in schema.entities
    )


def other_tables(entity: Entity, design: Design) -> list[str]:
    """The other tables that items are completed from, or that hold the markers of unique values."""
    entities = [
        plan.hydrate.entity
        for plan in design.reads
        if plan.entities == (entity.name,) and plan.hydrate is not None
    ]
    entities += [u.marker for u in entity.unique if u.marker is not None]
    found = (design.schema.entity(name).table for name in entities)
    return [table for table in dict.fromkeys(found) if table != entity.table]


def table_argument(table: str) -> str:
    """The argument that takes the deployed name of another table."""
    return f"{names.private(table)}_table"


def _key_types(table: Table, index: Index | None) -> str:
    keys = table.key.all if index is None else (*index.key.all, *table.key.all)
    pairs = {text(key.name): text(key.type) for key in keys}
    return f"{{{', '.join(f'{name}: {kind}' for name, kind in pairs.items())}}}"


def _summary(entity: str, mode: Mode) -> str:
    return docs.body(
        f"Reads and writes {entity} items.",
        args={
            "client": mode.client,
            "table_name": "The name of the table as it is deployed.",
            **OPTIONS,
        },
    )

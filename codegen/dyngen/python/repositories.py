"""The module of one entity's repository, put together."""

from __future__ import annotations

from dyngen.design.model import Entity, Index, Table
from dyngen.design.plans import Design, EntityWrites, ReadPlan, UpdatePlan
from dyngen.python import docs, names, types
from dyngen.python.codec import Codec, object_decoders, object_encoders
from dyngen.python.encoders import Definition, Encoders
from dyngen.python.entities import projections
from dyngen.python.literals import docstring, strings, text
from dyngen.python.model import GetMethod, QueryMethod, Repository, UpdateMethod
from dyngen.python.names import Scope
from dyngen.python.reads import read_method
from dyngen.python.writes import Writes, version_attribute
from dyngen.types.model import Enum

_PRIVATE = ("_key", "_encode_key", "_encode", "_decode", "_WRITTEN_WITH", "_GUARDED_BY")


def repository(entity: Entity, design: Design) -> Repository:
    """The module of the repository of `entity`."""
    return _Repository(entity, design).model()


class _Repository:
    def __init__(self, entity: Entity, design: Design) -> None:
        self._entity = entity
        self._design = design
        self._table = design.schema.table(entity.table)
        self._scope = Scope([*_PRIVATE, *self._private_names()])
        self._encoders = Encoders(self._scope)
        self._key_types: dict[str | None, Definition] = {}
        self._codec = Codec(entity, self._table, self._encoders, self._scope)
        self._writes = Writes(self._entity_writes(), self._codec)

    def model(self) -> Repository:
        entity, codec, writes = self._entity, self._codec, self._writes
        item_key = codec.item_key()
        encoder = codec.encoder()
        key_functions = codec.key_functions()
        projected = tuple(
            codec.projection_decoder(plan)
            for plan in projections(entity, self._design.reads)
        )
        methods = tuple(map(self._method, self._patterns()))
        name = names.class_name(entity.name)
        item = names.item_variable(entity.name)
        table = self._table
        return Repository(
            class_name=names.repository_class(entity.name),
            class_docstring=docstring(_summary(name), 4),
            table=text(table.name),
            entity=name,
            item=item,
            key_class=names.key_class(entity.name),
            key_call=codec.key_call("key"),
            partition_key=text(table.key.partition[0].name),
            version=version_attribute(entity),
            constants=self._encoders.definitions,
            missing_texts=self._encoders.missing_texts,
            enum_mappings=tuple(
                (types.members_constant(of.name), names.class_name(of.name))
                for of in self._enums()
            ),
            key_types=tuple(self._key_types.values()),
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
            item_key=item_key,
            key_functions=key_functions,
            encoder=encoder,
            decoder=codec.decoder(),
            projections=projected,
            object_encoders=object_encoders(entity),
            object_decoders=object_decoders(entity),
        )

    def _private_names(self) -> list[str]:
        made = (*object_encoders(self._entity), *object_decoders(self._entity))
        constants = (types.members_constant(of.name) for of in self._enums())
        return [*(each.function for each in made), *constants]

    def _entity_writes(self) -> EntityWrites:
        return next(w for w in self._design.writes if w.entity == self._entity.name)

    def _enums(self) -> list[Enum]:
        found = (part for a in self._entity.attributes for part in types.parts(a.type))
        return list(dict.fromkeys(of for of in found if isinstance(of, Enum)))

    def _patterns(self) -> list[ReadPlan | UpdatePlan]:
        """The entity's patterns in the order of the spec."""
        own: list[ReadPlan | UpdatePlan] = [
            plan for plan in self._design.reads if plan.entities == (self._entity.name,)
        ]
        own += [u for u in self._design.updates if u.entity == self._entity.name]
        return sorted(own, key=lambda plan: (plan.span is None, plan.span or 0))

    def _method(
        self, plan: ReadPlan | UpdatePlan
    ) -> QueryMethod | GetMethod | UpdateMethod:
        if isinstance(plan, UpdatePlan):
            return self._writes.update_method(plan)
        return read_method(plan, self._codec, self._types_of_key)

    def _types_of_key(self, name: str | None) -> str:
        """The constant with the key attributes that tell where an item stands in an index."""
        if name not in self._key_types:
            index = None if name is None else self._table.index(name)
            wanted = f"_{names.private(name or self._table.name).upper()}_KEY_TYPES"
            self._key_types[name] = Definition(
                self._scope.claim(wanted), _key_types(self._table, index)
            )
        return self._key_types[name].name


def _key_types(table: Table, index: Index | None) -> str:
    keys = table.key.all if index is None else (*index.key.all, *table.key.all)
    pairs = {text(key.name): text(key.type) for key in keys}
    return f"{{{', '.join(f'{name}: {kind}' for name, kind in pairs.items())}}}"


def _summary(entity: str) -> str:
    return docs.body(
        f"Reads and writes {entity} items.",
        args={
            "client": "A boto3 DynamoDB client.",
            "table_name": "The name of the table as it is deployed.",
            "environment": "The clock and the sources of new ids, to be replaced in tests.",
            "cursor_secret": "Signs the cursors of pages, so that a changed one is refused.",
        },
    )

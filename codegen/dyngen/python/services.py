"""The module of the service object: one repository for each entity, and the patterns of several."""

from __future__ import annotations

from dyngen.design.model import Entity, Schema
from dyngen.design.plans import Design, ReadPlan, TransactPlan
from dyngen.python import docs, names
from dyngen.python.codec import Codec
from dyngen.python.encoders import Encoders
from dyngen.python.literals import docstring, text
from dyngen.python.model.methods import (
    GetMethod,
    QueryMethod,
    ReadTransaction,
    WriteTransaction,
)
from dyngen.python.model.repository import Dispatcher
from dyngen.python.model.service import (
    RepositoryAttribute,
    Service,
    ServiceClass,
    TableName,
)
from dyngen.python.modes import Mode, modes
from dyngen.python.names import Scope
from dyngen.python.reads import Site, read_method
from dyngen.python.repositories import OPTIONS, KeyTypes, other_tables, table_argument
from dyngen.python.transactions import Surroundings, transaction

_ARGS = {
    "table_prefix": "Stands before the name of every table.",
    "table_names": "Names of deployed tables by the names in the spec; they take no prefix.",
    **OPTIONS,
}


def service(design: Design) -> Service:
    """The module of the service object."""
    return _Service(design).model()


def summary(schema: Schema) -> str:
    """What the service is."""
    return docs.sentence(schema.description) or f"The items of {schema.service}."


class _Service:
    def __init__(self, design: Design) -> None:
        self._design = design
        self._scope = Scope()
        self._encoders = Encoders(self._scope)
        self._key_types = {
            table.name: KeyTypes(table, self._scope) for table in design.schema.tables
        }
        taken = Scope(
            names.repository_attribute(e.name, e.plural) for e in design.schema.entities
        )
        self._tables = {
            table.name: taken.claim(f"_{table_argument(table.name)}")
            for table in design.schema.tables
        }

    def model(self) -> Service:
        schema = self._design.schema
        plans = [plan for plan in self._design.reads if len(plan.entities) > 1]
        methods = tuple(map(self._method, self._patterns()))
        dispatchers = {plan.entities: self._dispatcher(plan.entities) for plan in plans}
        return Service(
            classes=tuple(map(self._class, modes(self._design.client))),
            tables=tuple(
                TableName(self._tables[table.name], text(table.name))
                for table in schema.tables
            ),
            constants=self._encoders.definitions,
            missing_texts=self._encoders.missing_texts,
            key_types=tuple(
                definition
                for made in self._key_types.values()
                for definition in made.definitions
            ),
            methods=methods,
            dispatchers=tuple(dispatchers.values()),
        )

    def _class(self, mode: Mode) -> ServiceClass:
        schema = self._design.schema
        service = names.service_class(schema.service, (e.name for e in schema.entities))
        args = {"client": mode.client, **_ARGS}
        return ServiceClass(
            mode=mode,
            name=f"{mode.prefix}{service}",
            docstring=docstring(docs.body(summary(schema), args=args), 4),
            repositories=tuple(
                RepositoryAttribute(
                    name=names.repository_attribute(entity.name, entity.plural),
                    class_name=f"{mode.prefix}{names.repository_class(entity.name)}",
                    table=f"self.{self._tables[entity.table]}",
                    others=tuple(
                        f"{table_argument(other)}=self.{self._tables[other]}"
                        for other in other_tables(entity, self._design)
                    ),
                )
                for entity in schema.entities
            ),
        )

    def _patterns(self) -> list[ReadPlan | TransactPlan]:
        """The patterns of several entities, in the order of the spec."""
        found: list[ReadPlan | TransactPlan] = [*self._design.transactions]
        found += [plan for plan in self._design.reads if len(plan.entities) > 1]
        return sorted(found, key=lambda plan: (plan.span is None, plan.span or 0))

    def _method(
        self, plan: ReadPlan | TransactPlan
    ) -> QueryMethod | WriteTransaction | ReadTransaction:
        schema = self._design.schema
        if isinstance(plan, TransactPlan):
            around = Surroundings(
                schema, self._encoders, self._table_of, self._marker_tables
            )
            return transaction(plan, around)
        first = schema.entity(plan.entities[0])
        site = Site(
            Codec(first, schema, self._encoders, Scope()),
            self._key_types[plan.table],
            self._table_of,
            _dispatcher_name,
        )
        made = read_method(plan, site)
        if isinstance(made, GetMethod):
            raise TypeError(f"{plan.name} gets items of several entities")
        return made

    def _table_of(self, entity: str) -> str:
        return f"self.{self._tables[self._design.schema.entity(entity).table]}"

    def _marker_tables(self, entity: Entity) -> list[str]:
        others = other_tables(entity, self._design)
        return [f"self.{self._tables[table]}" for table in others]

    def _dispatcher(self, entities: tuple[str, ...]) -> Dispatcher:
        *others, last = entities
        returns = " | ".join(map(names.class_name, entities))
        return Dispatcher(
            function=_dispatcher_name(entities),
            docstring=docstring(
                f"The {' or '.join(map(names.class_name, entities))} that an item holds.",
                4,
            ),
            returns=returns,
            choices=tuple(
                (names.foreign_recogniser(e), names.foreign_decoder(e)) for e in others
            ),
            last=names.foreign_decoder(last),
        )


def _dispatcher_name(entities: tuple[str, ...]) -> str:
    return f"_decode_{'_or_'.join(map(names.snake, entities))}"

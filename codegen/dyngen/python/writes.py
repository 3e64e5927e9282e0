"""The operations of an entity as methods of its repository."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from dyngen.design.contents import template_inputs
from dyngen.design.model import Attribute, Entity
from dyngen.design.plans import EntityWrites
from dyngen.python import docs, names
from dyngen.python.changes import filling
from dyngen.python.codec import Codec
from dyngen.python.entities import annotation, key_attributes
from dyngen.python.literals import docstring, strings, text
from dyngen.python.model.classes import DataClass
from dyngen.python.model.methods import GetMethod, Signature
from dyngen.python.model.operations import (
    Batches,
    Create,
    Delete,
    Filling,
    Operations,
    Put,
    Update,
)

_INDENT = 8
_INVALID = "An attribute has a value that can't be stored."
_TAKEN = {"UniqueTaken": "Another item has a value that must be unique."}


class Writes:
    """The writing methods of one entity's repository."""

    def __init__(self, writes: EntityWrites, codec: Codec) -> None:
        self._writes = writes
        self._codec = codec
        self._entity = codec.entity
        self._class = names.class_name(codec.entity.name)
        self._noun = docs.article(names.snake(codec.entity.name).replace("_", " "))
        self._item = codec.item

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
        filled = [
            names.attribute(a.name)
            for a in self._entity.attributes
            if a.filled and not a.on_write
        ]
        fills = f"Fills in {_listed(filled)} where left out. " if filled else ""
        return Create(
            signature=self._signature(
                "create",
                f"Store a new {self._noun.partition(' ')[2]}, and return it as stored.",
                f"{fills}Refused if there is an item with this key.",
                raises={
                    "ItemExists": "An item with this key is already stored.",
                    **self._taken,
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
        guarded = self._entity.version is not None or bool(self._entity.unique)
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
        versioned = self._entity.version is not None
        always = list(self._always())
        always_guarded = [] if versioned else list(self._always_guarded())
        guards = not versioned and any((always_guarded, *self.guarded_by().values()))
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
        keys = any(len(written) > 1 for written in self.written_with().values())
        follow = "The keys of its indexes follow. " if keys else ""
        return Update(
            signature=self._signature(
                "update",
                "Write the given attributes, and return the item as it then is.",
                f"{follow}{checked}",
                raises={
                    "StaleItem": "The item has changed since it was read, or is gone. With"
                    " `outcome_unknown`, the request was repeated and may have succeeded.",
                    **self._taken,
                    "InvalidValue": _INVALID,
                },
            ),
            filling=self._filling(create=False),
            key=self._codec.key_call(self._item),
            always=_list_of(always),
            always_guarded=_list_of(always_guarded),
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

    def _always_guarded(self) -> Iterator[str]:
        """The other inputs, as stored, of what every update computes."""
        found = dict.fromkeys(
            name
            for attribute in self._entity.attributes
            if attribute.on_write
            for name in self._partners(attribute.name)
        )
        for name in found:
            if name in self._writes.changeable:
                yield self._entity.attribute(name).stored

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
                        "InvalidRequest": "An item is both to be stored and to be deleted.",
                    },
                ),
                _INDENT,
            ),
        )

    # --- helpers ----------------------------------------------------------------------------------

    @property
    def _taken(self) -> dict[str, str]:
        return _TAKEN if self._entity.unique else {}

    def _filling(self, *, create: bool) -> Filling:
        return filling(self._entity, self._item, create=create)

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


def _list_of(stored: list[str]) -> str | None:
    """A list display of stored names; None if there are none."""
    return f"[{', '.join(map(text, stored))}]" if stored else None


def _listed(words: list[str]) -> str:
    quoted = [f"`{word}`" for word in words]
    if len(quoted) == 1:
        return quoted[0]
    return f"{', '.join(quoted[:-1])} and {quoted[-1]}"


def version_attribute(entity: Entity) -> str | None:
    """The version attribute, as stored."""
    return None if entity.version is None else text(entity.version.stored)

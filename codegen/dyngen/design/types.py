"""Types looked up: from what is written at a use to one value type."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from dyngen.design.naming import pascal, stored_name, with_article
from dyngen.design.typeoptions import build_scalar, options_of
from dyngen.diagnostics.build import error
from dyngen.diagnostics.model import Diagnostic, Label, Span
from dyngen.diagnostics.suggest import did_you_mean, listed
from dyngen.runtime import limits
from dyngen.source.nodes import Entry, Node, Scalar
from dyngen.spec import model as spec
from dyngen.spec.types import ATTRIBUTE_OPTIONS, ENUM
from dyngen.types import model as types
from dyngen.types.model import ValueType

SCALARS = (
    "string",
    "integer",
    "decimal",
    "float",
    "boolean",
    "binary",
    "timestamp",
    "date",
    "uuid",
    "ulid",
    "json",
)
CONTAINERS = ("list", "set", "map")
OBJECT = "object"
BASES = (*SCALARS, *CONTAINERS, OBJECT)
"""The words that name a type without being declared."""


@dataclass(frozen=True, slots=True)
class Resolved:
    """A type with what its declaration says of the attributes that use it (`optional`, ...)."""

    word: str  # the base word, or "enum"
    use: spec.TypeUse  # where that word is written
    label: str  # the name of an enum or object
    options: Mapping[str, Entry]
    type: ValueType

    def option(self, word: str) -> Node | None:
        """What the type says by this word, if anything."""
        entry = self.options.get(word)
        return None if entry is None else entry.value


@dataclass(slots=True)
class TypeResolver:
    """Looks types up. Named types are resolved once; what is wrong with one is reported once."""

    named: Mapping[str, tuple[spec.Name, spec.TypeUse]]
    camel_case: bool = False
    found: list[Diagnostic] = field(default_factory=list)
    _done: dict[str, Resolved | None] = field(default_factory=dict)
    _open: list[str] = field(default_factory=list)

    def named_types(self) -> dict[str, ValueType]:
        """All named types, without those that are broken."""
        resolved = {name: self._by_name(name) for name in self.named}
        return {name: r.type for name, r in resolved.items() if r is not None}

    def resolve(
        self, use: spec.TypeUse, label: str, *, element: bool = False
    ) -> Resolved | None:
        """The type of a use; None if it is broken, which is reported.

        `label` names an enum or object that is written here. `element`: a member of a list, set or
        map, of which nothing can be said that is said of attributes.
        """
        word = use.name.text
        if element:
            self._refuse_attribute_options(use)
        if word == ENUM and use.members:
            return self._build(word, use, label, use.options)
        if word in BASES:
            return self._build(word, use, label, use.options)
        if word not in self.named:
            self._unknown(use)
            return None
        base = self._by_name(word)
        if base is None:
            return None
        self._refuse_parts(use, word)
        own = {k: v for k, v in use.options.items() if k not in ATTRIBUTE_OPTIONS}
        options = {**base.options, **use.options}
        if not own:
            return Resolved(base.word, base.use, base.label, options, base.type)
        return self._build(base.word, base.use, base.label, options)

    # --- names -----------------------------------------------------------------------------------

    def _by_name(self, name: str) -> Resolved | None:
        if name in self._done:
            return self._done[name]
        declared, use = self.named[name]
        if name in self._open:
            cycle = [*self._open[self._open.index(name) :], name]
            self._report(
                "DG101",
                f"`{name}` contains itself",
                use.span,
                " contains ".join(f"`{n}`" for n in cycle),
                help=["a value of it would have no end; use `json`, or another item"],
            )
            return None
        self._open.append(name)
        resolved = self.resolve(use, declared.text)
        self._open.pop()
        for word in ("computed", "name"):
            if word in use.options:
                self._report(
                    "DG102",
                    f"`{word}` belongs to an attribute, not to a type",
                    use.options[word].key.span,
                    help=["write it at the attributes that use the type"],
                )
        self._done[name] = resolved
        return resolved

    def _unknown(self, use: spec.TypeUse) -> None:
        word = use.name.text
        if word == ENUM:
            self._report(
                "DG100",
                "an enum is written by its values",
                use.name.span,
                help=["`status: [OPEN, CLOSED]`, or `{type: [OPEN, CLOSED], ...}`"],
            )
            return
        known = [*self.named, *BASES]
        self._report(
            "DG100",
            f"there is no type `{word}`",
            use.name.span,
            help=[did_you_mean(word, known) or f"types are {listed(known, limit=30)}"],
        )

    # --- types -------------------------------------------------------------------------------------

    def _build(
        self, word: str, use: spec.TypeUse, label: str, options: Mapping[str, Entry]
    ) -> Resolved | None:
        before = len(self.found)
        own = {k: v for k, v in options.items() if k not in ATTRIBUTE_OPTIONS}
        allowed = options_of(word)
        for name, entry in own.items():
            if name not in allowed:
                self._report(
                    "DG102",
                    f"`{name}` is no option of {with_article(word)}",
                    entry.key.span,
                    help=[
                        did_you_mean(name, allowed)
                        or (
                            f"its options are {listed(allowed, 'and')}"
                            if allowed
                            else f"{with_article(word)} has no options of its own; leave it out"
                        )
                    ],
                )
        self._refuse_parts(use, word)
        made: ValueType | None
        if word == ENUM:
            made = self._enum(use, label)
        elif word in CONTAINERS:
            made = self._container(word, use, label)
        elif word == OBJECT:
            made = self._object(use, label)
        else:
            made, problems = build_scalar(
                word, {name: entry.value for name, entry in own.items()}
            )
            self.found.extend(problems)
        if made is None or len(self.found) > before:
            return None
        if types.levels(made) > limits.ITEM_LEVELS:
            self._report(
                "DG103",
                f"lists and maps lie in one another {types.levels(made)} levels deep",
                use.name.span,
                help=[
                    f"DynamoDB takes {limits.ITEM_LEVELS}; make items of the inner ones"
                ],
            )
            return None
        return Resolved(word, use, label, options, made)

    def _enum(self, use: spec.TypeUse, label: str) -> types.Enum:
        names: dict[str, spec.Name] = {}
        texts: dict[str, spec.Name] = {}
        for name, stored in use.members:
            for seen, word in ((names, name), (texts, stored)):
                first = seen.setdefault(word.text, word)
                if first is not word and (seen is names or name is not stored):
                    self._report(
                        "DG103",
                        f"`{word.text}` stands twice among the values of {label}",
                        word.span,
                        secondary=[Label(first.span, "here first")],
                        help=["each value needs a name and a stored text of its own"],
                    )
            if not stored.text:
                self._report(
                    "DG103", "the text stored for a value is empty", stored.span
                )
        members = (types.Member(name.text, stored.text) for name, stored in use.members)
        return types.Enum(label, tuple(members))

    def _container(self, word: str, use: spec.TypeUse, label: str) -> ValueType | None:
        if use.of is None:
            self._report(
                "DG103",
                f"a {word} needs the type of its members",
                use.name.span,
                help=[f"write `{{type: {word}, of: string}}`"],
            )
            return None
        inner = self.resolve(use.of, label, element=True)
        if inner is None:
            return None
        if word == "list":
            return types.List(inner.type)
        if word == "map":
            return types.Map(inner.type)
        if not isinstance(inner.type, types.Scalar) or isinstance(
            inner.type, types.Boolean
        ):
            self._report(
                "DG103",
                f"a set cannot hold {with_article(inner.word)}",
                use.of.span,
                help=["DynamoDB has sets of strings, numbers and binaries; use a list"],
            )
            return None
        return types.Set(inner.type)

    def _object(self, use: spec.TypeUse, label: str) -> types.Object | None:
        if not use.attributes:
            self._report(
                "DG103",
                "an object needs attributes",
                use.name.span,
                help=[
                    "write `{type: object, attributes: {street: string}}`, or `json`"
                ],
            )
            return None
        fields: list[types.Field] = []
        places: dict[str, spec.Name] = {}
        for attribute in use.attributes:
            made = self._field(attribute, label)
            if made is None:
                continue
            first = places.setdefault(made.stored, attribute.name)
            if first is not attribute.name:
                self._report(
                    "DG109",
                    f"two attributes of {label} are stored as `{made.stored}`",
                    attribute.name.span,
                    secondary=[Label(first.span, "the other one")],
                    help=["give one of them another `name`"],
                )
            fields.append(made)
        return types.Object(label, tuple(fields))

    def _field(self, attribute: spec.Attribute, label: str) -> types.Field | None:
        name = attribute.name.text
        for word, written in (
            ("default", attribute.default),
            ("on_write", attribute.on_write),
            ("computed", attribute.computed),
            ("generated", attribute.generated or None),
        ):
            if written is not None:
                self._report(
                    "DG105",
                    f"an attribute inside an object cannot have `{word}`",
                    attribute.span if written is True else written.span,
                    help=[
                        "only the attributes of an entity are filled by the repository"
                    ],
                )
        inner = self.resolve(attribute.type, label + pascal(name))
        if inner is None:
            return None
        return types.Field(
            name=name,
            stored=stored_name(attribute, camel_case=self.camel_case),
            type=inner.type,
            optional=attribute.optional or is_true(inner.option("optional")),
            description=attribute.description,
        )

    # --- what does not belong ------------------------------------------------------------------------

    def _refuse_parts(self, use: spec.TypeUse, word: str) -> None:
        """`of` and `attributes` where they mean nothing."""
        if use.of is not None and word not in CONTAINERS:
            self._report(
                "DG102",
                f"`of` is no option of {with_article(word)}",
                use.of.span,
                help=["it is the type of the members of a list, set or map"],
            )
        if use.attributes and word != OBJECT:
            self._report(
                "DG102",
                f"`attributes` is no option of {with_article(word)}",
                use.attributes[0].span,
                help=["only an object has attributes: `type: object`"],
            )

    def _refuse_attribute_options(self, use: spec.TypeUse) -> None:
        for word in ATTRIBUTE_OPTIONS:
            if word in use.options and word != "description":
                self._report(
                    "DG102",
                    f"a member of a list, set or map cannot have `{word}`",
                    use.options[word].key.span,
                    help=["it belongs to the attribute"],
                )

    def _report(
        self,
        code: str,
        message: str,
        span: Span,
        label: str = "",
        *,
        secondary: list[Label] | None = None,
        help: list[str | None] | None = None,
    ) -> None:
        self.found.append(
            error(
                code, message, span, label, secondary=secondary or (), help=help or ()
            )
        )


def is_true(node: Node | None) -> bool:
    """Whether an option says `true`."""
    return isinstance(node, Scalar) and node.value is True

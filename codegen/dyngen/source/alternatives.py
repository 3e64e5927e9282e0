"""Which alternative of a JSON Schema an author meant."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any

from dyngen.diagnostics.suggest import listed, nearest
from dyngen.source.quoting import key, quoted

JsonSchema = dict[str, Any]


class Alternatives:
    """Reads the `anyOf`s of a schema; references are looked up in its `definitions`."""

    def __init__(self, root: JsonSchema) -> None:
        self._root = root
        self._siblings: dict[int, list[JsonSchema]] = {}
        for definition in root["definitions"].values():
            branches = [self.resolve(each) for each in definition.get("anyOf", ())]
            if all("required" in each for each in branches):
                self._siblings.update((id(each), branches) for each in branches)

    def choose(self, branches: Sequence[JsonSchema], value: object) -> int | None:
        """The number of the branch that `value` is meant for; None if it can be none of them.

        A value that satisfies any branch satisfies the chosen one. Values are told apart by
        kind, texts by what the branches allow, and mappings by their required keys, where a
        misspelt key counts as well.
        """
        fitting = self.fitting(branches, value)
        if len(fitting) < 2:
            return fitting[0] if fitting else None
        if not isinstance(value, dict):
            return next((n for n in fitting if self._allows(branches[n], value)), None)
        present = [n for n in fitting if self.verb(branches[n]) in value]
        if present:
            return min(present, key=lambda n: len(self.unknown(branches[n], value)))
        verbs = {self.verb(branches[n]): n for n in fitting}
        known = {
            key for n in fitting for key in self.resolve(branches[n])["properties"]
        }
        guesses = (nearest(key, verbs) for key in value if key not in known)
        guess = next((each for each in guesses if each is not None), None)
        return None if guess is None else verbs[guess]

    def fitting(self, branches: Sequence[JsonSchema], value: object) -> list[int]:
        """The branches for values of this kind."""
        kind = kind_of(value)
        return [n for n, each in enumerate(branches) if kind in self.kinds(each)]

    def resolve(self, schema: JsonSchema) -> JsonSchema:
        """What a schema stands for that only refers to another."""
        while "$ref" in schema or "allOf" in schema:
            schema = self._dereferenced(schema)
        return schema

    def _dereferenced(self, schema: JsonSchema) -> JsonSchema:
        if "$ref" not in schema:
            only: JsonSchema = schema["allOf"][0]
            return only
        found: Any = self._root
        for step in schema["$ref"].removeprefix("#/").split("/"):
            found = found[int(step) if isinstance(found, list) else step]
        target: JsonSchema = found
        return target

    def verb(self, branch: JsonSchema) -> str:
        """The key that an alternative for mappings cannot be without."""
        required: list[str] = self.resolve(branch)["required"]
        return required[0]

    def verbs(self, definition: str) -> list[str]:
        """The keys that the alternatives of a definition cannot be without."""
        return [
            self.verb(each) for each in self._root["definitions"][definition]["anyOf"]
        ]

    def unknown(self, schema: JsonSchema, value: dict[str, object]) -> list[str]:
        """The keys of a mapping that a schema does not know."""
        return [key for key in value if key not in self.resolve(schema)["properties"]]

    def siblings(self, schema: JsonSchema) -> list[JsonSchema]:
        """The alternatives to an alternative for mappings, itself included."""
        return self._siblings.get(id(schema), [])

    def expected(self, schema: JsonSchema) -> str:
        """What a schema allows, as a noun phrase."""
        schema = self.resolve(schema)
        if "title" in schema:
            return str(schema["title"])
        if "enum" in schema:
            return listed(words(schema["enum"]), limit=30)
        nouns = list(dict.fromkeys(map(self.expected, schema["anyOf"])))
        return ", or ".join(filter(None, [", ".join(nouns[:-1]), nouns[-1]]))

    def allowed(self, branches: Sequence[JsonSchema]) -> list[object]:
        """The values that the branches enumerate."""
        resolved = map(self.resolve, branches)
        return [value for each in resolved for value in each.get("enum", ())]

    def example(self, schema: JsonSchema) -> str:
        """The first example of a key's schema, as a spec would write it."""
        while "examples" not in schema:
            schema = self._dereferenced(schema)
        return flow(schema["examples"][0])

    def _allows(self, branch: JsonSchema, value: object) -> bool:
        """Whether a branch for scalars that has an enumeration allows a value.

        A branch without one is told apart later, when the value is checked against it.
        """
        return value in self.resolve(branch).get("enum", [value])

    def kinds(self, schema: JsonSchema) -> set[str]:
        """The kinds of values that a schema can allow."""
        schema = self.resolve(schema)
        if "enum" in schema:
            return {kind_of(value) for value in schema["enum"]}
        if "type" in schema:
            named = schema["type"]
            kinds = {named} if isinstance(named, str) else set(named)
            return kinds | {"integer"} if "number" in kinds else kinds
        return set().union(*(self.kinds(each) for each in schema.get("anyOf", ())))


def kind_of(value: object) -> str:
    """The JSON Schema type of a value."""
    match value:
        case bool():
            return "boolean"
        case int():
            return "integer"
        case Decimal():
            return "number"
        case str():
            return "string"
        case list():
            return "array"
        case _:
            return "object"


def words(values: Sequence[object]) -> Iterator[str]:
    """Values as a spec writes them."""
    for value in values:
        yield str(value).lower() if isinstance(value, bool) else str(value)


def flow(value: object) -> str:
    """A value on one line. Examples hold nothing that YAML reads otherwise but for `{`."""
    match value:
        case dict():
            entries = (
                f"{key(str(word))}: {flow(each)}" for word, each in value.items()
            )
            return f"{{{', '.join(entries)}}}"
        case list():
            return f"[{', '.join(map(flow, value))}]"
        case str() if set(value) & set("{}[],#:"):
            return quoted(value)
        case _:
            return next(words([value]))

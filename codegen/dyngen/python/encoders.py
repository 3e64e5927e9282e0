"""The encoders of key parts that a repository's module uses, each a constant of that module."""

from __future__ import annotations

import re
from dataclasses import MISSING, dataclass, fields, replace
from typing import Any

from dyngen.keys.encoding import Encoder, encoder
from dyngen.keys.languages import placeholder_text
from dyngen.keys.model import Bound, Encoding, Part, Template
from dyngen.python import names
from dyngen.python.keypatterns import any_key_pattern, key_pattern
from dyngen.python.literals import pattern, text, tuple_of, value
from dyngen.runtime import keytext
from dyngen.types.model import String

_METHODS = {
    Bound.EXACT: "text",
    Bound.NEXT: "next",
    Bound.PREVIOUS: "previous",
    Bound.BELOW: "below",
    Bound.PREFIX: "prefix",
}


_BUCKETS = {
    "Y": "YEAR",
    "m": "MONTH",
    "d": "DAY",
    "H": "HOUR",
    "M": "MINUTE",
    "S": "SECOND",
    "j": "DAY_OF_YEAR",
    "G": "ISO_YEAR",
    "V": "ISO_WEEK",
}


@dataclass(frozen=True, slots=True)
class Definition:
    """A constant of a module: `_STATUS = keytext.Choice(...)`."""

    name: str
    source: str


@dataclass(frozen=True, slots=True)
class MissingText:
    """A function of a module that writes a value, or the placeholder of a missing one."""

    name: str
    annotation: str
    placeholder: str
    encoder: str


class Encoders:
    """Names the encoders of one module, each after the attribute that it writes."""

    def __init__(self, scope: names.Scope) -> None:
        self._scope = scope
        self._constants: dict[tuple[Encoder | keytext.Shards, str], str] = {}
        self._patterns: dict[tuple[str, str], Definition] = {}
        self._missing: dict[tuple[str, str], MissingText] = {}

    @property
    def definitions(self) -> tuple[Definition, ...]:
        """The constants, in order of first use."""
        made = (Definition(n, _source(m)) for (m, _), n in self._constants.items())
        return (*made, *self._patterns.values())

    @property
    def missing_texts(self) -> tuple[MissingText, ...]:
        """The functions that know placeholders, in order of first use."""
        return tuple(self._missing.values())

    def text(
        self, part: Part, encoding: Encoding, bound: Bound, *arguments: str
    ) -> str:
        """The expression of what a value of `part` contributes to a key text."""
        made = self.constant(part, encoding)
        return f"{made}.{_METHODS[bound]}({', '.join(arguments)})"

    def constant(self, part: Part, encoding: Encoding) -> str:
        """The encoder of a part."""
        made = replace(encoder(part, encoding), name=part.attribute)
        return self._constant(made, _wanted(part))

    def pattern(self, key: str, *templates: Template) -> str:
        """The regular expression of the texts of a key; of one template, it names their parts."""
        expression = (
            key_pattern(templates[0])
            if len(templates) == 1
            else any_key_pattern(templates)
        )
        source = f"re.compile({pattern(expression)})"
        if (key, source) not in self._patterns:
            name = self._scope.claim(f"_{names.private(key).upper()}_PATTERN")
            self._patterns[key, source] = Definition(name, source)
        return self._patterns[key, source].name

    def text_or_placeholder(
        self, part: Part, encoding: Encoding, annotation: str, argument: str
    ) -> str:
        """The expression of a value's text, where the value may be None: then its placeholder."""
        made = self.constant(part, encoding)
        placeholder = text(placeholder_text(part, encoding))
        function = self._missing.get((made, placeholder))
        if function is None:
            wanted = f"_{names.snake(part.attribute)}_text"
            function = MissingText(
                self._scope.claim(wanted), annotation, placeholder, made
            )
            self._missing[made, placeholder] = function
        return f"{function.name}({argument})"

    def shards(self, count: int) -> str:
        """The constant that knows the number of shards."""
        return self._constant(keytext.Shards(count), "_SHARDS")

    def natural(self, attribute: str, of: String, bound: Bound, argument: str) -> str:
        """The expression of a text that is a key attribute by itself."""
        writer = replace(natural_text(of), name=attribute)
        made = self._constant(writer, f"_{names.constant(attribute)}_KEY")
        return f"{made}.{_METHODS[bound]}({argument})"

    def _constant(self, made: Encoder | keytext.Shards, wanted: str) -> str:
        if (made, wanted) not in self._constants:
            self._constants[made, wanted] = self._scope.claim(wanted)
        return self._constants[made, wanted]


def known_text(part: Part, encoding: Encoding, bound: Bound, known: object) -> str:
    """What a constant contributes to a key text, worked out here and now."""
    found: str = getattr(encoder(part, encoding), _METHODS[bound])(known)
    return found


def made_anew(part: Part, encoding: Encoding) -> str:
    """The expression that makes the encoder of a part."""
    return _source(encoder(part, encoding))


def natural_text(of: String) -> keytext.Text:
    """The encoder of text that is a whole key attribute: it stays as it is, but can't be empty."""
    return keytext.Text("", of.fold, of.charset, of.min_length, of.max_length)


def _wanted(part: Part) -> str:
    name = f"_{names.constant(part.attribute)}"
    if part.bucket is not None:
        words = [_BUCKETS[letter] for letter in re.findall("%(.)", part.bucket)]
        return "_".join([name, *words])
    return f"{name}_DESC" if part.desc else name


def _source(made: Any) -> str:
    """The expression that makes the same encoder; what has its default value is left out."""
    ordered = sorted(fields(made), key=lambda field: bool(field.kw_only))
    given = [field for field in ordered if field.init]
    required = [field for field in given if field.default is MISSING]
    arguments: list[str] = []
    for field in given:
        content = getattr(made, field.name)
        if field.default is MISSING and len(required) == 1:
            arguments.append(_argument(content))
        elif content != field.default:
            arguments.append(f"{field.name}={_argument(content)}")
    return f"keytext.{type(made).__name__}({', '.join(arguments)})"


def _argument(given: object) -> str:
    if isinstance(given, tuple):
        return tuple_of(value(each) for each in given)
    return value(given)

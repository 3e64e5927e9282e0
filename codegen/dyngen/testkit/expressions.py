"""Just enough of DynamoDB's expression grammar to check a request."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise


class IllegalRequest(AssertionError):
    """DynamoDB would refuse this request, or it is not the request a generated method makes."""


class Kind(Enum):
    """What a token is."""

    NAME = "#"
    VALUE = ":"
    WORD = "word"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Token:
    """One token of an expression."""

    kind: Kind
    text: str


@dataclass(frozen=True, slots=True)
class KeyCondition:
    """One condition of a KeyConditionExpression: `#name operator :value ...`."""

    name: str
    operator: str
    values: tuple[str, ...]


_TOKEN = re.compile(
    r"\s*(?:(?P<name>#\w+)|(?P<value>:\w+)|(?P<word>[A-Za-z_]\w*)"
    r"|(?P<other><=|>=|<>|[=<>(),.+-]|\[\d+\]))"
)

CLAUSES = ("SET", "REMOVE", "ADD", "DELETE")

_FUNCTIONS = (
    "attribute_exists",
    "attribute_not_exists",
    "attribute_type",
    "begins_with",
    "contains",
    "size",
    "if_not_exists",
    "list_append",
)

_WORDS = frozenset(("AND", "OR", "NOT", "BETWEEN", "IN", *CLAUSES, *_FUNCTIONS))


def tokens(expression: str) -> tuple[Token, ...]:
    """Split an expression. Raises IllegalRequest where it has a name that is not aliased."""
    found: list[Token] = []
    at = 0
    text = expression.rstrip()
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise IllegalRequest(f"cannot read {text[at:]!r} in {expression!r}")
        at = match.end()
        found.append(_token(match, expression))
    return tuple(found)


def _token(match: re.Match[str], expression: str) -> Token:
    if name := match["name"]:
        return Token(Kind.NAME, name)
    if value := match["value"]:
        return Token(Kind.VALUE, value)
    if word := match["word"]:
        if word not in _WORDS:
            raise IllegalRequest(f"{word} is not aliased in {expression!r}")
        return Token(Kind.WORD, word)
    return Token(Kind.OTHER, match["other"])


def texts(expression: Iterable[Token], kind: Kind) -> frozenset[str]:
    """The placeholders of one kind that an expression uses."""
    return frozenset(token.text for token in expression if token.kind is kind)


def key_conditions(expression: str) -> tuple[KeyCondition, ...]:
    """The conditions of a KeyConditionExpression in the order written.

    Raises IllegalRequest for whatever a key condition cannot hold (AWS: API_Query).
    """
    found: list[KeyCondition] = []
    rest = iter(tokens(expression))
    for token in rest:
        condition = _key_condition(token, rest, expression)
        found.append(condition)
        following = next(rest, None)
        if following is None:
            return tuple(found)
        if following.text != "AND":
            break
        if condition.operator == "BETWEEN":
            raise IllegalRequest(f"BETWEEN is not written last in {expression!r}")
    raise IllegalRequest(f"{expression!r} is no key condition")


def _key_condition(
    first: Token, rest: Iterator[Token], expression: str
) -> KeyCondition:
    def take(*allowed: str | Kind) -> str:
        token = next(rest, None)
        if token is None or not (token.kind in allowed or token.text in allowed):
            raise IllegalRequest(f"{expression!r} is no key condition")
        return token.text

    if first.text == "begins_with":
        take("(")
        name = take(Kind.NAME)
        take(",")
        value = take(Kind.VALUE)
        take(")")
        return KeyCondition(name, "begins_with", (value,))
    if first.kind is not Kind.NAME:
        raise IllegalRequest(f"{expression!r} is no key condition")
    operator = take("=", "<", "<=", ">", ">=", "BETWEEN")
    low = take(Kind.VALUE)
    if operator != "BETWEEN":
        return KeyCondition(first.text, operator, (low,))
    take("AND")
    return KeyCondition(first.text, operator, (low, take(Kind.VALUE)))


def clauses(expression: str) -> dict[str, tuple[tuple[Token, ...], ...]]:
    """The clauses of an UpdateExpression: SET, REMOVE, ADD, DELETE, each a list of actions.

    Raises IllegalRequest if a clause occurs twice or nothing stands before the first.
    """
    found: dict[str, list[list[Token]]] = {}
    current: list[list[Token]] | None = None
    depth = 0
    for token in tokens(expression):
        if token.text in CLAUSES:
            if token.text in found:
                raise IllegalRequest(f"{token.text} occurs twice in {expression!r}")
            current = found.setdefault(token.text, [[]])
        elif current is None:
            raise IllegalRequest(f"{expression!r} does not begin with a clause")
        elif token.text == "," and depth == 0:
            current.append([])
        else:
            depth += {"(": 1, ")": -1}.get(token.text, 0)
            current[-1].append(token)
    return {
        clause: tuple(tuple(action) for action in actions)
        for clause, actions in found.items()
    }


def path_of(action: tuple[Token, ...]) -> tuple[str, ...]:
    """The document path that an action begins with: `#a.#b[0]` is ("#a", "#b", "[0]").

    Raises IllegalRequest if the action begins with something else.
    """
    if not action or action[0].kind is not Kind.NAME:
        raise IllegalRequest("an update action begins with no attribute name")
    path = [action[0].text]
    for before, token in pairwise(action):
        if token.text.startswith("[") or (
            before.text == "." and token.kind is Kind.NAME
        ):
            path.append(token.text)
        elif token.text != ".":
            break
    return tuple(path)

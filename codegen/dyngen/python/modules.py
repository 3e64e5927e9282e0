"""The imports of a generated module: those that its code uses, and no others."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping

from dyngen.python import names
from dyngen.python.literals import WIDTH

_STANDARD = {
    "Any": "typing",
    "Callable": "collections.abc",
    "Collection": "collections.abc",
    "Decimal": "decimal",
    "Iterable": "collections.abc",
    "Iterator": "collections.abc",
    "Mapping": "collections.abc",
    "Sequence": "collections.abc",
    "StrEnum": "enum",
    "TypedDict": "typing",
    "Unpack": "typing",
    "dataclass": "dataclasses",
    "field": "dataclasses",
    "replace": "dataclasses",
}

RUNTIME_NAMES = {
    **dict.fromkeys(names.EXPORTED, "._runtime.errors"),
    "AsyncQuery": "._runtime.reading",
    "DynamoDBClient": "._runtime.client:Client",
    "Hydration": "._runtime.reading",
    "Page": "._runtime.reading",
    "Query": "._runtime.reading",
    "UNSET": "._runtime.unset",
    "connect": "._runtime.connecting",
    "connect_async": "._runtime.connecting",
    "decode_fast": "._runtime.fast",
    "run": "._runtime.client",
    "run_async": "._runtime.client",
    **dict.fromkeys(names.RUNTIME_MODULES, "._runtime"),
}
"""What generated code uses of the runtime, with the modules that define it."""

_PLAIN = {"dt": "import datetime as dt", "re": "import re"}


def imports(code: str, own: Mapping[str, str]) -> str:
    """The import statements that `code` needs.

    `own` maps the names that other modules of the package define to those modules; a private name
    is followed by what it is called there (`.order_repository:_decode`).
    """
    used = used_names(ast.parse(code))
    plain = sorted(_PLAIN[name] for name in used & _PLAIN.keys())
    standard = from_imports({n: m for n, m in _STANDARD.items() if n in used})
    ours = from_imports(
        {n: m for n, m in {**RUNTIME_NAMES, **own}.items() if n in used}
    )
    return "\n\n".join(
        "\n".join(lines) for lines in ([*plain, *standard], ours) if lines
    )


def used_names(tree: ast.AST) -> set[str]:
    """The names that occur in a syntax tree."""
    # By hand: ast.walk takes twice the time.
    found: set[str] = set()
    nodes = [tree]
    while nodes:
        node = nodes.pop()
        if isinstance(node, ast.Name):
            found.add(node.id)
            continue
        for value in vars(node).values():
            if isinstance(value, ast.AST):
                nodes.append(value)
            elif isinstance(value, list):
                nodes += (each for each in value if isinstance(each, ast.AST))
    return found


def from_imports(origins: Mapping[str, str]) -> list[str]:
    """One import statement for each module, given where each name comes from."""
    found: dict[str, list[str]] = {}
    for name, origin in origins.items():
        module, _, original = origin.partition(":")
        imported = f"{original} as {name}" if original else name
        found.setdefault(module, []).append(imported)
    return [from_import(module, found[module]) for module in sorted(found)]


def from_import(module: str, imported: Iterable[str]) -> str:
    """One import statement, on one line if it fits."""
    ordered = sorted(imported, key=_order)
    line = f"from {module} import {', '.join(ordered)}"
    if len(line) <= WIDTH:
        return line
    listed = "".join(f"    {name},\n" for name in ordered)
    return f"from {module} import (\n{listed})"


def _order(name: str) -> tuple[int, str]:
    """Constants, classes, functions: the order that import sorters agree on."""
    kind = 0 if name.isupper() else 1 if name[:1].isupper() else 2
    return kind, name

"""Edits of Python modules at the places of syntax tree nodes."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from dyngen.design.plans import Design


@dataclass(frozen=True)
class Edit:
    """A stretch of one file, in bytes, and what stands there instead."""

    path: str
    start: int
    end: int
    text: str
    line: int


Mutant = tuple[Edit, ...]
"""One fault: edits that belong together."""


def applied(mutant: Mutant, files: Mapping[str, str]) -> dict[str, str]:
    """The files that a fault changes, as it leaves them."""
    changed: dict[str, bytes] = {}
    for edit in sorted(mutant, key=lambda each: each.start, reverse=True):
        data = changed.get(edit.path, files[edit.path].encode())
        changed[edit.path] = data[: edit.start] + edit.text.encode() + data[edit.end :]
    return {path: data.decode() for path, data in changed.items()}


@dataclass(frozen=True)
class Module:
    """One module of a generated package."""

    path: str
    source: str

    @cached_property
    def tree(self) -> ast.Module:
        """Its syntax tree."""
        return ast.parse(self.source)

    @cached_property
    def _lines(self) -> list[int]:
        """Where each line begins, in bytes."""
        starts = [0]
        for line in self.source.encode().splitlines(keepends=True):
            starts.append(starts[-1] + len(line))
        return starts

    def _place(self, node: ast.expr | ast.stmt | ast.keyword) -> tuple[int, int]:
        start = self._lines[node.lineno - 1] + node.col_offset
        end = self._lines[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)
        return start, end

    def text(self, node: ast.expr | ast.stmt | ast.keyword) -> str:
        """The source of a node."""
        start, end = self._place(node)
        return self.source.encode()[start:end].decode()

    def replace(self, node: ast.expr | ast.stmt | ast.keyword, text: str) -> Edit:
        """The edit that puts `text` in a node's place."""
        start, end = self._place(node)
        return Edit(self.path, start, end, text, node.lineno)

    def append(self, call: ast.Call, argument: str) -> Edit:
        """The edit that gives a call one more argument."""
        _, end = self._place(call)
        inside = self.source.encode()[:end].decode()[:-1].rstrip()
        comma = "" if inside.endswith((",", "(")) else ", "
        return Edit(self.path, end - 1, end - 1, f"{comma}{argument}", call.lineno)

    def drop(self, call: ast.Call, argument: ast.expr | ast.keyword) -> Edit:
        """The edit that takes an argument out of a call."""
        start, end = self._place(argument)
        data = self.source.encode()
        while data[end : end + 1].isspace() or data[end : end + 1] == b",":
            end += 1
            if data[end - 1 : end] == b",":
                break
        return Edit(self.path, start, end, "", call.lineno)

    def calls(self, name: str) -> Iterator[ast.Call]:
        """The calls of a function, `streams.between` or `.text`, in the order of the source."""
        found = [
            node
            for node in ast.walk(self.tree)
            if isinstance(node, ast.Call) and called(node).endswith(name)
        ]
        yield from sorted(found, key=lambda call: (call.lineno, call.col_offset))

    def function(self, name: str) -> ast.FunctionDef | None:
        """The function or method with this name."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.FunctionDef) and node.name == name:
                return node
        return None

    def constant(self, name: str) -> ast.expr | None:
        """What the module assigns to a name."""
        for statement in self.tree.body:
            match statement:
                case ast.Assign(targets=[ast.Name(id=found)], value=value) if (
                    found == name
                ):
                    return value
                case _:
                    pass
        return None

    def rewritten(self, before: str, after: str) -> Iterator[Edit]:
        """The edits that write `after` for each occurrence of `before`.

        Raises LookupError if there is none: the module has changed, and the fault must follow.
        """
        data, old = self.source.encode(), before.encode()
        at = data.find(old)
        if at < 0:
            raise LookupError(f"{self.path} no longer holds {before!r}")
        while at >= 0:
            line = data[:at].count(b"\n") + 1
            yield Edit(self.path, at, at + len(old), after, line)
            at = data.find(old, at + len(old))


def called(call: ast.Call) -> str:
    """What a call calls, with a dot before it if it is an attribute."""
    match call.func:
        case ast.Attribute(value=ast.Name(id=owner), attr=name):
            return f".{owner}.{name}"
        case ast.Attribute(attr=name):
            return f".{name}"
        case ast.Name(id=name):
            return name
        case _:
            return ""


def keyword(call: ast.Call, name: str) -> ast.keyword | None:
    """A keyword argument of a call."""
    return next((each for each in call.keywords if each.arg == name), None)


@dataclass(frozen=True)
class Package:
    """A generated package, by the paths of its modules below the output folder."""

    design: Design
    files: dict[str, str]

    def repositories(self) -> Iterator[Module]:
        """The modules of repositories."""
        for path, source in self.files.items():
            if path.endswith("_repository.py"):
                yield Module(path, source)

    def runtime(self, name: str) -> Module:
        """A module of the runtime. Raises KeyError."""
        path = f"{self.design.schema.service}/_runtime/{name}.py"
        return Module(path, self.files[path])

    def uses(self, text: str) -> bool:
        """Whether a repository's or the types' module holds this text."""
        return any(
            text in source
            for path, source in self.files.items()
            if path.endswith(("_repository.py", "/models.py"))
        )

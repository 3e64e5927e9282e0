"""Edits of Python modules at the places of syntax tree nodes."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from dyngen.design.plans import Design, ReadPlan


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

    def drop(self, part: ast.expr | ast.keyword) -> Edit:
        """The edit that takes an argument out of a call, or an element out of a list or tuple.

        A comma stands after whatever is last there, or its brackets are round.
        """
        start, end = self._place(part)
        return Edit(self.path, start, self._past_comma(end), "", part.lineno)

    def drop_entry(self, within: ast.Dict) -> Edit:
        """The edit that takes the last entry out of a dictionary."""
        assert within.keys[-1] is not None
        start, _ = self._place(within.keys[-1])
        _, end = self._place(within.values[-1])
        return Edit(self.path, start, self._past_comma(end), "", within.lineno)

    def _past_comma(self, end: int) -> int:
        """Where a comma ends that follows; else the place itself."""
        data = self.source.encode()
        at = end
        while data[at : at + 1].isspace():
            at += 1
        return at + 1 if data[at : at + 1] == b"," else end

    def extend(self, text: str) -> Edit:
        """The edit that puts `text` at the end of the file."""
        end = len(self.source.encode())
        return Edit(self.path, end, end, text, self.source.count("\n"))

    def span(self, start: int, end: int, text: str) -> Edit:
        """The edit that puts `text` in place of the characters from `start` to `end`."""
        line = self.source[:start].count("\n") + 1
        first, last = (len(self.source[:at].encode()) for at in (start, end))
        return Edit(self.path, first, last, text, line)

    def calls(self, name: str) -> Iterator[ast.Call]:
        """The calls of a function, `streams.between` or `.text`, in the order of the source."""
        yield from (call for call in self._calls if called(call).endswith(name))

    @cached_property
    def _calls(self) -> list[ast.Call]:
        found = [node for node in ast.walk(self.tree) if isinstance(node, ast.Call)]
        return sorted(found, key=lambda call: (call.lineno, call.col_offset))

    def around(self, line: int) -> ast.FunctionDef | None:
        """The outermost function or method that a line is in."""
        for node in ast.walk(self.tree):
            match node:
                case ast.FunctionDef(lineno=first, end_lineno=last) if (
                    first <= line <= (last or 0)
                ):
                    return node
        return None

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

    @cached_property
    def modules(self) -> tuple[Module, ...]:
        """The modules of repositories, and that of the service object."""
        service = f"{self.design.schema.service}/service.py"
        return tuple(
            Module(path, source)
            for path, source in self.files.items()
            if path.endswith("_repository.py") or path == service
        )

    @cached_property
    def plans(self) -> Mapping[str, ReadPlan]:
        """What is read, by the name of the pattern."""
        swept = [
            replace(each.read, name=each.name) for each in self.design.delete_eaches
        ]
        return {plan.name: plan for plan in (*self.design.reads, *swept)}

    def file(self, path: str) -> Module:
        """A file that need not be Python. Raises KeyError."""
        return Module(path, self.files[path])

    def runtime(self, name: str) -> Module:
        """A module of the runtime. Raises KeyError."""
        path = f"{self.design.schema.service}/_runtime/{name}.py"
        return Module(path, self.files[path])

    def uses(self, text: str) -> bool:
        """Whether a repository or the service object holds this text."""
        return any(text in module.source for module in self.modules)

"""`dyngen explain`: the plan and the exact request of a pattern."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from dyngen.cli.failures import Unusable
from dyngen.cli.sources import compile_file, report
from dyngen.design import costwords
from dyngen.design.plannedkeys import repository_keys
from dyngen.design.plans import Design
from dyngen.diagnostics.suggest import did_you_mean

_WIDTH = 88


def explain(spec: Path, pattern: str | None, *, as_json: bool) -> int:
    """Print one pattern, or all; 1 if the spec has no design. Raises Unusable."""
    compiled = compile_file(spec)
    report([compiled])
    if compiled.design is None:
        return 1
    found = _explain(compiled.design, pattern)
    if as_json:
        click.echo(json.dumps(found, indent=2, ensure_ascii=False))
    else:
        click.echo("\n\n".join("\n".join(_lines(each)) for each in found))
        if pattern is None:
            for line in _summary(compiled.design):
                click.echo(line)
    return 0


def _explain(design: Design, pattern: str | None) -> list[dict[str, Any]]:
    try:
        from dyngen.design import explain
    except ModuleNotFoundError as error:
        raise Unusable(
            f"requests are built by code that needs {error.name}; "
            "install it with `pip install 'dyngen[prove]'`"
        ) from error
    try:
        return explain.explain(design, pattern)
    except KeyError:
        guess = did_you_mean(pattern or "", explain.pattern_names(design))
        raise Unusable(
            f"the spec has no pattern `{pattern}`{f'; {guess}' if guess else ''}"
        ) from None


def _summary(design: Design) -> Iterator[str]:
    """What the writes of repositories cost, and what stated rates and sizes come to."""
    yield ""
    yield "Writes of repositories"
    for name, estimate in costwords.entity_costs(design):
        yield f"  {name}: {estimate['words']}"
    keys = list(repository_keys(design))
    if keys:
        yield ""
        yield "Keys that repositories compute"
        for planned in keys:
            unless = (
                f"; refused unless {planned.condition}" if planned.condition else ""
            )
            yield f"  {planned.write}: {planned.key} (from {planned.inputs}{unless})"
    lines = list(costwords.loads(design))
    if lines:
        yield ""
        yield "Sizes and rates"
        yield from (f"  {line}" for line in lines)


def _lines(explained: dict[str, Any]) -> Iterator[str]:
    """One pattern as text."""
    yield explained["pattern"]
    if explained["description"]:
        yield f"  {explained['description']}"
    for route in explained["routes"]:
        yield ""
        if "given" in route:
            given = ", ".join(route["given"]) or "none of the optional parameters"
            yield f"  Given {given}:"
        yield f"  {route['words']}"
        if "cost" in route:
            yield f"  Costs {route['cost']}"
        if "estimate" in route:
            yield f"  Estimate: {route['estimate']['words']}."
        for planned in route.get("keys", ()):
            yield f"  Key {planned['key']} ({planned['inputs']})"
        if "request" in route:
            yield f"  {route['operation']} {_compact(route['request'], '  ')}"


def _compact(value: Any, indent: str) -> str:
    """JSON with what is short on one line."""
    line = json.dumps(value)
    if not isinstance(value, dict) or len(indent) + len(line) <= _WIDTH:
        return line
    deeper = f"{indent}  "
    entries = [
        f"{deeper}{json.dumps(key)}: {_compact(each, deeper)}"
        for key, each in value.items()
    ]
    return "{\n" + ",\n".join(entries) + f"\n{indent}}}"

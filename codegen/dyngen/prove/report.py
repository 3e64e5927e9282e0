"""The results of `dyngen prove` as text, Markdown or JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

from dyngen.design.itemsize import Bounds
from dyngen.design.plans import Design
from dyngen.prove.measure import Measured, Reading, Results
from dyngen.prove.population import USUAL_BYTES
from dyngen.prove.writes import Written

_READS = (
    "pattern",
    "reads",
    "requests",
    "items read",
    "returned",
    "read units",
    "by filter: items",
    "units",
    "by scan: items",
    "units",
)
_WRITES = ("write", "table units", "index units", "write units", "amplification")


@dataclass(frozen=True, slots=True)
class Report:
    """What is to be told about a design."""

    design: Design
    results: Results
    writes: tuple[Written, ...]


def text(report: Report) -> str:
    """Tables for a terminal, and what their figures are."""
    return _laid_out(report, _aligned)


def markdown(report: Report) -> str:
    """The same tables in Markdown."""
    return _laid_out(report, _piped)


def as_json(report: Report) -> str:
    """Everything, for other programs."""
    results = report.results
    found = {
        "service": report.design.schema.service,
        "engine": results.engine,
        "read_units": "reported" if results.reported else "computed",
        "write_units": "computed",
        "items": dict(results.loaded),
        "reads": [asdict(each) for each in results.reads],
        "not_measured": list(results.missing),
        "writes": [
            {
                "name": each.name,
                "table": _pair(each.table),
                "indexes": _pair(each.indexes),
                "units": _pair(each.units),
                "amplification": each.amplification,
            }
            for each in report.writes
        ],
    }
    return json.dumps(found, indent=2)


Layout = Callable[[Sequence[Sequence[str]], int], Iterator[str]]


def _laid_out(report: Report, layout: Layout) -> str:
    parts = [
        "\n".join(layout([_READS, *map(_read_row, report.results.reads)], 2)),
        "\n".join(_notes(report)),
    ]
    if report.writes:
        parts.append("\n".join(layout([_WRITES, *map(_write_row, report.writes)], 1)))
        parts.append("Write units are computed from the sizes of items and entries.")
    return "\n\n".join(parts)


def _read_row(measured: Measured) -> tuple[str, ...]:
    return (
        measured.pattern,
        measured.place,
        str(measured.requests),
        f"{measured.read.items:,}",
        f"{measured.returned:,}",
        f"{measured.read.units:g}",
        *_reading(measured.filtered),
        *_reading(measured.scanned),
    )


def _reading(reading: Reading | None) -> tuple[str, str]:
    return (
        ("–", "–") if reading is None else (f"{reading.items:,}", f"{reading.units:g}")
    )


def _write_row(written: Written) -> tuple[str, ...]:
    amplification = written.amplification
    return (
        written.name,
        *map(_bounds, (written.table, written.indexes, written.units)),
        "–" if amplification is None else f"×{amplification:g}",
    )


def _bounds(bounds: Bounds) -> str:
    if bounds.exact:
        return f"{bounds.least:g}"
    return f"{bounds.least:g}–{'' if bounds.most is None else f'{bounds.most:g}'}"


def _pair(bounds: Bounds) -> Mapping[str, float | None]:
    return {"least": bounds.least, "most": bounds.most}


def _notes(report: Report) -> Iterator[str]:
    results = report.results
    stored = ", ".join(
        f"{count:,} {name} ({report.design.estimates.size(name).bytes or USUAL_BYTES} bytes)"
        for name, count in results.loaded.items()
    )
    yield f"Measured on {results.engine} with {stored}."
    yield (
        "Read units are those that the engine reported."
        if results.reported
        else "Read units are computed from the items read: this engine does not count as AWS does."
    )
    yield (
        "By filter: the partition that the pattern reads, whole. By scan: the table, whole."
    )
    if results.missing:
        yield f"Not measured, as no item was found for them: {', '.join(results.missing)}."


def _aligned(rows: Sequence[Sequence[str]], numbers: int) -> Iterator[str]:
    """Columns, texts to the left and, from column `numbers` on, numbers to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [
            cell.rjust(width) if column >= numbers else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  ".join(cells).rstrip()


def _piped(rows: Sequence[Sequence[str]], numbers: int) -> Iterator[str]:
    first, *others = rows
    yield f"| {' | '.join(first)} |"
    yield f"|{'|'.join('---' if n < numbers else '--:' for n in range(len(first)))}|"
    for row in others:
        yield f"| {' | '.join(row)} |"

"""Logical names: alphanumeric, and dependent on nothing but the thing named.

A logical name is a resource's identity: if it depended on the other tables of the spec, adding one
could replace another. So clashes are diagnosed (`checks`) and never resolved by numbering.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from dyngen.design.model import Index, Schema, Table
from dyngen.diagnostics.model import Span

PREFIX_PARAMETER = "TableNamePrefix"
"""The template's parameter that stands before every table's name."""

LONGEST_LOGICAL_NAME = 255
"""AWS's limit of a logical name (CFN: resources-section-structure)."""

LONGEST_TABLE_NAME = 255
"""K-6: AWS's limit of a table's name (AWS: Constraints.html)."""

DIMENSIONS = ("Read", "Write")
"""The two kinds of capacity."""


def table_name(table: Table) -> str:
    """The logical name of a table."""
    return _pascal(table.name)


def output(table: Table, attribute: str) -> str:
    """The name of the output that holds an attribute (Name, Arn, StreamArn) of a table."""
    return f"{table_name(table)}{attribute}"


def scaling_target(table: Table, index: Index | None, dimension: str) -> str:
    """The logical name of a scalable target: `dimension` is one of DIMENSIONS."""
    return f"{_owner(table, index)}{dimension}ScalingTarget"


def scaling_policy(table: Table, index: Index | None, dimension: str) -> str:
    """The logical name of a scaling policy."""
    return f"{_owner(table, index)}{dimension}ScalingPolicy"


def resource_names(schema: Schema) -> Iterator[tuple[str, Span]]:
    """Every logical name that the resources of these tables may have, and what it comes from.

    The names of scaling resources count even where there is no scaling: turning it on later must
    not make a clash.
    """
    for table in schema.tables:
        yield table_name(table), table.span
        for index in (None, *(i for i in table.indexes if not i.local)):
            span = index.span if index else table.span
            for dimension in DIMENSIONS:
                yield scaling_target(table, index, dimension), span
                yield scaling_policy(table, index, dimension), span


def output_names(schema: Schema) -> Iterator[tuple[str, Span]]:
    """Every name that the outputs of these tables may have, and what it comes from."""
    for table in schema.tables:
        for attribute in ("Name", "Arn", "StreamArn"):
            yield output(table, attribute), table.span


def _owner(table: Table, index: Index | None) -> str:
    return table_name(table) + (f"{_pascal(index.name)}Index" if index else "")


def _pascal(name: str) -> str:
    words = re.split(r"[^A-Za-z0-9]+", name)
    return "".join(word[:1].upper() + word[1:] for word in words)

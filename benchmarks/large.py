"""Specs of any size: 10 tables with shared keys and an overloaded index each, patterns spread evenly."""

from __future__ import annotations

TABLES = 10
PATTERNS = (
    "{name}_get: {{get: {entity}, where: {{owner: eq, number: eq, name: eq}}}}",
    "{name}_all: {{query: {entity}, where: {{owner: eq}}}}",
    "{name}_numbers: {{query: {entity}, where: {{owner: eq, number: between}}, order_by: number desc}}",
    "{name}_number: {{query: {entity}, where: {{owner: eq, number: eq}}}}",
    "{name}_by_state: {{query: {entity}, where: {{owner: eq, state: eq}}, order_by: at desc}}",
    "{name}_open: {{query: {entity}, where: {{owner: eq, state: OPEN, at: gte}}}}",
    "{name}_close: {{update: {entity}, where: {{owner: eq, number: eq, name: eq}},"
    " set: {{state: CLOSED}}, guard: {{at: eq}}}}",
    "{name}_prefix: {{query: {entity}, where: {{owner: eq, number: eq, name: begins_with}}}}",
)


def spec(entities: int, patterns: int) -> str:
    """A spec of so many entities, with so many patterns in all."""
    lines = ["dyngen: 1", "service: large_service", "tables:"]
    for table in range(TABLES):
        lines.append(
            f"  Table{table}: {{partition_key: PK, sort_key: SK,"
            " indexes: {GSI1: {partition_key: GSI1PK, sort_key: GSI1SK}}}"
        )
    lines.append("entities:")
    names = [f"Kind{number}" for number in range(entities)]
    for number, name in enumerate(names):
        lines += [
            f"  {name}:",
            f"    table: Table{number % TABLES}",
            "    attributes: {owner: string, name: string, state: [CLOSED, OPEN],"
            " at: timestamp, number: {type: integer, min: 0, max: 99999}}",
            f'    keys: {{PK: "{name}#{{owner}}", SK: "{name}#{{number}}#{{name}}",'
            f' GSI1PK: "{name}#{{owner}}", GSI1SK: "{name}#{{state}}#{{at}}"}}',
        ]
    lines.append("access_patterns:")
    for number in range(patterns):
        name = names[number % entities]
        form = PATTERNS[number // entities % len(PATTERNS)]
        lines.append("  " + form.format(name=name.lower(), entity=name))
    return "\n".join(lines) + "\n"

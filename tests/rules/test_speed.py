"""A hundred entities lint in less than a second, because what each is asked is found out once.

Seconds are in benchmarks/; here it is the mechanism.
"""

from __future__ import annotations

from collections import Counter

import pytest
from dyngen.compile import compile_all
from dyngen.design import contents
from dyngen.rules.support.run import run_rules
from dyngen.rules.support.subject import Subject

ENTITIES = 100


def big_spec() -> str:
    """Entities that share one table and one index, with three reads each."""
    entities, patterns = [], []
    for n in range(ENTITIES):
        entities.append(
            f"  Kind{n}:\n"
            "    attributes: {owner: {type: string, max_length: 64}, id: ulid, "
            "state: [OPEN, CLOSED], at: timestamp, title: string}\n"
            f'    keys: {{PK: "K{n}#{{owner}}", SK: "K{n}#{{id}}", '
            f'GSI1PK: "K{n}#{{owner}}", GSI1SK: "K{n}#{{state}}#{{at}}"}}\n'
        )
        patterns.append(
            f"  kind{n}: {{get: Kind{n}, where: {{owner: eq, id: eq}}}}\n"
            f"  kinds{n}: {{query: Kind{n}, where: {{owner: eq}}, order_by: id}}\n"
            f"  state{n}: {{query: Kind{n}, where: {{owner: eq, state: eq}}, "
            "order_by: at desc}\n"
        )
    return (
        "dyngen: 1\nservice: big\ntables:\n"
        "  Big: {partition_key: PK, sort_key: SK, "
        "indexes: {GSI1: {partition_key: GSI1PK, sort_key: GSI1SK}}}\n"
        f"entities:\n{''.join(entities)}access_patterns:\n{''.join(patterns)}"
    )


def test_variants_are_found_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: Counter[tuple[str, str]] = Counter()
    plain = contents._variants

    def counted(entity, table, index):
        calls[entity.name, index.name if index else table.name] += 1
        return plain(entity, table, index)

    monkeypatch.setattr(contents, "_variants", counted)
    found = compile_all(big_spec(), "big.yaml")
    assert found.whole
    assert found.spec is not None
    assert found.design is not None
    run_rules(Subject(found.spec, found.design))
    assert len(calls) == 2 * ENTITIES
    assert set(calls.values()) == {1}

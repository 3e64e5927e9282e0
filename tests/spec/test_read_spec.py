"""Types, entities, tables and the top level as written."""

import pytest
from dyngen.spec.model import Attribute, Entity, TypeUse
from inline_spec import HEAD, marked, read_entity, read_ok, read_text


def attributes(text: str) -> dict[str, Attribute]:
    entity = read_entity(f"{{attributes: {text}}}")
    return {a.name.text: a for a in entity.attributes}


def members(use: TypeUse) -> list[tuple[str, str]]:
    return [(name.text, stored.text) for name, stored in use.members]


# --- types ------------------------------------------------------------------------------------------


def test_ways_to_write_a_type() -> None:
    found = attributes(
        "{a: string, b: [X, Y], c: {type: [X], default: X}, "
        "d: {values: {HIGH: 1_HIGH}}, e: {type: list, of: {type: set, of: Money}}, "
        "f: {type: object, attributes: {g: date}}, h: {type: Money, min: 1}}"
    )
    assert found["a"].type.name.text == "string"
    assert members(found["b"].type) == [("X", "X"), ("Y", "Y")]
    assert members(found["c"].type) == [("X", "X")]
    assert found["c"].default is not None
    assert members(found["d"].type) == [("HIGH", "1_HIGH")]
    inner = found["e"].type.of
    assert inner is not None
    assert inner.of is not None
    assert (inner.name.text, inner.of.name.text) == ("set", "Money")
    assert [a.name.text for a in found["f"].type.attributes] == ["g"]
    assert list(found["h"].type.options) == ["min"]


def test_options_of_the_attribute_are_not_the_type_s() -> None:
    made = attributes(
        '{x: {type: string, optional: true, name: X, description: "What.", '
        'computed: "{y}", max_length: 3}, at: {type: date, on_write: now}, '
        "id: {type: ulid, generated: true}}"
    )
    x = made["x"]
    assert x.optional
    assert x.stored_name is not None
    assert x.computed is not None
    assert (x.stored_name.text, x.computed.text, x.description) == ("X", "{y}", "What.")
    assert list(x.type.options) == ["max_length"]
    assert made["at"].on_write is not None
    assert made["id"].generated


def test_a_named_type_keeps_all_its_options() -> None:
    spec = read_ok(f"{HEAD}types: {{C: {{type: map, of: integer, default: {{}}}}}}\n")
    ((name, use),) = spec.types
    assert (name.text, list(use.options)) == ("C", ["default"])


# --- entities ----------------------------------------------------------------------------------------


def test_an_entity_with_everything() -> None:
    entity = read_entity(
        "{description: A thing., table: Things, attributes: {id: string}, "
        "id: [id], version: {name: _v}, unique: [[a, b], {email: Lookup}], "
        'operations: [get], plural: thingies, lint: {ignore: {DG300: "why"}}}'
    )
    assert entity.description == "A thing."
    assert entity.table is not None
    assert entity.table.text == "Things"
    assert [n.text for n in entity.id] == ["id"]
    assert entity.version is not None
    assert entity.version.text == "_v"
    pair, email = entity.unique
    assert [n.text for n in pair.attributes] == ["a", "b"]
    assert email.marker is not None
    assert email.marker.text == "Lookup"
    assert entity.operations is not None
    assert [n.text for n in entity.operations] == ["get"]
    assert entity.plural is not None
    assert entity.plural.text == "thingies"


def test_versions() -> None:
    assert read_entity("{attributes: {id: string}, version: false}").version is None
    named = read_entity("{attributes: {id: string}, version: true}").version
    assert named is not None
    assert named.text == "version"


def keyed(text: str) -> Entity:
    return read_entity(f"{{attributes: {{id: string}}, keys: {{K: {text}}}}}")


def test_ways_to_write_a_key() -> None:
    plain = keyed('"X#{a}"').keys[0]
    assert [c.value.text for c in plain.cases] == ["X#{a}"]
    single = keyed("{value: Q, when: {state: OPEN}, shards: {count: 10, by: n}}").keys[
        0
    ]
    (case,) = single.cases
    assert case.when is not None
    assert case.shards is not None
    assert (case.shards.count, [n.text for n in case.shards.by]) == (10, ["n"])
    several = keyed("[{value: A, when: {x: 1}}, {value: B, when: {x: 2}}]").keys[0]
    assert [c.value.text for c in several.cases] == ["A", "B"]


# --- tables ------------------------------------------------------------------------------------------


def test_a_table_with_everything() -> None:
    spec = read_ok(
        f"{HEAD}tables:\n"
        "  Things:\n"
        "    description: All.\n"
        "    partition_key: {name: pk, type: number}\n"
        "    sort_key: [a, b]\n"
        "    type_attribute: kind\n"
        "    key_encoding: raw\n"
        '    delimiter: "|"\n'
        "    billing: on_demand\n"
        "    tags: {team: x}\n"
        "    indexes:\n"
        "      I: {partition_key: [a, b], sort_key: c, strategy: composite, "
        "projection: [d]}\n"
        "      L: {type: local, sort_key: c, projection: keys_only, "
        "contributor_insights: true}\n"
    )
    (table,) = spec.tables
    (key,) = table.partition_key
    assert key.type is not None
    assert (key.name.text, key.type.text) == ("pk", "number")
    assert [k.name.text for k in table.sort_key] == ["a", "b"]
    assert table.type_attribute is not None
    assert table.delimiter is not None
    assert (table.type_attribute.text, table.raw, table.delimiter.text) == (
        "kind",
        True,
        "|",
    )
    assert list(table.settings) == ["billing", "tags"]
    index, local = table.indexes
    assert index.strategy is not None
    assert index.strategy.text == "composite"
    assert isinstance(index.projection, tuple)
    assert local.local
    assert local.partition_key == ()
    assert list(local.settings) == ["contributor_insights"]


# --- the top level -----------------------------------------------------------------------------------


def test_the_top_level() -> None:
    spec = read_ok(
        "dyngen: 1\nservice: things\ndescription: Words.\ntenant: tenant\n"
        "names: camelCase\noutput: {client: both}\nsizes: {Thing: 400}\n"
        'rates: {things: 0.5}\nlint: {ignore: {DG300: "why"}}\n'
    )
    assert spec.service.text == "things"
    assert spec.tenant is not None
    assert (spec.description, spec.tenant.text) == ("Words.", "tenant")
    assert (spec.camel_case, spec.client) == (True, "both")
    assert [(s.entity.text, s.bytes) for s in spec.sizes] == [("Thing", 400)]
    assert [(r.name.text, r.calls) for r in spec.rates] == [("things", 0.5)]
    assert [i.code.text for i in spec.ignores] == ["DG300"]


@pytest.mark.parametrize(
    ("head", "code"),
    [
        ("dyngen: 2\nservice: x\n", "DG047"),
        ("dyngen: true\nservice: x\n", "DG047"),
        ("service: x\n", "DG047"),
        ("dyngen: 1\ndescription: x\n", "DG040"),
        ("dyngen: 1\nservice: 5\n", "DG040"),
    ],
)
def test_what_is_no_spec(head: str, code: str) -> None:
    spec, problems = read_text(head)
    assert spec is None
    assert [p.code for p in problems] == [code]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("types: [x]\n", "[x]"),
        ("types: {X: {min: 1}}\n", "{min: 1}"),
        ("entities: {X: 5}\n", "5"),
        ("entities: {X: {attributes: {a: 1}}}\n", "1"),
        ("entities: {X: {attributes: {a: string}, keys: {K: 5}}}\n", "5"),
        (
            "entities: {X: {attributes: {a: string}, keys: {K: {when: {}}}}}\n",
            "{when: {}}",
        ),
        ("tables: {T: {partition_key: {type: string}}}\n", "{type: string}"),
    ],
)
def test_surprising_shapes(text: str, words: str) -> None:
    whole = HEAD + text
    _, (problem,) = read_text(whole)
    assert problem.code == "DG040"
    assert marked(whole, problem) == words

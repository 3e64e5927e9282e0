"""Key texts that collide, or that cannot be read back (faults 5, 6 and 13)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from running import Running, refusals

Build = Callable[[str], Running]

# --- 5: a value that holds the delimiter ------------------------------------------------------------

TENANTS = """\
tables: {Files: {partition_key: pk, sort_key: sk%s}}
entities:
  File:
    attributes: {tenant: string, drive: string, folder: string, name: string}
    keys: {pk: "{tenant}#{drive}", sk: "{folder}#{name}"}
access_patterns:
  of_drive: {query: File, where: {tenant: eq, drive: eq}}
  in_folder: {query: File, where: {tenant: eq, drive: eq, folder: eq}}
"""


def test_a_value_cannot_hold_the_delimiter_of_its_key(build: Build) -> None:
    """`("p#q", "r")` and `("p", "q#r")` are two keys, in two partitions."""
    running = build(TENANTS % "")
    files, file = running.db().files, running.package.File
    pairs = [("p#q", "r"), ("p", "q#r"), ("p%23q", "r"), ("p", "q%23r")]
    every = [
        files.create(file(tenant=tenant, drive=drive, folder=folder, name=name))
        for tenant, drive in pairs
        for folder, name in pairs
    ]

    assert len(running.stored("Files")) == len(every) == 16
    for tenant, drive in pairs:
        own = [f for f in every if (f.tenant, f.drive) == (tenant, drive)]
        assert set(files.of_drive(tenant=tenant, drive=drive)) == set(own)
        for folder, name in pairs:
            found = files.in_folder(tenant=tenant, drive=drive, folder=folder)
            assert set(found) == {f for f in own if f.folder == folder}
            assert file(tenant=tenant, drive=drive, folder=folder, name=name) in own


def test_a_raw_key_refuses_its_delimiter(build: Build) -> None:
    """Where keys are as somebody else wrote them, nothing is escaped: the value is refused."""
    running = build(TENANTS % ", key_encoding: raw, delimiter: '#'")
    files, file = running.db().files, running.package.File

    with pytest.raises(
        running.package.KeyValueError, match="before '#' in a key must not hold it"
    ):
        files.create(file(tenant="p#q", drive="r", folder="f", name="n"))
    with pytest.raises(
        running.package.KeyValueError, match="before '#' in a key must not hold it"
    ):
        files.of_drive(tenant="p#q", drive="r").all()
    assert running.stored("Files") == []


# --- 6: keys in lower case --------------------------------------------------------------------------

CASES = """\
tables: {Things: {partition_key: pk, indexes: {Keys: {partition_key: kind, sort_key: id_key, projection: keys_only}}}}
entities:
  Thing:
    attributes: {id: %s, kind: [THING]}
    keys: {pk: "THING#{id}", id_key: "{id}"}
access_patterns:
  ids: {query: Thing, where: {kind: THING}}
"""


def test_keys_keep_their_case(build: Build) -> None:
    running = build(CASES % "string")
    things, package = running.db().things, running.package
    kind = package.ThingKind.THING

    for name in ("AbC", "aBc", "abc"):
        things.create(package.Thing(id=name, kind=kind))

    assert things.get(id="aBc").id == "aBc"
    assert things.get(id="ABC") is None
    assert [found.id for found in things.ids()] == ["AbC", "aBc", "abc"]


def test_what_is_folded_says_so_and_is_folded_everywhere(build: Build) -> None:
    """The value itself is: nothing else was ever there to be recovered."""
    running = build(CASES % "{type: string, fold: lower}")
    things, package = running.db().things, running.package

    created = things.create(package.Thing(id="AbC", kind=package.ThingKind.THING))

    assert created.id == "abc"
    assert things.get(id="aBC") == created
    with pytest.raises(package.ItemExists):
        things.create(package.Thing(id="aBc", kind=package.ThingKind.THING))


# --- 13: a part that is missing ---------------------------------------------------------------------

PETS = """\
tables: {Papers: {partition_key: owner, sort_key: sk, indexes: {ByVet: {partition_key: owner, sort_key: vet_key}}}}
entities:
  Paper:
    attributes: {owner: string, pet: {type: string, optional: true}, id: string, vet: {type: string, optional: true}}
    keys: {sk: "PET#{pet%s}#{id}", vet_key: "VET#{vet}#{id}"}
access_patterns:
  of_pet: {query: Paper, where: {owner: eq, pet: eq}}
  of_no_pet: {query: Paper, where: {owner: eq, pet: absent}}
"""


def test_what_may_be_missing_cannot_stand_in_a_tables_key() -> None:
    found = refusals(PETS % "")

    assert found[0][:2] == (
        "DG124",
        "`pet` is optional, but the table's key `sk` needs it",
    )
    assert "`{pet|none}`" in found[0][2]


def test_no_value_is_taken_for_a_missing_one(build: Build) -> None:
    running = build(PETS % "|none")
    papers, paper = running.db().papers, running.package.Paper
    nobody = papers.create(paper(owner="o", id="1"))
    names = ["none", "None", "!none", "null", "undefined"]
    named = [papers.create(paper(owner="o", id="1", pet=name)) for name in names]

    assert papers.of_no_pet(owner="o").all() == [nobody]
    for each in named:
        assert papers.of_pet(owner="o", pet=each.pet).all() == [each]
    keys = sorted(item["sk"]["S"] for item in running.stored("Papers"))
    assert keys[0] == "PET#!none#1"
    assert "PET#none#1" in keys
    assert "PET#%21none#1" in keys


def test_a_missing_part_leaves_no_key_behind(build: Build) -> None:
    running = build(PETS % "|none")
    papers, paper = running.db().papers, running.package.Paper

    papers.create(paper(owner="o", id="1"))
    seen = papers.create(paper(owner="o", id="2", vet="v"))
    papers.update(seen, vet=None)
    papers.put(paper(owner="o", id="3"))

    assert running.stored("Papers", "ByVet") == []
    for item in running.stored("Papers"):
        assert set(item) == {"owner", "sk", "id"}

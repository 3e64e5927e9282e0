"""Words of a spec that break the code made of it, or get lost on the way (faults 34, 36, 38 and 39)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from built_packages import designed
from dyngen.cloudformation.model import template
from dyngen.compile import compile_all
from dyngen.python.clashes import check
from running import HEAD, Running, refusals

Build = Callable[[str], Running]

# --- 34: attribute definitions ----------------------------------------------------------------------

TABLE = """\
tables:
  Orders:
    partition_key: customer
    sort_key: id
    indexes:
      ByState: {partition_key: customer, sort_key: [state, at], strategy: composite}
      ByShop: {partition_key: [shop, country], sort_key: at, projection: [note]}
      ByTotal: {type: local, sort_key: total}
entities:
  Order:
    attributes: {customer: string, id: string, state: [A, B], at: date, shop: string, country: string, total: integer, note: string}
"""


def test_just_the_attributes_of_keys_are_defined() -> None:
    """DynamoDB refuses one more as it does one less."""
    resources = template(designed(HEAD + TABLE).schema)["Resources"]
    [properties] = [each["Properties"] for each in resources.values()]

    defined = [each["AttributeName"] for each in properties["AttributeDefinitions"]]
    indexes = [
        *properties["GlobalSecondaryIndexes"],
        *properties["LocalSecondaryIndexes"],
    ]
    keys = [key for place in (properties, *indexes) for key in place["KeySchema"]]
    assert len(defined) == len(set(defined))
    assert set(defined) == {key["AttributeName"] for key in keys}
    assert "note" not in defined


# --- 36: reserved words -----------------------------------------------------------------------------

RESERVED = """\
tables: {Table: {partition_key: name, sort_key: date, indexes: {ByStatus: {partition_key: status, sort_key: timestamp}}}}
entities:
  Item:
    attributes: {name: string, date: integer, status: string, timestamp: integer, size: {type: integer, default: 0}, data: {type: string, optional: true}, values: {type: list, of: string, default: []}}
access_patterns:
  keyed: {query: Item, where: {name: eq, date: gte}}
  filtered: {query: Item, where: {status: eq}, filter: {where: {size: gt, data: absent}, at_most: 9}}
  selected: {query: Item, where: {name: eq}, select: [name, size, data]}
  updated: {update: Item, where: {name: eq, date: eq}, set: [data], add: {size: 1}, append: {values: {param: value}}, guard: {status: eq}}
  emptied: {delete: Item, where: {name: eq, date: eq}, guard: {size: {gt: {param: least}}}}
"""
WORD = re.compile(r"[#:]\w+|\w+")
GRAMMAR = {
    *("SET", "REMOVE", "ADD", "DELETE", "AND", "OR", "NOT", "BETWEEN", "IN"),
    *("attribute_exists", "attribute_not_exists", "list_append", "if_not_exists"),
    *("begins_with", "contains", "attribute_type"),
}


def test_no_attribute_is_named_in_an_expression(build: Build) -> None:
    running = build(RESERVED)
    items, item = running.db().items, running.package.Item

    with running.recorded() as recorder:
        first = items.create(item(name="n", date=1, status="s", timestamp=1))
        items.update(first, data="d")
        items.updated(name="n", date=1, data=None, value="v", status="s")
        items.keyed(name="n", date_from=0).all()
        items.filtered(status="s", size_after=0).all()
        items.selected(name="n").all()
        items.emptied(name="n", date=1, least=0)

    kinds: set[str] = set()
    for request in recorder.requests:
        for kind, said in request.params.items():
            if kind.endswith("Expression"):
                kinds.add(kind)
                plain = {w for w in WORD.findall(said) if w[0] not in "#:"}
                assert plain <= GRAMMAR, said
    assert kinds == {
        "KeyConditionExpression",
        "FilterExpression",
        "ProjectionExpression",
        "UpdateExpression",
        "ConditionExpression",
    }


# --- 38: names that mean nothing --------------------------------------------------------------------

NOTES = """\
tables: {Notes: {partition_key: owner, sort_key: id}}
entities: {Note: {attributes: {owner: string, id: string, text: string%s}}}
access_patterns:
%s
"""


@pytest.mark.parametrize(
    ("pattern", "code", "said"),
    [
        ("{query: Note, where: {ownr: eq}}", "DG111", "Note has no attribute `ownr`"),
        (
            "{query: Note, where: {owner: eq}, filter: {where: {txt: eq}, at_most: 9}}",
            "DG111",
            "Note has no attribute `txt`",
        ),
        ("{update: Note, where: {owner: eq, id: eq}, set: [txt]}", "DG111", "`txt`"),
        ("{query: Nte, where: {owner: eq}}", "DG110", "`Nte`"),
        ("{query: Note, wher: {owner: eq}}", "DG020", "`wher`"),
        ("{query: Note, where: {owner: eq}, filters: {}}", "DG020", "`filters`"),
    ],
)
def test_a_name_that_means_nothing_is_refused(
    pattern: str, code: str, said: str
) -> None:
    found = refusals(NOTES % ("", f"  notes: {pattern}"))

    assert found[0][0] == code
    assert said in found[0][1]


# --- 39: names that are no identifiers --------------------------------------------------------------

WORDS = """\
tables: {Things: {partition_key: id, sort_key: from}}
entities:
  Class:
    attributes: {id: string, from: string, first-name: string, class: {type: string, optional: true}, self: {type: string, optional: true}}
access_patterns:
  import: {query: Class, where: {id: eq, from: gte}}
  assign: {update: Class, where: {id: eq, from: eq}, set: [first-name, class, self]}
"""


def test_words_of_python_become_names(build: Build) -> None:
    running = build(WORDS)
    repository, package = running.db().classes, running.package

    made = repository.create(package.Class(id="i", from_="f", first_name="n"))
    given = {"first_name": "m", "class_": "c", "self_": "s"}
    changed = repository.assign(id="i", from_="f", **given)

    assert repository.import_(id="i", from_from="f").all() == [changed]
    assert made.first_name == "n"
    [stored] = running.stored("Things")
    assert stored == {
        "id": {"S": "i"},
        "from": {"S": "f"},
        "first-name": {"S": "m"},
        "class": {"S": "c"},
        "self": {"S": "s"},
    }


def test_a_name_with_a_space_is_refused() -> None:
    found = refusals(WORDS.replace("Class", "Big Class"))

    assert ("DG023", "`Big Class` cannot be a name here") in [e[:2] for e in found]


@pytest.mark.parametrize(
    ("attributes", "patterns", "said"),
    [
        (
            ", first-name: string, firstName: string",
            "  notes: {query: Note, where: {owner: eq}}",
            "`first-name` and `firstName` both become `first_name` in Python",
        ),
        (
            "",
            "  my_notes: {query: Note, where: {owner: eq}}\n"
            "  MyNotes: {query: Note, where: {owner: eq}}",
            "`my_notes` and `MyNotes` both become `my_notes` in Python",
        ),
    ],
)
def test_two_names_that_become_one_are_refused(
    attributes: str, patterns: str, said: str
) -> None:
    compiled: Any = compile_all(HEAD + NOTES % (attributes, patterns), "shop.yaml")

    found = list(check(compiled.spec, compiled.design))

    assert [(each.code, each.message) for each in found] == [("DG181", said)]

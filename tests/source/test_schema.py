"""What the structure check says. Each text is a whole spec but for what the test leaves out."""

from __future__ import annotations

import textwrap

import pytest
from dyngen.source import schema
from dyngen.source.yaml_reader import read
from said import FILE, expected, schema_says

HEAD = """\
dyngen: 1
service: shop
tables: {Data: {partition_key: pk}}
"""


def entity_says(text: str) -> str:
    """For the lines of an entity; the first of them is line 6."""
    return schema_says(f"{HEAD}entities:\n  User:\n{textwrap.indent(text, '    ')}")


def pattern_says(text: str) -> str:
    """For access patterns, one a line; the first of them is line 6."""
    return schema_says(
        f"{HEAD}entities: {{User: {{attributes: {{pk: string}}}}}}\naccess_patterns:\n"
        + textwrap.indent(text, "  ")
    )


def messages(said: str) -> list[str]:
    """The header lines."""
    return [line for line in said.splitlines() if line.startswith("error")]


# --- the whole language ---------------------------------------------------------------------------

EVERYTHING = """\
dyngen: 1
service: shop
description: Everything there is.
tenant: tenant
names: camelCase
types:
  Money: {type: decimal, digits: 12, places: 2, min: 0, max: 9999999.99}
  State: [OPEN, CLOSED]
  Priority: {values: {HIGH: 1_HIGH, LOW: 3_LOW}, default: LOW}
  Alias: string
tables:
  Main:
    description: All there is.
    partition_key: pk
    sort_key: [status, {name: order_date, type: string}]
    type_attribute: entity_type
    key_encoding: raw
    delimiter: "|"
    billing: {read: 5, write: 5, autoscaling: {min: 5, max: 500, target: 70}}
    ttl: expires_at
    stream: new_and_old_images
    point_in_time_recovery: {days: 7}
    deletion_protection: true
    encryption: {kms_key: alias/orders}
    table_class: standard_infrequent_access
    tags: {team: orders}
    contributor_insights: throttled_keys
    warm_throughput: {read: 12000, write: 4000}
    cloudformation: {ResourcePolicy: {PolicyDocument: {}}}
    lint: {ignore: {DG301: few items}}
    indexes:
      ByState:
        partition_key: [customer, state]
        sort_key: [created_at]
        strategy: multi_attribute
        projection: [total]
        billing: {read: 1, write: 1}
        contributor_insights: true
        warm_throughput: {read: 12000}
        lint: {ignore: {DG302: to come}}
      ByTotal: {type: local, sort_key: total, strategy: composite, projection: keys_only}
  Numbers: {partition_key: {name: pk, type: number}, billing: on_demand, encryption: aws_managed}
entities:
  Order:
    description: An order.
    table: Main
    attributes:
      customer: string
      id: {type: ulid, generated: true}
      state: {type: State, default: OPEN}
      inline: [A, B]
      described: {type: [A, B], default: A, optional: true, description: x}
      created_at: {type: timestamp, default: now, precision: seconds, stored: epoch_seconds}
      changed_at: {type: timestamp, on_write: now}
      year: {type: string, computed: "{created_at:%Y}"}
      code: {type: string, min_length: 1, max_length: 9, charset: a-z, fold: lower, name: c}
      lines: {type: list, of: {type: object, attributes: {sku: string, count: integer}}, default: []}
      by_day: {type: map, of: {type: map, of: integer}, default: {}}
      tags: {type: set, of: State}
    keys:
      pk: "ORDER#{customer}#{id}"
      gsi1pk: {value: OPEN, when: {state: OPEN}, shards: {count: 10, by: id}}
      gsi1sk:
        - {value: "A#{id}", when: {state: OPEN, code: present}}
        - {value: "B#{id}", when: {state: CLOSED}, shards: {count: 2, by: [id, code]}}
    id: [customer, id]
    version: {name: _v}
    unique: [[customer, code], {code: Code}]
    operations: [get, create, put, update, delete, batch_get, batch_write]
    plural: orders
    lint: {ignore: {DG303: no reason}}
  Code: {attributes: {code: string}, version: true}
access_patterns:
  one: {get: Order, where: {customer: eq, id: eq}, consistent: true, select: [id], expired: exclude}
  many:
    description: Many.
    query: [Order, Code]
    where:
      customer: {eq: {param: buyer}}
      created_at: {gte: {param: since}, lt: {param: until}}
      Order.state: OPEN
      code: {in: [A, {value: now}]}
      count: 5
      paid: true
      total: {between: [1.5, {param: most}]}
    order_by: [created_at desc, Order.code]
    page_size: {default: 10, max: 100}
    optional: [state, [code, count]]
    one: first
    filter: {where: {any: [{a: {ne: 1}}, {not: {b: {contains: x}}}], all: [{c: {size: {lt: 3}}}]}, hit_rate: 0.4}
    at_most: 50
    max_items: 100
    index: ByState
    expired: include
    hydrate: {Code: {code: code}}
    fan_out: 20
    lint: {ignore: {DG304: fine}}
  all: {scan: Order, at_most: 5000, hydrate: true, page_size: 5, filter: {where: {a: eq}, at_most: 5}}
  change:
    update: Order
    where: {customer: eq, id: eq}
    set: {state: CLOSED, note: param, at: now, n: 1, x: {param: y}, z: {value: param}, address.city: param}
    remove: [code]
    add: {likes: 1, "reactions.{emoji}": 1}
    append: {notes: param}
    delete: {tags: {param: tag}}
    guard: {state: OPEN, code: begins_with}
    upsert: true
    read_first: true
  set_some: {update: Order, where: {id: eq}, set: [room, note]}
  move_it: {move: Order, where: {id: eq}, set: {id: {param: new_id}}, guard: {state: OPEN}}
  forget: {delete: Order, where: {customer: eq}, each: true}
  join:
    transact:
      - create: Order
      - put: Code
      - {update: Order, where: {id: order.id}, add: {n: 1}, guard: {n: {lt: 50}, at: absent}}
      - {delete: Code, where: {code: eq}}
      - {check: Order, where: {id: eq}, guard: {state: OPEN}}
  both: {transact: [{get: Order, where: {id: eq}}, {get: Code, where: {code: eq}}]}
output: {client: both}
sizes: {Order: 450}
rates: {many: 0.5, one: 20}
lint: {ignore: {DG305: as it is}}
"""


def test_the_whole_language_is_known() -> None:
    assert schema_says(EVERYTHING) == ""


# --- keys -----------------------------------------------------------------------------------------


def test_unknown_and_missing_keys() -> None:
    assert schema_says(
        "servise: shop\ntables: {Data: {sort_key: sk}}\nfoo: 1\n"
    ) == expected(
        """
        error[DG020]: unknown key `servise`
         --> spec.yaml:1:1
          |
        1 | servise: shop
          | ^^^^^^^
          = help: did you mean `service`?

        error[DG021]: the spec lacks `dyngen`
         --> spec.yaml:1:1
          |
        1 | servise: shop
          | ^^^^^^^
          = help: add it, for example `dyngen: 1`

        error[DG021]: the spec lacks `entities`
         --> spec.yaml:1:1
          |
        1 | servise: shop
          | ^^^^^^^
          = help: add it, for example
                  `entities: {Order: {attributes: {customer_id: string, order_id: ulid}}}`

        error[DG021]: `Data` lacks `partition_key`
         --> spec.yaml:2:10
          |
        2 | tables: {Data: {sort_key: sk}}
          |          ^^^^
          = help: add it, for example `partition_key: customer_id`

        error[DG020]: unknown key `foo`
         --> spec.yaml:3:1
          |
        3 | foo: 1
          | ^^^
          = help: known here: `dyngen`, `service`, `description`, `tenant`, `names`, `types`, `tables`,
                  `entities`, `access_patterns`, `output`, `sizes`, `rates` and `lint`

        Found 5 errors.
        """
    )


def test_another_version() -> None:
    assert messages(
        schema_says(HEAD.replace("1", "2") + "entities: {A: {attributes: {a: string}}}")
    ) == ["error[DG023]: `dyngen` must be 1, the version of the language"]


def test_kinds_and_what_to_write_instead() -> None:
    assert entity_says(
        "attributes:\n"
        "  a: {type: integer, min: 012, max: 1_000, optional: yes}\n"
        '  b: {type: integer, min: "10", max: +.5}\n'
        "  c: [OPEN, true]\n"
        "  d: 5\n"
        "keys: {pk: 12}\n"
        "id: a\n"
        "version: no\n"
    ) == expected(
        """
        error[DG022]: `min` must be a number
         --> spec.yaml:7:31
          |
        7 |       a: {type: integer, min: 012, max: 1_000, optional: yes}
          |                               ^^^ this is text
          = help: write `12`

        error[DG022]: `max` must be a number
         --> spec.yaml:7:41
          |
        7 |       a: {type: integer, min: 012, max: 1_000, optional: yes}
          |                                         ^^^^^ this is text
          = help: write `1000`

        error[DG022]: `optional` must be true or false
         --> spec.yaml:7:58
          |
        7 |       a: {type: integer, min: 012, max: 1_000, optional: yes}
          |                                                          ^^^ this is text
          = help: write `true`

        error[DG022]: `min` must be a number
         --> spec.yaml:8:31
          |
        8 |       b: {type: integer, min: "10", max: +.5}
          |                               ^^^^ this is text
          = help: write `10`, without quotes

        error[DG022]: `max` must be a number
         --> spec.yaml:8:42
          |
        8 |       b: {type: integer, min: "10", max: +.5}
          |                                          ^^^ this is text
          = help: write `0.5`

        error[DG022]: item 2 of `c` must be a value's text
         --> spec.yaml:9:17
          |
        9 |       c: [OPEN, true]
          |                 ^^^^ this is a boolean
          = help: quote it: `"true"`

        error[DG022]: `d` must be a type
          --> spec.yaml:10:10
           |
        10 |       d: 5
           |          ^ this is a whole number
           = help: quote it: `"5"`

        error[DG022]: `pk` must be a key template (`"USER#{username}"`), a mapping with `value` and `when`, or a list of cases with `value` and `when`
          --> spec.yaml:11:16
           |
        11 |     keys: {pk: 12}
           |                ^^ this is a whole number
           = help: quote it: `"12"`

        error[DG022]: `id` must be a list of names
          --> spec.yaml:12:9
           |
        12 |     id: a
           |         ^ this is text
           = help: write a list: `[a]`

        error[DG022]: `version` must be true or false, or a mapping with `name`
          --> spec.yaml:13:14
           |
        13 |     version: no
           |              ^^ this is text
           = help: write `false`

        Found 10 errors.
        """
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "attributes: {a: {type: string, fold: uper}}",
            ["error[DG023]: `fold` must be `upper` or `lower`"],
        ),
        (
            "attributes: {a: {tpye: string}}",
            ["error[DG020]: unknown key `tpye` in `a`"],
        ),
        (
            "attributes: {a: {optional: true}}",
            ["error[DG021]: `a` needs one of `type` and `values`"],
        ),
        (
            "attributes: {a: {type: string, values: {A: B}}}",
            ["error[DG024]: `type` and `values` exclude one another"],
        ),
        (
            "attributes: {a b: string, a.c: string}",
            [
                "error[DG023]: `a b` cannot be a name here",
                "error[DG023]: `a.c` cannot be a name here",
            ],
        ),
        (
            "attributes: {a: [A, B, A]}",
            ["error[DG024]: `A` stands twice in `a`"],
        ),
        (
            "attributes: {}",
            ["error[DG023]: `attributes` must be a mapping from attribute to type"],
        ),
        (
            "attributes: {a: {type: decimal, digits: 0, places: -1}}",
            [
                "error[DG023]: `digits` must be a whole number from 1 to 38",
                "error[DG023]: `places` must be a whole number from 0 to 38",
            ],
        ),
        (
            "attributes: {a: string}\nkeys: {pk: {valeu: x}}",
            ["error[DG020]: unknown key `valeu` in `pk`"],
        ),
        (
            "attributes: {a: string}\nkeys: {pk: [x]}",
            ["error[DG022]: item 1 of `pk` must be a mapping with `value` and `when`"],
        ),
        (
            "attributes: {a: string}\noperations: [get, gett]",
            [
                "error[DG023]: item 2 of `operations` must be `get`, `create`, `put`, `update`, "
                "`delete`, `batch_get` or `batch_write`"
            ],
        ),
        (
            "attributes: {a: string}\nunique: [a]",
            [
                "error[DG022]: item 1 of `unique` must be a list of names, or a mapping from "
                "attribute to entity"
            ],
        ),
        (
            "attributes: {a: string}\nlint: {ignore: {XY1: x, DG301: ''}}",
            [
                "error[DG023]: `XY1` cannot be a name here",
                "error[DG023]: `DG301` must be the reason, in words",
            ],
        ),
    ],
)
def test_entities(text: str, said: list[str]) -> None:
    assert messages(entity_says(text)) == said


def test_a_pattern_is_told_by_its_verb() -> None:
    assert pattern_says(
        "a: {qeury: User, where: {pk: eq}, ordr_by: pk}\n"
        "b: {get: User, query: User}\n"
        "c: {get: User, order_by: pk}\n"
        "d: {where: {pk: eq}}\n"
        "e: {update: User, delete: {tags: {parm: tag}}, sett: [x]}\n"
        "f: {transact: [{create: User, where: {pk: eq}}, {chek: User}, User]}\n"
        "g: User\n"
    ) == expected(
        """
        error[DG020]: unknown key `qeury` in `a`
         --> spec.yaml:6:7
          |
        6 |   a: {qeury: User, where: {pk: eq}, ordr_by: pk}
          |       ^^^^^
          = help: did you mean `query`?

        error[DG020]: unknown key `ordr_by` in `a`
         --> spec.yaml:6:37
          |
        6 |   a: {qeury: User, where: {pk: eq}, ordr_by: pk}
          |                                     ^^^^^^^
          = help: did you mean `order_by`?

        error[DG024]: `get` and `query` exclude one another
         --> spec.yaml:7:18
          |
        7 |   b: {get: User, query: User}
          |                  ^^^^^
          |       --- already given here
          = help: make two patterns of it

        error[DG020]: unknown key `order_by` in `c`
         --> spec.yaml:8:18
          |
        8 |   c: {get: User, order_by: pk}
          |                  ^^^^^^^^
          = help: `order_by` belongs to `query`

        error[DG021]: `d` needs one of `get`, `query`, `scan`, `update`, `move`, `delete` and `transact`
         --> spec.yaml:9:3
          |
        9 |   d: {where: {pk: eq}}
          |   ^
          = help: add one, for example `get: Order`

        error[DG020]: unknown key `parm` in `tags`
          --> spec.yaml:10:37
           |
        10 |   e: {update: User, delete: {tags: {parm: tag}}, sett: [x]}
           |                                     ^^^^
           = help: did you mean `param`?

        error[DG020]: unknown key `sett` in `e`
          --> spec.yaml:10:50
           |
        10 |   e: {update: User, delete: {tags: {parm: tag}}, sett: [x]}
           |                                                  ^^^^
           = help: did you mean `set`?

        error[DG020]: unknown key `where` in item 1 of `transact`
          --> spec.yaml:11:33
           |
        11 |   f: {transact: [{create: User, where: {pk: eq}}, {chek: User}, User]}
           |                                 ^^^^^
           = help: `where` belongs to `get`, `update`, `delete` and `check`

        error[DG020]: unknown key `chek` in item 2 of `transact`
          --> spec.yaml:11:52
           |
        11 |   f: {transact: [{create: User, where: {pk: eq}}, {chek: User}, User]}
           |                                                    ^^^^
           = help: did you mean `check`?

        error[DG022]: item 3 of `transact` must be an action of a transaction
          --> spec.yaml:11:65
           |
        11 |   f: {transact: [{create: User, where: {pk: eq}}, {chek: User}, User]}
           |                                                                 ^^^^ this is text

        error[DG022]: `g` must be an access pattern
          --> spec.yaml:12:6
           |
        12 |   g: User
           |      ^^^^ this is text

        Found 11 errors.
        """
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "where: {pk: [eq]}",
            "error[DG022]: `pk` must be an operator or constant, or a mapping with "
            "operators (`{gte: {param: since}}`)",
        ),
        ("where: {pk: {qe: 1}}", "error[DG020]: unknown key `qe` in `pk`"),
        (
            "where: {pk: {between: [1]}}",
            "error[DG023]: `between` must be a list of two values",
        ),
        (
            "where: {}",
            "error[DG023]: `where` must be a mapping from attribute to condition",
        ),
        (
            "where: {not: [a]}",
            "error[DG022]: `not` must be a mapping from attribute to condition",
        ),
        ("page_size: 0", "error[DG023]: `page_size` must be a whole number above 0"),
        ("page_size: {max: 5}", "error[DG021]: `page_size` lacks `default`"),
        ("one: false", "error[DG023]: `one` must be `true` or `first`"),
        ("one: frist", "error[DG023]: `one` must be `true` or `first`"),
        (
            "order_by: pk descending",
            "error[DG023]: `order_by` must be an attribute, with ` desc` or ` asc` behind it or "
            "nothing",
        ),
        (
            "filter: {where: {a: eq}}",
            "error[DG021]: `filter` needs one of `at_most` and `hit_rate`",
        ),
        (
            "filter: {where: {a: eq}, at_most: 1, hit_rate: 0.5}",
            "error[DG024]: `at_most` and `hit_rate` exclude one another",
        ),
        (
            "filter: {where: {a: eq}, hit_rate: 1.5}",
            "error[DG023]: `hit_rate` must be a number above 0 and up to 1",
        ),
        ("consistent: 1", "error[DG022]: `consistent` must be true or false"),
        ("expired: no", "error[DG023]: `expired` must be `include` or `exclude`"),
    ],
)
def test_queries(text: str, said: str) -> None:
    assert messages(pattern_says(f"p: {{query: User, {text}}}")) == [said]


def test_an_alias_is_blamed_where_it_is_used() -> None:
    text = f"{HEAD}entities:\n  A: {{attributes: &all {{a: [1]}}}}\n  B: {{attributes: *all}}\n"
    root, _ = read(text, FILE)
    assert root is not None
    first, second = schema.check(root)
    assert (first.primary.span.line, first.primary.span.column) == (5, 29)
    assert (second.primary.span.line, second.primary.span.column) == (6, 19)
    assert second.primary.span.end_column == 23


def test_what_could_not_be_read_is_not_missing() -> None:
    text = f"{HEAD.replace('pk}', 'null}')}entities: {{A: {{attributes: *b}}, B: }}\n"
    root, found = read(text, FILE)
    assert root is not None
    assert [each.code for each in found] == ["DG005", "DG006", "DG005"]
    assert schema.check(root) == []


def test_no_message_speaks_of_schemas() -> None:
    text = f"{HEAD}entities: [1]\naccess_patterns: {{a: {{b: c}}, d: [], e: {{get: {{}}}}}}\ntypes: 5\n"
    said = schema_says(text)
    assert "schema" not in said
    assert "alternative" not in said

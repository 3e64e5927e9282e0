"""What is planned, but cannot be written in Python: refused."""

from __future__ import annotations

from dyngen.compile import compile_all
from dyngen.python.limits import check

HEAD = """\
dyngen: 1
service: shop
tables:
  Users: {partition_key: user}
  Mails: {partition_key: mail_pk}
"""


def codes(text: str) -> list[str]:
    compiled = compile_all(HEAD + text, "shop.yaml")
    assert compiled.design is not None
    assert [d.message for d in compiled.diagnostics if d.severity == "error"] == []
    return [found.code for found in check(compiled.design)]


def users(unique: str, attributes: str = "", mails: str = "mail: string") -> str:
    return f"""\
entities:
  User:
    table: Users
    attributes: {{user: string, mail: string, {attributes}}}
    unique: {unique}
  Mail:
    table: Mails
    attributes: {{{mails}}}
    keys: {{mail_pk: "MAIL#{{mail}}"}}
"""


def test_a_design_within_the_limits() -> None:
    assert codes(users("[[mail]]")) == []
    assert codes(users("[{mail: Mail}]", mails="mail: string, user: string")) == []


def test_a_unique_number_without_width() -> None:
    assert codes(users("[[n]]", "n: integer")) == ["DG184"]
    assert codes(users("[[n]]", "n: {type: integer, min: 0, max: 9}")) == []


def test_a_marker_of_what_items_do_not_have() -> None:
    assert codes(users("[{mail: Mail}]", mails="mail: string, other: string")) == [
        "DG185"
    ]


def test_repositories_that_need_one_another() -> None:
    text = users("[{mail: Mail}]", mails="mail: string, user: string")
    patterns = """\
access_patterns:
  users_of: {query: Mail, where: {mail: eq}, hydrate: {User: {user: user}}}
"""

    assert codes(text + patterns) == ["DG183"]


def wide(count: int, rest: str, patterns: str = "") -> str:
    """An entity of so many numbers `n0`, `n1`, ..."""
    numbers = "".join(f", n{i}: integer" for i in range(count))
    return f"""\
entities:
  User:
    table: Users
    attributes: {{user: string, mail: string{numbers}}}
    {rest}
  Mail: {{table: Mails, attributes: {{mail: string}}, keys: {{mail_pk: "MAIL#{{mail}}"}}}}
access_patterns:
{patterns}
  mail: {{get: Mail, where: {{mail: eq}}}}
"""


def names(count: int, word: str = "") -> str:
    return ", ".join(f"n{i}{word}" for i in range(count))


def test_an_update_of_too_many_attributes() -> None:
    """`SET` with 287 values of its own has 4,087 bytes, with one more 4,102."""

    def update(count: int) -> str:
        pattern = f"  all: {{update: User, where: {{user: eq}}, set: [{names(count)}]}}"
        return wide(300, "operations: [get]", pattern)

    assert codes(update(287)) == []
    assert codes(update(288)) == ["DG291"]


def test_a_guard_of_too_many_conditions() -> None:
    """Of n tests and `attribute_exists`, 2n + 1 operators; 300 are allowed."""

    def pay(count: int) -> str:
        guard = names(count, ": eq")
        return wide(
            160,
            "operations: [get]",
            f"  pay: {{update: User, where: {{user: eq}}, set: [mail], guard: {{{guard}}}}}\n"
            f"  end: {{delete: User, where: {{user: eq}}, guard: {{{guard}}}}}\n"
            f"  both: {{transact: [{{check: User, where: {{user: eq}}, guard: {{{guard}}}}}]}}",
        )

    assert codes(pay(149)) == []
    assert codes(pay(150)) == ["DG291"] * 3


def test_a_filter_of_too_many_conditions() -> None:
    def found(count: int) -> str:
        where = names(count, ": {gte: 1}")
        pattern = f"  all: {{scan: User, filter: {{where: {{{where}}}, at_most: 9}}}}"
        return wide(160, "operations: [get]", pattern)

    assert codes(found(150)) == []  # 150 comparisons, 149 ANDs
    assert codes(found(151)) == ["DG291"]


def test_a_selection_of_too_many_attributes() -> None:
    def some(count: int) -> str:
        pattern = f"  some: {{scan: User, at_most: 9, select: [{names(count)}]}}"
        return wide(700, "operations: [get]", pattern)

    assert codes(some(500)) == []
    assert codes(some(699)) == ["DG291"]


def test_whole_items_that_no_condition_can_compare() -> None:
    """Beside `attribute_exists`, one comparison for each attribute but the key: 1 + 2 * 150."""
    pattern = (
        "  rename: {update: User, where: {user: eq}, set: [mail], read_first: true}"
    )
    plain, versioned = "operations: [get]", "version: true"
    unique = "unique: [[mail]]"
    assert codes(wide(148, plain, pattern)) == []
    assert codes(wide(149, plain, pattern)) == ["DG291"]
    assert codes(wide(149, versioned, pattern)) == []
    assert codes(wide(149, unique)) == ["DG291"]
    assert codes(wide(149, f"{unique}\n    {versioned}")) == []


def test_what_is_said_of_a_request_that_is_too_large() -> None:
    pattern = f"  all: {{update: User, where: {{user: eq}}, set: [{names(288)}]}}"
    compiled = compile_all(HEAD + wide(288, "operations: [get]", pattern), "shop.yaml")
    assert compiled.design is not None
    [found] = check(compiled.design)
    assert found.message == "DynamoDB takes no request as large as that of `all`"
    assert found.primary.text == (
        "the UpdateExpression would have 4102 bytes; DynamoDB takes at most 4096"
    )
    assert found.primary.span.line == 13
    assert found.help == (
        "do it by two patterns, or keep what changes together in one attribute, an object or"
        " a map",
    )

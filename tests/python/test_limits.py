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

"""Access patterns as written."""

import pytest
from dyngen.spec.model import Action, Constant, Now, Param
from inline_spec import BODY, HEAD, marked, pattern_problems, read_pattern, read_text


def texts(names: object) -> object:
    """Names without their places."""
    if isinstance(names, tuple):
        return [texts(name) for name in names]
    return getattr(names, "text", names)


@pytest.mark.parametrize(
    ("written", "action", "entities"),
    [
        ("{get: Thing}", Action.GET, ["Thing"]),
        ("{query: [Thing, Other]}", Action.QUERY, ["Thing", "Other"]),
        ("{scan: Thing}", Action.SCAN, ["Thing"]),
        ("{update: Thing, delete: {tags: param}}", Action.UPDATE, ["Thing"]),
        ("{delete: Thing, each: true}", Action.DELETE, ["Thing"]),
        ("{move: Thing}", Action.MOVE, ["Thing"]),
        ("{transact: [{check: Thing}]}", Action.TRANSACT, []),
    ],
)
def test_verbs(written: str, action: Action, entities: list[str]) -> None:
    pattern = read_pattern(written)
    assert pattern.action is action
    assert texts(pattern.entities) == entities


def test_a_read_with_everything() -> None:
    pattern = read_pattern(
        "{query: Thing, description: Words., where: {id: eq}, order_by: number desc, "
        "page_size: {default: 10, max: 100}, one: first, optional: [a, [b, c]], "
        "filter: {where: {x: eq}, at_most: 50}, at_most: 7, max_items: 9, "
        "consistent: true, select: [id, x], index: I, expired: exclude, hydrate: true, "
        'fan_out: 20, lint: {ignore: {DG301: "small"}}}'
    )
    assert pattern.description == "Words."
    (order,) = pattern.order_by
    assert (order.attribute.text, order.descending, order.entity) == (
        "number",
        True,
        None,
    )
    assert pattern.page_size is not None
    assert (pattern.page_size.default, pattern.page_size.max) == (10, 100)
    assert pattern.one == "first"
    assert texts(pattern.optional) == [["a"], ["b", "c"]]
    assert pattern.filter is not None
    assert (pattern.filter.at_most, pattern.filter.hit_rate) == (50, None)
    assert (pattern.at_most, pattern.max_items, pattern.fan_out) == (7, 9, 20)
    assert pattern.consistent
    assert texts(pattern.select) == ["id", "x"]
    assert texts(pattern.index) == "I"
    assert pattern.expired == "exclude"
    assert pattern.hydrate is not None
    assert pattern.hydrate.entity is None
    assert [(i.code.text, i.reason) for i in pattern.ignores] == [("DG301", "small")]


def test_short_forms_of_a_read() -> None:
    pattern = read_pattern(
        "{query: Thing, order_by: [a, Other.b desc, c asc], page_size: 10, one: true, "
        "filter: {where: {x: eq}, hit_rate: 0.4}, hydrate: {Other: {id: other_id}}}"
    )
    assert [(o.entity, o.attribute.text, o.descending) for o in pattern.order_by] == [
        (None, "a", False),
        ("Other", "b", True),
        (None, "c", False),
    ]
    assert pattern.page_size is not None
    assert (pattern.page_size.default, pattern.page_size.max) == (10, None)
    assert pattern.one == "true"
    assert pattern.filter is not None
    assert pattern.filter.hit_rate == "0.4"
    assert pattern.hydrate is not None
    assert texts(pattern.hydrate.entity) == "Other"
    assert [texts(pair) for pair in pattern.hydrate.key] == [["id", "other_id"]]


def test_what_an_update_writes() -> None:
    pattern = read_pattern(
        "{update: Thing, set: {status: SHIPPED, by: param, at: now, "
        'from: {param: start}, note: {value: "now"}, address.city: param}, '
        'remove: [queued], add: {likes: 1, "reactions.{emoji}": -1}, '
        "append: {log: param}, delete: {tags: {param: tag}}, upsert: true, "
        "read_first: true}"
    )
    written = {a.path.text: a.operand for a in pattern.set}
    assert isinstance(written["status"], Constant)
    assert isinstance(written["by"], Param)
    assert isinstance(written["at"], Now)
    start, note = written["from"], written["note"]
    assert isinstance(start, Param)
    assert start.name == "start"
    assert isinstance(note, Constant)
    assert note.value == "now"
    assert "address.city" in written
    assert [a.path.text for a in pattern.add] == ["likes", "reactions.{emoji}"]
    assert [a.path.text for a in pattern.append] == ["log"]
    assert [a.path.text for a in pattern.delete_from] == ["tags"]
    assert texts(pattern.remove) == ["queued"]
    assert pattern.upsert
    assert pattern.read_first


def test_a_list_makes_them_all_parameters() -> None:
    pattern = read_pattern("{update: Thing, set: [room, note]}")
    assert [(a.path.text, type(a.operand)) for a in pattern.set] == [
        ("room", Param),
        ("note", Param),
    ]


def test_members_bear_their_verb() -> None:
    pattern = read_pattern(
        "{transact: [{create: Thing}, {put: Other}, {delete: Other, where: {id: eq}}, "
        "{update: Thing, delete: {tags: param}}, {get: Thing}]}"
    )
    assert [(m.name.text, m.action) for m in pattern.members] == [
        (verb, Action(verb)) for verb in ("create", "put", "delete", "update", "get")
    ]


@pytest.mark.parametrize(
    ("written", "code", "words"),
    [
        ("{query: Thing, get: Other}", "DG044", "query"),
        ("{where: {id: eq}}", "DG040", "{where: {id: eq}}"),
        ("{query: Thing, order_by: a down}", "DG045", "down"),
        ("{query: Thing, order_by: a desc nulls}", "DG045", "desc nulls"),
        ("{query: Thing, page_size: {default: 10, max: 5}}", "DG046", "5"),
        ("{query: Thing, page_size: 0}", "DG040", "0"),
        ("{query: Thing, one: second}", "DG040", "second"),
        ("{query: Thing, consistent: yes please}", "DG040", "yes please"),
        ("{query: Thing, filter: {at_most: 5}}", "DG040", "{at_most: 5}"),
        ("[Thing]", "DG040", "[Thing]"),
        ("{transact: {create: Thing}}", "DG040", "{create: Thing}"),
    ],
)
def test_what_is_no_pattern(written: str, code: str, words: str) -> None:
    text = f"{HEAD}{BODY}access_patterns:\n  pattern: {written}\n"
    problems = pattern_problems(written)
    assert [p.code for p in problems] == [code]
    assert marked(text, problems[0]) == words


def test_one_broken_pattern_leaves_the_others() -> None:
    spec, problems = read_text(
        f"{HEAD}{BODY}access_patterns:\n  bad: [x]\n  good: {{get: Thing}}\n"
    )
    assert len(problems) == 1
    assert spec is not None
    assert [p.name.text for p in spec.access_patterns] == ["good"]

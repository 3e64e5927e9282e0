"""Cursors come back checked: nothing but what this very read gave out is accepted."""

from __future__ import annotations

import base64
import hmac
import json
from dataclasses import replace
from typing import Any

import pytest
from dyngen.runtime import cursors
from dyngen.runtime.conditions import eq, gt
from dyngen.runtime.errors import InvalidCursor
from dyngen.runtime.streams import (
    KeyRange,
    Read,
    Stream,
    above,
    at_least,
    at_most,
    begins_with,
    below,
    between,
    equals,
)
from dyngen.runtime.wire import ClockValue
from hypothesis import given, settings
from hypothesis import strategies as st

SECRET = b"secret"
RANGE = between("sort", {"S": "OPEN#2026"}, {"S": "OPEN#2027"})
READ = Read(
    pattern="orders",
    table="Orders",
    index="ByStatus",
    key_types={"tenant": "S", "sort": "S", "id": "N", "hash": "B"},
    streams=(Stream({"tenant": {"S": "t1"}}, RANGE),),
)
POSITION = {
    "tenant": {"S": "t1"},
    "sort": {"S": "OPEN#2026-07-01"},
    "id": {"N": "12.5"},
    "hash": {"B": b"\x00\xff"},
}


def encode(
    read: Read = READ, position: Any = POSITION, secret: bytes | None = None
) -> str:
    return cursors.encode(read, read.streams, {0: position}, secret)


def decode(cursor: Any, read: Read = READ, secret: bytes | None = None) -> Any:
    return cursors.decode(read, cursors.distinct(read.streams), cursor, secret)


def payload_of(cursor: str) -> Any:
    return json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))


def cursor_of(payload: Any, secret: bytes | None = None) -> str:
    raw = json.dumps(payload, separators=(",", ":"), ensure_ascii=False).encode()
    if secret is not None:
        raw = hmac.digest(secret, raw, "sha256") + raw
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def with_range(range_: KeyRange | None, read: Read = READ) -> Read:
    return replace(read, streams=(Stream({"tenant": {"S": "t1"}}, range_),))


@pytest.mark.parametrize("secret", [None, SECRET])
def test_a_cursor_leads_back_to_its_position(secret: bytes | None) -> None:
    assert decode(encode(secret=secret), secret=secret) == {0: POSITION}


def test_a_cursor_is_plain_text_that_fits_into_a_url() -> None:
    assert encode(secret=SECRET).replace("-", "").replace("_", "").isalnum()


@pytest.mark.parametrize(
    "other",
    [
        replace(READ, pattern="orders_of_another_kind"),
        replace(READ, table="OtherOrders"),
        replace(READ, index=None),
        replace(READ, forward=False),
        replace(READ, filter=eq("category", {"S": "x"})),
        replace(READ, key_types={**READ.key_types, "id": "S"}),
        replace(READ, streams=(Stream({"tenant": {"S": "t2"}}, RANGE),)),
        with_range(between("sort", {"S": "OPEN#2026"}, {"S": "OPEN#2028"})),
        with_range(begins_with("sort", {"S": "OPEN#"})),
        with_range(None),
        replace(READ, streams=(*READ.streams, Stream({"tenant": {"S": "t2"}}))),
    ],
)
def test_a_cursor_fits_its_own_pattern_and_parameters_alone(other: Read) -> None:
    with pytest.raises(InvalidCursor):
        decode(encode(), other)


def test_the_parameters_of_a_filter_count_too() -> None:
    read = replace(READ, filter=eq("category", {"S": "x"}))
    assert decode(encode(read), read)
    with pytest.raises(InvalidCursor):
        decode(encode(read), replace(READ, filter=eq("category", {"S": "y"})))


@pytest.mark.parametrize("range_", [RANGE, None])
def test_a_forged_cursor_does_not_lead_into_another_partition(
    range_: KeyRange | None,
) -> None:
    read = with_range(range_)
    forged = encode(read, {**POSITION, "tenant": {"S": "t2"}})
    with pytest.raises(InvalidCursor, match="another partition"):
        decode(forged, read)


S = "S"


@pytest.mark.parametrize(
    ("range_", "inside", "outside"),
    [
        (between("sort", {S: "b"}, {S: "d"}), ["b", "c", "cz", "d"], ["a", "az", "d0"]),
        (begins_with("sort", {S: "b"}), ["b", "ba", "b\U0010ffff"], ["a", "az", "c"]),
        (equals("sort", {S: "b"}), ["b"], ["a", "ba"]),
        (at_least("sort", {S: "b"}), ["b", "z"], ["a", "az"]),
        (above("sort", {S: "b"}), ["b0", "z"], ["a", "b"]),
        (at_most("sort", {S: "b"}), ["a", "b"], ["b0", "z"]),
        (below("sort", {S: "b"}), ["a", "az"], ["b", "z"]),
        (above("sort", {S: "\uffff"}), ["\U00010000"], ["\uffff", "z"]),
    ],
)
def test_a_forged_cursor_does_not_lead_outside_the_range(
    range_: KeyRange, inside: list[str], outside: list[str]
) -> None:
    read = with_range(range_)
    for text in inside:
        position = {**POSITION, "sort": {"S": text}}
        assert decode(encode(read, position), read) == {0: position}
    for text in outside:
        with pytest.raises(InvalidCursor, match="outside the keys"):
            decode(encode(read, {**POSITION, "sort": {"S": text}}), read)


def test_numbers_and_bytes_are_compared_as_such() -> None:
    numbers = replace(READ, streams=(Stream({}, at_least("id", {"N": "9"})),))
    assert decode(encode(numbers, {**POSITION, "id": {"N": "10"}}), numbers)
    with pytest.raises(InvalidCursor):
        decode(encode(numbers, {**POSITION, "id": {"N": "8.99"}}), numbers)
    binary = replace(READ, streams=(Stream({}, at_most("hash", {"B": b"\x80"})),))
    assert decode(encode(binary, {**POSITION, "hash": {"B": b"\x7f\xff"}}), binary)
    with pytest.raises(InvalidCursor):
        decode(encode(binary, {**POSITION, "hash": {"B": b"\x81"}}), binary)


def test_values_of_the_clock_do_not_bind_a_cursor() -> None:
    def since(text: str) -> Read:
        filter_ = gt("expires", ClockValue({"N": text[-4:]}))
        return replace(
            with_range(at_least("sort", ClockValue({"S": text}))), filter=filter_
        )

    cursor = encode(since("OPEN#2026"))
    assert decode(cursor, since("OPEN#2026-06")) == {0: POSITION}
    # the clock has passed the position: the reader starts where the range now does
    assert decode(cursor, since("OPEN#2026-08")) == {0: POSITION}


def test_the_order_of_streams_does_not_matter_and_equal_ones_are_one() -> None:
    streams = [Stream({"tenant": {"S": name}}, RANGE) for name in ("b", "a", "c")]
    for order in (streams, streams[::-1], streams + streams):
        names = [stream.equal["tenant"]["S"] for stream in cursors.distinct(order)]
        assert names == ["a", "b", "c"]


def test_streams_that_hold_nothing_are_left_out() -> None:
    nothing = between("sort", {"S": "b"}, {"S": "a"})
    assert cursors.distinct([Stream({"tenant": {"S": "a"}}, nothing)]) == ()


# --- malformed and forged text --------------------------------------------------------------------


def changed(change: Any) -> str:
    payload = payload_of(encode())
    return cursor_of(change(payload))


def replaced(values: list[Any], place: int, value: Any) -> list[Any]:
    return [*values[:place], value, *values[place + 1 :]]


def any_cursor(payload: Any) -> str:
    raw = json.dumps(payload, separators=(",", ":")).encode()
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


@pytest.mark.parametrize(
    "cursor",
    [
        "",
        "=",
        "a",
        "!!!!",
        "nul",
        "\ud800",
        "é",
        None,
        b"bytes",
        encode() + "=",
        encode() + " ",
        encode()[:-1],
        "A" + encode(),
        base64.b64encode(b"[" * 30_000).decode(),
        base64.b64encode(b"9" * 6_000).decode(),
        base64.urlsafe_b64encode(json.dumps(payload_of(encode())).encode()).decode(),
        "A" * 200_000,
        changed(lambda p: None),
        changed(lambda p: 1),
        changed(lambda p: {"a": 1, "b": 2, "c": 3}),
        changed(lambda p: p[:2]),
        changed(lambda p: [*p, 1]),
        changed(lambda p: [2, *p[1:]]),
        changed(lambda p: [True, *p[1:]]),
        changed(lambda p: [1.0, *p[1:]]),
        changed(lambda p: ["1", *p[1:]]),
        changed(lambda p: [1, "", p[2]]),
        changed(lambda p: [1, None, p[2]]),
        changed(lambda p: [1, p[1], []]),
        changed(lambda p: [1, p[1], None]),
        changed(lambda p: [1, p[1], 7]),
        changed(lambda p: [1, p[1], {"0": p[2][0][1]}]),
        changed(lambda p: [1, p[1], [p[2][0], p[2][0]]]),
        changed(lambda p: [1, p[1], [[1, p[2][0][1]]]]),
        changed(lambda p: [1, p[1], [[-1, p[2][0][1]]]]),
        changed(lambda p: [1, p[1], [[False, p[2][0][1]]]]),
        changed(lambda p: [1, p[1], [["0", p[2][0][1]]]]),
        changed(lambda p: [1, p[1], [[0]]]),
        changed(lambda p: [1, p[1], [[0, p[2][0][1][:3]]]]),
        changed(lambda p: [1, p[1], [[0, [*p[2][0][1], "x"]]]]),
        changed(lambda p: [1, p[1], [[0, "t1O1"]]]),
        *(
            changed(lambda p, i=i, v=v: [1, p[1], [[0, replaced(p[2][0][1], i, v)]]])
            for i, v in [
                (0, ""),
                (0, None),
                (0, 1),
                (1, {"S": "OPEN#2026-07-01"}),
                (1, ["OPEN#2026-07-01"]),
                (2, ""),
                (2, "NaN"),
                (2, "Infinity"),
                (2, "1_0"),
                (2, " 1"),
                (2, "1e5000"),
                (2, "1" * 5000),
                (2, "٣"),
                (2, 12.5),
                (3, ""),
                (3, "!"),
                (3, "AP8"),
                (3, "AP8=\n"),
                (3, [0, 255]),
            ]
        ),
    ],
)
def test_anything_else_is_refused(cursor: Any) -> None:
    with pytest.raises(InvalidCursor):
        decode(cursor)
    with pytest.raises(InvalidCursor):
        decode(cursor, secret=SECRET)


def test_what_is_too_long_is_not_even_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(text: str) -> bytes:
        raise AssertionError(len(text))

    monkeypatch.setattr(cursors, "_of_base64", refuse)
    with pytest.raises(InvalidCursor):
        decode("A" * 200_000)


def test_a_lone_surrogate_is_no_key() -> None:
    payload = payload_of(encode())
    payload[2][0][1][1] = "OPEN#2026\ud800"
    with pytest.raises(InvalidCursor):
        decode(any_cursor(payload))


def test_signed_and_unsigned_cursors_do_not_mix() -> None:
    for cursor, secret in (
        (encode(), SECRET),
        (encode(secret=SECRET), None),
        (encode(secret=b"another"), SECRET),
    ):
        with pytest.raises(InvalidCursor):
            decode(cursor, secret=secret)
    with pytest.raises(InvalidCursor, match="another secret"):
        decode(encode(secret=b"another"), secret=SECRET)


def test_any_change_of_a_signed_cursor_is_refused() -> None:
    cursor = encode(secret=SECRET)
    for place, character in enumerate(cursor):
        other = "A" if character != "A" else "B"
        with pytest.raises(InvalidCursor):
            decode(cursor[:place] + other + cursor[place + 1 :], secret=SECRET)


texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)
numbers = st.decimals(
    allow_nan=False, allow_infinity=False, min_value=-(10**20), max_value=10**20
).map(str)


@settings(max_examples=150, deadline=None)
@given(texts, texts, numbers, st.binary(min_size=1), st.sampled_from([None, SECRET]))
def test_every_position_survives(
    tenant: str, sort: str, number: str, hash_: bytes, secret: bytes | None
) -> None:
    read = replace(READ, streams=(Stream({"tenant": {"S": tenant}}),))
    position = {
        "tenant": {"S": tenant},
        "sort": {"S": sort},
        "id": {"N": number},
        "hash": {"B": hash_},
    }
    assert decode(encode(read, position, secret), read, secret) == {0: position}


def test_the_longest_cursor_is_accepted() -> None:
    worst = "\x00" * 2048
    streams = tuple(Stream({"tenant": {"S": worst + str(i)}}) for i in range(3))
    read = replace(READ, key_types={"tenant": "S", "sort": "S"}, streams=streams)
    positions = {
        number: {"tenant": stream.equal["tenant"], "sort": {"S": worst}}
        for number, stream in enumerate(streams)
    }
    token = cursors.encode(read, streams, positions, SECRET)
    assert cursors.decode(read, streams, token, SECRET) == positions


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=200, deadline=None)
@given(
    st.text()
    | st.binary().map(lambda raw: base64.urlsafe_b64encode(raw).decode())
    | json_values.map(any_cursor)
    | st.lists(json_values, max_size=4).map(
        lambda keys: any_cursor([1, payload_of(encode())[1], keys])
    )
    | st.lists(json_values, min_size=4, max_size=4).map(
        lambda key: any_cursor([1, payload_of(encode())[1], [[0, key]]])
    )
)
def test_no_text_breaks_the_reader_of_cursors(cursor: str) -> None:
    for secret in (None, SECRET):
        with pytest.raises(InvalidCursor):
            decode(cursor, secret=secret)

"""Identity and time: ULIDs in order, from any thread."""

from __future__ import annotations

import datetime as dt
import os
import re
import time
import uuid
from concurrent.futures import ThreadPoolExecutor

from dyngen.runtime.clock import (
    DEFAULT_ENVIRONMENT,
    MonotonicUlids,
    new_token,
    new_ulid,
    new_uuid,
)

CANONICAL = re.compile("[0-7][0-9A-HJKMNP-TV-Z]{25}")


def milliseconds_of(ulid: str) -> int:
    time_part = 0
    for character in ulid[:10]:
        time_part = time_part * 32 + "0123456789ABCDEFGHJKMNPQRSTVWXYZ".index(character)
    return time_part


def test_a_ulid_holds_the_time() -> None:
    before = time.time_ns() // 1_000_000
    ulid = new_ulid()
    assert CANONICAL.fullmatch(ulid)
    assert before <= milliseconds_of(ulid) <= time.time_ns() // 1_000_000 + 1


def test_ulids_of_one_millisecond_count_up() -> None:
    ulids = MonotonicUlids(lambda: 1_750_000_000_000)
    made = [ulids() for _ in range(1_000)]
    assert made == sorted(set(made))
    assert {milliseconds_of(ulid) for ulid in made} == {1_750_000_000_000}


def test_a_clock_that_goes_back_does_not_break_the_order() -> None:
    clock = iter([5, 9, 3, 9, 10, 0])
    ulids = MonotonicUlids(lambda: next(clock))
    made = [ulids() for _ in range(6)]
    assert made == sorted(set(made))


def test_threads_share_one_order() -> None:
    with ThreadPoolExecutor(8) as pool:
        runs = list(pool.map(lambda _: [new_ulid() for _ in range(500)], range(8)))
    assert len({ulid for run in runs for ulid in run}) == 4_000
    assert all(run == sorted(run) for run in runs)


def test_the_last_moment_a_ulid_can_hold() -> None:
    assert CANONICAL.fullmatch(MonotonicUlids(lambda: 2**48 - 1)())


def test_a_forked_process_does_not_repeat_its_parent() -> None:
    new_ulid()
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.write(writing, new_ulid().encode())
        os._exit(0)
    os.waitpid(child, 0)
    assert os.read(reading, 26).decode()[10:] != new_ulid()[10:]


def test_uuids_and_tokens() -> None:
    assert uuid.UUID(new_uuid()).version == 4
    assert str(uuid.UUID(new_uuid()))
    assert len({new_token() for _ in range(1_000)}) == 1_000


def test_the_default_environment() -> None:
    now = DEFAULT_ENVIRONMENT.clock()
    assert now.tzinfo is dt.UTC
    assert 0 <= DEFAULT_ENVIRONMENT.random() < 1
    assert CANONICAL.fullmatch(DEFAULT_ENVIRONMENT.new_ulid())

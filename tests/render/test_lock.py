"""The lock reads back as it was written, and nothing else is taken for one."""

from __future__ import annotations

import pytest
from dyngen.render.lock import FileHashes, Lock, LockUnreadable, dumps, loads, safe_path

LOCK = Lock("0.1.0", "black 26.1.0", {"a/b.py": FileHashes("1", "2")}, {"kind": "d"})


def test_round_trip():
    assert loads(dumps(LOCK)) == LOCK


def test_files_are_sorted_so_that_the_bytes_are_stable():
    two = {"b": FileHashes("1", "1"), "a": FileHashes("2", "2")}
    one = {"a": FileHashes("2", "2"), "b": FileHashes("1", "1")}
    assert dumps(Lock("0", "f", two, {})) == dumps(Lock("0", "f", one, {}))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "<<<<<<< HEAD\n" + dumps(LOCK),
        "[]",
        "null",
        '{"lock": 2}',
        '{"lock": 1, "files": []}',
        dumps(LOCK).replace("a/b.py", "../b.py"),
        dumps(LOCK).replace("a/b.py", "/etc/passwd"),
    ],
)
def test_anything_else_is_unreadable(text):
    with pytest.raises(LockUnreadable):
        loads(text)


@pytest.mark.parametrize("path", ["a", "a/b.py", "cloudformation/template.yaml"])
def test_safe_paths(path):
    assert safe_path(path)


@pytest.mark.parametrize(
    "path",
    ["", ".", "..", "../a", "a/../b", "/a", "a//b", "a/", "./a", "C:/a", "a\\b", "a\0"],
)
def test_paths_that_leave_the_folder(path):
    assert not safe_path(path)

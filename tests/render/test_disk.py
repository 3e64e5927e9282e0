"""What is written, kept, deleted and refused in an output folder."""

from __future__ import annotations

import os

import pytest
from dyngen.render import disk, formatting
from dyngen.render.disk import Action, Found, Verb
from dyngen.render.drift import drift
from dyngen.render.lock import LOCK_NAME, LockUnreadable, loads, sha256

DESIGN = {"kind": "design"}
FILES = {"pkg/__init__.py": "x = 1\n", "README.md": "hello\n"}


def build(root, files=FILES, *, force=False, design=DESIGN):
    changes = disk.compare(root, files, design, force=force)
    disk.apply(changes)
    return changes


def tree(root):
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }


def verbs(changes):
    return {action.path: action.verb for action in changes.actions}


def stamps(root):
    return {p: p.stat().st_mtime_ns for p in root.rglob("*") if p.is_file()}


# --- decisions ------------------------------------------------------------------------------------

ONE, TWO, MINE = b"one", b"two", b"by hand"


@pytest.mark.parametrize(
    ("wanted", "locked", "found", "verb", "forced"),
    [
        (ONE, None, Found(), Verb.CREATE, Verb.CREATE),
        (ONE, ONE, Found(), Verb.CREATE, Verb.CREATE),
        (ONE, None, Found(ONE), Verb.KEEP, Verb.KEEP),
        (ONE, TWO, Found(ONE), Verb.KEEP, Verb.KEEP),
        (ONE, TWO, Found(TWO), Verb.UPDATE, Verb.UPDATE),
        (ONE, TWO, Found(MINE), Verb.REFUSE, Verb.UPDATE),
        (ONE, ONE, Found(MINE), Verb.REFUSE, Verb.UPDATE),
        (ONE, None, Found(MINE), Verb.REFUSE, Verb.UPDATE),
        (None, ONE, Found(ONE), Verb.DELETE, Verb.DELETE),
        (None, ONE, Found(MINE), Verb.REFUSE, Verb.DELETE),
        (None, ONE, Found(), None, None),
        (ONE, ONE, Found(obstacle="a link"), Verb.REFUSE, Verb.REFUSE),
        (None, ONE, Found(obstacle="a link"), Verb.REFUSE, Verb.REFUSE),
    ],
)
def test_every_case_of_one_path(wanted, locked, found, verb, forced):
    def decided(force):
        actions = disk.decide(
            {} if wanted is None else {"p": sha256(wanted)},
            {} if locked is None else {"p": sha256(locked)},
            {"p": found},
            force=force,
        )
        return actions[0].verb if actions else None

    assert decided(False) is verb
    assert decided(True) is forced


def test_a_refusal_says_why():
    found = {"p": Found(MINE)}
    assert disk.decide({"p": "1"}, {"p": "2"}, found, force=False) == (
        Action(Verb.REFUSE, "p", "it was edited by hand"),
    )
    assert disk.decide({"p": "1"}, {}, found, force=False) == (
        Action(Verb.REFUSE, "p", "dyngen did not write it"),
    )


# --- on the disk ----------------------------------------------------------------------------------


def test_a_build_writes_the_files_and_their_lock(tmp_path):
    root = tmp_path / "svc"
    build(root)
    written = tree(root)
    lock = loads(written.pop(LOCK_NAME).decode())
    assert written == {path: text.encode() for path, text in FILES.items()}
    assert {p: h.formatted for p, h in lock.files.items()} == {
        path: sha256(text.encode()) for path, text in FILES.items()
    }
    assert lock.design == DESIGN


def test_a_second_build_writes_nothing_and_formats_nothing(tmp_path, monkeypatch):
    build(tmp_path)
    before = stamps(tmp_path)

    def refuse(*_):
        raise AssertionError("nothing has changed")

    monkeypatch.setattr(disk, "_write", refuse)
    monkeypatch.setattr(formatting, "format_python", refuse)
    changes = build(tmp_path)
    assert not changes.drifted
    assert stamps(tmp_path) == before


def test_only_what_changed_is_written(tmp_path):
    build(tmp_path)
    before = stamps(tmp_path)
    build(tmp_path, {**FILES, "README.md": "hello again\n"})
    after = stamps(tmp_path)
    changed = {path.name for path in before if before[path] != after[path]}
    assert changed == {"README.md", LOCK_NAME}


def test_what_is_no_longer_generated_goes_with_its_empty_folder(tmp_path):
    build(tmp_path, {**FILES, "old/deep/module.py": "y = 1\n"})
    build(tmp_path)
    assert not (tmp_path / "old").exists()
    assert set(tree(tmp_path)) == {*FILES, LOCK_NAME}


def test_a_folder_with_the_users_files_stays(tmp_path):
    build(tmp_path, {**FILES, "old/module.py": "y = 1\n"})
    (tmp_path / "old" / "mine.txt").write_text("mine")
    build(tmp_path)
    assert set(tree(tmp_path)) == {*FILES, LOCK_NAME, "old/mine.txt"}


def test_a_hand_edited_file_stays_until_forced_and_is_reported_every_time(tmp_path):
    build(tmp_path)
    edited = tmp_path / "README.md"
    edited.write_text("mine\n")
    for _ in range(2):
        changes = build(tmp_path)
        assert [action.path for action in changes.refused] == ["README.md"]
        assert changes.drifted
        assert edited.read_text() == "mine\n"
    build(tmp_path, force=True)
    assert edited.read_text() == "hello\n"
    assert not build(tmp_path).drifted


def test_a_stale_file_edited_by_hand_stays_and_is_reported_every_time(tmp_path):
    build(tmp_path, {**FILES, "old.py": "y = 1\n"})
    (tmp_path / "old.py").write_text("mine = 1\n")
    for _ in range(2):
        assert [a.path for a in build(tmp_path).refused] == ["old.py"]
    assert (tmp_path / "old.py").read_text() == "mine = 1\n"
    build(tmp_path, force=True)
    assert not (tmp_path / "old.py").exists()


def test_an_unknown_file_in_the_way_stays(tmp_path):
    (tmp_path / "README.md").write_text("mine\n")
    changes = build(tmp_path)
    assert [action.reason for action in changes.refused] == ["dyngen did not write it"]
    assert (tmp_path / "README.md").read_text() == "mine\n"
    assert (tmp_path / "pkg" / "__init__.py").exists()


def test_without_a_lock_identical_files_are_adopted(tmp_path):
    build(tmp_path)
    lock = tmp_path / LOCK_NAME
    text = lock.read_text()
    lock.unlink()
    changes = build(tmp_path)
    assert set(verbs(changes).values()) == {Verb.KEEP}
    assert lock.read_text() == text


def test_other_files_are_not_looked_at(tmp_path):
    build(tmp_path)
    (tmp_path / "pkg" / "mine.py").write_text("syntax error(")
    (tmp_path / "loop").symlink_to(tmp_path)
    assert not build(tmp_path).drifted


def test_a_symbolic_link_is_refused_even_when_forced(tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    root = tmp_path / "svc"
    root.mkdir()
    (root / "pkg").symlink_to(outside)
    changes = build(root, force=True)
    assert [action.path for action in changes.refused] == ["pkg/__init__.py"]
    assert list(outside.iterdir()) == []


def test_a_service_folder_that_is_a_link_is_refused(tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (tmp_path / "svc").symlink_to(outside)
    with pytest.raises(LockUnreadable, match="symbolic link"):
        disk.compare(tmp_path / "svc", FILES, DESIGN)


def test_a_folder_in_the_place_of_a_file_is_refused(tmp_path):
    (tmp_path / "README.md").mkdir()
    changes = build(tmp_path, force=True)
    assert [a.reason for a in changes.refused] == ["there is a folder"]


@pytest.mark.parametrize("path", ["../x.py", "/x.py", "a/../../x.py"])
def test_paths_outside_the_folder_are_refused(tmp_path, path):
    with pytest.raises(ValueError, match="outside"):
        disk.compare(tmp_path, {path: "x"}, DESIGN)


def test_a_broken_lock_is_reported_and_forced_away(tmp_path):
    build(tmp_path)
    (tmp_path / LOCK_NAME).write_bytes(b"<<<<<<< HEAD\n\xff")
    with pytest.raises(LockUnreadable):
        build(tmp_path)
    build(tmp_path, force=True)
    assert not build(tmp_path).drifted


def test_line_ends_are_lf_and_text_is_utf8(tmp_path):
    build(tmp_path, {"a.md": "é\r\n\u2028\n"})
    assert (tmp_path / "a.md").read_bytes() == "é\r\n\u2028\n".encode()


def test_a_failed_write_leaves_the_old_file_and_no_temporary(tmp_path, monkeypatch):
    build(tmp_path)

    def fail(*_):
        raise OSError("disk full")

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", fail)
        with pytest.raises(OSError, match="disk full"):
            build(tmp_path, {**FILES, "README.md": "new\n"})
    assert set(tree(tmp_path)) == {*FILES, LOCK_NAME}
    assert (tmp_path / "README.md").read_text() == "hello\n"
    build(tmp_path, {**FILES, "README.md": "new\n"})
    assert (tmp_path / "README.md").read_text() == "new\n"


# --- formatting -----------------------------------------------------------------------------------


def test_python_is_formatted_and_the_rest_left_alone(tmp_path):
    build(tmp_path, {"a.py": "x = {  'a':1 }", "b.md": "x = {  'a':1 }"})
    assert (tmp_path / "a.py").read_text() == 'x = {"a": 1}\n'
    assert (tmp_path / "b.md").read_text() == "x = {  'a':1 }"


def test_only_new_text_is_formatted(tmp_path, monkeypatch):
    files = {"a.py": "a=1", "b.py": "b=1"}
    build(tmp_path, files)
    formatted = []
    original = formatting.format_python
    monkeypatch.setattr(
        formatting,
        "format_python",
        lambda text, path: formatted.append(path) or original(text, path),
    )
    build(tmp_path, {**files, "b.py": "b=2"})
    assert formatted == ["b.py"]
    assert (tmp_path / "a.py").read_text() == "a = 1\n"


def test_another_formatter_formats_everything_again(tmp_path, monkeypatch):
    build(tmp_path, {"a.py": "a=1"})
    monkeypatch.setattr(formatting, "formatter_version", lambda: "black 99")
    monkeypatch.setattr(disk, "formatter_version", lambda: "black 99")
    monkeypatch.setattr(formatting, "format_python", lambda text, path: "a = 2\n")
    changes = build(tmp_path, {"a.py": "a=1"})
    assert verbs(changes) == {"a.py": Verb.UPDATE}
    assert loads((tmp_path / LOCK_NAME).read_text()).formatter == "black 99"


@pytest.mark.parametrize("text", ["x = (", "def f(a, a): ...", "return 1", "'\\d'\n"])
def test_what_does_not_compile_is_never_written(tmp_path, text):
    with pytest.raises(formatting.RenderedCodeInvalid, match=r"a\.py"):
        build(tmp_path, {"a.py": text})
    assert tree(tmp_path) == {}


# --- drift ----------------------------------------------------------------------------------------


def test_no_drift_says_nothing(tmp_path):
    build(tmp_path)
    changes = disk.compare(tmp_path, FILES, DESIGN)
    assert not changes.drifted
    assert list(drift(changes)) == []


def test_a_change_shows_as_a_unified_diff_and_writes_nothing(tmp_path):
    build(tmp_path)
    before = tree(tmp_path)
    changes = disk.compare(tmp_path, {"README.md": "bye\n", "new.md": "n\n"}, DESIGN)
    assert list(drift(changes)) == [
        "--- README.md",
        "+++ README.md",
        "@@ -1 +1 @@",
        "-hello",
        "+bye",
        "--- /dev/null",
        "+++ new.md",
        "@@ -0,0 +1 @@",
        "+n",
        "--- pkg/__init__.py",
        "+++ /dev/null",
        "@@ -1 +0,0 @@",
        "-x = 1",
    ]
    assert tree(tmp_path) == before


def test_a_missing_lock_alone_is_drift(tmp_path):
    build(tmp_path)
    (tmp_path / LOCK_NAME).unlink()
    changes = disk.compare(tmp_path, FILES, DESIGN)
    assert changes.drifted
    assert list(drift(changes)) == [
        "dyngen.lock is missing; the files are as they would be generated"
    ]


def test_another_version_of_dyngen_alone_is_no_drift(tmp_path, monkeypatch):
    build(tmp_path)
    monkeypatch.setattr(disk, "__version__", "99")
    assert not disk.compare(tmp_path, FILES, DESIGN).drifted


def test_another_design_is_drift(tmp_path):
    build(tmp_path)
    changes = disk.compare(tmp_path, FILES, {"kind": "other"})
    assert list(drift(changes)) == [
        "dyngen.lock is out of date; the files are as they would be generated"
    ]

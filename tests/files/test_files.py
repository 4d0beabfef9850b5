"""Documents on disk: laid out and digested as any version does, written whole or not at all, read strictly."""

# Longer than 400 lines because the ways to write, and what may stand where one writes, are one subject.

import hashlib
import json
import os
import re
import socket
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fdpedu import files
from fdpedu.accounting import Ledger
from fdpedu.files import (
    PROGRAM,
    FileRefused,
    PreparedFile,
    as_path,
    digest,
    dumps,
    laid_out,
    loads,
    read_object,
    read_text,
    sync,
    write_text,
)
from fdpedu.secure_sum import Identity
from tests.support.faults import every_failure

SCHEMA = "fdpedu-example/2"
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
CONTENT = st.dictionaries(st.text().filter(lambda key: key not in ("schema", "digest")), PLAIN, max_size=4)


@given(CONTENT, st.sampled_from([None, 1]))
def test_a_document_reads_back(content, indent):
    """What is written is read, in the same order, whatever the layout."""
    assert list(loads(dumps(SCHEMA, content, indent), SCHEMA).items()) == list(content.items())


def test_a_digest_is_that_of_the_shortest_form():
    """As any version writes it, and another program can: no blanks, ASCII alone."""
    document = {"a": [1, 2.5, None], "b": {"größe": "∞"}}
    short = b'{"a":[1,2.5,null],"b":{"gr\\u00f6\\u00dfe":"\\u221e"}}'
    assert digest(document) == "sha256:" + hashlib.sha256(short).hexdigest()
    with pytest.raises(ValueError, match="JSON"):
        digest({"a": float("nan")})


@given(CONTENT.filter(bool), st.data())
def test_no_change_escapes_the_digest(content, data):
    """Whatever value is replaced by another one, the digest no longer fits."""
    document = json.loads(dumps(SCHEMA, content))
    key = data.draw(st.sampled_from(sorted(content)))
    document[key] = data.draw(PLAIN.filter(lambda value: json.dumps(value) != json.dumps(content[key])))
    with pytest.raises(FileRefused, match="digest"):
        loads(json.dumps(document), SCHEMA)


def test_a_document_without_its_digest_is_refused():
    """Else whoever changes a document would only have to leave it out."""
    document = json.loads(dumps(SCHEMA, {"a": 1}))
    for digest_left in ([], [("digest", None)], [("digest", "")]):
        with pytest.raises(FileRefused, match="digest"):
            loads(json.dumps({"schema": SCHEMA, "a": document["a"], **dict(digest_left)}), SCHEMA)


def test_the_order_of_keys_counts():
    """The columns of a domain have an order, so two orders are two documents."""
    assert digest({"a": 1, "b": 2}) != digest({"b": 2, "a": 1})


def test_one_line_or_many_are_one_document():
    content = {"größe": list(range(60)), "x": 1}
    line, many = dumps(SCHEMA, content, None), dumps(SCHEMA, content)
    assert "\n" not in line and line.startswith(
        f'{{"schema": "fdpedu-example/2", "program": "{PROGRAM}", "größe": [0, 1, 2, '
    )
    assert many == dumps(SCHEMA, content, 1) and re.match(
        r'\{\n "schema": .*,\n "program": .*,\n "größe": \[\n  0,', many
    )
    assert many.endswith("\n}\n") and loads(line, SCHEMA) == loads(many, SCHEMA) == content


@pytest.mark.parametrize("depth", [0, 1, 2])
def test_a_line_has_at_most_a_hundred_characters(depth):
    """Its margin among them; what holds nothing else stays on its line however long it is."""
    margin = " " * depth
    fits, longer = (["a" * (100 - depth - 4 + more)] for more in (0, 1))
    assert laid_out(fits, margin) == json.dumps(fits)
    assert laid_out(longer, margin) == f'[\n{margin} "{longer[0]}"\n{margin}]'
    assert laid_out("ä" * 300, margin) == '"' + "ä" * 300 + '"'
    named = {"ä" * 60: ["ö" * 60], "b": []}
    assert laid_out(named, margin) == f'{{\n{margin} "{"ä" * 60}": ["{"ö" * 60}"],\n{margin} "b": []\n{margin}}}'


def test_what_nobody_reads_stays_on_a_line():
    """From 20,001 characters on, but for the document itself."""
    for length, lines in ((20_000, True), (20_001, False)):
        value = ["a" * (length - 4)]
        assert len(json.dumps(value)) == length
        assert ("\n" in laid_out(value, " ")) == lines and "\n" in laid_out(value)
    deep = laid_out([[["a" * 99]]])
    assert deep == '[\n [\n  [\n   "' + "a" * 99 + '"\n  ]\n ]\n]'
    with pytest.raises(ValueError, match="JSON"):
        laid_out([float("inf")])


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("", "here"),
        ("[1]", "list"),
        ('{"a": 1, "a": 2}', "'a'"),
        ('{"a": NaN}', "NaN"),
        ('{"a": -Infinity}', "-Infinity"),
        ("[" * 100_000, "here"),
        ('{"a": ' + "9" * 5000 + "}", "here"),
    ],
)
def test_what_is_not_strict_json_is_refused(text, named):
    for read in (read_object, lambda text, where: loads(text, SCHEMA, where)):
        with pytest.raises(FileRefused, match=f"^here: .*{named}" if named != "here" else "^here: "):
            read(text, "here")


@pytest.mark.parametrize(
    "schema", ["fdpedu-example/3", "fdpedu-example/1", "fdpedu-tree/2", "fdpedu-example/two", None, 2]
)
def test_another_schema_is_named(schema):
    with pytest.raises(FileRefused, match=schema if isinstance(schema, str) else SCHEMA):
        loads(json.dumps({"schema": schema}), SCHEMA)


@pytest.mark.parametrize("path", [3, None, b"tree.json", "", "a\0b", ["tree.json"]])
def test_only_the_name_of_a_file_is_one(path):
    with pytest.raises(ValueError, match="path"):
        as_path(path)


def test_a_file_of_exactly_the_limit_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "MAX_BYTES", 4)
    (tmp_path / "file").write_text("four", "utf8")
    assert read_text(tmp_path / "file") == "four"


def test_a_huge_file_is_not_read(tmp_path):
    with (tmp_path / "huge").open("wb") as file:
        file.truncate(10**8 + 1)
    with pytest.raises(ValueError, match="huge"):
        read_text(tmp_path / "huge")


@pytest.mark.skipif(os.name != "posix", reason="a device of this name")
def test_what_has_no_end_is_not_read_to_it(monkeypatch):
    monkeypatch.setattr(files, "MAX_BYTES", 1000)
    with pytest.raises(ValueError, match="cannot read /dev/zero: it is larger than"):
        read_text("/dev/zero")


@pytest.mark.parametrize("there", [None, "latin", "folder"])
def test_what_cannot_be_read_is_named(tmp_path, there):
    place = tmp_path / "data.json"
    if there == "latin":
        place.write_bytes("Größe".encode("latin-1"))
    if there == "folder":
        place.mkdir()
    with pytest.raises(ValueError, match=re.escape(str(place))):
        read_text(place)
    place.rmdir() if there == "folder" else place.unlink(missing_ok=True)
    place.write_bytes(b"\xef\xbb\xbf{}")
    assert read_text(place) == "{}"


@pytest.mark.parametrize("place", ["no/such/folder", "."])
def test_what_cannot_be_written_is_named(tmp_path, place):
    with pytest.raises(ValueError, match=re.escape(str(tmp_path / place))):
        write_text(tmp_path / place, "{}")


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path):
    """A result that does not come, or a full disk, costs nothing that was there."""
    place = tmp_path / "kept.json"
    place.write_text("old", "utf8")
    with pytest.raises(ZeroDivisionError), PreparedFile(place, overwrite=True):
        1 / 0  # noqa: B018
    with pytest.raises(UnicodeEncodeError), PreparedFile(place, overwrite=True) as prepared:
        prepared.write("a lone surrogate: \ud800")
    assert place.read_text("utf8") == "old" and list(tmp_path.iterdir()) == [place]


def test_a_new_file_waits_beside_its_place_in_utf_8(tmp_path, monkeypatch):
    """Hidden, in the same folder, so that it can be moved in one step; lines end alike on every system."""
    asked, own = [], os.fdopen
    monkeypatch.setattr(os, "fdopen", lambda *given, **named: asked.append((given[1:], named)) or own(*given, **named))
    with PreparedFile(tmp_path / "new.json") as prepared:
        (beside,) = os.listdir(tmp_path)
        assert beside.startswith(".fdpedu-")
        prepared.write("größe\n")
    assert asked == [(("w",), {"encoding": "utf-8", "newline": "\n"})]
    assert os.listdir(tmp_path) == ["new.json"] and (tmp_path / "new.json").read_bytes() == "größe\n".encode()


@pytest.mark.parametrize(("mask", "rights"), [(0o027, 0o640), (0, 0o666)])
def test_a_new_file_has_the_rights_that_the_user_leaves(tmp_path, monkeypatch, mask, rights):
    """The user's mask is read by setting it, for which time nobody else's file may be open to all."""
    before, own, seen = os.umask(mask), os.umask, []
    try:
        monkeypatch.setattr(os, "umask", lambda mask: seen.append(mask) or own(mask))
        write_text(tmp_path / "new.json", "{}")
    finally:
        own(before)
    assert (tmp_path / "new.json").stat().st_mode & 0o777 == rights and seen == [0o077, mask]


def test_a_full_disk_leaves_nothing_and_is_named(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    place = tmp_path / "new.json"
    with pytest.raises(ValueError, match=re.escape(str(place))):
        write_text(place, "{}")
    assert os.listdir(tmp_path) == []


def test_where_a_folder_cannot_be_opened_its_list_is_left_to_the_system(monkeypatch, tmp_path):
    handles = []
    monkeypatch.setattr(os, "fsync", handles.append)
    (tmp_path / "file").touch()
    monkeypatch.setattr(files.os, "name", "nt")
    sync(str(tmp_path))
    assert handles == []
    sync(str(tmp_path / "file"))
    assert len(handles) == 1


@pytest.mark.parametrize("old", [None, "old"])
def test_wherever_the_disk_fails_the_old_file_stands_or_the_whole_new_one(tmp_path, old):
    """At every step, before and after it: no failure is passed over, and nothing else is left in the folder."""
    place = tmp_path / "kept.json"
    for failing in every_failure():
        place.unlink(missing_ok=True)
        if old is not None:
            place.write_text(old, "utf8")
        with failing as disk:
            if done := _goes_on(lambda: write_text(place, "new", overwrite=True)):
                disk.require_done()
        assert done != disk.failed, f"a failure is passed over: {disk.steps}"
        found = place.read_text("utf8") if place.exists() else None
        assert found in ((old, "new") if disk.failed else ("new",))
        assert os.listdir(tmp_path) == ([] if found is None else ["kept.json"])


def _goes_on(act):
    try:
        act()
    except ValueError:
        return False
    return True


# --- what stands there already ----------------------------------------------------------------------------------------

TREE_TEXT = dumps("fdpedu-tree/2", {"classes": [0, 1]})


def budget(place):
    Ledger.open(place, 1).close()


def a_pipe(place):
    os.mkfifo(place)


def a_socket(place):
    with socket.socket(socket.AF_UNIX) as opened:
        opened.bind(str(place))


def a_device(place):
    try:
        os.mknod(place, stat.S_IFCHR | 0o600, os.makedev(1, 3))
    except PermissionError:
        pytest.skip("only root makes devices")


KEPT = {
    "folder": (Path.mkdir, "it is a folder"),
    "pipe": (a_pipe, "it is a pipe"),
    "socket": (a_socket, "it is a socket"),
    "device": (a_device, "it is a device"),
    "budget": (budget, "it is a database, such as a budget"),
    "identity": (lambda place: Identity.create().save(place, "words"), "it is a key, such as an identity"),
}


def looked_at():
    """What stands in the folder, and what ``there`` is; when it was last read does not matter."""
    there = os.lstat("there")
    return sorted(os.listdir()), there.st_ino, there.st_mode, there.st_size, there.st_mtime_ns


@pytest.mark.parametrize("kind", KEPT)
def test_what_must_not_be_lost_is_refused_by_name_before_anything_else(tmp_path, monkeypatch, kind):
    """What stands there is the same afterwards, and nothing new is beside it."""
    monkeypatch.chdir(tmp_path)  # a socket's name must be short
    make, words = KEPT[kind]
    make(Path("there"))
    before = looked_at()
    content = Path("there").read_bytes() if Path("there").is_file() else None
    for write in (PreparedFile, lambda path: write_text(path, "{}")):
        with pytest.raises(ValueError, match=f"cannot write there: {words}"):
            write("there")
    assert looked_at() == before
    assert content is None or Path("there").read_bytes() == content


@pytest.mark.parametrize("end", ["-wal", "-shm", "-journal"])
def test_what_a_budget_keeps_beside_itself_belongs_to_it(tmp_path, end):
    budget(tmp_path / "study.db")
    (tmp_path / f"study.db{end}").write_bytes(b"something")
    with pytest.raises(ValueError, match=r"it belongs to the budget study\.db"):
        write_text(tmp_path / f"study.db{end}", "{}")
    (tmp_path / f"other{end}").write_bytes(b"something")
    write_text(tmp_path / f"other{end}", "{}", overwrite=True)


ANYTHING = {
    "rows": (b"age,ward\n63,A\n", "a file that holds something is there"),
    "a domain": (dumps("fdpedu-domain/1", {}).encode(), "a domain is there"),
    "a manifest on one line": (b'{"schema": "fdpedu-manifest/4", "rounds": []}', "a manifest is there"),
    "a derivation of a later version": (b'\n{"schema":"fdpedu-derivation/99"}', "a derivation is there"),
    "a tree": (TREE_TEXT.encode(), "a tree is there, which may have been paid for"),
    "a tree after a mark": (TREE_TEXT.encode("utf-8-sig"), "a tree is there, which may have been paid for"),
    "an older tree on one line": (dumps("fdpedu-tree/1", {}, indent=None).encode(), "a tree is there, which may have"),
    "an ensemble of a later version": (dumps("fdpedu-ensemble/2", {}).encode(), "an ensemble is there, which may have"),
    "structures": (dumps("fdpedu-structures/1", {}).encode(), "a file of structures is there, which may have been"),
    "a document of another program": (b'{"schema": "other"}', "a file that holds something is there"),
    "a page": (b"%PDF-1.7", "a PDF is there"),
    "one blank": (b" ", "a file that holds something is there"),
}


@pytest.mark.parametrize("content, words", ANYTHING.values(), ids=ANYTHING)
def test_whatever_holds_something_is_kept_unless_one_says_otherwise(tmp_path, content, words):
    """By its content, whatever it is called; an empty file, and one that holds just this, are no loss."""
    place = tmp_path / "out.csv"
    place.write_bytes(content)
    with pytest.raises(ValueError, match=f"{words}.*; choose another name, or say overwrite"):
        write_text(place, "{}")
    assert place.read_bytes() == content and os.listdir(tmp_path) == ["out.csv"]
    write_text(place, content.decode())
    write_text(place, "{}", overwrite=True)
    assert place.read_text("utf8") == "{}"
    place.write_bytes(b"")
    write_text(place, "[]")
    assert place.read_text("utf8") == "[]"


def test_what_the_same_work_made_before_makes_way(tmp_path):
    """It is known by how it begins; anything else stays."""
    place = tmp_path / "figure.csv"
    for content, kept in ((b"n,epsilon\n1,2\n", False), (b"n,epsilon_spent\n", True), (b"\nn,epsilon\n", True)):
        place.write_bytes(content)
        if kept:
            with pytest.raises(ValueError, match="is there"):
                PreparedFile(place, own="n,epsilon\n")
        else:
            with PreparedFile(place, own="n,epsilon\n") as prepared:
                prepared.write("new")
            assert place.read_bytes() == b"new"


@pytest.mark.parametrize("overwrite", [False, True])
@pytest.mark.parametrize("of", ["a file", "nothing", "itself", "a link"])
def test_no_file_is_written_through_another_name(tmp_path, of, overwrite):
    """A link may lead to any place; what a file's second name stands for is somebody else's."""
    place, link = tmp_path / "kept.json", tmp_path / "link.json"
    if of == "a file":
        place.write_text("old", "utf8")
    link.symlink_to({"itself": link, "a link": tmp_path / "other"}.get(of, place))
    (tmp_path / "other").symlink_to(place)
    with pytest.raises(ValueError, match="it is a link: name the file itself"):
        write_text(link, "new", overwrite=overwrite)
    assert link.is_symlink() and place.exists() == (of == "a file")


def test_a_folder_may_be_a_link(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "folder")
    write_text(tmp_path / "link" / "new.json", "new")
    assert (tmp_path / "folder" / "new.json").read_text("utf8") == "new"


@pytest.mark.parametrize("rights", [0o600, 0o640, 0o664, 0o400])
def test_a_file_keeps_its_rights(tmp_path, rights):
    place = tmp_path / "kept.json"
    place.write_text("old", "utf8")
    place.chmod(rights)
    write_text(place, "new", overwrite=True)
    assert place.read_text("utf8") == "new" and stat.S_IMODE(os.stat(place).st_mode) == rights

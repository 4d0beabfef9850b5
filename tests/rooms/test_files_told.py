"""Files to the letter: how documents are laid out and digested, what a refusal says, how a file takes its place."""

import hashlib
import json
import os

import pytest

from fdpedu import files
from fdpedu.files import FileRefused, PreparedFile, digest, dumps, laid_out, loads, read_object, read_text, understood

SCHEMA = "fdpedu-example/2"


def refused(message, call, kind=ValueError):
    with pytest.raises(kind) as refusal:
        call()
    assert type(refusal.value) is kind and str(refusal.value) == message


def test_a_digest_is_that_of_the_shortest_form():
    """As any version writes it, and another program can: no blanks, ASCII alone."""
    document = {"a": [1, 2.5, None], "b": {"größe": "∞"}}
    short = b'{"a":[1,2.5,null],"b":{"gr\\u00f6\\u00dfe":"\\u221e"}}'
    assert digest(document) == "sha256:" + hashlib.sha256(short).hexdigest()
    with pytest.raises(ValueError, match="not JSON compliant"):
        digest({"a": float("nan")})


def test_one_line_or_many_are_one_document():
    content = {"größe": list(range(60)), "x": 1}
    line, many = dumps(SCHEMA, content, None), dumps(SCHEMA, content)
    assert "\n" not in line and line.startswith('{"schema": "fdpedu-example/2", "größe": [0, 1, 2, ')
    assert many == dumps(SCHEMA, content, 1) and many.startswith('{\n "schema": "fdpedu-example/2",\n "größe": [\n  0,')
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
    with pytest.raises(ValueError, match="not JSON compliant"):
        laid_out([float("inf")])


def test_refusals_of_a_text_say_where_and_what():
    refused("here: expected JSON as text, got bytes", lambda: read_object(b"{}", "here"))
    refused("here: expected an object {…}, got list", lambda: read_object("[]", "here"), FileRefused)
    twice = '{"b": 1, "a": 1, "c": 2, "a": 3}'
    refused(
        "here: 'a' stands more than once in one object; keep one of them",
        lambda: read_object(twice, "here"),
        FileRefused,
    )
    for read in (read_object, lambda text, where: loads(text, SCHEMA, where)):
        refused("here: it is not JSON: Expecting value in line 2", lambda read=read: read("\n", "here"), FileRefused)


@pytest.mark.parametrize(("stated", "told"), [("a/b/1", "an older"), ("a/b/3", "a newer"), ("a/b/02", "an older")])
def test_the_version_stands_behind_the_last_stroke(stated, told):
    with pytest.raises(FileRefused, match=f"{told} "):
        loads(json.dumps({"schema": stated}), "a/b/2")


def test_a_version_of_many_digits_is_none():
    """Python turns no text of more than 4,300 digits into a number."""
    for digits, told in ((9, "it is 'a/" + "9" * 9 + "': written by a newer"), (10, "it is 'a/9999999999'$")):
        with pytest.raises(FileRefused, match=told):
            loads(json.dumps({"schema": "a/" + "9" * digits}), "a/2")
    with pytest.raises(FileRefused, match=r"^here: expected .*, it is 'a/9{57}$"):
        loads(json.dumps({"schema": "a/" + "9" * 5000}), "a/2", "here")


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (KeyError("rows"), "here: it lacks 'rows'"),
        (IndexError("no"), "here: it lacks something, or has it in another form (IndexError('no'))"),
        (ValueError("no"), "here: no"),
        (FileRefused("there: no"), "there: no"),
    ],
)
def test_what_a_reader_stumbles_over_is_told(error, told):
    def read():
        raise error

    refused(told, lambda: understood("here", read), FileRefused)


@pytest.mark.parametrize("path", [3, None, b"tree.json", "", "a\0b", ["tree.json"]])
def test_only_the_name_of_a_file_is_one(path):
    refused(f"path must be the name of a file, got {path!r}", lambda: files.as_path(path))


def test_a_file_of_exactly_the_limit_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "MAX_BYTES", 4)
    (tmp_path / "file").write_text("four", "utf8")
    assert read_text(tmp_path / "file") == "four"


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


def test_a_new_file_has_all_rights_that_the_user_leaves(tmp_path, monkeypatch):
    """The user's mask is read by setting it, for which time nobody else's file may be open to all."""
    before, own, seen = os.umask(0), os.umask, []
    try:
        monkeypatch.setattr(os, "umask", lambda mask: seen.append(mask) or own(mask))
        files.write_text(tmp_path / "new.json", "{}")
    finally:
        own(before)
    assert (tmp_path / "new.json").stat().st_mode & 0o777 == 0o666 and seen == [0o077, 0]


def test_a_full_disk_is_told_in_the_system_s_words(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    place = tmp_path / "new.json"
    refused(f"cannot write {place}: no space left on device", lambda: files.write_text(place, "{}"))
    assert os.listdir(tmp_path) == [] and files.reason(TimeoutError()) == "timeoutError"

"""What `files` refuses, sentence by sentence. Other tests name the file only, or what stands in it."""

import json
import os

import pytest

from fdpedu.files import FileRefused, as_path, dumps, loads, read_object, read_text, reason, understood, write_text
from tests.support.sentences import said_in_full

OLD = "a/b/2"


def stated(schema, expected=OLD):
    return lambda: loads(json.dumps({"schema": schema}), expected, "here")


def changed():
    loads(dumps(OLD, {"a": 1}).replace("1,", "3,"), OLD, "here")


def stumbled(error):
    def read():
        raise error

    return lambda: understood("here", read)


EXPECTED = "here: expected a document with the schema 'a/b/2', it"
SHORT = "here: expected a document with the schema 'a/2', it is"  # text of over 4,300 digits is no number for Python
NEWER = "a newer fdpedu wrote it, and reads it"
EARLY = "an early fdpedu 0.1.0 wrote it, and reads it"
CHANGED = "here: it was changed after it was written: its digest does not fit its content"
DEEP = "here: it is not JSON that can be read, or is nested too deeply"
NINES = "9" * 9
REFUSED = [
    (stated("a/b/1"), f"{EXPECTED} is 'a/b/1': {EARLY}"),
    (stated("a/b/3"), f"{EXPECTED} is 'a/b/3': {NEWER}"),
    (stated("a/b/02"), f"{EXPECTED} is 'a/b/02': {EARLY}"),
    (stated("a/c/2"), f"{EXPECTED} is 'a/c/2'"),
    (stated("a/b/two"), f"{EXPECTED} is 'a/b/two'"),
    (stated(None), f"{EXPECTED} has none"),
    (stated(2), f"{EXPECTED} has none"),
    (stated(f"a/{NINES}", "a/2"), f"{SHORT} 'a/{NINES}': {NEWER}"),
    (stated(f"a/9{NINES}", "a/2"), f"{SHORT} 'a/9{NINES}'"),
    (stated(f"a/{'9' * 5000}", "a/2"), f"{SHORT} 'a/{'9' * 57}"),
    (changed, CHANGED),
    (lambda: loads(json.dumps({"schema": OLD, "a": 1}), OLD, "here"), CHANGED),
    (lambda: read_object("[]", "here"), "here: expected an object {…}, got list"),
    (
        lambda: read_object('{"b": 1, "a": 1, "c": 2, "a": 3}', "here"),
        "here: 'a' stands more than once in one object; keep one of them",
    ),
    (lambda: read_object('{"a": NaN}', "here"), "here: NaN is no number"),
    (lambda: read_object("\n", "here"), "here: it is not JSON: Expecting value in line 2"),
    (lambda: read_object("[" * 100_000, "here"), DEEP),
    (lambda: read_object("9" * 5000, "here"), DEEP),
    (stumbled(KeyError("rows")), "here: it lacks 'rows'"),
    (stumbled(IndexError("no")), "here: it lacks something, or has it in another form (IndexError('no'))"),
    (stumbled(ValueError("no")), "here: no"),
    (stumbled(FileRefused("there: no")), "there: no"),
]


test_sentences_of_refused_documents = said_in_full(REFUSED, FileRefused)


def full(*_):
    raise OSError(28, "No space left on device")


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (lambda place: read_object(b"{}", "here"), "here: expected JSON as text, got bytes"),
        (lambda place: as_path(3), "path must be the name of a file, got 3"),
        (lambda place: read_text(place / "missing"), "cannot read {}/missing: no such file or directory"),
        (lambda place: read_text(place / "huge"), "cannot read {}/huge: it is larger than 100 MB"),
        (lambda place: write_text(place / "no" / "folder", ""), "cannot write {}/no/folder: no such file or directory"),
        (lambda place: write_text(place, ""), "cannot write {}: it is a folder"),
        (lambda place: write_text(place / "full", ""), "cannot write {}/full: no space left on device"),
    ],
)
def test_sentences_of_what_cannot_be_done(tmp_path, monkeypatch, ask, sentence):
    with (tmp_path / "huge").open("wb") as file:
        file.truncate(10**8 + 1)
    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(ValueError) as caught:
        ask(tmp_path)
    assert type(caught.value) is ValueError and str(caught.value) == sentence.replace("{}", str(tmp_path))


def test_the_sentence_of_an_encoding(tmp_path):
    (tmp_path / "latin").write_bytes("Größe".encode("latin-1"))
    with pytest.raises(FileRefused) as caught:
        read_text(tmp_path / "latin")
    assert str(caught.value) == f"{tmp_path / 'latin'}: expected text in UTF-8"


def test_an_error_without_a_text_is_named_by_its_type():
    assert reason(TimeoutError()) == "timeoutError"

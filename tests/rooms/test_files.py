"""Documents on disk: written whole or not at all, read strictly, and refused with the reason when they were changed."""

import json
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fdpedu.files import FileRefused, PreparedFile, digest, dumps, loads, read_object, read_text, write_text

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


@given(CONTENT.filter(bool), st.data())
def test_no_change_escapes_the_digest(content, data):
    """Whatever value is replaced by another one, the digest no longer fits."""
    document = json.loads(dumps(SCHEMA, content))
    key = data.draw(st.sampled_from(sorted(content)))
    document[key] = data.draw(PLAIN.filter(lambda value: json.dumps(value) != json.dumps(content[key])))
    with pytest.raises(FileRefused, match="changed after it was written"):
        loads(json.dumps(document), SCHEMA)


def test_a_document_without_its_digest_is_refused():
    """Else whoever changes a document would only have to leave it out."""
    document = json.loads(dumps(SCHEMA, {"a": 1}))
    for digest_left in ([], [("digest", None)], [("digest", "")]):
        with pytest.raises(FileRefused, match="its digest does not fit"):
            loads(json.dumps({"schema": SCHEMA, "a": document["a"], **dict(digest_left)}), SCHEMA)


def test_the_order_of_keys_counts():
    """The columns of a domain have an order, so two orders are two documents."""
    assert digest({"a": 1, "b": 2}) != digest({"b": 2, "a": 1})


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "not JSON"),
        ("[1]", "expected an object"),
        ('{"a": 1, "a": 2}', "'a' stands more than once"),
        ('{"a": NaN}', "NaN is no number"),
        ('{"a": -Infinity}', "-Infinity is no number"),
        ("[" * 100_000, "nested too deeply"),
        ('{"a": ' + "9" * 5000 + "}", "not JSON that can be read"),
    ],
)
def test_what_is_not_strict_json_is_refused(text, why):
    with pytest.raises(FileRefused, match=why):
        read_object(text)


@pytest.mark.parametrize(
    ("schema", "why"),
    [
        ("fdpedu-example/3", "written by a newer fdpedu"),
        ("fdpedu-example/1", "an older version"),
        ("fdpedu-tree/2", "it is 'fdpedu-tree/2'"),
        ("fdpedu-example/two", "it is 'fdpedu-example/two'"),
        (None, "it has none"),
        (2, "it has none"),
    ],
)
def test_another_schema_is_named(schema, why):
    with pytest.raises(FileRefused, match=why):
        loads(json.dumps({"schema": schema}), SCHEMA)


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path):
    """A result that does not come, or a full disk, costs nothing that was there."""
    place = tmp_path / "kept.json"
    place.write_text("old", "utf8")
    with pytest.raises(ZeroDivisionError), PreparedFile(place):
        1 / 0  # noqa: B018
    with pytest.raises(UnicodeEncodeError), PreparedFile(place) as prepared:
        prepared.write("a lone surrogate: \ud800")
    assert place.read_text("utf8") == "old" and list(tmp_path.iterdir()) == [place]


def test_files_have_the_rights_that_the_user_gives(tmp_path):
    before = os.umask(0o027)
    try:
        write_text(tmp_path / "new.json", "{}")
    finally:
        os.umask(before)
    assert (tmp_path / "new.json").stat().st_mode & 0o777 == 0o640


def test_whatever_cannot_be_read_or_written_is_said_in_words(tmp_path):
    (tmp_path / "latin").write_bytes("Größe".encode("latin-1"))
    (tmp_path / "marked").write_bytes(b"\xef\xbb\xbf{}")
    with pytest.raises(ValueError, match="no such file or directory"):
        read_text(tmp_path / "missing")
    with pytest.raises(FileRefused, match="UTF-8"):
        read_text(tmp_path / "latin")
    with pytest.raises(ValueError, match="cannot write"):
        write_text(tmp_path / "no" / "such" / "folder", "{}")
    with pytest.raises(ValueError, match="it is a folder"):
        write_text(tmp_path, "{}")
    assert read_text(tmp_path / "marked") == "{}"


def test_a_huge_file_is_not_read(tmp_path):
    with (tmp_path / "huge").open("wb") as file:
        file.truncate(10**8 + 1)
    with pytest.raises(ValueError, match="larger than 100 MB"):
        read_text(tmp_path / "huge")

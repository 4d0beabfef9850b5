"""What is shown of a federation: transcripts and manifests, letter by letter, as text, as a page and as a file."""

import json

import pytest

from fdpedu.federation.manifest import Manifest
from fdpedu.federation.transcript import Transcript
from fdpedu.federation.transport import Message
from fdpedu.files import FileRefused

HEAD = bytes(range(256))
SENT = (
    Message(0, "aggregator", "south 1", "invitation", 1234, HEAD),
    Message(0, "south 1", "aggregator", "nonce", 99, b""),
    Message(12, "aggregator", "<b> 2", "queries", 12345678, HEAD),
    Message(12, "<b> 2", "aggregator", "masked sums", 300, HEAD),
)
SEEN = "60 61 62 63 64 65 66 67 68 69 6a 6b …"
SUMS = "aa ab ac ad ae af b0 b1 b2 b3 b4 b5 …"


def transcript(messages=SENT):
    return Transcript(messages, lambda number: f"1 × counts & more in round {number}")


def test_a_transcript_letter_by_letter():
    shown = transcript()
    assert shown.render().splitlines() == [
        "round  from        to          what              bytes  what can be seen of it",
        f"    –  aggregator  south 1     invitation        1,234  {SEEN}",
        "    –  south 1     aggregator  nonce                99   …",
        "   12  aggregator  <b> 2       queries      12,345,678  1 × counts & more in round 12",
        f"   12  <b> 2       aggregator  masked sums         300  {SUMS}",
        "4 messages, 12,347,311 bytes",
    ]
    assert (len(shown), shown.bytes, repr(shown)) == (4, 12347311, "Transcript(4 messages, 12,347,311 bytes)")


def test_the_last_messages_of_a_transcript():
    """None is left out when there are just as many as are shown."""
    shown = transcript()
    assert shown.render(most=2).splitlines() == [
        "round  from        to          what              bytes  what can be seen of it",
        "   12  aggregator  <b> 2       queries      12,345,678  1 × counts & more in round 12",
        f"   12  <b> 2       aggregator  masked sums         300  {SUMS}",
        "4 messages, 12,347,311 bytes; the last 2 are shown",
    ]
    assert shown.render(most=4) == shown.render() == shown.render(most=5)
    many = transcript(SENT[:1] * 41)
    assert len(many.render().splitlines()) == 42 and many.render().endswith("; the last 40 are shown")
    assert len(transcript(SENT[:1] * 40).render().splitlines()) == 42


def test_a_line_has_no_blanks_at_its_end():
    silent = Transcript(SENT[2:3], lambda number: "")
    assert silent.render().splitlines()[1] == "   12  aggregator  <b> 2  queries  12,345,678"


def cells(*texts):
    return "".join(f"<td>{text}</td>" for text in texts)


def test_a_transcript_as_a_page():
    """What is between angles in a name is a name, and no part of the page."""
    head = "".join(
        f'<th scope="col">{name}</th>' for name in ("round", "from", "to", "what", "bytes", "what can be seen of it")
    )
    rows = [
        cells("–", "aggregator", "south 1", "invitation", "1,234", SEEN),
        cells("–", "south 1", "aggregator", "nonce", "99", " …"),
        cells("12", "aggregator", "&lt;b&gt; 2", "queries", "12,345,678", "1 × counts &amp; more in round 12"),
        cells("12", "&lt;b&gt; 2", "aggregator", "masked sums", "300", SUMS),
    ]
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    assert transcript()._repr_html_() == (
        '<table class="fdpedu-results fdpedu-wide"><caption>4 messages, 12,347,311 bytes</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    )
    page = transcript(SENT[:1] * 41)._repr_html_()
    assert "<caption>41 messages, 50,594 bytes; the last 40 are shown</caption>" in page
    assert page.count("<tr>") == 41


# --- manifests --------------------------------------------------------------------------------------------------------

COUNTS, HISTOGRAM = {"query": "counts of <all>", "rate": "1/4"}, {"query": "histogram", "rate": "1/4"}
ROUNDS = [
    {"round": 1, "queries": [COUNTS, HISTOGRAM, COUNTS], "receivers": ["ä 1", "b 2", "c 3"], "answers": ["ä 1"]},
    {"round": 12, "queries": [{**COUNTS, "rate": "1/8"}, COUNTS], "receivers": ["ä 1", "b 2"], "answers": []},
]
CONTENT = {"schema": "fdpedu-manifest/2", "rounds": ROUNDS}
FIRST, SECOND = (
    "2 × counts of <all> at 1/4; 1 × histogram at 1/4",
    "1 × counts of <all> at 1/8; 1 × counts of <all> at 1/4",
)


def test_a_manifest_letter_by_letter():
    assert Manifest(CONTENT).render().splitlines() == [
        "round  queries  asked  answered  what, and at which rate of noise",
        f"    1        3      3         1  {FIRST}",
        f"   12        2      2         0  {SECOND}",
    ]
    assert Manifest(CONTENT).rounds == tuple(ROUNDS)


def test_a_manifest_as_a_page():
    names = ("round", "queries", "asked", "answered", "what, and at which rate of noise")
    head = "".join(f'<th scope="col">{name}</th>' for name in names)
    escaped = [text.replace("<all>", "&lt;all&gt;") for text in (FIRST, SECOND)]
    rows = [cells("1", "3", "3", "1", escaped[0]), cells("12", "2", "2", "0", escaped[1])]
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    assert Manifest(CONTENT)._repr_html_() == (
        '<table class="fdpedu-results"><caption>What crossed the transport in 2 rounds</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    )


def test_a_manifest_as_a_file(tmp_path):
    manifest, path = Manifest(CONTENT), tmp_path / "manifest.json"
    assert manifest.to_json() == json.dumps(CONTENT, ensure_ascii=False) and "ä" in manifest.to_json()
    assert manifest.to_json(indent=2) == json.dumps(CONTENT, ensure_ascii=False, indent=2)
    manifest.save(path)
    assert path.read_text("utf8") == json.dumps(CONTENT, ensure_ascii=False, indent=1) + "\n"
    assert Manifest.load(path) == Manifest.load(str(path)) == Manifest.from_json(manifest.to_json()) == manifest


SCHEMA = "expected a manifest with the schema 'fdpedu-manifest/2' and its rounds"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"schema": "fdpedu-manifest/0", "rounds": []}', SCHEMA),
        ('{"rounds": []}', SCHEMA),
        ('{"schema": "fdpedu-manifest/2"}', SCHEMA),
        ('{"schema": "fdpedu-manifest/2", "rounds": {}}', SCHEMA),
        ("{}", SCHEMA),
        ("[]", "expected an object {…}, got list"),
    ],
)
def test_what_is_no_manifest_is_refused_in_these_words(tmp_path, text, told):
    path = tmp_path / "m.json"
    path.write_text(text, "utf8")
    for read, where in (
        (lambda: Manifest.from_json(text), "the text"),
        (lambda: Manifest.from_json(text, "here"), "here"),
        (lambda: Manifest.load(path), str(path)),
    ):
        with pytest.raises(FileRefused) as refused:
            read()
        assert str(refused.value) == f"{where}: {told}"


def test_a_manifest_that_lacks_something_cannot_be_shown():
    with pytest.raises(FileRefused) as refused:
        Manifest({"schema": "fdpedu-manifest/2", "rounds": [{"round": 1, "queries": []}]}).render()
    assert str(refused.value) == "the manifest: it lacks 'receivers'"

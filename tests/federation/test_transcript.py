"""Transcripts: letter by letter, as text and as a page; requests are shown, answers are not."""

from fdpedu.claims.secure_sum.messages import AGE, ALL
from fdpedu.federation import ClassCounts, ClassHistogram, NodeHistograms
from fdpedu.federation.transcript import Transcript
from fdpedu.federation.transport import Message
from tests.support.federations import federation

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


def test_a_federation_s_transcript_shows_requests_in_words_and_hides_answers():
    """The same bytes of two keys, other ones of two answers; numbers to the right, names to the left."""
    f = federation(2, budget=9)
    counts, histogram = ClassCounts(ALL, "1/4"), ClassHistogram(ALL, "1/4", 0)
    f.release([counts, histogram, counts])
    shown, page = f.transcript.render(), f.transcript._repr_html_()
    asked = f"2 × {counts.describe(AGE)}; 1 × {histogram.describe(AGE)}"
    assert asked in shown and asked in page and f._describe(1) == f.transcript.describe(1) == asked
    rows = [line.split() for line in shown.splitlines()]
    assert rows[0][:4] == ["round", "from", "to", "what"] and rows[-1][0] == "16"
    assert len(f.transcript) == 16 and page.count("<tr>") == 17
    sums = [message for message in f.transport.manifest if message.kind == "masked sums"]
    lines = [line for line in shown.splitlines() if "masked sums" in line]
    assert all(message.head[170:182].hex(" ") in line for message, line in zip(sums, lines, strict=True))
    assert len(lines) == 2 and f.transcript.bytes == f.bytes_sent
    f.release([NodeHistograms(ALL, 1)])
    assert f._describe(2) == f"1 × {NodeHistograms(ALL, 1).describe(AGE)}"
    (row, *others) = f.manifest.render().splitlines()[1:]
    assert row.split()[:4] == ["1", "3", "2", "2"] and len(others) == 1

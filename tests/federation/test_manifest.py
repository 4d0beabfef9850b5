"""Manifests: letter by letter, as text, as a page and as a file; what they hold of rounds that fail."""

import json
from fractions import Fraction

import pytest

from fdpedu.accounting import Ledger
from fdpedu.claims.federations import federate
from fdpedu.domain import Domain, Numeric
from fdpedu.federation import ClassCounts, Federation, InProcess, Party
from fdpedu.federation.manifest import Manifest
from fdpedu.files import FileRefused
from fdpedu.randomness import Rehearsal, ZeroWords
from fdpedu.secure_sum import RoundLost


def cells(*texts):
    return "".join(f"<td>{text}</td>" for text in texts)


COUNTS, HISTOGRAM = {"query": "counts of <all>", "rate": "1/4"}, {"query": "histogram", "rate": "1/4"}
ROUNDS = [
    {"round": 1, "queries": [COUNTS, HISTOGRAM, COUNTS], "receivers": ["ä 1", "b 2", "c 3"], "answers": ["ä 1"]},
    {"round": 12, "queries": [{**COUNTS, "rate": "1/8"}, COUNTS], "receivers": ["ä 1", "b 2"], "answers": []},
]

CONTENT = {"schema": "fdpedu-manifest/5", "rounds": ROUNDS}
FIRST, SECOND = (
    "2 × counts of <all> at 1/4; 1 × histogram at 1/4",
    "1 × counts of <all> at 1/8; 1 × counts of <all> at 1/4",
)


def test_a_manifest_letter_by_letter():
    assert Manifest(CONTENT).render().splitlines() == [
        "round  queries  asked  answered  what, and at which rate or variance of noise",
        f"    1        3      3         1  {FIRST}",
        f"   12        2      2         0  {SECOND}",
    ]
    assert Manifest(CONTENT).rounds == tuple(ROUNDS)


def test_a_manifest_as_a_page():
    names = ("round", "queries", "asked", "answered", "what, and at which rate or variance of noise")
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


@pytest.mark.parametrize("text", ['{"schema": "fdpedu-manifest/0", "rounds": []}', "{}", "[]"])
def test_what_is_no_manifest_is_refused_by_where_it_stands(tmp_path, text):
    path = tmp_path / "m.json"
    path.write_text(text, "utf8")
    for read, where in (
        (lambda: Manifest.from_json(text), "the text"),
        (lambda: Manifest.from_json(text, "here"), "here"),
        (lambda: Manifest.load(path), str(path)),
    ):
        with pytest.raises(FileRefused) as refused:
            read()
        assert str(refused.value).startswith(f"{where}: expected ")


GRID = Domain([Numeric.grid("x", 0, 4, bins=4)], ("a", "b"))
PARTS = [[[1, "a"]] * 20 + [[4, "b"]] * 20, [[1, "a"]] * 10 + [[3, "b"]] * 20]


class Failing(InProcess):
    """A transport that breaks down on the way to the second party."""

    def gather(self, number, names, request, endpoints):
        def broken(_):
            raise ConnectionError

        return super().gather(number, names, request, [endpoints[0], broken])


def test_a_round_whose_sending_fails_stays_charged_and_in_the_manifest():
    """The first party has answered: what may have been seen is paid for, and the query has its release."""
    f = federate(PARTS, GRID, 1, ZeroWords(), transport=Failing())
    with pytest.raises(RoundLost, match=r"'party 2' does not answer in round 1.*silent"):
        f.release([ClassCounts(GRID.everything, "1/2")])
    assert f.ledger.spent == Fraction(1, 2) and f.rounds == 1
    f.transport.gather = InProcess.gather.__get__(f.transport)
    f.release([ClassCounts(GRID.everything, "1/2")])
    assert f.ledger.spent == 1 and list(f.transport.requests) == [1, 2]


def test_rounds_of_one_ledger_have_different_numbers_in_two_federations():
    """A round's number is the ledger's, so that releases of two federations cannot be taken for each other."""
    ledger = Ledger(2)
    first, second = (
        Federation([Party(rows, GRID) for rows in PARTS], GRID, ledger, rng=Rehearsal(1)) for _ in range(2)
    )
    first.release([ClassCounts(GRID.everything, "1/2")])
    second.release([ClassCounts(GRID.everything, "1/2")])
    assert (list(first.transport.requests), list(second.transport.requests)) == ([1], [2])
    assert ledger.derivation().spent == 1

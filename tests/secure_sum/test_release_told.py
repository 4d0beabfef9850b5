"""A federation from its parties to its answers: what it takes, what it charges and asks, and its words."""

import copy
import pickle
from fractions import Fraction

import numpy as np
import pytest

from fdpedu.accounting import Ledger
from fdpedu.claims.secure_sum.laws_federation import AGE, ALL, ROWS
from fdpedu.domain import Domain, Numeric
from fdpedu.federation import ClassCounts, ClassHistogram, Federation, InProcess, NodeHistograms, Party
from fdpedu.federation import federation as module
from fdpedu.federation.federation import _is_same
from fdpedu.federation.messages import MAX_FIELDS
from fdpedu.process import Process
from fdpedu.randomness import Rehearsal, ZeroWords
from tests.support.small_federations import federation, parties

QUARTER = ClassCounts(ALL, Fraction(1, 4))
OTHER = Domain([Numeric.grid("age", 0, 100, bins=4)], ("well", "ill"))
PARTS = [Party(ROWS[0], AGE, name="north"), Party(ROWS[1], AGE, name="south")]


def test_a_federation_as_it_is_made():
    f = Federation(PARTS, AGE, Ledger(3), rng=ZeroWords())
    assert (f.n_parties, f.tolerate, f.missing, f.colluders, f.rounds) == (2, 1, 0, 1, 0)
    assert f.domain is AGE and f.ledger.domain == AGE and type(f.transport) is InProcess
    assert repr(f) == f"Federation(2 parties, tolerate 1, 0 rounds, {f.ledger!r})"
    assert [m.receiver for m in f.transport.manifest if m.kind == "invitation"] == ["north 1", "south 2"]
    transport = InProcess()
    f = Federation(parties(5), AGE, Ledger(3), transport=transport, tolerate=2, missing=1, rng=ZeroWords())
    assert f.transport is transport and (f.n_parties, f.tolerate, f.missing, f.colluders) == (5, 2, 1, 1)
    assert Federation(parties(2), AGE, Ledger(3), tolerate=0, rng=ZeroWords()).colluders == 0


def test_answers_come_in_the_shapes_of_what_was_asked():
    f = federation(budget=20)
    asked = [QUARTER, ClassHistogram(ALL, Fraction(1, 3), 0), NodeHistograms(ALL.restrict(0, [1]), 2), QUARTER]
    found = f.release(iter(asked), "a tree")
    assert [table.tolist() for table in found] == [[2, 4], [[1, 2], [1, 2]], [[0, 0], [1, 2]], [2, 4]]
    assert all(table.dtype == np.int64 for table in found)
    assert f.ledger.spent == Fraction(1, 4) * 2 + Fraction(1, 3) + 2 and f.ledger.accounts == ("a tree",)
    assert f.rounds == 1 and repr(f).startswith("Federation(3 parties, tolerate 1, 1 rounds, ")
    f.release([QUARTER])
    assert f.rounds == 2 and list(f.transport.requests) == [1, 2] and f.ledger.accounts == ("a tree", "")


def test_what_is_charged_names_noise_and_colluders():
    f = Federation(parties(4), AGE, Ledger(3), tolerate=2, missing=1, rng=Rehearsal(1))
    f.release([QUARTER, NodeHistograms(ALL, 1)])
    proved = f.ledger.derivation()
    assert proved.content["randomness"] == ["seeded generator"] and proved.guarantee.colluders == 1
    assert f.manifest.rounds[0]["queries"] == [QUARTER.to_json(AGE), NodeHistograms(ALL, 1).to_json(AGE)]


def test_what_was_asked_in_words():
    f = federation(budget=9)
    f.release([QUARTER, ClassHistogram(ALL, 1, 0), QUARTER])
    told = "2 × class counts of a leaf; 1 × class × bin histogram of age"
    assert f._describe(1) == f.transcript.describe(1) == told
    f.release([NodeHistograms(ALL, 1)])
    assert f._describe(2) == "1 × class × bin histograms of all features"


def test_progress_is_told_after_each_answer():
    for options, most in (({}, 3), ({"missing": 1}, 15)):
        seen, f = [], federation(**options)
        f.release([QUARTER], answered=lambda *told, seen=seen: seen.append(told))
        assert seen == [(k, most) for k in range(1, most + 1)]


def test_progress_comes_after_the_answer():
    f = federation()
    kinds = []
    f.release([QUARTER], answered=lambda done, of: kinds.append(f.transport.manifest[-1].kind))
    assert kinds == ["queries"] * 3, "an answer is entered when progress has been told"


NEEDS = (
    "a federation needs at least 2 parties, a Domain and a Ledger, in this order; got parties: {}. "
    "Rows become a party by Party(rows, domain)"
)
A_DOMAIN = "domain: Domain, ledger: Ledger"
OWN = Ledger(1)
MADE = {
    "one party": (
        lambda: Federation(PARTS[:1], AGE, Ledger(1)),
        NEEDS.format(f"list of 1 (Party), {A_DOMAIN}"),
    ),
    "none": (lambda: Federation([], AGE, Ledger(1)), NEEDS.format(f"list, {A_DOMAIN}")),
    "no list": (lambda: Federation(7, AGE, Ledger(1)), NEEDS.format(f"int, {A_DOMAIN}")),
    "rows": (
        lambda: Federation((ROWS[0], PARTS[0], ROWS[1]), AGE, Ledger(1)),
        NEEDS.format(f"tuple of 3 (list, Party), {A_DOMAIN}"),
    ),
    "swapped": (
        lambda: Federation(PARTS, Ledger(1), AGE),
        NEEDS.format("list of 2 (Party), domain: Ledger, ledger: Domain"),
    ),
    "no ledger": (
        lambda: Federation(PARTS, AGE, 1),
        NEEDS.format("list of 2 (Party), domain: Domain, ledger: int"),
    ),
    "no domain": (
        lambda: Federation(PARTS, "age", Ledger(1)),
        NEEDS.format("list of 2 (Party), domain: str, ledger: Ledger"),
    ),
    "another domain": (
        lambda: Federation(PARTS, OTHER, Ledger(1)),
        "all parties must share the federation's domain",
    ),
    "one of another domain": (
        lambda: Federation([*PARTS, Party([], OTHER)], AGE, Ledger(1)),
        "all parties must share the federation's domain",
    ),
    "twice the same": (
        lambda: Federation([*PARTS, copy.copy(PARTS[0])], AGE, Ledger(1)),
        "a party takes part once: its records would be counted twice",
    ),
    "one ledger": (
        lambda: Federation([PARTS[0], Party([], AGE, ledger=OWN)], AGE, OWN),
        "a party's own ledger and the federation's are two: each round is charged to both",
    ),
    "tolerate": (
        lambda: Federation(PARTS, AGE, Ledger(1), tolerate=-1),
        "tolerate must be an integer ≥ 0, got -1",
    ),
    "tolerate all": (
        lambda: Federation(PARTS, AGE, Ledger(1), tolerate=2),
        "tolerate must be less than the number of parties (2), got 2",
    ),
    "missing": (
        lambda: Federation(PARTS, AGE, Ledger(1), missing=-1),
        "missing must be an integer ≥ 0, got -1",
    ),
    "more missing": (
        lambda: Federation(PARTS, AGE, Ledger(1), tolerate=0, missing=1),
        "the noise of a missing party is missing: tolerate must be at least missing, got 0 and 1",
    ),
    "transport": (
        lambda: Federation(PARTS, AGE, Ledger(1), transport="post"),
        "transport must be a InProcess, got str",
    ),
    "a promise": (
        lambda: Federation(PARTS, AGE, Ledger(1, colluders=1), tolerate=0),
        "the ledger promises to withstand 1 colluders, more than tolerate = 0; "
        "make it with Ledger(…, colluders=0), or raise tolerate",
    ),
    "a promise less the missing": (
        lambda: Federation(parties(5), AGE, Ledger(1, colluders=2), tolerate=2, missing=1),
        "the ledger promises to withstand 2 colluders, more than tolerate = 2 less missing = 1; "
        "make it with Ledger(…, colluders=1), or raise tolerate",
    ),
}


@pytest.mark.parametrize("case", MADE)
def test_federations_that_are_none_are_refused_in_these_words(case):
    make, told = MADE[case]
    with pytest.raises(ValueError) as refused:
        make()
    assert str(refused.value) == told


def test_a_transport_serves_one_federation():
    transport = federation().transport
    with pytest.raises(ValueError) as refused:
        federation(transport=transport)
    assert str(refused.value) == "this transport serves another federation already: give each its own"


def test_ledgers_are_the_same_as_objects_or_as_files(tmp_path):
    one, other = Ledger(1), Ledger(1)
    assert _is_same(one, one) and not _is_same(one, other)
    files = [Ledger.open(tmp_path / name, 1) for name in ("a.db", "a.db", "b.db")]
    assert _is_same(files[0], files[1]) and not _is_same(files[0], files[2])
    assert not _is_same(one, files[0]) and not _is_same(files[0], one)


@pytest.mark.parametrize("more", [-1, 1])
def test_as_many_streams_of_noise_as_parties(more):
    """Whoever gives a source: two parties never draw from one, and none draws from nothing."""

    class Uneven(ZeroWords):
        def spawn(self, n):
            return [ZeroWords() for _ in range(n + more)]

    with pytest.raises(ValueError):
        Federation(PARTS, AGE, Ledger(1), rng=Uneven())


def test_a_ledger_of_another_domain_is_not_used():
    with pytest.raises(ValueError) as refused:
        Federation(PARTS, AGE, Ledger(1, domain=OTHER), rng=ZeroWords())
    assert str(refused.value) == "this ledger belongs to another domain"


SET = "a round needs at least one query, of the closed set of types"
ACCOUNT = "account must be a text of at most 1,000 characters"
ASKED = {
    "nothing": (([],), {}, SET),
    "no query": (([QUARTER, "counts"],), {}, SET),
    "no list": ((7,), {}, "queries must be a list, got 7"),
    "text": (("counts",), {}, "queries must be a list, got 'counts'"),
    "of another domain": (
        ([QUARTER, ClassCounts(OTHER.everything, 1)],),
        {},
        "the query's region does not belong to the federation's domain",
    ),
    "a long account": (([QUARTER], "x" * 1001), {}, ACCOUNT),
    "no account": (([QUARTER], None), {}, ACCOUNT),
    "an account of another type": (([QUARTER], type("Text", (str,), {})("x")), {}, ACCOUNT),
    "no function": (([QUARTER],), {"answered": 7}, "answered must be a function, got 7"),
    "over budget": (
        ([ClassCounts(ALL, 2)],),
        {},
        "the round would bring some record to ε = 2, more than the budget 1; nothing was charged",
    ),
}


@pytest.mark.parametrize("case", ASKED)
def test_rounds_are_refused_in_these_words(case):
    """Nothing is charged, and nothing is sent."""
    arguments, options, told = ASKED[case]
    f = federation(2)
    sent = len(f.transport.manifest)
    with pytest.raises(ValueError) as refused:
        f.release(*arguments, **options)
    assert str(refused.value) == told
    assert (f.ledger.spent, f.rounds, len(f.transport.manifest)) == (0, 0, sent)
    f.release([QUARTER], "x" * 1000)
    assert f.ledger.accounts == ("x" * 1000,)


def test_a_round_has_at_most_so_many_queries_and_numbers(monkeypatch):
    f = federation(2, budget=9)
    monkeypatch.setattr(module, "MAX_NUMBERS", 6)
    monkeypatch.setattr(module, "MAX_QUERIES", 2)
    assert len(f.release([ClassHistogram(ALL, 1, 0), QUARTER])) == 2
    for queries, got in (([ClassHistogram(ALL, 1, 0)] * 2, "2 and 8"), ([QUARTER] * 3, "3 and 6")):
        with pytest.raises(ValueError) as refused:
            f.release(queries)
        assert str(refused.value) == f"a round has at most 2 queries and 6 numbers, got {got}: ask in two rounds"
    assert f.rounds == 1


def test_a_round_that_no_party_would_read_is_refused(monkeypatch):
    f = federation(2)
    monkeypatch.setattr("fdpedu.federation.messages.MAX_FIELDS", 5)
    with pytest.raises(ValueError) as refused:
        f.release([QUARTER] * 2)
    told = "no party would read this round: a message has at most 5 fields, and numbers of 512 digits"
    assert str(refused.value) == told and f.ledger.spent == 0 and MAX_FIELDS == 2**18


def test_a_round_is_not_begun_in_another_one():
    """Not even by what is told of its progress; what was charged before is charged, and the next round goes on."""
    f, told = federation(), []

    def again(done, of):
        with pytest.raises(ValueError) as refused:
            f.release([QUARTER])
        told.append(str(refused.value))

    f.release([QUARTER], answered=again)
    assert told == ["this thread is in the midst of a round of this federation: begin another after it"] * 3
    f.release([QUARTER])
    assert f.rounds == 2 and f.ledger.spent == Fraction(1, 2)


def test_a_federation_is_neither_copied_nor_used_after_a_fork():
    f = federation(2)
    with pytest.raises(TypeError) as refused:
        pickle.dumps(f)
    assert str(refused.value) == ("a federation is neither copied nor pickled: the copy would use the same masks again")
    f._made_in = Process(0, None)
    with pytest.raises(ValueError) as refused:
        f.release([QUARTER])
    told = "this federation was made before this process was forked, and the other one may use it: "
    assert str(refused.value) == f"{told}make one here, from the parties" and f.ledger.spent == 0

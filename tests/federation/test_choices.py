"""Choices in place of counts: what a designer, a curator and the others send, what is charged, and what is refused."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.accounting import BudgetExceeded, Ledger
from fdpedu.cart import candidates, split_losses
from fdpedu.derivation_checker import check_derivation
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.federation import (
    ChosenBlock,
    ChosenSplit,
    ClassCounts,
    Curator,
    DesignedSplit,
    Federation,
    Party,
)
from fdpedu.federation.queries import read_queries, write_queries
from fdpedu.federation.queries.choices import Silent, pairs_of_codes
from fdpedu.randomness import Rehearsal
from fdpedu.secure_sum import RoundLost
from tests.support.federations import BELIEVING

TWO = Domain([Numeric.grid("x", 0, 2, bins=2), Numeric.grid("z", 0, 2, bins=2)], ("a", "b"))
MIXED = Domain(
    [Numeric.grid("x", 0, 4, bins=4, missing=True), Categorical("w", ("A", "B", "C")), Numeric.grid("z", 0, 2, bins=2)],
    ("a", "b", "c"),
)
ROWS = [[0.5, 1.5, "a"], [0.5, 1.5, "b"], [1.5, 0.5, "b"]]


def federation(parts=((), ROWS), budget=1, rng=None, domain=TWO, **options):
    return Federation([Party(list(rows), domain) for rows in parts], domain, Ledger(budget), rng=rng, **options)


def asked(f, *queries, account="choices"):
    return f.release(queries, account)


# --- the law of what is told ------------------------------------------------------------------------------------------


@pytest.mark.claim("lem-chosen-split")
def test_the_exact_numbers_are_the_losses_of_the_candidates():
    rows = [[0.5, "A", 0.5, "a"], [None, "B", 1.5, "b"], [3.5, "B", 0.5, "c"], [1.5, "C", 1.5, "a"]]
    party, region = Party(rows, MIXED), MIXED.everything.restrict(1, {0, 1})
    query = DesignedSplit(region, 1, 0)
    inside = [0, 1, 2]
    found = candidates(MIXED, region)
    codes, labels = MIXED.encode([row[:-1] for row in rows])[inside], MIXED.encode_labels([r[-1] for r in rows])[inside]
    sides = []
    for at in range(len(found)):
        left = found[at].goes_left(codes[:, found[at].feature])
        sides.append([np.bincount(labels[where], minlength=3) for where in (left, ~left)])
    expected = split_losses([left for left, _ in sides], [right for _, right in sides])
    assert query.tally(party.records(), np.array(inside), MIXED).tolist() == expected.tolist()
    assert query.exact_size(MIXED) == len(found) and query.shape(MIXED) == (1,) and query.size(MIXED) == 1


@pytest.mark.claim("lem-chosen-split")
def test_only_the_rows_of_the_designer_matter():
    """With the same words and other rows elsewhere the same is told; with other rows of the designer it is not."""
    strong = [[0.5, 1.5, "a"], [1.5, 0.5, "b"]] * 40
    other = [[0.5, 0.5, "a"], [0.5, 1.5, "b"], [1.5, 0.5, "a"], [1.5, 1.5, "b"]] * 40

    def told(*parts):
        query = DesignedSplit(TWO.everything, 1, 1)
        f = federation(parts, rng=Rehearsal(3), tolerate=0)
        return int(asked(f, query)[0][0])

    assert told([], strong) == told(other, strong) == told(strong * 3, strong) == 1
    assert told(strong, other) == told([], other) == 2


@pytest.mark.claim("lem-chosen-split")
@pytest.mark.parametrize("missing", [0, 1])
def test_in_every_kind_of_round_one_party_alone_answers_and_pays(missing):
    """Also where a round has stages, because parties may fall silent in it."""
    strong = [[0.5, 1.5, "a"], [1.5, 0.5, "b"]] * 40
    other = [[0.5, 0.5, "a"], [0.5, 1.5, "b"], [1.5, 0.5, "a"], [1.5, 1.5, "b"]] * 40
    own = [Ledger(1, colluders=1) for _ in range(4)]
    parties = [
        Party(rows, TWO, ledger=ledger, limits=BELIEVING)
        for rows, ledger in zip([other, strong, other, []], own, strict=True)
    ]
    f = Federation(parties, TWO, Ledger(1), rng=Rehearsal(3), tolerate=1 + missing, missing=missing)
    assert asked(f, DesignedSplit(TWO.everything, 1, 1))[0].tolist() == [1]
    assert [ledger.spent for ledger in own] == [0, 1, 0, 0] and f.ledger.spent == 1


def test_a_designer_that_falls_silent_loses_a_round_that_others_would_survive():
    f = federation([ROWS] * 4, tolerate=2, missing=1)
    f._endpoints[2] = lambda message: b""
    with pytest.raises(RoundLost, match="'party 3' tells no split"):
        asked(f, DesignedSplit(TWO.everything, 1, 2))
    assert f.ledger.spent == 1


def test_the_others_send_nothing_and_draw_nothing():
    query = DesignedSplit(TWO.everything, 1, 3)
    assert query.asked_of(3) is query
    silent = query.asked_of(0)
    assert type(silent) is Silent and silent.region == query.region and silent.shape(TWO) == (1,)
    source = Rehearsal(1)
    assert silent.tally(Party(ROWS, TWO).records(), np.arange(3), TWO).tolist() == [0]
    assert silent.layer.noisy(np.zeros(1, dtype=np.int64), [silent], TWO, 2, source).tolist() == [0]
    assert source.words(4).tolist() == Rehearsal(1).words(4).tolist()
    assert silent.describe(TWO) == "nothing" and silent.layer.mechanism == "nothing"
    silent.layer.require_drawable(silent)
    counts = ClassCounts(TWO.everything, 1)
    assert (
        counts.asked_of(0) is counts
        and counts.charged_region("0" * 64) is counts.region
        and counts.exact_size(TWO) == 2
    )


@pytest.mark.claim("thm-owner-tree")
def test_a_block_finds_what_no_single_split_tells():
    rows = [[x, z, "ab"[(x > 1) ^ (z > 1)]] for x, z in product((0.5, 1.5), repeat=2)] * 60
    curator = Curator(Party(rows, TWO), Ledger(1), Rehearsal(2))
    (told,) = curator.release([ChosenBlock(TWO.everything, 1)])
    assert told.tolist() in ([1, 1, 1], [2, 1, 1])


@settings(max_examples=25)
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 2), st.integers(0, 1), st.integers(0, 2)), max_size=9))
def test_pairs_of_codes_are_counted_by_class(rows):
    sizes, first = [5, 3, 2], [0, 5, 8]
    columns = np.array([row[:3] for row in rows], dtype=np.uint8).reshape(-1, 3).T
    found = pairs_of_codes(columns, np.array([row[3] for row in rows], dtype=np.uint8), sizes, 3)
    expected = np.zeros((10, 10, 3), dtype=np.int64)
    for row in rows:
        for i, j in product(range(3), repeat=2):
            expected[first[i] + row[i], first[j] + row[j], row[3]] += 1
    assert found.dtype == np.int64 and found.tolist() == expected.tolist()


def test_pairs_of_many_rows_are_added_up_piece_by_piece():
    n = 2**15 + 3
    columns, labels = np.zeros((2, n), dtype=np.uint8), np.ones(n, dtype=np.uint8)
    assert pairs_of_codes(columns, labels, [2, 3], 2)[0, 2].tolist() == [0, n]


# --- what is charged --------------------------------------------------------------------------------------------------


@pytest.mark.claim("lem-party-coordinate")
def test_choices_of_different_parties_are_paid_once_and_of_one_party_twice():
    f = federation([ROWS, ROWS, ROWS], budget=2)
    asked(f, DesignedSplit(TWO.everything, 1, 0))
    asked(f, DesignedSplit(TWO.everything, 1, 2))
    assert f.ledger.spent == 1
    asked(f, DesignedSplit(TWO.everything, "1/2", 2), ClassCounts(TWO.everything, "1/2"))
    assert f.ledger.spent == 2
    with pytest.raises(BudgetExceeded):
        asked(f, DesignedSplit(TWO.everything, "1/4", 2))
    guarantee = check_derivation(f.ledger.derivation().to_json(), f.manifest.to_json())
    assert guarantee.spent == 2 and f.rounds == 3


@pytest.mark.claim("lem-party-coordinate")
def test_a_partys_own_ledger_pays_for_its_own_choices_and_for_counts():
    """At the region of all its records: in another session it may stand elsewhere on the list."""
    own = [Ledger(3, colluders=1) for _ in range(3)]
    parties = [Party(ROWS, TWO, ledger=ledger, limits=BELIEVING) for ledger in own]
    for order in ((0, 1, 2), (2, 0, 1)):
        f = Federation([parties[k] for k in order], TWO, Ledger(3))
        asked(f, DesignedSplit(TWO.everything, 1, 0))
        asked(f, ClassCounts(TWO.everything, "1/4"))
    assert [ledger.spent for ledger in own] == [Fraction(3, 2), Fraction(1, 2), Fraction(3, 2)]
    f = Federation(parties, TWO, Ledger(3))
    asked(f, DesignedSplit(TWO.everything, 1, 1), account="x")
    assert own[0].spent == Fraction(3, 2) and own[0].rounds == 3


@pytest.mark.claim("thm-designed-insiders")
def test_an_aggregator_that_asks_one_party_for_all_levels_is_stopped_by_its_ledger():
    """Its own ledger does not add up by position, level or session: whatever the account is called."""
    victim = Party(ROWS, TWO, ledger=Ledger(1, colluders=1), limits=BELIEVING)
    left, right = (TWO.everything.restrict(0, {code}) for code in (0, 1))
    overlapping = TWO.everything.restrict(1, {0})
    f = Federation([victim, Party([], TWO)], TWO, Ledger(100))
    asked(f, DesignedSplit(TWO.everything, "1/2", 0))
    asked(f, DesignedSplit(left, "1/2", 0), DesignedSplit(right, "1/2", 0))
    for queries in (
        [DesignedSplit(overlapping, "1/2", 0)],
        [DesignedSplit(TWO.everything, "1/2", 0)],
        [DesignedSplit(left, "1/2", 0), DesignedSplit(left, "1/2", 0)],
    ):
        with pytest.raises(RoundLost, match="over budget"):
            asked(f, *queries)
        with pytest.raises(RoundLost, match="over budget"):
            asked(f, *queries, account="another")
    g = Federation([Party([], TWO), victim], TWO, Ledger(100))
    with pytest.raises(RoundLost, match="over budget"):
        asked(g, DesignedSplit(TWO.everything, "1/8", 1))
    assert victim.ledger.spent == 1


def test_the_charge_says_what_was_drawn_and_why():
    charge = DesignedSplit(TWO.everything, "1/2", 1).charge(TWO, 0, "any", session="0" * 64)
    assert (charge.type, charge.mechanism, charge.claim) == ("designed-split", "permute-and-flip", "lem-chosen-split")
    assert dict(charge.parameters) == {"designer": 1, "loss": "mixed", "lattice": 1024}
    assert (charge.sensitivity, charge.releases, charge.rate) == (1, 1, Fraction(1, 2))
    assert charge.region == TWO.everything.of_party({1}, "0" * 64) and charge.query == "split that party 2 designs"
    assert DesignedSplit(TWO.everything, "1/2", 1).charge(TWO, 0, "any").region == TWO.everything
    block = ChosenBlock(TWO.everything, 1).charge(TWO, 0, "any")
    assert (block.mechanism, block.claim) == ("exponential mechanism over blocks", "thm-owner-tree")
    assert block.query == "block of three splits chosen on all rows" and block.type == "chosen-block"
    assert ChosenSplit(TWO.everything, 1).describe(TWO) == "split chosen on all rows"


# --- what is refused, before anything is charged ----------------------------------------------------------------------


def cell(domain=TWO):
    return domain.everything.restrict(0, {0}).restrict(1, {1})


MANY = Domain([Numeric.grid(f"x{j}", 0, 1, bins=256) for j in range(65)], ("a", "b"))
HUNDREDS = Domain([Numeric.grid(f"x{j}", 0, 1, bins=256) for j in range(2)], ("a", "b"))


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: DesignedSplit(TWO.everything, 1, -1), "designer must be an integer ≥ 0, got -1"),
        (lambda: DesignedSplit(TWO.everything, 1, 256), "designer must be at most 255, got 256"),
        (
            lambda: DesignedSplit(TWO.everything, 1, 0, "entropy"),
            "loss must be one of errors, gini, mixed; got 'entropy'",
        ),
        (lambda: DesignedSplit(TWO.everything, 1, 0, 5), "loss must be one of errors, gini, mixed; got 5"),
        (lambda: DesignedSplit(TWO.everything, 1, 0, "gini", 0), "lattice must be an integer ≥ 1, got 0"),
        (lambda: ChosenSplit(TWO.everything, 1, "gini", 2**16 + 1), "lattice must be at most 65536, got 65537"),
        (
            lambda: DesignedSplit(cell(), 1, 0).check(TWO),
            "nothing divides the region x ≤ 1, 1 < z: it has no split",
        ),
        (lambda: DesignedSplit(MANY.everything, 1, 0).check(MANY), "the domain must have at most 16384 splits"),
        (lambda: ChosenBlock(HUNDREDS.everything, 1).check(HUNDREDS), "the domain must have at most 500 splits"),
        (
            lambda: DesignedSplit(TWO.everything, Fraction(1, 2**41), 0).check(TWO),
            "epsilon/sensitivity must be at least",
        ),
    ],
)
def test_the_sentences_of_refusals(make, words):
    with pytest.raises(ValueError) as refusal:
        make()
    assert str(refusal.value).startswith(words)


def test_the_largest_domains_are_checked_without_complaint():
    DesignedSplit(HUNDREDS.everything, 1, 255, "gini", 2**16).check(HUNDREDS)
    ChosenSplit(HUNDREDS.everything, 1).check(HUNDREDS)


@pytest.mark.parametrize("name", ["designer", "lattice"])
def test_a_query_that_was_changed_is_refused(name):
    query = DesignedSplit(TWO.everything, 1, 0)
    for value in (True, 1.0, -1, "1"):
        object.__setattr__(query, name, value)
        with pytest.raises(ValueError, match=f"{name}"):
            query.check(TWO)


def test_a_federation_refuses_what_no_party_answers_before_it_charges():
    f = federation()
    for query, words in (
        (DesignedSplit(TWO.everything, 1, 2), "designer must be a position from 0 to 1 of"),
        (ChosenSplit(TWO.everything, 1), "closed set of types"),
        (ChosenBlock(TWO.everything, 1), "closed set of types"),
    ):
        with pytest.raises(ValueError, match=words):
            f.release([query])
    assert f.ledger.spent == 0 and f.rounds == 0


def test_choices_of_a_curator_are_no_questions_to_a_party():
    for query in (ChosenSplit(TWO.everything, 1), ChosenBlock(TWO.everything, 1)):
        with pytest.raises(ValueError, match="no query of the closed set"):
            read_queries(write_queries([query], TWO), TWO)


def test_a_designed_split_is_read_as_it_was_written():
    query = DesignedSplit(TWO.everything.restrict(0, {1}), "1/3", 7, "gini", 12)
    assert read_queries(write_queries([query], TWO), TWO) == (query,)


@pytest.mark.claim("thm-rotating-tree")
@pytest.mark.parametrize("told", [0, 3, -1])
def test_a_designer_that_tells_no_split_loses_the_round(told, monkeypatch):
    monkeypatch.setattr(DesignedSplit, "drawn", lambda self, losses, domain, source: [told])
    f = federation()
    with pytest.raises(RoundLost, match="'party 2' tells no split in round 1, which is lost"):
        asked(f, DesignedSplit(TWO.everything, 1, 1))
    assert f.ledger.spent == 1

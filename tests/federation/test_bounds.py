"""What a party answers about its lower bounds: how far a record moves them, what they cost, what comes before them."""

import json
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.accounting import Ledger, check_derivation
from fdpedu.claims import strategies
from fdpedu.claims.bounds import query as topic
from fdpedu.claims.bounds import query_noise as noise
from fdpedu.claims.bounds.query_noise import by_hand
from fdpedu.claims.strategies import tables
from fdpedu.derivation_checker import DerivationRefused
from fdpedu.dlpa import insider_epsilon
from fdpedu.dlpa.guarantee import insider_cost
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.federation import ClassHistogram, Federation, NodeBounds, NodeHistograms, Party
from fdpedu.federation.records import Records
from fdpedu.randomness import ZeroWords

FEW = settings(max_examples=max(5, settings().max_examples // 5))  # the register tries more


@pytest.mark.claim("thm-node-bounds")
@FEW
@given(topic.random_cases(strategies, codes=4, classes=5))
def test_a_party_answers_the_definition(case):
    topic.definition(*case[:3])


@pytest.mark.parametrize(("p", "classes", "lattice"), [(1, 2, 1), (2, 3, 7), (4, 2, 3)])
def test_the_sensitivity_is_attained(p, classes, lattice):
    topic.attained(p, classes, lattice)


def test_one_record_of_ten_features():
    """All bounds of a node move at once, by m each: a third of the way up in steps of 1/3."""
    domain = Domain([Numeric.grid(f"x{j}", 0, 2, bins=2) for j in range(10)], ("a", "b"))
    rows = [[*[0.5] * 10, "a"]] * 10 + [[*[0.5] * 10, "b"]]
    query = NodeBounds(domain.everything, 1, 3)
    assert topic.answered(query, rows, domain) == [2] * 10
    assert topic.answered(query, [*rows, rows[-1]], domain) == [5] * 10


@FEW
@given(topic.random_parties(strategies))
def test_without_noise_it_is_a_lower_bound(case):
    topic.below_every_split(*case)


@FEW
@given(noise.random_rounds(strategies))
def test_a_release_is_floors_and_noise(case):
    noise.release_law(*case)


@pytest.mark.parametrize("asked", [[(3, Fraction(1, 5)), (0, Fraction(1, 5))], [(1, Fraction(1, 7)), (9, Fraction(2))]])
def test_noise_is_of_its_own(asked):
    noise.noise_of_a_party(asked, 3, 10 if asked[1][0] == 0 else 8)


def test_every_number_has_words_of_every_party():
    noise.own_words(3, 1, 9)


X = Numeric.grid("x", 0, 3, bins=3)


@pytest.mark.parametrize(("lattice", "loss"), [(1, "0.6059"), (10, "1.0132"), (100, "1.3091"), (1000, "1.5372")])
def test_what_a_lattice_costs_against_one_of_two(lattice, loss):
    """One bound at ε = 1/10, two parties, shares made for nobody: the finer the lattice, the more the other learns."""
    domain = Domain([X], ("a", "b"))
    ledger, query = Ledger(1), NodeBounds(domain.everything, "1/10", lattice)
    ledger.bind(domain)
    ledger.charge([query.charge(domain, 0, "operating system")])
    derivation = ledger.derivation()
    found = insider_cost(derivation, 2, 0)
    assert found.lower <= insider_epsilon("1/10", 2, 1, sensitivity=lattice).upper
    assert Fraction(loss) < found.lower <= found.upper < Fraction(loss) + Fraction(1, 10**4)
    assert insider_cost(derivation, 2, 1).upper == Fraction(1, 10)  # of shares made for one colluder


MIXED = Domain([X, Categorical("w", tuple("ABCD")), Numeric.grid("y", 0, 2, bins=2)], ("a", "b", "c"))


def test_a_run_with_bounds_and_histograms_costs_insiders_the_sum():
    """On a path: p losses of bounds of m steps, and p of histograms; a part beside it costs less."""
    topic.entered(3, 4, Fraction(1, 2), 5)
    ledger, whole = Ledger(9), MIXED.everything
    ledger.bind(MIXED)
    asked = [
        NodeBounds(whole, "3/10", 4),
        NodeHistograms(whole, "3/5"),
        NodeBounds(whole.restrict(0, [0]), "3/10", 9),
        NodeBounds(whole.restrict(0, [1, 2]), "3/10", 2),
    ]
    ledger.charge([query.charge(MIXED, 0, "operating system") for query in asked])
    found = insider_cost(ledger.derivation(), 4, 0, 2)
    each = [insider_epsilon(e, 4, 2, sensitivity=m) for e, m in (("1/10", 4), ("1/5", 1), ("1/10", 9))]
    assert 3 * sum(one.lower for one in each) <= found.upper and found.lower <= 3 * sum(one.upper for one in each)


def releases_in(content):
    """All steps of a derivation that are releases."""
    if isinstance(content, dict):
        own = [content] if content.get("rule") == "release" else []
        return own + [step for part in content.values() for step in releases_in(part)]
    return [step for part in content for step in releases_in(part)] if isinstance(content, list) else []


def test_what_bounds_cost_is_kept_in_a_file_and_checked(tmp_path):
    """With releases and sensitivity; a derivation that says another sensitivity is refused."""
    path, whole = tmp_path / "budget.db", MIXED.everything
    ledger = Ledger.open(path, 2)
    ledger.bind(MIXED)
    asked = [NodeBounds(whole, "1/2", 4), NodeHistograms(whole, 1)]
    ledger.charge([query.charge(MIXED, 0, "operating system") for query in asked])
    text = Ledger.open(path).derivation().to_json()
    assert text == ledger.derivation().to_json() and check_derivation(text).spent == Fraction(3, 2)
    content = json.loads(text)
    (release,) = [step for step in releases_in(content) if step["claim"] == "thm-node-bounds"]
    assert (release["releases"], release["sensitivity"], release["rate"]) == (3, 4, "1/24")
    release["sensitivity"] = 1
    with pytest.raises(DerivationRefused):
        check_derivation(json.dumps(content))


def test_parties_with_one_class_or_no_rows_have_bounds_of_zero():
    """Nothing is infinite, and nothing is left out: a bound is 0 where a party's rows are pure."""
    domain = Domain([X, Numeric.grid("y", 0, 2, bins=2)], ("a", "b"))
    pure, mixed = [[0.5, 0.5, "a"], [1.5, 1.5, "a"]], [[0.5, 0.5, "a"], [0.5, 1.5, "b"], [2.5, 1.5, "a"]]
    parties = [Party(rows, domain) for rows in (pure, [], mixed)]
    federation = Federation(parties, domain, Ledger(1), rng=ZeroWords())
    (found,) = federation.release([NodeBounds(domain.everything, 1, 60)])
    assert found.tolist() == [30, 30]


def test_the_sum_of_floors_is_less_than_the_floor_of_the_sum():
    """Three parties of 2/3 each: without a lattice 2, in whole steps 0."""
    domain = Domain([X], ("a", "b"))
    parties = [Party([[0.5, "a"], [0.5, "b"], [0.5, "b"]], domain) for _ in range(3)]
    federation = Federation(parties, domain, Ledger(2), rng=ZeroWords())
    asked = [NodeBounds(domain.everything, "1/2", m) for m in (1, 3, 2)]
    assert [answer.tolist() for answer in federation.release(asked)] == [[0], [6], [3]]


FEWER = settings(max_examples=max(10, settings().max_examples // 3))
lattices = st.sampled_from([1, 2, 4, 60, 1000])
MIXED_4 = Domain([Numeric.grid("x", 0, 4, bins=4), Categorical("w", ("A", "B", "C"))], ("a", "b", "c"))
WHOLE = MIXED_4.everything


@FEWER
@given(tables(MIXED_4, most=15), st.integers(1, 3), st.booleans(), lattices)
def test_bounds_of_sides_that_were_not_counted(rows, cut, turned, lattice):
    """After a round about the node, a side's histograms may come as a difference; its bounds are those of its rows."""
    codes, labels = MIXED_4.encode([r[:-1] for r in rows]), MIXED_4.encode_labels([r[-1] for r in rows])
    party, sides = Records(codes, labels, MIXED_4), [WHOLE.restrict(0, range(cut)), WHOLE.restrict(0, range(cut, 4))]
    rounds = [[NodeHistograms(WHOLE, 1)], [NodeBounds(side, 1, lattice) for side in sides[:: -1 if turned else 1]]]
    rounds.append([NodeBounds(sides[0].restrict(1, [1]), 1, lattice), NodeBounds(sides[0].restrict(1, [0, 2]), 1, 7)])
    for asked in rounds:
        found = party.within(query.region for query in asked)
        answers = [query.tally(party, some, MIXED_4).tolist() for query, some in zip(asked, found, strict=True)]
        if asked is not rounds[0]:
            assert answers == [by_hand(query, rows, MIXED_4) for query in asked]


def test_bounds_among_other_queries_are_the_same():
    """Before and after histograms of the same node, and twice in one round."""
    rows = [[x + 0.5, "ABC"[(x * y) % 3], "abc"[(x + y) % 3]] for x in range(4) for y in range(5)]
    parties = [Party(rows[k::2], MIXED_4) for k in range(2)]
    federation = Federation(parties, MIXED_4, Ledger(99), rng=ZeroWords())
    bounds = NodeBounds(WHOLE, 1, 12)
    expected = np.sum([by_hand(bounds, rows[k::2], MIXED_4) for k in range(2)], axis=0).tolist()
    others = [NodeHistograms(WHOLE, 1), ClassHistogram(WHOLE, 1, 1)]
    for asked in ([bounds], [bounds, *others], [*others, bounds], [bounds, others[0], bounds]):
        answers = federation.release(asked)
        assert [a.tolist() for a, query in zip(answers, asked, strict=True) if query is bounds] == [
            expected
        ] * asked.count(bounds)
        counted = [a.tolist() for a, query in zip(answers, asked, strict=True) if query is others[0]]
        assert all(sum(map(sum, answer)) == 40 for answer in counted)


SMALL = Domain([Numeric.grid("x", 0, 3, bins=3), Categorical("w", ("A", "B", "C"))], ("a", "b"))


@pytest.mark.parametrize("lattice", [0, -4, True, 4.0, 2**16 + 1, None])
def test_a_lattice_that_was_changed_after_it_was_read_is_refused_before_it_is_asked(lattice):
    """The sensitivity is the lattice: of one that is 0 or below, the noise would be none."""
    bounds = NodeBounds(SMALL.everything, 1, 4)
    bounds.check(SMALL)
    object.__setattr__(bounds, "lattice", lattice)
    with pytest.raises(ValueError, match="lattice"):
        bounds.check(SMALL)

"""A certificate holds as often as it says; the worst case is the worst, and the best attack reaches it."""

from fractions import Fraction as F
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.accounting import Ledger
from fdpedu.domain import Domain
from fdpedu.exact import Rate
from fdpedu.federation import Party
from fdpedu.mechanisms import discrete_laplace_pmf
from fdpedu.randomness import Rehearsal
from fdpedu.robust import best_attack, certificate, certify, poisoning_curve, worst_case
from fdpedu.robust.labels import label_drawn, label_of_counts
from fdpedu.trees import Tree, fit_privatree
from tests.support.forged_trees import CLEAN, DOMAIN, grown, released, table

CLOSE = F(1, 2**50)
COUNTS = st.tuples(*[st.tuples(st.integers(0, 6), st.integers(0, 6))] * 2)
TESTS = COUNTS.filter(lambda counts: sum(map(sum, counts)) > 0)


def noise(epsilon, reach):
    """Pr[Z₁ − Z₂ = z] of two noises, for |z| ≤ reach, rounded down."""
    one = {k: discrete_laplace_pmf(k, epsilon).lower for k in range(-2 * reach, 2 * reach + 1)}
    return {z: sum(one[j] * one[j - z] for j in one if abs(j - z) <= 2 * reach) for z in range(-reach, reach + 1)}


def coverage(true, test, rows, confidence, reach=9, epsilon=1):
    """How likely the certificate is at most the worst case, by going through the noise of all leaves."""
    X, y = table(test)
    exact = certificate._bounds(certificate._true_leaves(grown(true, epsilon=epsilon), X, y, *table(true)), rows)[-1]
    law = noise(epsilon, reach)
    covered = F(0)
    for way in product(law, repeat=2):
        counts = tuple((of[0] + z, of[1]) for of, z in zip(true, way, strict=True))
        if certify(released(counts, epsilon), X, y, rows=rows, confidence=confidence).bound <= exact:
            covered += law[way[0]] * law[way[1]]
    return covered


@pytest.mark.parametrize(
    ("true", "test", "rows", "confidence"),
    [
        (((7, 2), (1, 4)), ((5, 1), (2, 6)), 2, F(4, 5)),
        (((2, 2), (3, 9)), ((1, 6), (7, 1)), 0, F(9, 10)),
        (((0, 0), (5, 0)), ((4, 0), (3, 3)), 5, F(19, 20)),
    ],
)
def test_a_certificate_holds_as_often_as_it_says(true, test, rows, confidence):
    """Both leaves at once, by the exact law of their noises."""
    assert coverage(true, test, rows, confidence) >= confidence


@pytest.mark.parametrize("confidence", [F(4, 5), F(19, 20)])
@pytest.mark.parametrize("test", [(5, 1), (1, 5)])
def test_the_reach_is_not_one_row_too_long_or_too_short(test, confidence, monkeypatch):
    """Of one leaf the certificate fails exactly where the noise is beyond the reach: as seldom as allowed, no more."""
    law, true, X, y = noise(1, 14), (6, 5), *table((test,))

    def held():
        first = DOMAIN.classes[0] if test[0] > test[1] else DOMAIN.classes[1]
        kept = label_of_counts(Rate.of(epsilon=1), first=first == "no")
        lead = (true[0] - true[1]) * (1 if first == "no" else -1) - 2
        exact = (min(test) + abs(test[0] - test[1]) * kept(lead)) / sum(test) + CLOSE
        bounds = {z: certify(released(((true[0] + z, true[1]),)), X, y, rows=2, confidence=confidence) for z in law}
        return sum(law[z] for z, found in bounds.items() if found.bound <= exact)

    assert held() >= confidence
    shipped = certificate.least_reach
    monkeypatch.setattr(certificate, "least_reach", lambda *given: shipped(*given) - 1)
    assert held() < confidence


def test_certificates_of_grown_trees_hold():
    """Two hundred fits; 30 or more failures where at most 1 in 20 is allowed has a probability below 10⁻⁷."""
    true, (X, y), rows = ((14, 5), (3, 12)), table(((9, 2), (1, 8))), 3
    exact = worst_case(grown(true), X, y, *table(true), rows)
    failed = sum(certify(grown(true, seed=seed), X, y, rows=rows).bound > exact for seed in range(200))
    assert failed < 30


@given(true=COUNTS, test=TESTS, rows=st.integers(0, 9), epsilon=st.sampled_from([F(1, 4), F(1), F(3)]))
@settings(max_examples=25)
def test_a_certificate_is_the_worst_case_of_smaller_leads(true, test, rows, epsilon):
    """What was released less the reach, for the class that is right more often."""
    X, y = table(test)
    u = certificate.least_reach(Rate(rate=epsilon), F(1, 40))
    found = certify(released(true, epsilon), X, y, rows=rows)
    left = []
    for of, n in zip(true, test, strict=True):
        better = int(n[1] > n[0])
        counts = [u, u]
        counts[better] = of[better] - of[1 - better]
        left.append(tuple(counts))
    low = min(min(map(min, left)), 0)
    shifted = tuple((a - low, b - low) for a, b in left)
    exact = worst_case(grown(shifted, epsilon=epsilon), X, y, *table(shifted), rows)
    assert abs(found.bound - exact) <= CLOSE and found.rows == rows == len(found.curve) - 1
    assert all(a >= b for a, b in zip(found.curve, found.curve[1:], strict=False)) and found.curve[-1] == found.bound


def accuracy(counts, test, epsilon, leaves):
    """The expected accuracy where the leaves have these training rows."""
    rate = Rate(rate=F(epsilon))
    laws = [label_drawn(rate)] * 2 if leaves == "labels" else [label_of_counts(rate, first=f) for f in (True, False)]
    right = F(0)
    for of, n in zip(counts, test, strict=True):
        right += sum(n[c] * laws[c](of[c] - of[1 - c]) for c in (0, 1))
    return right / sum(map(sum, test))


@pytest.mark.parametrize("leaves", ["labels", "counts"])
@pytest.mark.parametrize(
    ("true", "test"),
    [
        (((3, 1), (1, 2)), ((4, 1), (2, 5))),
        (((2, 2), (0, 1)), ((1, 3), (3, 3))),
        (((0, 0), (4, 0)), ((0, 0), (1, 2))),
    ],
)
def test_the_worst_case_is_the_worst_of_all_forgeries(true, test, leaves):
    """All ways to add or remove up to four rows of either class in either leaf."""
    (X, y), tree = table(test), grown(true, leaves=leaves)
    for rows in (0, 1, 4):
        moves = (way for way in product(range(-rows, rows + 1), repeat=4) if sum(map(abs, way)) <= rows)
        reached = (moved(true, way) for way in moves)
        worst = min(accuracy(now, test, 1, leaves) for now in reached if min(map(min, now)) >= 0)
        found = worst_case(tree, X, y, *table(true), rows)
        assert found <= worst + CLOSE and worst - found <= CLOSE


def moved(true, moves):
    return tuple((a + moves[2 * i], b + moves[2 * i + 1]) for i, (a, b) in enumerate(true))


@given(
    true=COUNTS.filter(lambda counts: sum(map(sum, counts)) > 0),
    test=TESTS,
    rows=st.integers(0, 12),
    leaves=st.sampled_from(["labels", "counts"]),
)
@settings(max_examples=25)
def test_the_best_attack_reaches_the_worst_case(true, test, rows, leaves):
    """The rows that it adds leave what the worst case says; they lie in the domain, and there are as many as asked."""
    (X, y), (A, b), tree = table(test), table(true), grown(true, leaves=leaves)
    forged, labels = best_attack(tree, X, y, A, b, rows)
    assert len(forged) == len(labels) == rows
    after = worst_case(tree, X, y, A + forged, b + labels, 0)
    assert abs(after - worst_case(tree, X, y, A, b, rows)) <= CLOSE


@pytest.mark.parametrize("epsilon", ["1/4", 1])
def test_one_leaf_of_drawn_labels_bends_along_the_curve(epsilon):
    """So the worst case of a public stump is the structured bound, and no more is to be had."""
    true, (X, y) = ((9, 2), (0, 7)), table(((4, 0), (0, 4)))
    tree = grown(true, epsilon=epsilon, leaves="labels")
    clean = [label_drawn(Rate(rate=F(epsilon)))(lead) for lead in (7, 7)]
    split = min(
        (poisoning_curve(clean[0], epsilon, x) + poisoning_curve(clean[1], epsilon, 9 - x)) / 2 for x in range(10)
    )
    assert abs(worst_case(tree, X, y, *table(true), 9) - split) <= CLOSE


def test_ties_go_to_the_first_class():
    """At equal counts the first class is a bit more likely; and a leaf that is empty has its label."""
    true = ((2, 2), (0, 0))
    one, other = (worst_case(grown(true), *table((test, (0, 0))), *table(true), 0) for test in ((3, 0), (0, 3)))
    assert one > F(1, 2) > other and abs(one + other - 1) <= CLOSE
    first, second = (certify(released(((5, 5),)), *table((test,)), rows=0).bound for test in ((3, 0), (0, 3)))
    assert first > second


def test_target_and_rows_say_the_same():
    (X, y), tree = table(((9, 1), (1, 9))), released(((60, 4), (3, 50)))
    by_rows = certify(tree, X, y, rows=40)
    for target in ("0.85", "0.6", "0.5", "0.2"):
        found = certify(tree, X, y, target=target)
        assert found.bound >= F(target) > certify(tree, X, y, rows=found.rows + 1).bound
        assert found.curve == certify(tree, X, y, rows=found.rows).curve
    assert by_rows.curve[7] == certify(tree, X, y, rows=7).bound
    assert certify(tree, X, y, target="0.9").rows is None  # 9 in 10 is what is never quite sure
    assert "not sure" in str(certify(tree, X, y, target="0.95"))


def test_more_confidence_promises_less():
    (X, y), tree = table(((9, 1), (1, 9))), released(((30, 4), (3, 20)))
    bounds = [certify(tree, X, y, rows=10, confidence=level).bound for level in ("1/2", "9/10", "0.999", "0.999999999")]
    assert bounds == sorted(bounds, reverse=True) and bounds[0] > bounds[-1]


def test_a_tree_that_was_saved_certifies_the_same(tmp_path):
    (X, y), tree = table(((9, 1), (1, 9))), grown(((30, 4), (3, 20)), epsilon=2)
    tree.save(tmp_path / "tree.json")
    loaded = Tree.load(tmp_path / "tree.json")
    assert certify(loaded, X, y, rows=5) == certify(tree, X, y, rows=5)
    true = table(((30, 4), (3, 20)))
    assert worst_case(loaded, X, y, *true, 5) == worst_case(tree, X, y, *true, 5)


def test_splits_by_public_coins_certify_too():
    true, (X, y) = ((40, 4), (3, 40)), table(((9, 1), (1, 9)))
    tree = grown(true, splits="random", max_depth=2, seed=3)
    found = certify(tree, X, y, rows=4)
    assert 0 <= found.bound <= worst_case(tree, X, y, *table(true), 4) + CLOSE
    forged, labels = best_attack(tree, X, y, *table(true), 4)
    assert len(forged) == 4 and set(labels) <= set(DOMAIN.classes)


def test_a_certificate_says_what_it_rests_on():
    (X, y) = table(((9, 1), (1, 9)))
    found = certify(CLEAN, X, y, rows=np.int64(2))
    text, page = str(found), found._repr_html_()
    assert type(found.rows) is int and f"{int(found.bound * 10**4) / 10**4:.4f}" in text
    for words in ("a row that is changed counts as two", "none of the rows that were learnt from", "19/20", "public"):
        assert words in text and words in page
    assert page.count("<th scope") == len(found.lines())


def test_many_leaves_and_many_rows():
    """Sixty-four leaves by public coins and a thousand rows."""
    domain = Domain.from_spec({"features": {"x": [0, 64, 64]}, "classes": ["no", "yes"]})
    rows, labels = [[i % 64 + 0.5] for i in range(3000)], [("no", "yes")[i % 64 % 3 == 0] for i in range(3000)]
    tree = fit_privatree(
        Party(rows, domain, labels=labels), Ledger(1), max_depth=6, splits="random", leaves="counts", rng=Rehearsal(1)
    )
    found = certify(tree, rows[:640], labels[:640], rows=1000)
    assert len(found.curve) == 1001 and found.curve[0] > F(2, 3) > F(2, 5) > found.curve[-1]


def test_a_target_is_met_at_the_end_of_the_curve():
    """The bound is that of the most rows that keep the target; one row more does not."""
    X, y = table(((4, 1), (1, 5)))
    tree = released(((20, 0), (0, 20)), 1)
    found = certify(tree, X, y, target="3/5")
    assert found.rows == len(found.curve) - 1 >= 1 and found.bound == found.curve[-1] >= F(3, 5)
    more = certify(tree, X, y, rows=found.rows + 1)
    assert more.bound == more.curve[-1] < F(3, 5) and more.curve[:-1] == found.curve

"""When a node becomes a leaf: what each rule says of counts, and what the noise is taken to be."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fdpedu.accounting import Ledger
from fdpedu.cart import GridSearch
from fdpedu.claims.trees import laws as law
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.exact import Rate
from fdpedu.federation import Federation, Party
from fdpedu.randomness import Rehearsal
from fdpedu.trees import DESIGNS, Design, fit_federated_tree
from fdpedu.trees.stopping import Level, as_printed, averaged, confident, noise_deviation


def level(totals, deviation=0.0, p=2, codes=3):
    """A level whose nodes have these totals, all rows in the first code of every feature."""
    tables = np.zeros((len(totals), p * codes, len(totals[0])), dtype=np.int64)
    tables[:, ::codes] = np.array(totals)[:, None, :]
    return Level(tables, np.ones(tables.shape[:2], dtype=bool), np.arange(p) * codes, deviation)


@given(st.lists(st.tuples(*[st.integers(0, 30)] * 2), min_size=1, max_size=5), st.integers(0, 40))
def test_without_noise_all_rules_agree(totals, least):
    """They are then CART's: fewer rows than asked for, or one class."""
    expected = [sum(node) < least or np.count_nonzero(node) <= 1 for node in totals]
    for rule in (confident, averaged, as_printed):
        assert rule(level(totals), least).tolist() == expected


@given(st.lists(st.tuples(*[st.integers(-50, 50)] * 3), min_size=1, max_size=4), st.integers(0, 40), st.integers(1, 60))
def test_confidence_only_keeps_nodes_open(totals, least, deviation):
    """More noise never stops a node that less noise kept open."""
    stops = [confident(level(totals, d), least) for d in (deviation, 2 * deviation)]
    assert not (stops[1] & ~stops[0]).any()


def test_the_bound_is_95_percent_of_a_normal_law():
    """4 features of 8 codes, 2 classes: the averaged total has 64 noises of deviation 5, divided by 4."""
    of = level([(3, 4)], 5.0, p=4, codes=8)
    assert of.bounds(of.totals().sum(axis=1), 2)[0] == pytest.approx(7 + 1.6449 * 5 * 8 / 4, abs=1e-3)
    assert of.bounds(of.totals(), 1)[0] == pytest.approx(np.array([3, 4]) + 1.6449 * 5 * 32**0.5 / 4, abs=1e-3)


@pytest.mark.claim("lem-confident-stopping")
@given(st.fractions(Fraction(1, 10), Fraction(99, 100), max_denominator=100), st.integers(1, 200), st.integers(1, 200))
def test_the_variance_of_a_cell(alpha, parties, n_noise_shares):
    """K/m·2α/(1−α)², as a fraction."""
    exact = Fraction(parties, n_noise_shares) * 2 * alpha / (1 - alpha) ** 2
    assert noise_deviation(Rate.of(alpha=alpha), parties, n_noise_shares) ** 2 == pytest.approx(float(exact), rel=1e-9)


@pytest.mark.claim("lem-confident-stopping")
def test_few_large_nodes_stop():
    law.stops(4_000, seed=1)


def test_the_printed_rule_looks_at_every_feature():
    """One feature that counts enough rows, or sees a second class, keeps the node open."""
    tables = np.array(
        [[[3, 3], [0, 0], [9, 9], [0, 0]], [[3, 3], [0, 0], [4, 4], [0, 0]], [[9, 0], [0, 0], [9, 1], [0, 0]]]
    )
    seen = Level(tables, np.ones((3, 4), dtype=bool), np.array([0, 2]), 1.0)
    assert as_printed(seen, 10).tolist() == [False, True, False]


def test_codes_outside_the_node_carry_no_doubt():
    """The bound of a node of half the codes has half the noises."""
    seen = level([(5, 5), (5, 5)], 4.0)
    seen.inside[1, 1::3] = False
    wide, narrow = seen.bounds(seen.totals().sum(axis=1), 2) - 10
    assert narrow == pytest.approx(wide * (4 / 6) ** 0.5)


DOMAIN = Domain([Numeric.grid("x", 0, 4, bins=4), Categorical("w", ("A", "B"))], ("a", "b"))
ROWS = [[1, "A", "a"], [3, "A", "b"], [3, "B", "a"], [4, "B", "a"]] * 15


def grow(epsilon, **options):
    return law.grow((DOMAIN, [ROWS[::2], ROWS[1::2]]), epsilon, Rehearsal(3), **options)[0]


@pytest.mark.parametrize("name", DESIGNS)
def test_with_a_budget_beyond_all_need_every_design_grows_the_same_splits(name):
    """At ε = 10⁶ the noise is 0 with a probability beyond 1 − 10⁻³⁰⁰⁰⁰, and so are the rules' doubts."""
    tree, plain = grow(10**6, max_depth=3, design=name), grow(10**6, max_depth=3, design="averaged")
    assert tree.score(*[[r[:-1] for r in ROWS], [r[-1] for r in ROWS]]) == 1
    assert [n.counts for n in tree.leaves()] == [n.counts for n in plain.leaves()]


def test_designs_cost_the_same():
    costs = {name: grow(1, max_depth=2, design=name, unspent_to_leaf=True).derivation.guarantee for name in DESIGNS}
    assert len(set(costs.values())) == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"design": "best"}, "design must be one of 'default'"),
        ({"design": 3}, "or a Design"),
        ({"max_depth": 65}, "at most 64"),
    ],
)
def test_bad_designs_are_refused_before_any_charge(options, message):
    federation = Federation([Party(ROWS, DOMAIN), Party([], DOMAIN)], DOMAIN, Ledger(1), rng=Rehearsal(0))
    with pytest.raises(ValueError, match=message):
        fit_federated_tree(federation, **options)
    assert federation.ledger.spent == 0


def test_a_rule_sees_what_was_released_and_how_noisy_it_is(monkeypatch):
    """Of 3 parties that tolerate 1, with ε_node/p = 1/4·1/2: counts outside a node are 0, whatever their noise was; the
    noise is that of 3 shares of which 2 are enough; and sides are shrunk by three times that.
    """
    levels, shrunk = [], []

    def spy(level, least):
        levels.append(Level(level.tables.copy(), level.inside, level.first, level.deviation))
        return np.zeros(len(level.tables), dtype=bool)

    search = GridSearch.best_splits

    def best_splits(self, tables, *, relative, shrink):
        shrunk.append(shrink)
        return search(self, tables, relative=relative, shrink=shrink)

    monkeypatch.setattr(GridSearch, "best_splits", best_splits)
    parties = [Party(ROWS[k::3], DOMAIN) for k in range(3)]
    federation = Federation(parties, DOMAIN, Ledger(1), rng=Rehearsal(8))
    fit_federated_tree(federation, max_depth=2, design=Design(stop=spy, shrink=3))
    deviation = noise_deviation(Rate.of(epsilon="1/8"), 3, 2)
    assert [level.deviation for level in levels] == [deviation] * 2 and shrunk == [3 * deviation] * 2
    root, below = levels
    assert root.inside.all() and len(below.tables) == 2 and root.first.tolist() == [0, 4]
    assert below.inside.sum(axis=0).tolist() != [2] * 6 and (below.inside.sum(axis=0) >= 1).all()
    assert (below.tables[~below.inside] == 0).all() and np.count_nonzero(below.tables[below.inside]) > 8


def test_a_design_of_ones_own():
    assert (
        grow(10**6, max_depth=3, design=Design(stop=lambda level, least: np.ones(len(level.tables), bool))).depth == 0
    )

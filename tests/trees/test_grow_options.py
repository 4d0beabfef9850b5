"""What the options of a design change in a tree that is grown: its rule, its features, its leaves, its comparisons."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from fdpedu.accounting import Ledger
from fdpedu.cart import CodeSplit, GridSearch
from fdpedu.claims.federations import federate, grow
from fdpedu.claims.histograms import tree_counts as shown
from fdpedu.claims.trees import pruning as free
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.exact import Rate
from fdpedu.federation import ClassCounts, Federation, Party
from fdpedu.randomness import Rehearsal, ZeroWords
from fdpedu.sources.gubler import AsPrinted
from fdpedu.sources.gubler.tree import splits_as_printed
from fdpedu.trees import DESIGNS, Design, fit_federated_tree, stopping
from fdpedu.trees.count_growth import in_thousandths
from fdpedu.trees.counts import View
from fdpedu.trees.growing import Growing
from fdpedu.trees.stopping import Level, noise_deviation
from tests.support.private_trees import DOMAIN, HALVES, at_once, grown, never, of_three

REUSING = Design(fresh_leaves=False)
WARD = Domain([Numeric.grid("x", 0, 4, bins=4), Categorical("w", ("A", "B"))], ("a", "b"))
PATIENTS = [[1, "A", "a"], [3, "A", "b"], [3, "B", "a"], [4, "B", "a"]] * 15


def of_patients(epsilon, **options):
    return grow((WARD, [PATIENTS[::2], PATIENTS[1::2]]), epsilon, Rehearsal(3), **options)[0]


@pytest.mark.parametrize("name", DESIGNS)
def test_with_a_budget_beyond_all_need_every_design_grows_the_same_splits(name):
    """At ε = 10⁶ the noise is 0 with a probability beyond 1 − 10⁻³⁰⁰⁰⁰, and so are the rules' doubts."""
    tree, plain = of_patients(10**6, max_depth=3, design=name), of_patients(10**6, max_depth=3, design="averaged")
    assert tree.score(*[[r[:-1] for r in PATIENTS], [r[-1] for r in PATIENTS]]) == 1
    if DESIGNS[name].stop is stopping.never:  # it goes on below pure nodes
        return
    assert [n.counts for n in tree.leaves()] == [n.counts for n in plain.leaves()]


def test_designs_cost_the_same():
    costs = {
        name: of_patients(1, max_depth=2, design=name, unspent_to_leaf=True).derivation.guarantee for name in DESIGNS
    }
    assert len(set(costs.values())) == 1


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
    parties = [Party(PATIENTS[k::3], WARD) for k in range(3)]
    federation = Federation(parties, WARD, Ledger(1), rng=Rehearsal(8))
    fit_federated_tree(federation, max_depth=2, design=Design(stop=spy, shrink=3))
    deviation = noise_deviation(Rate.of(epsilon="1/8"), 3, 2)
    assert [level.deviation for level in levels] == [deviation] * 2 and shrunk == [3 * deviation] * 2
    root, below = levels
    assert root.inside.all() and len(below.tables) == 2 and root.first.tolist() == [0, 4]
    assert below.inside.sum(axis=0).tolist() != [2] * 6 and (below.inside.sum(axis=0) >= 1).all()
    assert (below.tables[~below.inside] == 0).all() and np.count_nonzero(below.tables[below.inside]) > 8


def test_a_design_of_ones_own():
    assert (
        of_patients(10**6, max_depth=3, design=Design(stop=lambda level, least: np.ones(len(level.tables), bool))).depth
        == 0
    )


def test_the_shrinkage_of_a_gain_is_any_number_of_deviations(monkeypatch):
    found = []

    class Search:
        def best_splits(self, counts, **how):
            found.append(how["shrink"])
            return []

    design = replace(Design(), shrink=7)
    design.best_splits(np.zeros((0, 7, 3), dtype=np.int64), np.ones((0, 7), dtype=bool), Search(), 2.5)
    assert found == [17.5]


def test_histograms_that_are_read_again_have_the_noise_of_the_features_asked_for(monkeypatch):
    seen, plain = [], Growing.read_sides
    monkeypatch.setattr(Growing, "read_sides", lambda self, *given: (seen.append(given[-1]), plain(self, *given)))
    of_three(design=Design(fresh_leaves=False, features_per_node=1, stop=never), max_depth=1, budget=2)
    assert seen == [pytest.approx(stopping.noise_deviation(Rate.of(epsilon=2), 3, 2) ** 2)]


@pytest.mark.parametrize("kind", [Design, AsPrinted])
def test_g_divides_by_what_each_feature_counts(kind):
    """By n·G the feature of few rows is the better one, by G the purer one."""
    domain = Domain.from_spec({"features": {"x": [0, 2, 2], "y": [0, 2, 2]}, "classes": ["a", "b"]})
    tables = np.array([[[45, 5], [5, 45], [3, 2], [2, 3]]])
    for relative, feature in ((True, 0), (False, 1)):
        design = kind(relative=relative)
        (split,) = design.best_splits(tables, np.ones((1, 4), dtype=bool), GridSearch(domain), 1.0)
        assert split == CodeSplit(feature, frozenset([0]))


THREE = Domain.from_spec({"features": {"x": [0, 3, 3], "w": ["A", "B", "C"]}, "classes": ["a", "b", "c"]})
CYCLES = [[x % 3 + 0.5, "ABC"[x * x % 3], "abc"[(x * x + x // 5) % 3]] for x in range(60)]


def test_the_design_as_printed():
    design = AsPrinted()
    for seed in range(8):
        rules = {"max_depth": 3, "min_samples_split": 2}
        tree, answered, federation = free.grown((THREE, [CYCLES[::2], CYCLES[1::2]]), 2, seed, design, **rules)
        own = {query.region: answer.tolist() for query, answer in answered if isinstance(query, ClassCounts)}
        nodes, regions, _ = shown.by_level(tree)
        for node, region in zip(nodes, regions, strict=True):
            if node.is_leaf:
                assert list(node.counts if node.estimate is None else node.estimate) == own[region]
        tables = {query.region: answer for query, answer in answered if not isinstance(query, ClassCounts)}
        for node, region in zip(nodes, regions, strict=True):
            if region in tables and not node.is_leaf:
                mask = np.array([code in region.codes(j) for j in (0, 1) for code in range(3)])
                (split,) = splits_as_printed((tables[region] * mask[:, None])[None], mask[None], THREE)
                assert node.split == split
        assert {query.epsilon for query, _ in answered if isinstance(query, ClassCounts)} == {1}
        assert federation.ledger.spent <= 2


def test_raw_counts_may_be_compared_in_three_ways():
    """By G, by n·G, and by the shrunk gain of raw counts; clipped ones are compared by the search of chapter 1."""
    trees = {}
    for name, design in (
        ("G", AsPrinted(stop=stopping.confident)),
        ("n·G", AsPrinted(stop=stopping.confident, relative=False)),
        ("gain", Design(clip=False, shrink=3)),
        ("clipped gain", Design(shrink=3)),
    ):
        trees[name] = [
            free.grown((THREE, [CYCLES[::2], CYCLES[1::2]]), 1, seed, design, max_depth=2)[0].root for seed in range(8)
        ]
    assert all(trees[a] != trees[b] for a in trees for b in trees if a != b)


@pytest.mark.parametrize("design", [Design(clip=False, shrink=1), AsPrinted()])
def test_without_noise_all_rows_are_there(design):
    federation = federate([CYCLES[::2], CYCLES[1::2]], THREE, 1, ZeroWords())
    tree = fit_federated_tree(federation, max_depth=3, min_samples_split=2, design=design)
    assert sum(tree.root.counts) == 60 and tree.depth > 1


# --- leaves without counts of their own -------------------------------------------------------------------------------


def test_rounds_progress_and_budget():
    steps, federation = [], federate(HALVES, DOMAIN, 3, ZeroWords())
    tree = fit_federated_tree(
        federation,
        max_depth=2,
        min_samples_split=2,
        design=REUSING,
        progress=lambda done, of: steps.append((done, of)),
    )
    assert steps == [(1, 4), (2, 4), (3, 4), (4, 4), (1, 1)] and tree.rounds == 2 == tree.depth
    assert federation.ledger.spent == 3
    with pytest.raises(ValueError, match="max_depth"):
        fit_federated_tree(federate(HALVES, DOMAIN, 3, ZeroWords()), max_depth=0, design=REUSING)


def test_an_early_leaf_predicts_from_the_mean_of_its_totals_in_thousandths():
    tree, federation = grown(replace(REUSING, stop=at_once, consistent=False))
    assert tree.depth == 0 and federation.ledger.spent == Fraction(3, 2)
    (found,) = tree.leaves()
    assert all(round(x, 3) == x for x in found.estimate) and "-0.0," not in str(found.estimate)


def test_means_are_kept_in_thousandths_and_integers_as_they_are():
    assert str(in_thousandths(View(np.array([-0.0001, 2.50049]), 1.0))) == "(0.0, 2.5)"
    assert str(in_thousandths(View(np.array([-3, 7]), 1.0))) == "(-3, 7)"

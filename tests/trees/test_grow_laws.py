"""The laws of chapter 8 on cases of their own: what a path pays, what is left, and what there is without noise."""

from fractions import Fraction

import numpy as np
import pytest

from fdpedu.accounting import BudgetExceeded
from fdpedu.claims.checking import Refuted
from fdpedu.claims.replay import patched
from fdpedu.claims.trees import federated, paths
from fdpedu.claims.trees import growing as limit
from fdpedu.claims.trees import growing as printed
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.exact import Rate
from fdpedu.mechanisms import discrete_laplace_noise
from fdpedu.randomness import Rehearsal
from fdpedu.sources.gubler.tree import stops_as_printed
from fdpedu.trees.costs import Costs
from fdpedu.trees.stopping import Level

MIXED = Domain([Numeric.grid("age", 0, 90, bins=3), Categorical("ward", ("north", "east", "south"))], ("c", "a", "b"))
NUMERIC = Domain([Numeric.grid(name, 0, 40, bins=4) for name in ("age", "dose")], ("well", "ill"))
WARDS, CLASSES = ("south", "north", "east"), ("a", "b", "c")
ROWS = [[10 + 30 * (i % 3), WARDS[i * i % 3], CLASSES[i // 3 % 3]] for i in range(14)]
PAIRS = [[5 + 10 * (i % 4), 5 + 10 * (i // 3 % 4), ("ill", "well")[i * i % 5 < 2]] for i in range(15)]
CASE, FLAT = (MIXED, [ROWS[:5], [], ROWS[5:]]), (NUMERIC, [PAIRS[:7], PAIRS[7:]])
THIRD = Fraction(1, 3)


@pytest.mark.claim("thm-federated-tree")
@pytest.mark.parametrize("way", paths.WAYS)
@pytest.mark.parametrize("unspent", [False, True])
def test_a_record_pays_for_its_path_and_for_nothing_else(way, unspent):
    """Three parties, one of them empty; three classes; three depths; records that are there already, and a new one."""
    for depth, record in ((0, ROWS[0]), (1, [89, "east", "b"]), (3, ROWS[3])):
        paths.every_path(CASE, record, way, THIRD, depth, unspent, 7)


def costs(**changed):
    """Budgets that are divided in another way."""

    def within(*given, **options):
        found = Costs.within(*given, **options)
        return Costs(**{**vars(found), **{name: change(found) for name, change in changed.items()}})

    return type("Costs", (), {"within": staticmethod(within)})


@pytest.mark.claim("thm-federated-tree")
@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"leaf": lambda found: found.leaf / 2, "unspent_to_leaf": lambda found: False}, "although its leaf may spend"),
        (
            {"node": lambda found: found.node * 2, "unspent_to_leaf": lambda found: False},
            "more than the budget",
        ),
    ],
)
def test_a_path_that_costs_otherwise_is_found(changed, words):
    with (
        patched("fdpedu.trees.designs.counts", Costs=costs(**changed)),
        pytest.raises((Refuted, BudgetExceeded), match=words),
    ):
        paths.every_path(CASE, ROWS[0], "averaged", THIRD, 2, True, 7)


@pytest.mark.claim("thm-federated-tree")
@pytest.mark.parametrize("way", paths.WAYS)
def test_the_derivation_of_every_tree_is_accepted_with_its_manifest(way):
    for depth in (0, 1, 3):
        paths.accepted(CASE, way, THIRD, depth, depth == 1, 3)
        paths.accepted(FLAT, way, Fraction(1, 2), depth, depth > 1, 4)


@pytest.mark.claim("thm-federated-tree")
@pytest.mark.parametrize("way", paths.PLAIN)
@pytest.mark.parametrize("turn", range(4))
def test_columns_and_labels_are_found_by_name(way, turn):
    """Classes, categories and names that are in no alphabetical order; every party has its columns in another one."""
    federated.by_name(CASE, way, 2, turn)


@pytest.mark.claim("lem-grid-limit")
@pytest.mark.parametrize("case", [CASE, FLAT, (MIXED, [[], []]), (NUMERIC, [PAIRS[:1], PAIRS[:1] * 3])])
def test_without_noise_it_is_the_grid_tree(case):
    for depth, least in ((0, 2), (2, 14), (2, 15), (4, 2)):
        limit.limit(case, depth, least, depth == 2)


@pytest.mark.claim("lem-grid-limit")
@pytest.mark.parametrize(
    ("other", "depth"), [({"max_depth": 1}, 2), ({"max_depth": 2}, 1), ({"min_samples_split": 15}, 2)]
)
def test_another_tree_is_not_the_grid_tree(other, depth):
    """One that is too small, too large, or stops where there are enough rows."""

    def fitted(federation, way, options):
        return paths.fit(federation, way, {**options, **other})

    with patched("fdpedu.claims.trees.growing", fit=fitted), pytest.raises(Refuted, match="CART stops"):
        limit.limit(CASE, depth, 4, False)


@pytest.mark.claim("lem-unspent-leaf")
@pytest.mark.parametrize("way", paths.PLAIN)
@pytest.mark.parametrize("depth", range(4))
def test_an_early_leaf_may_have_the_rest(way, depth):
    paths.unspent(CASE, way, THIRD, depth, seed=depth)


@pytest.mark.claim("stopping-as-printed")
def test_the_printed_test_hardly_ever_stops_at_nobody():
    """The bounds of the statement, and that the first number of features that refutes it is 3."""
    alpha = Fraction(99, 100)
    assert printed.at_most(3, alpha, 10) < Fraction(43, 100) and printed.at_most(10, alpha, 10) < Fraction(1, 200)
    assert printed.at_most(1, alpha, 10) == Fraction(1, 2) + Fraction(10, 199) + Fraction(200, 199)
    printed.empty_becomes_a_leaf(2, alpha, 10)
    with pytest.raises(Refuted, match=r"0\.4204"):
        printed.empty_becomes_a_leaf(3, alpha, 10)


@pytest.mark.claim("stopping-as-printed")
@pytest.mark.parametrize(("p", "bins"), [(3, 2), (3, 8), (6, 4)])
def test_the_shipped_form_of_the_printed_test_keeps_the_bound(p, bins):
    """4,000 empty nodes: the share that stops is below the bound, and not far below a half to the power of p.

    It is a mean of 4,000 coins, so with a probability of less than 10⁻⁹ it is off by more than .05.
    """
    noise = discrete_laplace_noise(Rate(alpha=Fraction(99, 100)), 4000 * p * bins * 2, Rehearsal(3))
    tables = noise.reshape(4000, p * bins, 2)
    level = Level(tables, np.ones((4000, p * bins), dtype=bool), np.arange(p) * bins, 1.0)
    share = stops_as_printed(level, 10).mean()
    assert 0.5**p - 0.05 < share < float(printed.at_most(p, Fraction(99, 100), 10)) + 0.05

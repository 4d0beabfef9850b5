"""Without noise, the trees of the simulation are those of the package: one label for every record of the domain."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from fdpedu.bounds import fit_saving_tree, fit_saving_tree_as_printed
from fdpedu.cart import fit_cart
from fdpedu.randomness import ZeroWords
from fdpedu.trees import DESIGNS, Design, fit_federated_tree, stopping
from tests.support.simulated import PARTIES, federation, predictions_of, problems, raw, simulated

OTHERS = {
    "features": Design(features_per_node=1, consistent=False),
    "shrunk": Design(shrink=2, consistent=False, clip=False),
    "unclipped": Design(clip=False, relative=False, stop=stopping.averaged),
    "relative": Design(relative=True, unspent_to_leaf=False),
    "reusing": Design(fresh_leaves=False),
    "reusing, one feature": Design(fresh_leaves=False, features_per_node=1, consistent=False),
    "own rule": Design(stop=lambda level, least: level.tables[:, 0, 0] > least, consistent=False),
}
GROWN = {**DESIGNS, **OTHERS}
SHAPES = {"max_depth": st.integers(0, 4), "min_samples_split": st.integers(0, 9)}


@settings(max_examples=40)
@given(problem=problems(), **SHAPES)
def test_central_and_local_trees_are_those_of_cart(problem, max_depth, min_samples_split):
    """Ties included: the least n·G as a fraction, then the first feature, then its lowest border."""
    domain, codes, labels, parties = problem
    shape = {"max_depth": max_depth, "min_samples_split": min_samples_split}
    for method, own in (("central", parties < PARTIES), ("local", parties == 0)):
        found = simulated(method, problem, epsilon=None, **shape)
        if not own.any():
            assert set(found) == {0}
            continue
        values, classes = raw(domain, codes[own], labels[own])
        tree = fit_cart(values, classes, grid=domain, max_depth=max_depth, min_samples_split=max(2, min_samples_split))
        assert found == predictions_of(tree)


@pytest.mark.parametrize("name", GROWN)
@settings(max_examples=12)
@given(problem=problems(), epsilon=st.sampled_from(["1/10", "1", "5"]), tolerate=st.integers(0, 2), **SHAPES)
def test_trees_of_a_federation_are_those_of_the_package(name, problem, epsilon, tolerate, max_depth, min_samples_split):
    """Under each design, of mixed features and up to four classes."""
    shape = {"max_depth": max_depth, "min_samples_split": min_samples_split}
    assume(max_depth or not isinstance(GROWN[name], Design) or GROWN[name].fresh_leaves)
    parties = federation(problem, epsilon, tolerate=tolerate)
    tree = fit_federated_tree(parties, design=GROWN[name], rng=ZeroWords(), **shape)
    found = simulated(GROWN[name], problem, epsilon=epsilon, tolerate=tolerate, **shape)
    assert found == predictions_of(tree)


@settings(max_examples=20)
@given(problem=problems(), lattice=st.integers(1, 5), share=st.sampled_from(["1/4", "2/3"]), **SHAPES)
def test_trees_with_lower_bounds_are_those_of_the_package(problem, lattice, share, max_depth, min_samples_split):
    """Mended, and as printed (with a ledger that has more than the printed ε)."""
    domain = problem[0]
    assume(domain.n_classes == 2 or all(feature.ordered for feature in domain.features))
    shape = {"max_depth": max_depth, "min_samples_split": min_samples_split, "lattice": lattice, "bounds_share": share}
    mended = fit_saving_tree(federation(problem), **shape)
    assert simulated("algorithm-6", problem, **shape) == predictions_of(mended)
    printed = fit_saving_tree_as_printed(federation(problem, 100), epsilon=1, **shape)
    assert simulated("algorithm-6-as-printed", problem, **shape) == predictions_of(printed)

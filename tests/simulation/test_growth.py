"""Without noise and with the same noise in the same cells, the trees of the simulation are those of the package."""

from contextlib import contextmanager
from dataclasses import replace
from zlib import crc32

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from fdpedu.bounds import fit_saving_tree
from fdpedu.cart import fit_cart
from fdpedu.federation import ClassCounts, ClassHistogram, NodeBounds
from fdpedu.randomness import ZeroWords
from fdpedu.simulation import saving
from fdpedu.simulation.designs import Noisy, Screened
from fdpedu.simulation.growth import predicted_labels
from fdpedu.simulation.methods import plan_of
from fdpedu.simulation.parameters import Parameters
from fdpedu.simulation.saving import Saving
from fdpedu.sources.gubler import AsPrinted
from fdpedu.trees import DESIGNS, Design, fit_federated_tree, stopping
from tests.support.simulated import PARTIES, InOnePlace, coded, federation, predictions_of, problems, raw, simulated

OTHERS = {
    "as printed": AsPrinted(),
    "features": Design(features_per_node=1, consistent=False),
    "shrunk": Design(shrink=2, consistent=False, clip=False),
    "unclipped": AsPrinted(relative=False, stop=stopping.averaged),
    "relative": Design(relative=True, unspent_to_leaf=False),
    "screened to one": Design(stop=stopping.never, shrink=2, keep=1, consistent=False),
    "screened to two": Design(stop=stopping.averaged, shrink=1, keep=2, unspent_to_leaf=False),
    "reusing": Design(fresh_leaves=False),
    "reusing, one feature": Design(fresh_leaves=False, features_per_node=1, consistent=False),
    "own rule": Design(stop=lambda level, least: level.tables[:, 0, 0] > least, consistent=False),
}
GROWN = {**DESIGNS, **OTHERS}
SHAPES = {"max_depth": st.integers(0, 4), "min_samples_split": st.integers(0, 9)}


def shape_for(design, max_depth, least):
    """What may be said of the shape: a design that never stops asks for no rows."""
    rows = {} if design.stop is stopping.never else {"min_samples_split": least}
    return {"max_depth": max_depth, "leaf_share": "1/3", **rows}


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
    shape = shape_for(GROWN[name], max_depth, min_samples_split)
    assume(max_depth or GROWN[name].fresh_leaves)
    parties = federation(problem, epsilon, tolerate=tolerate)
    tree = fit_federated_tree(parties, design=GROWN[name], rng=ZeroWords(), **shape)
    found = simulated(GROWN[name], problem, epsilon=epsilon, tolerate=tolerate, **shape)
    assert found == predictions_of(tree)


@settings(max_examples=20)
@given(problem=problems(), lattice=st.integers(1, 5), share=st.sampled_from(["1/4", "2/3"]), **SHAPES)
def test_trees_with_lower_bounds_are_those_of_the_package(problem, lattice, share, max_depth, min_samples_split):
    """Algorithm 6, mended."""
    domain = problem[0]
    assume(domain.n_classes == 2 or all(feature.ordered for feature in domain.features))
    shape = {"max_depth": max_depth, "min_samples_split": min_samples_split, "lattice": lattice, "bounds_share": share}
    mended = fit_saving_tree(federation(problem), **shape)
    assert simulated("algorithm-6", problem, **shape) == predictions_of(mended)


# --- the same noise in the same cells: made from a node's region, none at leaves --------------------------------------


GIVEN = {
    **DESIGNS,
    "as printed": AsPrinted(),
    "one feature": Design(features_per_node=1),
    "screened to one": Design(stop=stopping.never, shrink=2, keep=1, consistent=False),
    "screened to two": Design(stop=stopping.averaged, shrink=1, keep=2, unspent_to_leaf=False),
    "reusing": Design(fresh_leaves=False),
    "reusing, raw": Design(fresh_leaves=False, shrink=1, consistent=False),
    "reusing, two features": Design(fresh_leaves=False, features_per_node=2),
}


def keyed(inside, classes, strength):
    """Noise for the cells of a node, of which this is known: which codes lie in it, shape (B, p)."""
    rng = np.random.default_rng(crc32(np.packbits(inside).tobytes()))
    return rng.integers(-strength, strength + 1, size=(classes, *inside.shape))


def keyed_bounds(inside, strength):
    """Noise for the bounds of a node's features, some steps of it."""
    rng = np.random.default_rng(crc32(b"bounds" + np.packbits(inside).tobytes()))
    return rng.integers(-2 * strength, 2 * strength + 1, size=inside.shape[1])


class Keyed(InOnePlace):
    """A federation whose histograms have that noise, and whose leaves have none."""

    strength = 0

    def release(self, queries, account=None, *, answered=None):
        exact, features = super().release(queries, account), self.domain.features
        inside = np.zeros((max(feature.n_codes for feature in features), len(features)), dtype=bool)
        for query, answer in zip(queries, exact, strict=True):
            if isinstance(query, ClassCounts):
                continue
            inside[:] = False
            for j in range(len(features)):
                inside[sorted(query.region.codes(j)), j] = True
            if isinstance(query, NodeBounds):
                answer += keyed_bounds(inside, self.strength)
                continue
            noise = keyed(inside, self.domain.n_classes, self.strength)
            own = [query.feature] if isinstance(query, ClassHistogram) else range(len(features))
            answer += np.concatenate([noise[:, : features[j].n_codes, j].T for j in own])
        return exact


@pytest.mark.parametrize("name", GIVEN)
@settings(max_examples=12)
@given(
    problem=problems(),
    strength=st.sampled_from([1, 4]),
    max_depth=st.integers(0, 4),
    min_samples_split=st.integers(0, 9),
    tolerate=st.integers(0, 1),
)
def test_trees_under_given_noise(name, problem, strength, max_depth, min_samples_split, tolerate):
    """Every label of every record, at a strength of noise that the design takes for its own."""
    design = GIVEN[name]
    assume(max_depth or design.fresh_leaves)
    desk = Keyed(problem, 100, tolerate)
    desk.strength = strength
    shape = shape_for(design, max_depth, min_samples_split)
    tree = fit_federated_tree(desk, epsilon=8, design=design, rng=ZeroWords(), **shape)
    with given_noise(strength):
        found = simulated(design, problem, epsilon=8, tolerate=tolerate, **shape)
    assert found == predictions_of(tree)


@contextmanager
def given_noise(strength):
    """The same noise in the simulation."""
    here = []

    def noting(decide):
        def decide_here(plan, nodes, source):
            here.append(nodes.inside)
            return decide(plan, nodes, source)

        return decide_here

    def noisy(plan, counts, rate, source):
        if counts.ndim == 2:
            return counts.astype(float)
        classes, _, nodes, _ = counts.shape
        noise = [keyed(here[-1][:, node], classes, strength) for node in range(nodes)]
        return counts + np.stack(noise, axis=2).astype(float)

    with pytest.MonkeyPatch.context() as patch:
        for kind in (Noisy, Screened):
            patch.setattr(kind, "decide", noting(kind.decide))
        patch.setattr(Noisy, "noisy", noisy)
        yield


@pytest.mark.parametrize("name", ["algorithm-5-clipped", "reusing, raw", "default"])
@settings(max_examples=15)
@given(problem=problems(), seed=st.integers(0, 99), max_depth=st.integers(1, 4))
def test_a_test_row_gets_the_same_prediction_whatever_other_test_rows_there_are(name, problem, seed, max_depth):
    """One record of the domain alone, and among all: nodes that are left out change nothing on its path."""
    plan = plan_of(GIVEN[name], problem[0], PARTIES, 8, Parameters(max_depth))
    rows = coded(problem)
    at = np.random.default_rng(seed).integers(rows.n_test)
    alone = replace(rows, test_codes=rows.test_codes[:, [at]], test_labels=rows.test_labels[:, [at]])
    with given_noise(2):
        assert predicted_labels(plan, alone, ZeroWords())[0, 0] == predicted_labels(plan, rows, ZeroWords())[0, at]


@settings(max_examples=25)
@given(
    problem=problems(),
    strength=st.sampled_from([1, 4]),
    lattice=st.integers(1, 4),
    max_depth=st.integers(0, 3),
    min_samples_split=st.integers(0, 6),
)
def test_trees_with_lower_bounds_under_given_noise(problem, strength, lattice, max_depth, min_samples_split):
    """Noisy bounds remove features that would have been the best ones, and order decides between equals."""
    domain = problem[0]
    assume(domain.n_classes == 2 or all(feature.ordered for feature in domain.features))
    desk = Keyed(problem, 1000)
    desk.strength = strength
    shape = {"max_depth": max_depth, "min_samples_split": min_samples_split, "lattice": lattice}
    tree = fit_saving_tree(desk, epsilon=8, **shape)
    decide, here = Saving.decide, []

    def decide_here(plan, nodes, source):
        here.append(nodes.inside)
        return decide(plan, nodes, source)

    def noise(rates, times, source):
        if rates.ndim == 1:
            return np.zeros((times, *rates.shape))
        inside = [here[-1][:, node] for node in range(len(rates))]
        if times == 1:
            return np.array([[keyed_bounds(one, strength) for one in inside]], dtype=float)
        cells = np.stack([keyed(one, domain.n_classes, strength) for one in inside], axis=2)
        return cells.reshape(times, *rates.shape).astype(float)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Saving, "decide", decide_here)
        patch.setattr(saving, "laplace_noise_of_rates", noise)
        found = simulated("algorithm-6", problem, epsilon=8, **shape)
    assert found == predictions_of(tree)

"""What noise is drawn at: at each node and leaf the rate that the package's own releases have, exactly.

Without noise both grow the same tree, so their nodes can be compared one by one; every record of the domain is a test
row, so all nodes are expanded.
"""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from fdpedu.bounds import fit_saving_tree
from fdpedu.federation import ClassCounts, ClassHistogram, NodeBounds, NodeHistograms
from fdpedu.randomness import ZeroWords
from fdpedu.simulation import designs, saving
from fdpedu.simulation.growth import predicted_labels
from fdpedu.simulation.methods import plan_of
from fdpedu.simulation.parameters import Parameters
from fdpedu.sources.gubler import AsPrinted
from fdpedu.trees import Design, fit_federated_tree
from tests.support.simulated import PARTIES, InOnePlace, coded, problems

SHAPES = {"max_depth": st.integers(1, 4), "min_samples_split": st.integers(0, 9)}
DESIGNS = {
    "default": "default",
    "printed": AsPrinted(),
    "one feature": Design(features_per_node=1, consistent=False),
}


class Recorded(InOnePlace):
    """A federation that keeps at which rate it was asked what: bounds and leaves each time, histograms once a node."""

    def __init__(self, problem):
        super().__init__(problem, 100)
        self.rates, self.nodes = {kind: [] for kind in (NodeBounds, ClassCounts)}, {}

    def release(self, queries, account=None, *, answered=None):
        for query in queries:
            rate = float(query.rate.rate)
            if isinstance(query, (ClassHistogram, NodeHistograms)):
                self.nodes[query.region] = rate
            else:
                self.rates[type(query)].append(rate)
        return super().release(queries, account, answered=answered)


def near(found, wanted):
    """The same rates, each as often."""
    assert len(found) == len(wanted)
    assert np.allclose(sorted(found), sorted(wanted), rtol=1e-12, atol=0)


@settings(max_examples=15)
@given(problem=problems(), lattice=st.integers(1, 5), share=st.sampled_from(["1/4", "2/3"]), **SHAPES)
def test_bounds_histograms_and_leaves_of_algorithm_6(problem, lattice, share, max_depth, min_samples_split):
    """With what was saved above, at leaves, too."""
    domain = problem[0]
    assume(domain.n_classes == 2 or all(feature.ordered for feature in domain.features))
    shape = {"max_depth": max_depth, "min_samples_split": min_samples_split, "lattice": lattice, "bounds_share": share}
    recorded = Recorded(problem)
    fit_saving_tree(recorded, epsilon="3/2", **shape)
    drawn = {"bounds": [], "nodes": [], "leaves": []}

    def no_noise(rates, times, source):
        what = "leaves" if rates.ndim == 1 else "bounds" if times == 1 else "nodes"
        drawn[what] += rates.tolist() if what == "leaves" else rates[:, 0].tolist()
        assert rates.ndim == 1 or (rates == rates[:, :1]).all()
        return np.zeros((times, *rates.shape))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(saving, "laplace_noise_of_rates", no_noise)
        plan = plan_of("algorithm-6", domain, PARTIES, "3/2", Parameters(**shape))
        predicted_labels(plan, coded(problem), ZeroWords())
    near(drawn["bounds"], recorded.rates[NodeBounds])
    near(drawn["nodes"], list(recorded.nodes.values()))
    near(drawn["leaves"], recorded.rates[ClassCounts])


@pytest.mark.parametrize("method", DESIGNS.values(), ids=DESIGNS)
@settings(max_examples=10)
@given(problem=problems(), **SHAPES)
def test_histograms_and_leaves_of_algorithm_5(method, problem, max_depth, min_samples_split):
    """Cells at ε_node/p, or at ε_node/q; early leaves with what is left, or with ε_leaf as printed."""
    shape, recorded = {"max_depth": max_depth, "min_samples_split": min_samples_split}, Recorded(problem)
    fit_federated_tree(recorded, epsilon="3/2", design=method, rng=ZeroWords(), **shape)
    grid, cells, leaves = plan_of(method, problem[0], 1, 1, Parameters()).grid, [], []

    def no_noise(rate, n_parties, tolerate, size, source):
        assert (n_parties, tolerate) == (PARTIES, 1)
        node = rate is plan.cell_rate
        (cells if node else leaves).append((rate.rate, size // (grid.cells_per_node if node else grid.n_classes)))
        return np.zeros(size)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(designs, "summed_noise", no_noise)
        plan = plan_of(method, problem[0], PARTIES, "3/2", Parameters(**shape, tolerate=1))
        predicted_labels(plan, coded(problem), ZeroWords())
    near([float(rate) for rate, many in cells for _ in range(many)], list(recorded.nodes.values()))
    near([float(rate) for rate, many in leaves for _ in range(many)], recorded.rates[ClassCounts])

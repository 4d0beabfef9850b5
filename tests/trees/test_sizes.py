"""More nodes than a block, and billions of rows, change nothing else."""

import numpy as np
import pytest

from fdpedu.cart import GridSearch
from fdpedu.federation.endpoint import Endpoint
from fdpedu.trees import fit_federated_tree
from fdpedu.trees.stopping import Level, as_printed, averaged, confident
from tests.support.records import SPECIAL, federation, special_rows


@pytest.mark.parametrize("n", [1, 31, 32, 33, 64, 65])
def test_nodes_do_not_depend_on_their_neighbours(n):
    """Each is stopped or not as if it were alone."""
    tables_of = np.random.default_rng(n).integers(0, 9, (n, 21, 3))
    first = GridSearch(SPECIAL).first
    level = Level(tables_of, np.ones((n, 21), dtype=bool), first, 1.5)
    for stop in (confident, averaged, as_printed):
        alone = [stop(Level(t[None], np.ones((1, 21), dtype=bool), first, 1.5), 40)[0] for t in tables_of]
        assert stop(level, 40).tolist() == alone


@pytest.mark.parametrize("factor", [2**24 + 1, 2**31 - 1, 2**31 + 1, 2**33 + 1])
def test_a_tree_of_billions_of_rows(factor, monkeypatch):
    """Parties count every row so many times: the same splits, and as many times the counts, at every node and leaf."""
    rows = special_rows(400, 5)
    options = {"max_depth": 3, "min_samples_split": 2, "design": "averaged"}
    plain = fit_federated_tree(federation([rows[::2], rows[1::2]], SPECIAL, 1), **options)
    counts = Endpoint._counts
    monkeypatch.setattr(Endpoint, "_counts", lambda self, queries: factor * counts(self, queries))
    large = fit_federated_tree(federation([rows[::2], rows[1::2]], SPECIAL, 1), **options)
    for (_, a), (_, b) in zip(plain.nodes(), large.nodes(), strict=True):
        assert a.split == b.split and b.counts == tuple(factor * n for n in a.counts)
    X = [row[:-1] for row in rows]
    assert large.predict(X).tolist() == plain.predict(X).tolist()
    assert np.abs(large.predict_proba(X) - plain.predict_proba(X)).max() < 1e-12

"""What must follow for a federated tree when parties, rows, features and classes change their places."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fdpedu.trees import DESIGNS, fit_federated_tree
from fdpedu.trees.stopping import Level, as_printed, averaged, confident
from tests.support.records import ORDERS, federation, outline, special_rows, turned_about


@pytest.mark.parametrize("design", DESIGNS)
def test_a_federated_tree_follows_parties_features_and_classes(design):
    """Without noise: the same tree, whatever the order of parties, rows, features and classes; and what it has cost, in
    the coordinates of the other domain.
    """
    rows = special_rows(600, 3)
    trees, derivations = [], []
    for features, classes in ORDERS:
        turned, domain = turned_about(rows, features, classes)
        for parts in ([turned[:100], turned[100:], []], [[], turned[::2], turned[1::2]]):
            tree = fit_federated_tree(federation(parts, domain, 1), max_depth=2, design=design)
            trees.append(outline(tree.root, tree))
            derivations.append(
                proof(tree.derivation.content["proof"], {str(i): str(j) for i, j in enumerate(features)})
            )
    assert all(tree == trees[0] for tree in trees) and trees[0][1:]
    assert derivations[0] == derivations[1] and derivations[2] == derivations[3] and len(str(derivations[0])) > 1000
    same_classes = [derivations[i] for i in (0, 2)]
    assert same_classes[0] == same_classes[1]


def proof(step, names):
    """A step with the coordinates of its region under other names."""
    region = {names.get(name, name): codes for name, codes in step["region"].items()}
    return {**step, "region": region, "premises": [proof(below, names) for below in step.get("premises", [])]}


@given(st.data())
def test_stopping_rules_do_not_depend_on_the_order(data):
    """Of nodes, features and classes: each rule stops the same nodes, whatever comes first in the tables."""
    sizes = data.draw(st.lists(st.integers(2, 3), min_size=2, max_size=3))
    nodes, classes = data.draw(st.integers(1, 4)), data.draw(st.integers(2, 3))
    numbers = st.lists(st.integers(-6, 2), min_size=sum(sizes), max_size=sum(sizes))
    tables_of = np.array([[data.draw(numbers) for _ in range(classes)] for _ in range(nodes)]).transpose(0, 2, 1)
    deviation, least = data.draw(st.floats(0, 4)), data.draw(st.integers(0, 4))
    order = [data.draw(st.permutations(range(n))) for n in (nodes, len(sizes), classes)]
    blocks = np.split(tables_of, np.cumsum(sizes)[:-1], axis=1)
    turned = np.concatenate([blocks[j] for j in order[1]], axis=1)[order[0]][:, :, order[2]]

    def level(tables, widths):
        return Level(tables, np.ones(tables.shape[:2], dtype=bool), np.cumsum([0, *widths])[:-1], deviation)

    for stop in (confident, averaged, as_printed):
        plain = stop(level(tables_of, sizes), least)
        assert stop(level(turned, [sizes[j] for j in order[1]]), least).tolist() == plain[order[0]].tolist()

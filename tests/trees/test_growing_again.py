"""The second tree of a federation, and trees of more than one round."""

from fdpedu.claims.federations import federate
from fdpedu.domain import Domain
from fdpedu.randomness import Rehearsal
from fdpedu.trees import fit_federated_tree

DOMAIN = Domain.from_spec({"features": {"x": [0, 4, 4], "z": [0, 2, 2]}, "classes": ["a", "b"]})
ROWS = [[x % 4 + 0.5, x % 2 + 0.5, "abba"[x % 4]] for x in range(40)]


def test_each_tree_counts_its_own_rounds():
    federation = federate([ROWS[::2], ROWS[1::2]], DOMAIN, 10**6, Rehearsal(1))
    trees = [fit_federated_tree(federation, max_depth=depth, epsilon=10**5) for depth in (1, 2, 0)]
    assert [tree.rounds for tree in trees] == [2, 3, 1] and federation.rounds == 6

"""Valid calls of what chapter 15 offers, and of the query below it, for `odd_calls.py`."""

from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.randomness import ZeroWords
from fdpedu.secret_sharing import fit_shared_tree

AGES = Domain([Numeric.grid("age", 0, 4, bins=4), Categorical("ward", ("A", "B"))], ("well", "ill"))
X, Y = [[0.5, "A"], [3.5, "B"]], ["well", "ill"]
TREE = fit_shared_tree([(X, Y), (X, Y)], AGES, max_depth=1, rng=ZeroWords())


def secret_sharing():
    """The calls."""
    return {
        "federation.SplitVote": {"region": AGES.everything, "cost": "1/2", "loss": "gini", "lattice": 4},
        "trees.Votes": {"loss": "mixed", "lattice": 4, "prune": False},
        "secret_sharing.certain_votes": {"totals": [2, 1], "own": [1]},
        "secret_sharing.fit_local_tree": {
            **{"X": X, "y": Y, "domain": AGES, "criterion": "entropy", "max_depth": 2, "rng": ZeroWords()},
        },
        "secret_sharing.fit_shared_tree": {
            **{"parties": [(X, Y), (X, Y)], "domain": AGES, "rule": "mended", "criterion": "entropy", "max_depth": 2},
            "rng": ZeroWords(),
        },
        "secret_sharing.node_messages": {"n_parties": 4, "kind": "leaf"},
        "secret_sharing.noisy_totals_win": {"n_parties": 5, "n_choices": 11, "epsilon": 1},
        "secret_sharing.published_totals": {"sums": [(0, [1, 2]), (1, [2, 2])], "n_parties": 2, "modulus": 3},
        "secret_sharing.secret_selection": {"votes": [1, 0], "n_choices": 2, "modulus": 3, "rng": ZeroWords()},
        "secret_sharing.selection_as_printed_law": {"votes": [1, 0], "n_choices": 2, "modulus": 3},
        "secret_sharing.threshold_information": {"n_values": 10, "outsiders": 3},
        "secret_sharing.vote_information": {"n_choices": 5, "outsiders": 4},
    }


def secret_sharing_methods():
    """Methods of the tree."""
    return {
        "secret_sharing.SharedTree.predict": {"self": TREE, "X": X},
        "secret_sharing.SharedTree.score": {"self": TREE, "X": X, "y": Y},
        "secret_sharing.SharedTree.seen_by": {"self": TREE, "parties": [0]},
    }

"""Valid calls of what chapter 15 offers, and of the query below it, for `odd_calls.py`."""

from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.randomness import ZeroWords
from fdpedu.sources.elzein import fit_shared_tree

AGES = Domain([Numeric.grid("age", 0, 4, bins=4), Categorical("ward", ("A", "B"))], ("well", "ill"))
X, Y = [[0.5, "A"], [3.5, "B"]], ["well", "ill"]
TREE = fit_shared_tree([(X, Y), (X, Y)], AGES, max_depth=1, rng=ZeroWords())


def secret_sharing():
    """The calls."""
    return {
        "federation.SplitVote": {"region": AGES.everything, "cost": "1/2", "loss": "gini", "lattice": 4},
        "trees.Votes": {"loss": "mixed", "lattice": 4, "prune": False},
        "sources.elzein.certain_votes": {"totals": [2, 1], "own": [1]},
        "sources.elzein.fit_local_tree": {
            **{"X": X, "y": Y, "domain": AGES, "criterion": "entropy", "max_depth": 2, "rng": ZeroWords()},
        },
        "sources.elzein.fit_shared_tree": {
            **{"parties": [(X, Y), (X, Y)], "domain": AGES, "rule": "mended", "criterion": "entropy", "max_depth": 2},
            "rng": ZeroWords(),
        },
        "sources.elzein.node_messages": {"n_parties": 4, "kind": "leaf"},
        "sources.elzein.noisy_totals_win": {"n_parties": 5, "n_choices": 11, "epsilon": 1},
        "sources.elzein.published_totals": {"sums": [(0, [1, 2]), (1, [2, 2])], "n_parties": 2, "modulus": 3},
        "sources.elzein.secret_selection": {"votes": [1, 0], "n_choices": 2, "modulus": 3, "rng": ZeroWords()},
        "sources.elzein.selection_as_printed_law": {"votes": [1, 0], "n_choices": 2, "modulus": 3},
        "sources.elzein.threshold_information": {"n_values": 10, "outsiders": 3},
        "sources.elzein.vote_information": {"n_choices": 5, "outsiders": 4},
    }


def secret_sharing_methods():
    """Methods of the tree."""
    return {
        "sources.elzein.SharedTree.predict": {"self": TREE, "X": X},
        "sources.elzein.SharedTree.score": {"self": TREE, "X": X, "y": Y},
        "sources.elzein.SharedTree.seen_by": {"self": TREE, "parties": [0]},
    }

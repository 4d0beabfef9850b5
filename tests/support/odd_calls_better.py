"""Valid calls of what chapter 11 offers, and of the choices below it, for the odd values of `odd_calls.py`."""

from fdpedu.accounting import Ledger
from fdpedu.cart.candidates import Borders
from fdpedu.domain import Domain, Numeric
from fdpedu.exact import Rate
from fdpedu.federation import Curator, Party
from fdpedu.randomness import ZeroWords

AGES = Domain([Numeric.grid("age", 0, 2, bins=2), Numeric.grid("dose", 0, 2, bins=2)], ("well", "ill"))
ALL = AGES.everything


def better(fresh):
    """The calls; ``fresh`` makes anew what a call uses up."""
    owner = Party([[0, 0, "well"], [2, 2, "ill"]], AGES)
    choice = {"region": ALL, "cost": "1/2", "loss": "mixed", "lattice": 4}
    borders = Borders([[1], None])
    return {
        "cart.candidates": {"domain": AGES, "region": ALL, "borders": borders},
        "cart.split_losses": {"left": [[1, 0]], "right": [[2, 3]], "loss": "mixed", "lattice": 4},
        "mechanisms.draw_block": {"losses": [([1], [2, 3])], "rate": Rate.of(epsilon=1), "source": ZeroWords()},
        "federation.ChosenBlock": choice,
        "federation.ChosenSplit": {**choice, "borders": borders},
        "federation.DesignedSplit": {**choice, "designer": 1},
        "federation.Curator": {"party": owner, "ledger": fresh(lambda: Ledger(1)), "rng": ZeroWords()},
        "trees.Owner": {"loss": "gini", "lattice": 4, "prune": False},
        "trees.Rotating": {"loss": "gini", "lattice": 4, "prune": False},
        "trees.designs.rotating.designers": {"order": [1, 0], "depth": 3},
        "trees.designs.rotating.level_costs": {"designs": [1, 0, 1], "epsilon": 1, "leaf_share": "1/5"},
        "trees.designs.owner.owner_shape": {"nominal_size": 5, "epsilon": 1},
        "trees.designs.rotating.rotating_shape": {"nominal_size": 5, "epsilon": 1},
        "recommending.recommend": {
            **{"n_parties": 5, "nominal_size": 5, "epsilon": 1, "delta": 0, "want": "tree", "trust": "sums"},
            "n_features": 5,
        },
        "trees.fit_owner_tree": {
            **{"party": owner, "ledger": fresh(lambda: Ledger(1)), "epsilon": "1/2", "nominal_size": 9},
            **{"progress": None, "rng": ZeroWords()},
        },
    }


def releases(fresh):
    """Methods of the same."""
    from fdpedu.federation import ClassCounts

    curator = fresh(lambda: Curator(Party([], AGES), Ledger(1000), ZeroWords()))
    return {
        "federation.Curator.release": {
            **{"self": curator, "queries": [ClassCounts(ALL, 1)], "account": "a", "answered": None},
        },
        "domain.Region.of_party": {"self": ALL, "indexes": [0], "session": "0" * 64},
    }

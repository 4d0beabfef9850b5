"""Valid calls of what chapter 16 offers, for `odd_calls.py`."""

from fdpedu.accounting import Ledger
from fdpedu.domain import Domain
from fdpedu.federation import Federation, Party
from fdpedu.randomness import Rehearsal, ZeroWords
from fdpedu.sources.fedga import score_vector
from fdpedu.structures import fit_private_structures

ROWS = [(0, 0, 1), (0, 1, 0)]
AGES = Domain.from_spec({"features": {"age": [0, 4, 4], "ward": ["A", "B"]}, "classes": ["well", "ill"]})
X, Y = [[0.5, "A"], [3.5, "B"]], ["well", "ill"]
STRINGS = [(0, 1, 1), (1, 0, -1)]
SMALL = {"max_depth": 1, "population": 2, "generations": 1}


def members():
    """A federation that has spent nothing."""
    rows = [[*x, y] for x, y in zip(X, Y, strict=True)]
    return Federation([Party(rows, AGES), Party(rows, AGES)], AGES, Ledger(1), rng=Rehearsal(1))


def structures():
    """Voted on once."""
    return fit_private_structures(members(), **SMALL, rng=Rehearsal(2))


def fedga(fresh):
    """The calls; ``fresh`` makes an argument anew for every call."""
    task = {"domain": AGES, "task": "classification"}
    calls = {
        "cart.Structure": {"feature": 1, "left": None, "right": None},
        "cart.count_structures": {"n_features": 3, "depth": 2},
        "cart.least_loss": {
            **{"codes": [[0, 1], [3, 0]], "labels": [0, 1], "structure": STRINGS[0], "domain": AGES},
            **{"loss": "errors", "lattice": 4},
        },
        "cart.to_string": {"tree": structures().fit_at_home(X, Y), "depth": 2},
        "cart.to_structure": {"string": [0, 1, 1]},
        "federation.Population": {"strings": STRINGS},
        "federation.StructureVote": {
            **{"region": AGES.everything, "cost": "1/2", "structures": STRINGS, "loss": "errors", "lattice": 4},
        },
        "sources.fedga.choose_structure": {
            **{"losses": [[3, 1], [2, 4]], "way": "votes", "epsilon": 1, "lattice": 4, "rng": ZeroWords()},
        },
        "sources.fedga.edit_distance": {"a": [0, 1], "b": [1]},
        "sources.fedga.f1": {"labels": [0, 1], "predicted": [0, 0]},
        "sources.fedga.fit_at_structure": {"X": X, "y": Y, "structure": [0], **task},
        "sources.fedga.fit_fedga": {
            **{"parties": [(X, Y), (X, Y)], **task, **SMALL, "participation": 1, "pressure": 2, "rng": ZeroWords()},
        },
        "structures.fit_private_structures": {
            **{"federation": fresh(members), **SMALL, "epsilon": "1/2", "loss": "errors", "rng": ZeroWords()},
        },
        "sources.fedga.fit_local": {"X": X, "y": Y, **task, "max_depth": 1, "rng": ZeroWords()},
        "sources.fedga.improvement": {"ours": [0.5], "theirs": [0.25]},
        "sources.fedga.log_ratio": {"ours": [0.5], "theirs": [0.25]},
        "sources.fedga.mse": {"targets": [0.5], "predicted": [0.25]},
        "sources.fedga.score_rate": {"epsilon": 1, "n_structures": 4, "lattice": 2},
        "sources.fedga.weighted_score": {"scores": [0.5, 0.25], "sizes": [3.0, 2.0]},
        "sources.fedga.class_ratio_from_f1": {"value": "3/7"},
        "sources.fedga.last_row": {"scores": list(score_vector(ROWS)), "known": ROWS[:1]},
        "sources.fedga.membership_advantage": {"n_rows": 2},
        "sources.fedga.score_leakage": {"n_rows": 2},
        "sources.fedga.score_vector": {"rows": ROWS},
        "sources.fedga.sizes_from_scores": {
            **{"scores": [0.5, 0.75], "score": "accuracy", "decimals": 2, "truncated": False, "fitted": True},
            "at_most": 20,
        },
    }
    return calls


def fedga_methods():
    """Methods of what was voted on."""
    voted = structures()
    return {
        "structures.Structures.fit_at_home": {"self": voted, "X": X, "y": Y},
        "structures.Structures.from_json": {"text": voted.to_json()},
        "structures.PersonalTree.predict": {"self": voted.fit_at_home(X, Y), "X": X},
    }

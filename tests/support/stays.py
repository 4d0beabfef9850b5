"""How long patients stay: records with a number in place of a class, and regression trees that are grown on them."""

from functools import partial
from typing import Any

from fdpedu.claims.federations import federate
from fdpedu.domain import Domain
from fdpedu.randomness import Rehearsal, ZeroWords
from fdpedu.trees import Tree, fit_federated_tree

SPEC = {
    "features": {"age": [0, 80, 4], "ward": ["A", "B"]},
    "target": {"low": 0, "high": 16, "levels": 8, "name": "stay", "unit": "days"},
}
DOMAIN = Domain.from_spec(SPEC)
ROWS = [[(17 * i) % 80 + 0.5, "AB"[i % 2], (i * i) % 11 + 0.25 * (i % 4)] for i in range(60)]
HALVES = [ROWS[k::2] for k in range(2)]
REFUSED = " is for classes, and the domain has a numeric target, 'stay': take the design 'votes', or "
REFUSED += "FederatedTreeRegressor"
"""How every refusal of a target ends."""


def grown(parts: Any = HALVES, *, budget: Any = 2, noise: Any = None, domain: Domain = DOMAIN, **options: Any) -> Tree:
    """A tree by votes, of two levels if not asked for others."""
    federation = federate(parts, domain, budget, noise or Rehearsal(1))
    return fit_federated_tree(federation, **{"design": "votes", "max_depth": 2, "rng": Rehearsal(2), **options})


without_noise = partial(grown, noise=ZeroWords(), budget=10**6)

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
REFUSED = " is for classes, and the domain has a numeric target, 'stay'"
"""How every refusal of a target ends, where there is nothing to be advised."""
NOT_FITTED = f"{REFUSED}: take the design 'votes', or FederatedTreeRegressor"
"""The same where something was to be fitted."""
OF_MEANS = f"{REFUSED}: what a tree predicts of it are means"
"""The same where a tree was asked for what it has none of."""


def grown(parts: Any = HALVES, *, budget: Any = 2, noise: Any = None, domain: Domain = DOMAIN, **options: Any) -> Tree:
    """A tree by votes, of two levels if not asked for others."""
    federation = federate(parts, domain, budget, noise or Rehearsal(1))
    return fit_federated_tree(federation, **{"design": "votes", "max_depth": 2, "rng": Rehearsal(2), **options})


without_noise = partial(grown, noise=ZeroWords(), budget=10**6)

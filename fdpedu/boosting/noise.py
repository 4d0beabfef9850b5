"""How large the noise of a query's numbers is, in either measure."""

from __future__ import annotations

import math

from fdpedu.accounting import Cost
from fdpedu.boosting.outcome import Outcome
from fdpedu.boosting.outcomes import TWO_CLASSES
from fdpedu.domain import Domain
from fdpedu.federation import Query
from fdpedu.gradients import TreeShapes
from fdpedu.trees.stopping import noise_deviation


def query_deviation(query: Query, n_parties: int, n_noise_shares: int) -> float:
    """The standard deviation of the noise of all parties in one number of an answer.

    Parameters
    ----------
    query : with its cost
    n_parties : K, each with one share
    n_noise_shares : m, how many shares make up the full noise

    Examples
    --------
    >>> from fdpedu.accounting import Cost
    >>> from fdpedu.domain import Domain
    >>> from fdpedu.federation import InterceptSums
    >>> from fdpedu.gradients import AdditiveModel
    >>> everything = Domain.from_spec({"features": {"x": [0, 4, 4]}, "classes": ["a", "b"]}).everything
    >>> cost = Cost("gaussian", "1/200")
    >>> round(query_deviation(InterceptSums(everything, cost, 64, AdditiveModel()), 5, 4), 1)  # √(1280·125) and more
    400.1
    """
    if query.cost.is_pure:
        return noise_deviation(query.rate, n_parties, n_noise_shares)
    return math.sqrt(n_parties * query.gaussian(n_noise_shares).share)


def pull_deviation(
    cost: Cost, n_trees: int, domain: Domain, n_parties: int, n_noise_shares: int, outcome: Outcome = TWO_CLASSES
) -> float:
    """The standard deviation of the noise of all parties in a sum of pulls of a round, in steps of 1/64.

    Parameters
    ----------
    cost : of the round
    n_trees : that it asks about
    domain : what is public
    n_parties, n_noise_shares : as for :func:`query_deviation`
    outcome : what is learnt
    """
    trees = TreeShapes((((0, 1),),) * n_trees)
    query = outcome.question(domain.everything, cost, outcome.model((), 0), trees)
    return query_deviation(query, n_parties, n_noise_shares)

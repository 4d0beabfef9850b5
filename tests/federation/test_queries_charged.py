"""Parties in one process are asked the same, and share what a query charges; nothing else is shared."""

from fractions import Fraction

import pytest

from fdpedu.domain import Domain, Numeric
from fdpedu.federation import ClassCounts, ClassHistogram, NodeHistograms

DOMAIN = Domain([Numeric.grid("x", 0, 4, bins=4), Numeric.grid("y", 0, 4, bins=4)], (0, 1))
WHOLE = DOMAIN.everything
SYSTEM = "operating system"


def test_equal_queries_share_one_charge():
    one, same = (NodeHistograms(WHOLE, Fraction(1, 3)).charge(DOMAIN, 1, SYSTEM) for _ in range(2))
    assert one is same


def test_whatever_differs_is_charged_by_itself():
    """Type, feature, region, cost, colluders, randomness, and what the domain calls the feature."""
    part = WHOLE.restrict(0, [1])
    asked = [
        (NodeHistograms(WHOLE, 1), DOMAIN, 1, SYSTEM),
        (ClassCounts(WHOLE, 1), DOMAIN, 1, SYSTEM),
        (ClassHistogram(WHOLE, 1, 0), DOMAIN, 1, SYSTEM),
        (ClassHistogram(WHOLE, 1, 1), DOMAIN, 1, SYSTEM),
        (NodeHistograms(part, 1), DOMAIN, 1, SYSTEM),
        (NodeHistograms(WHOLE, 2), DOMAIN, 1, SYSTEM),
        (NodeHistograms(WHOLE, 1), DOMAIN, 2, SYSTEM),
        (NodeHistograms(WHOLE, 1), DOMAIN, 1, "seeded"),
        (ClassHistogram(WHOLE, 1, 1), Domain([DOMAIN.features[1], DOMAIN.features[0]], (0, 1)), 1, SYSTEM),
    ]
    charges = [query.charge(*arguments) for query, *arguments in asked]
    assert len(set(charges)) == len(asked)
    assert charges[-1].query == charges[2].query == "class × bin histogram of x"  # where y stands first, x is second
    assert (charges[-1].parameters, charges[2].parameters) == ((("feature", 1),), (("feature", 0),))
    for (query, _, colluders, randomness), charge in zip(asked, charges, strict=True):
        assert (charge.region, charge.epsilon, charge.claim) == (query.region, query.epsilon, query.claim)
        assert (charge.colluders, charge.randomness, charge.releases) == (colluders, randomness, query.n_releases)


def test_what_is_refused_is_refused_also_where_its_equal_was_charged():
    query = NodeHistograms(WHOLE, Fraction(1, 7))
    query.charge(DOMAIN, 1, SYSTEM)
    for colluders in (True, 1.5, "1"):
        with pytest.raises(ValueError):
            query.charge(DOMAIN, colluders, SYSTEM)

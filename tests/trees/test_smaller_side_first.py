"""The aggregator names the smaller side of a node first, by released counts: that is the side which parties count."""

import pytest

from fdpedu.accounting import Ledger
from fdpedu.domain import Domain, Numeric
from fdpedu.federation import Federation, InProcess, NodeHistograms, Party
from fdpedu.federation.queries import read_queries
from fdpedu.randomness import ZeroWords
from fdpedu.secure_sum.binding import canonical, read_canonical
from fdpedu.trees import fit_federated_tree


def asked_of(values):
    """The regions whose histograms a tree of these rows asks for, level by level; no noise."""
    domain, transport = Domain([Numeric.grid("x", 0, 4, bins=4)], (0, 1)), InProcess()
    parties = [Party([[x, y] for x, y in values[k::2]], domain) for k in range(2)]
    federation = Federation(parties, domain, Ledger(1), transport=transport, rng=ZeroWords())
    tree = fit_federated_tree(federation, max_depth=2, min_samples_split=0, design="averaged")
    rounds = [
        [sorted(query.region.codes(0)) for query in queries if type(query) is NodeHistograms]
        for queries in (
            read_queries(canonical(read_canonical(request)[-1]), domain) for request in transport.requests.values()
        )
    ]
    return tree, rounds


@pytest.mark.parametrize(
    ("rows_of_codes", "second_round"),
    [
        ((9, 3, 9, 30), [[0, 1], [2, 3]]),
        ((30, 9, 0, 9), [[1, 2, 3], [0]]),
        ((20, 20, 20, 20), [[0, 1], [2, 3]]),
    ],
)
def test_the_smaller_side_is_named_first(rows_of_codes, second_round):
    """By the released counts of the split that was chosen; of equal ones the left."""
    classes = (0, 0, 1, 1) if second_round[0] == [0, 1] else (0, 1, 1, 1)
    tree, rounds = asked_of([(x + 0.5, classes[x]) for x in range(4) for _ in range(rows_of_codes[x])])
    assert rounds[1] == second_round
    left = tree.root.split.left
    assert sorted(left) == min(second_round)

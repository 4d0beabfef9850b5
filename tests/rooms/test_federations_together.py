"""Federations beside one another, their transports, and ledgers that do not hold the same."""

from contextlib import nullcontext

import pytest

from fdpedu.accounting import Ledger
from fdpedu.domain import Region
from fdpedu.federation import ClassCounts, Federation, InProcess, Party
from fdpedu.secure_sum import RoundLost
from fdpedu.trees import fit_federated_tree
from tests.support.federations import BUDGET, DOMAIN, Log, Recording, Watched
from tests.support.noted import Noting


@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize("n", [2, 3])
def test_federations_in_step_share_no_mask_and_no_account(n, shared):
    """As many parties, the same rounds, empty rows and zero noise, so that an answer is a mask: no word stands twice. A
    tree of each has an account of its own in a ledger that they share.
    """
    log, ledgers, masks = Log(), [Ledger(9), Ledger(9)], []
    federations = [
        Federation(
            [Party([], DOMAIN) for _ in range(n)],
            DOMAIN,
            ledger,
            transport=Watched(log),
            rng=Recording(log),
        )
        for ledger in (ledgers[:1] * 2 if shared else ledgers)
    ]
    for _ in range(4):
        for f in federations:
            log.before = f.ledger, f.ledger.rounds
            f.release([ClassCounts(DOMAIN.everything, 1)])
    for f in federations:
        masks += [w for (_, k), answer in f.transport.answers.items() if n > 2 or k == 0 for w in answer.tolist()]
    assert len({min(mask, 2**64 - mask) for mask in masks}) == len(masks) == 2 * 4 * 2 * (n if n > 2 else 1)
    for f in federations:
        log.before = f.ledger, f.ledger.rounds
        fit_federated_tree(f, max_depth=1, epsilon="1/2")
    assert [len(f.ledger.accounts) for f in federations] == ([3, 3] if shared else [2, 2])


def test_a_ledger_that_lacks_a_round_may_say_more():
    """Of regions that overlap, each goes into the first tree of regions where it fits, and that depends on what stands
    there. So a party may refuse what the analyst's ledger admits. The round is lost and stays charged, and no more.
    """
    ledger, transport = Ledger(BUDGET), Noting(Log())
    parties = [Party([], DOMAIN), Party([], DOMAIN)]
    federation = Federation(parties, DOMAIN, ledger, transport=transport, rng=Recording(transport.log))
    places = [((4, 3), 1, 1), ((6, 1), 3, 1), ((5, 1), 2, 2), ((1, 2), 2, 2)]
    *rounds, last = [[ClassCounts(Region(features, classes), cost)] for features, classes, cost in places]
    for number, asked in enumerate(rounds):
        transport.log.before, transport.fault = (ledger, ledger.rounds), None if number else "before"
        with nullcontext() if number else pytest.raises(RoundLost):
            federation.release(asked)
    transport.log.before = ledger, ledger.rounds
    with pytest.raises(RoundLost):
        federation.release(last)
    assert transport.refused[4] == ("over budget", 2, 3) and ledger.spent == 3 and ledger.rounds == 4


def test_a_transport_serves_one_federation():
    """Round 1 of another ledger would overwrite round 1 of this one in the manifest; nothing of it is sent or paid."""
    transport = InProcess()
    parties = [[Party([[1, "A", "ill"]], DOMAIN), Party([], DOMAIN)] for _ in range(2)]
    first = Federation(parties[0], DOMAIN, Ledger(1), transport=transport)
    before, other = list(transport.manifest), Ledger(1)
    with pytest.raises(ValueError, match="serves another federation"):
        Federation(parties[1], DOMAIN, other, transport=transport)
    assert transport.manifest == before and other.spent == 0
    first.release([ClassCounts(DOMAIN.everything, "1/2")])
    with pytest.raises(ValueError, match="round 1 has been sent"):
        transport.gather(1, [], b"", [])
    assert list(transport.requests) == [1]


def test_a_transport_that_is_empty_is_still_the_transport():
    """Whether it is given is asked, and not whether it is true."""

    class Sized(InProcess):
        def __len__(self):
            return len(self.requests)

    transport = Sized()
    parties = [Party([], DOMAIN), Party([], DOMAIN)]
    assert Federation(parties, DOMAIN, Ledger(1), transport=transport).transport is transport

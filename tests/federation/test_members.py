"""A federation takes any member that has an identity and answers bytes with bytes."""

import pytest

from fdpedu.accounting import Ledger
from fdpedu.domain import Domain, Numeric
from fdpedu.federation import ClassCounts, Federation, Party
from fdpedu.randomness import ZeroWords
from tests.support.federations import BELIEVING

AGE = Domain([Numeric.grid("age", 0, 100, bins=2)], ("well", "ill"))
OTHER = Domain([Numeric.grid("age", 0, 100, bins=4)], ("well", "ill"))
ROWS = [[[10, "ill"], [60, "ill"], [70, "well"]], [[20, "well"]], [[90, "ill"]]]


class Elsewhere:
    """A party that is reached by bytes only: nothing of it is seen but its identity."""

    def __init__(self, rows, domain=AGE, **own):
        self._endpoint = Party(rows, domain, **{"limits": BELIEVING, **own}).endpoint(ZeroWords())
        self.identity = self._endpoint.identity

    def respond(self, message):
        return self._endpoint.respond(message)


@pytest.mark.parametrize("missing", [0, 1])
@pytest.mark.parametrize("away", [(0,), (1, 2), (0, 1, 2)])
def test_members_elsewhere_are_counted_like_parties(away, missing):
    members = [Elsewhere(rows) if k in away else Party(rows, AGE) for k, rows in enumerate(ROWS)]
    federation = Federation(members, AGE, Ledger(1), rng=ZeroWords(), missing=missing)
    assert federation.release([ClassCounts(AGE.everything, 1)])[0].tolist() == [2, 3]


def test_a_member_elsewhere_has_a_ledger_of_its_own():
    ledger = Ledger(1)
    federation = Federation([Elsewhere(ROWS[0], ledger=ledger), Elsewhere(ROWS[1])], AGE, Ledger(3), rng=ZeroWords())
    federation.release([ClassCounts(AGE.everything, 1)])
    assert ledger.spent == 1
    with pytest.raises(ValueError, match="over budget"):
        federation.release([ClassCounts(AGE.everything, 1)])
    assert ledger.spent == 1


@pytest.mark.parametrize(
    ("members", "name"),
    [
        (lambda: [Elsewhere(ROWS[0]), Elsewhere(ROWS[1], OTHER)], "domain"),
        (lambda: [Elsewhere(ROWS[0])] * 2, "once"),
        (lambda: [Elsewhere(ROWS[0])], "at least 2"),
        (lambda: [Party(ROWS[0], AGE), object()], "object"),
        (lambda: [Party(ROWS[0], AGE), type("Named", (), {"identity": "text", "respond": print})()], "Named"),
        (lambda: [Party(ROWS[0], AGE), type("Silent", (), {"identity": bytes(32)})()], "Silent"),
    ],
)
def test_what_cannot_take_part_is_refused_before_anything_is_charged(members, name):
    ledger = Ledger(1)
    with pytest.raises(ValueError, match=name):
        Federation(members(), AGE, ledger, rng=ZeroWords())
    assert ledger.rounds == 0

"""Parties with ledgers, limits and identities of their own."""

from fractions import Fraction

import pytest

from fdpedu.accounting import Ledger
from fdpedu.claims.federations import AGE
from fdpedu.claims.secure_sum import laws_federation as law
from fdpedu.federation import (
    ClassCounts,
    Federation,
    Limits,
    Party,
)
from fdpedu.federation.messages import Passed, Refusal, Request, Said, read, write
from fdpedu.federation.queries import to_wire
from fdpedu.randomness import ZeroWords
from fdpedu.secure_sum import Identity, RoundLost
from tests.support.small_federations import federation, parties

ALL = AGE.everything
COUNTS = [ClassCounts(ALL, Fraction(1, 4))]


def test_a_ledger_of_one_s_own_outlives_its_sessions():
    """Two federations ask the same party: it adds both up, whatever their own ledgers say."""
    own = Ledger(1)
    careful = Party(law.ROWS[0], AGE, ledger=own)
    for spent in (Fraction(1, 2), Fraction(1)):
        federation(members=[careful, *parties(1)]).release([ClassCounts(ALL, Fraction(1, 2))])
        assert own.spent == spent
    third = federation(members=[*parties(1), careful, *parties(1)])
    with pytest.raises(RoundLost, match=r"'party 2' .* in round 1, .*over budget.*more than the budget 1"):
        third.release(COUNTS)
    assert own.spent == 1 and third.ledger.spent == Fraction(1, 4)
    asked = [m.receiver for m in third.transport.manifest if m.kind == "queries"]
    assert asked == ["party 1", "party 2"], "after a refusal nobody else is asked"


def test_a_ledger_of_one_s_own_is_not_the_federation_s(tmp_path):
    own = Ledger(1)
    with pytest.raises(ValueError, match="are two"):
        Federation([Party([], AGE, ledger=own), Party([], AGE)], AGE, own)
    path = tmp_path / "budget.db"
    with pytest.raises(ValueError, match="are two"):
        Federation([Party([], AGE, ledger=Ledger.open(path, 1)), Party([], AGE)], AGE, Ledger.open(path, 1))


def test_what_a_party_s_own_ledger_has_promised_is_kept():
    own = Ledger(1, colluders=2)
    with pytest.raises(RoundLost, match=r"'party 1' takes no part.*promises to withstand 2 colluders"):
        federation(members=[Party([], AGE, ledger=own), *parties(3)], tolerate=2, missing=1)
    federation(members=[Party([], AGE, ledger=own), *parties(3)], tolerate=2).release(COUNTS)
    assert own.spent == Fraction(1, 4)


def test_why_a_ledger_takes_no_charge_is_its_owner_s_affair(tmp_path):
    own = Ledger.open(tmp_path / "own.db", 1)
    f = federation(members=[Party([], AGE, ledger=own), Party([], AGE)])
    own.close()
    with pytest.raises(RoundLost, match="its owner can see why") as lost:
        f.release(COUNTS)
    assert "own.db" not in str(lost.value)


def test_a_party_in_a_file_charges_its_file(tmp_path):
    own = Ledger.open(tmp_path / "own.db", 1)
    Federation([Party([], AGE, ledger=own), Party([], AGE)], AGE, Ledger(9), rng=ZeroWords()).release(COUNTS)
    assert Ledger.open(tmp_path / "own.db").spent == Fraction(1, 4)


def test_pinned_members_take_part_and_others_do_not():
    keys = [Identity.create() for _ in range(3)]
    limits = Limits(members=[key.public for key in keys], minimum=3, tolerate=1)
    members = [Party(law.ROWS[k], AGE, identity=key, limits=limits) for k, key in enumerate(keys)]
    assert federation(members=members).release(COUNTS)[0].tolist() == law.counted(range(3)).tolist()
    for wrong, why in (
        ([*members, *parties(1)], "not pinned"),
        (members[:2], "too few"),
        ([members[0], members[1], Party([], AGE, identity=keys[1], limits=limits)], "stands on the list once"),
    ):
        ledger = Ledger(1)
        with pytest.raises(RoundLost, match=f"'party 1' takes no part: it refuses, not allowed: .*{why}"):
            Federation(wrong, AGE, ledger)
        assert ledger.domain is None and ledger.spent == 0
    with pytest.raises(RoundLost, match="withstands 0 colluders: this party wants 1"):
        federation(members=members, tolerate=0)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Limits(queries=[]), "closed set"),
        (lambda: Limits(queries=[int]), "closed set"),
        (lambda: Limits(members=[b"short"]), "32 bytes"),
        (lambda: Limits(members="all"), "identities"),
        (lambda: Limits(minimum=1), "minimum"),
        (lambda: Limits(tolerate=-1), "tolerate"),
        (lambda: Party([], AGE, ledger=1), "ledger must be a Ledger, got int"),
        (lambda: Party([], AGE, limits={}), "limits must be a Limits, got dict"),
        (lambda: Party([], AGE, identity=b""), "identity must be a Identity, got bytes"),
    ],
)
def test_limits_that_are_none_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_every_query_of_a_round_is_charged_to_each_party():
    """To the second party too, all of them, in the account that was named: as the federation's own ledger has it."""
    ledgers = [Ledger(3, colluders=1) for _ in range(2)]
    members = [Party(law.ROWS[k], AGE, ledger=own) for k, own in enumerate(ledgers)]
    f = Federation(members, AGE, Ledger(3, colluders=1), rng=ZeroWords())
    young = ALL.restrict(0, [0])
    f.release([ClassCounts(ALL, Fraction(1, 4)), ClassCounts(young, Fraction(1, 3)), ClassCounts(ALL, 1)], "a tree")
    f.release([ClassCounts(young, Fraction(1, 5))])
    for own in ledgers:
        assert own.spent == f.ledger.spent == Fraction(1, 4) + Fraction(1, 3) + 1 + Fraction(1, 5)
        assert own.accounts == f.ledger.accounts == ("a tree", "") and own.odometer() == f.ledger.odometer()
        assert own.derivation().content == f.ledger.derivation().content


@pytest.mark.parametrize(("name", "kind"), [("ledger", Ledger), ("limits", Limits), ("identity", Identity)])
def test_a_subclass_of_what_protects_a_party_is_refused(name, kind):
    """It could charge nothing, allow everything, or show its key."""
    mine = type("Mine", (kind,), {})
    given = {"ledger": lambda: mine(1), "limits": mine, "identity": mine.create if kind is Identity else None}[name]()
    with pytest.raises(ValueError, match=f"{name} must be a {kind.__name__}, got Mine"):
        Party([], AGE, **{name: given})


def test_a_stage_that_was_refused_ends_the_round_for_that_party():
    """It does not count and draw again: the right message comes too late; and the next round is answered."""
    f = federation(3, tolerate=1, missing=1)
    f.release(COUNTS)
    endpoint, nonce = f._endpoints[0].__self__, f._session.nonce
    written = tuple(to_wire(query, AGE) for query in COUNTS)
    read(endpoint.respond(write(Request(nonce, 7, "", written))), Said)
    passed = write(Passed("announce", nonce, 7, ((9, bytes(32), bytes(32), bytes(64)),)))
    names = [read(endpoint.respond(passed), Refusal).name for _ in range(2)]
    assert names == ["not allowed", "out of order"]
    assert f.release(COUNTS)[0].tolist() == law.counted([1, 2]).tolist()  # round 2 comes after round 7 for this party

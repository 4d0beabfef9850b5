"""A ledger of ρ in a file: it is the same ledger when it is opened again, in its own measure, and damage is noticed."""

import os
import shutil
import sqlite3
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from fdpedu.accounting import Amount, Budget, BudgetExceeded, Cost, Ledger, check_derivation
from fdpedu.claims.accounting.two_currencies import charge_in_rho
from fdpedu.federation import ChosenSplit, ClassCounts
from tests.support.budget_files import ALL, charge, sql
from tests.support.federations import DOMAIN

STATED = {"epsilon": 1, "delta": "1/1000000"}
HALF = ALL.restrict(0, [0, 2]).restrict_class([1])


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "budget.db")


def filled(path, **stated):
    ledger = Ledger.open(path, **(stated or STATED), domain=DOMAIN)
    ledger.charge([in_rho("1/100", "1/500000"), in_rho("1/300", "1/700000", HALF)])
    ledger.charge([in_rho("1/700", 0, HALF)], "tree 2")
    return ledger


def in_rho(rho, xi, region=ALL):
    return charge_in_rho(region, Amount(Fraction(rho), Fraction(xi)))


@pytest.mark.parametrize("stated", [STATED, {"rho": "1/40"}])
def test_a_ledger_in_rho_opened_again_is_the_same_ledger(path, stated):
    """Charges, limits, promise and derivation, to the letter; and the numbers go on."""
    kept, one = filled(path, **stated), Ledger(**stated, domain=DOMAIN)
    one.charge([in_rho("1/100", "1/500000"), in_rho("1/300", "1/700000", HALF)])
    one.charge([in_rho("1/700", 0, HALF)], "tree 2")
    again = Ledger.open(path)
    assert again.derivation().to_json() == one.derivation().to_json() == kept.derivation().to_json()
    assert check_derivation(again.derivation().to_json()).spent == one.spent == again.spent
    assert (again.total, again.measure, again.budget) == (one.total, "gaussian", one.budget)
    assert again.remaining(HALF, "tree 2") == one.remaining(HALF, "tree 2") and again.odometer() == one.odometer()
    assert again.charge([in_rho("1/10000", "1/10000000")]) == 3 and kept.spent == again.spent
    for amount in (again.remaining()[0], "1/1000000"), ("1/100000", again.remaining()[1]):
        with pytest.raises(BudgetExceeded, match="nothing was charged"):
            kept.charge([in_rho(*(Fraction(part) + Fraction(1, 10**9) for part in amount))])
    assert Ledger.open(path, **stated).spent == again.spent == Ledger.open(path, one.total).spent


@pytest.mark.parametrize(
    ("stated", "named"),
    [
        ({"epsilon": 1}, "in the measure"),
        ({"rho": "1/40"}, "has the budget"),
        ({"epsilon": 1, "delta": "1/100000"}, "has the budget"),
        ({"epsilon": 2, "delta": "1/1000000"}, "has the budget"),
        ({"epsilon": 1, "rho": "1/40"}, "epsilon or rho"),
        ({"epsilon": 1, "delta": 0}, "delta"),
    ],
)
def test_another_budget_is_refused_by_name(path, stated, named):
    """Whatever was charged stays as it was."""
    spent = filled(path).spent
    with pytest.raises(ValueError, match=named):
        Ledger.open(path, **stated)
    assert Ledger.open(path).spent == spent


def test_a_file_in_epsilon_takes_no_budget_in_rho(path):
    Ledger.open(path, 1, domain=DOMAIN).charge([charge()])
    for stated in (STATED, {"rho": "1/40"}):
        with pytest.raises(ValueError, match="in the measure"):
            Ledger.open(path, **stated)
    with pytest.raises(ValueError, match="does not belong"):
        Ledger.open(path).charge([in_rho("1/100", 0)])
    assert (Ledger.open(path).spent, Ledger.open(path).rounds) == (Fraction(1, 4), 1)


def test_a_charge_in_epsilon_is_not_written_to_a_file_in_rho(path):
    ledger = filled(path)
    with pytest.raises(ValueError, match="does not belong"):
        ledger.charge([in_rho("1/1000", 0), charge("1/1000")])
    assert Ledger.open(path).rounds == ledger.rounds == 2


DAMAGED = {
    "a smaller ρ": "UPDATE charge SET {cost} = '1/1000' || substr({cost}, instr({cost}, ' ')) WHERE round = 1",
    "ε in place of ρ": "UPDATE charge SET {cost} = '1/100' WHERE round = 1",
    "four numbers": "UPDATE charge SET {cost} = '1/100 0 1 1' WHERE round = 1",
    "no numbers": "UPDATE charge SET {cost} = 'a b c d e' WHERE round = 1",
    "less noise": "UPDATE charge SET {cost} = '1/100 1/500000 1 1 50' WHERE round = 1",
    "one charge less": "DELETE FROM charge WHERE round = 1 AND place = 2",
    "a larger budget": "UPDATE ledger SET budget = replace(budget, '2801/100000', '3/100')",
    "another measure": "UPDATE ledger SET budget = replace(budget, 'gaussian', 'concentrated')",
    "no measure": "UPDATE ledger SET budget = replace(budget, '\"measure\": \"gaussian\", ', '')",
    "a budget in ε": "UPDATE ledger SET budget = '1'",
    "no budget": "UPDATE ledger SET budget = '{{'",
    "a smaller δ": "UPDATE ledger SET budget = replace(budget, '1/1000000', '1/2000000')",
}


@pytest.mark.parametrize("name", DAMAGED)
def test_a_damaged_row_is_noticed(path, name):
    """Nothing is read any more by who opens it."""
    filled(path)
    cost = next(row[1] for row in sql(path, "PRAGMA table_info(charge)") if row[1] in ("epsilon", "cost"))
    try:
        sql(path, DAMAGED[name].format(cost=cost))
    except sqlite3.DatabaseError as refused:  # the table has conditions of its own
        pytest.skip(f"the table refuses it: {refused}")
    with pytest.raises(ValueError, match=r"damaged|in ε|does not"):
        _ = Ledger.open(path).spent


OLDER = Path(__file__).parent / "data" / "budget-4.db"


def test_a_file_that_was_begun_in_the_older_measure_goes_on_in_it(path):
    """Its budget and order stay, its noise is what it was, and what is paid is written in its schema."""
    shutil.copyfile(OLDER, path)
    ledger = Ledger.open(path)
    assert str(ledger.total) == "(ε, δ) = (4, 10⁻⁶), from ρ = 1553/5000, ξ ≤ 1/1000, order 7"
    assert (ledger.measure, ledger.spent) == ("concentrated", (Fraction(1, 10), Fraction(3, 10**12)))
    whole = ledger.domain.everything
    with pytest.raises(ValueError, match="measure concentrated"):
        ledger.charge([charge_in_rho(whole, Amount(Fraction(1, 100), Fraction(0)))])
    query = ClassCounts(whole, Cost("concentrated", "1/100"))
    ledger.charge([query.charge(ledger.domain, 1, "rehearsal", n_noise_shares=2)])
    again = Ledger.open(path, ledger.total)
    content = again.derivation().content
    assert content["schema"] == "fdpedu-derivation/8" and content["budget"]["order"] == 7
    found = check_derivation(again.derivation().to_json())
    assert found.spent == again.spent == (Fraction(11, 100), Fraction(4, 10**12))
    assert [step["variance"] for _, step in again.derivation().releases()][-1] == "50"
    assert Ledger.open(path, epsilon=4, delta="1/1000000").total == ledger.total
    for stated in ({"epsilon": 2, "delta": "1/1000000"}, {"epsilon": 4, "delta": "1/100000"}, {"rho": "1553/5000"}):
        with pytest.raises(ValueError, match="in the measure concentrated"):
            Ledger.open(path, **stated)
    assert sql(path, "PRAGMA user_version") == [(4,)]


def test_what_was_booked_from_epsilon_with_its_type_is_by_hand_now(path):
    """As `Charge.in_rho` once did: the file is charged on, and what it has paid for is proved."""
    choice = ChosenSplit(DOMAIN.everything, "1/10").charge(DOMAIN, 0, "operating system")
    booked = choice.in_rho()
    typed = replace(booked, type=choice.type, parameters=choice.parameters)
    Ledger.open(path, **STATED, domain=DOMAIN).charge([typed])
    again = Ledger.open(path, **STATED)
    again.charge([in_rho("1/100", 0)])
    assert check_derivation(again.derivation().to_json()).spent == again.spent
    assert next(step["type"] for _, step in again.derivation().releases()) == booked.type == "by-hand"


def test_a_file_of_the_newer_measure_alone_is_of_a_version_that_older_programs_refuse(path):
    """fdpedu 0.2.0 says that a newer one has made it; what has a meaning for it, it reads on."""
    filled(path)
    assert sql(path, "PRAGMA user_version") == [(5,)] and os.stat(path).st_mode & 0o777 == 0o600
    Ledger.open(other := f"{path}-in-epsilon", 1)
    assert sql(other, "PRAGMA user_version") == [(4,)]
    assert Budget.from_text(sql(path, "SELECT budget FROM ledger")[0][0]) == Budget.of(1, delta=1e-6)

"""Shares of a budget are exact fractions, and a ledger takes those of at most 40 digits: nothing else is begun."""

import warnings
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.accounting import Charge, Ledger
from fdpedu.boosting import fit_federated_boosting
from fdpedu.bounds import fit_saving_tree
from fdpedu.domain import Domain
from fdpedu.federation import Federation, Party
from fdpedu.structures import fit_private_structures
from fdpedu.trees import DESIGNS, SYSTEMS, fit_federated_tree, fit_owner_tree, fit_privatree
from fdpedu.trees.recursive import fit_recursively

DOMAIN = Domain.from_spec({"features": {"a": [0, 8, 5], "b": [0, 4, 3]}, "classes": ["x", "y"]})
ROWS, LABELS = [[1, 1], [7, 3], [5, 2], [2, 2]] * 2500, list("xyyx") * 2500
PARTY, OTHER = (Party(ROWS, DOMAIN, labels=LABELS) for _ in range(2))
OF_AN_OWNER = ("privatree", "privatree of edges", "owner")
REASONS = ("40 digits", "at least 2**-40", "leaf_share must")


def tree(design):
    own = {"nominal_size": 20_000} if design in ("screened", "rotating") else {}
    return lambda ledger, asked: fit_federated_tree(federated(ledger), design=design, **asked, **own)


def federated(ledger):
    return Federation([PARTY, OTHER], DOMAIN, ledger)


FITS = {
    **{design: tree(design) for design in (*DESIGNS, *SYSTEMS) if design != "owner"},
    "recursive": lambda ledger, asked: fit_recursively(federated(ledger), **asked),
    "saving": lambda ledger, asked: fit_saving_tree(federated(ledger), **asked),
    "privatree": lambda ledger, asked: fit_privatree(PARTY, ledger, **asked),
    "privatree of edges": lambda ledger, asked: fit_privatree(PARTY, ledger, edges="joint", leaves="counts", **asked),
    "owner": lambda ledger, asked: fit_owner_tree(PARTY, ledger, nominal_size=10_000),
    "boosting": lambda ledger, asked: fit_federated_boosting(
        federated(ledger), nominal_size=20_000, rounds=2, trees_per_round=1, max_depth=1
    ),
    "structures": lambda ledger, asked: fit_private_structures(
        federated(ledger), max_depth=1, population=2, generations=2
    ),
}
ODD = st.integers(1, 42).flatmap(lambda n: st.integers(10 ** (n - 1), 10**n - 1))
SHARES = st.tuples(ODD, ODD).filter(lambda pair: pair[0] != pair[1]).map(lambda pair: Fraction(min(pair), max(pair)))


def require_nothing_or_all(fit, total, share, before, depth):
    ledger, colluders = Ledger(total), int(fit not in OF_AN_OWNER)
    if before:
        ledger.bind(DOMAIN)
        ledger.charge([Charge(DOMAIN.everything, total * before, "q", "m", 1, "c", colluders=colluders)], "other")
    spent = ledger.spent
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            FITS[fit](ledger, {"leaf_share": share, "max_depth": depth})
    except ValueError as refused:
        assert ledger.spent == spent and any(reason in str(refused) for reason in REASONS), (fit, refused)
        return str(refused)
    assert ledger.spent > spent
    return ""


@pytest.mark.parametrize("fit", FITS)
@settings(max_examples=15)
@given(SHARES, SHARES, st.sampled_from([0, Fraction(1, 7), Fraction(1, 10**8 + 1)]), st.integers(1, 2))
def test_a_fit_is_refused_uncharged_or_comes_to_its_end(fit, total, share, before, depth):
    """Whatever the digits of the budget, of what was charged before, and of the share of the leaves are."""
    require_nothing_or_all(fit, 3 + total, share, before, depth)


@pytest.mark.parametrize("fit", FITS)
@pytest.mark.parametrize("digits", range(4, 41, 4))
def test_each_limit_is_passed_by_some_budget(fit, digits):
    """Of few digits a model comes, of many a refusal; and where leaves alone have too many, too."""
    share = Fraction(10**digits + 1, 10 ** (digits + 1))
    for total in (Fraction(10**digits + 39, 9 * 10**digits - 1), Fraction(10**digits + 7, 10**digits + 1)):
        said = require_nothing_or_all(fit, total, share, 0, 1 + (fit == "owner"))
        assert (digits > 4 or not said) and (digits < 40 or "40 digits" in said), said

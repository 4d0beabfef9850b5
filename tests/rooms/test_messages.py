"""Messages that help: what was given is shown as it was written, and where arguments are swapped all are named."""

from fractions import Fraction

import numpy as np
import pytest

import fdpedu
from fdpedu.accounting import Charge, Ledger
from fdpedu.datasets import wisconsin, wisconsin_domain
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.exact import as_fraction, as_integer, quoted
from fdpedu.exercises import check
from fdpedu.federation import Federation, Party
from fdpedu.histograms import private_histogram
from fdpedu.trees import fit_federated_tree

DOMAIN = Domain([Numeric.grid("age", 0, 100, bins=4)], ("well", "ill"))
PARTIES = [Party([], DOMAIN), Party([], DOMAIN)]
ALL, LONE = DOMAIN.everything, "a\udc00"
ORDER = "a federation needs at least 2 parties, a Domain and a Ledger, in this order; got parties: "
ROWS = ". Rows become a party by Party(rows, domain)"
NEEDS = "federation must be a Federation, got"
NUMBER = "must be a finite number (an int, a Fraction, a decimal, or text like '1/3'), got"
WRITTEN = "must be text that can be written, got a lone surrogate"
NAMES = "features must be a list of names, such as ['worst radius'], got"
CODES = "codes must be a list of integers from 0 to 255, got"


def release(charge):
    return Ledger(1, domain=DOMAIN).charge([charge])


SAID = [
    (lambda: fit_federated_tree(Federation(PARTIES, DOMAIN, Ledger(1)), max_depth=3.0),
     "max_depth must be an integer ≥ 0, got 3.0"),
    (lambda: as_integer(np.float64(3), "bins", minimum=2), "bins must be an integer ≥ 2, got np.float64(3.0)"),
    (lambda: as_integer(-(10**5000), "bins", minimum=2), "bins must be an integer ≥ 2, got about -1.00000E+5000"),
    (lambda: as_integer([3], "bins", minimum=2), "bins must be an integer ≥ 2, got list"),
    *((lambda value=value: Ledger(value), f"budget {NUMBER} {shown}")
      for value, shown in [(float("nan"), "nan"), (float("inf"), "inf"), ("one", "'one'"), (1j, "1j"), (b"1", "bytes"),
                           (np.float16("nan"), "np.float16(nan)"), ("1" * 401, f"'{'1' * 39}…"), (LONE, r"'a\udc00'")]),
    (lambda: Federation([[1, "ill"], [2, "well"]], DOMAIN, Ledger(1)),
     f"{ORDER}list of 2 (list), domain: Domain, ledger: Ledger{ROWS}"),
    (lambda: Federation(PARTIES, DOMAIN, 1), f"{ORDER}list of 2 (Party), domain: Domain, ledger: int{ROWS}"),
    (lambda: Federation(Ledger(1), PARTIES, DOMAIN), f"{ORDER}Ledger, domain: list, ledger: Domain{ROWS}"),
    (lambda: Federation([PARTIES[0], None], DOMAIN, Ledger(1)),
     f"{ORDER}list of 2 (Party, NoneType), domain: Domain, ledger: Ledger{ROWS}"),
    (lambda: fit_federated_tree([PARTIES]), f"{NEEDS} list"),
    (lambda: private_histogram(PARTIES[0], 0, 1), f"{NEEDS} Party"),
    (lambda: fit_federated_tree(Federation(PARTIES, DOMAIN, Ledger(1)), progress=True),
     "progress must be a function, got True"),
    (lambda: wisconsin("worst radius"), f"{NAMES} 'worst radius'"),
    (lambda: wisconsin_domain(7), f"{NAMES} 7"),
    (lambda: ALL.restrict("age", [0]), "feature must be a position from 0 to 0, got 'age'"),
    (lambda: ALL.restrict(0.0, [0]), "feature must be a position from 0 to 0, got 0.0"),
    (lambda: ALL.restrict(0, 1), f"{CODES} 1"),
    (lambda: ALL.restrict(0, "01"), f"{CODES} '01'"),
    (lambda: ALL.restrict_class([None]), "codes must be integers from 0 to 255, got None"),
    (lambda: check("cart-impurity", None, seconds="long"), f"seconds {NUMBER} 'long'"),
    (lambda: check("cart-impurity", None, seconds=0), "seconds must be greater than 0, got 0"),
    (lambda: Numeric.grid("a", 0, "1e400"), "an edge is too large for a float"),
    (lambda: Numeric("a", (0, 1, "1e400")), "an edge of 'a' is too large for a float"),
    (lambda: Numeric.grid(LONE, 0, 1), f"a feature's name {WRITTEN}"),
    (lambda: Categorical("ward", ("A", LONE)), f"each of the categories of 'ward' {WRITTEN}"),
    (lambda: Domain(DOMAIN.features, ("well", LONE)), f"each of classes {WRITTEN}"),
    (lambda: Party([], DOMAIN, name=LONE), f"name {WRITTEN}"),
    (lambda: Party(7, DOMAIN), "party: expected a sequence, got int"),
    (lambda: release(Charge(ALL, 1, LONE, "m", 1, "c")), f"query {WRITTEN}"),
]  # fmt: skip


@pytest.mark.parametrize(("ask", "message"), SAID)
def test_what_was_given_is_shown(ask, message):
    with pytest.raises(ValueError) as caught:
        ask()
    assert str(caught.value) == message


def test_long_and_strange_values_are_named_by_their_type():
    loud = type("Loud", (float,), {"__repr__": lambda self: 1 / 0})(3)
    assert (quoted(loud), quoted(np.zeros(3)), quoted(Fraction(1, 3))) == ("Loud", "ndarray", "1/3")
    assert len(quoted("x" * 10**6)) < 60 and quoted("a" * 58) == repr("a" * 58)


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64, float, np.longdouble])
def test_a_float_of_any_width_is_the_decimal_that_it_prints_as(kind):
    assert as_fraction(kind("0.1")) == Fraction(1, 10) and as_fraction(kind(-2)) == -2
    assert as_fraction(0.1 + 0.2) == Fraction("0.30000000000000004")


def test_the_package_says_in_which_room_a_name_is():
    """An import says where the name is; otherwise an attribute that is missing is missing, and says it too."""
    with pytest.raises(ImportError, match=r"^cannot import name 'Ledger' from 'fdpedu': it is in fdpedu\.accounting$"):
        from fdpedu import Ledger  # noqa: F401
    with pytest.raises(ImportError, match=r"it is in fdpedu\.cart and fdpedu\.trees$"):
        from fdpedu import Tree  # noqa: F401
    with pytest.raises(ImportError, match=r"it is in fdpedu\.secure_sum$"):
        from fdpedu import private_sum  # noqa: F401
    with pytest.raises(ImportError, match="cannot import name 'nothing'"):
        from fdpedu import nothing  # noqa: F401
    with pytest.raises(
        AttributeError, match=r"^module 'fdpedu' has no attribute 'Ledger': it is in fdpedu\.accounting$"
    ):
        fdpedu.Ledger  # noqa: B018
    with pytest.raises(AttributeError, match=r"^module 'fdpedu' has no attribute '_where_to'$"):
        fdpedu._where_to  # noqa: B018
    assert not any(hasattr(fdpedu, name) for name in ("Ledger", "Tree", "nothing"))
    from fdpedu import cli, derivation_checker

    assert cli.__name__ == "fdpedu.cli" and derivation_checker.SCHEMA

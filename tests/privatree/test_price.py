"""The price of Algorithm 1: by hand, in sums, as a table, and refused by name; the rule for leaves by a public size."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fdpedu.mechanisms import leaf_error_constant
from fdpedu.sources.vos import epsilon_at_most, printed_price, printed_shares
from fdpedu.trees import leaf_share_by_rule
from fdpedu.trees.designs.privatree.leaf_share import leaf_need

budgets = st.fractions(Fraction(1, 50), 20, max_denominator=50)
sizes, depths, counts = st.integers(1, 10**7), st.integers(1, 10), st.integers(0, 9)


@pytest.mark.claim("thm-printed-price")
@pytest.mark.parametrize(
    ("rows", "m", "price"), [(398, 30, "15.5"), (5000, 10, "8.94"), (5000, 25, "22.2"), (11824, 64, "60.9")]
)
def test_four_sizes_at_a_nominal_1(rows, m, price):
    """What the source's own sizes cost at ε = 1 and depth 4, to as many digits as are shown."""
    found = epsilon_at_most(1, numeric=m, rows=rows, stop="depth")
    assert isinstance(found, Fraction)
    assert f"{float(found):.{len(price.split('.')[1])}f}" == price
    assert epsilon_at_most(1, numeric=m, rows=rows) == math.inf


def test_two_classes_are_what_is_meant_where_none_are_named():
    assert printed_price(1, numeric=3, rows=100) == printed_price(1, numeric=3, rows=100, classes=2)


@given(budgets, sizes, depths)
def test_shares_add_up_to_the_budget_as_the_source_adds_them(epsilon, rows, depth):
    """(1+d) parts of a numeric feature, or d of a categorical one, and a leaf: ε; a leaf has at most half."""
    shares = printed_shares(epsilon, rows, max_depth=depth)
    assert (1 + depth) * shares.numeric + shares.leaf == depth * shares.categorical + shares.leaf == epsilon
    assert 0 < shares.leaf <= epsilon / 2
    star = printed_shares(epsilon, rows, max_depth=depth, quantiles="raw")
    assert depth * star.numeric + star.leaf == epsilon


@given(budgets, sizes, depths, counts, counts)
def test_the_price_is_the_sum_over_features(epsilon, rows, depth, numeric, categorical):
    """m(ε − ε_leaf) + ε_leaf, of whatever kinds the m features are."""
    if numeric + categorical:
        kinds = {"numeric": numeric, "categorical": categorical, "rows": rows, "max_depth": depth, "stop": "depth"}
        shares = printed_shares(epsilon, rows, max_depth=depth)
        assert epsilon_at_most(epsilon, **kinds) == (numeric + categorical) * (epsilon - shares.leaf) + shares.leaf
        printed = sum(line.printed for line in printed_price(epsilon, **kinds).lines)
        assert printed == epsilon


@given(sizes, st.integers(2, 3), st.integers(0, 12))
def test_what_a_leaf_needs_is_equation_7_rounded_up(rows, classes, depth):
    """Never below 2^d·C_K/(n·E_max), and by less than a millionth above."""
    need = leaf_need(rows, classes, depth, "1/100")
    exact = 2**depth * CONSTANTS[classes] * 100 / rows
    assert exact <= need < exact + Fraction(1, 10**6)


CONSTANTS = {k: leaf_error_constant(k).upper for k in (2, 3)}


@pytest.mark.parametrize(
    ("options", "lines"),
    [
        ({}, ["7"]),
        ({"stop": "depth"}, []),
        ({"quantiles": "raw"}, ["7", "4"]),
        ({"quantiles": "raw", "stop": "depth"}, ["4"]),
        ({"quantiles": "none", "stop": "depth"}, []),
        ({"size": "raw"}, ["1", "7"]),
        ({"size": "raw", "stop": "depth"}, ["1"]),
        ({"size": "raw", "stop": "depth", "rows": 100}, []),
    ],
)
def test_which_lines_have_no_price(options, lines):
    """Line 7, exact quantiles, and a raw size where the rule decides: each is infinite on its own."""
    price = printed_price(1, **{"numeric": 3, "rows": 5000, **options})
    assert [line.line for line in price.lines if line.at_most is None] == lines
    assert (price.at_most == math.inf) == bool(lines)


@pytest.mark.claim("lem-raw-size-rule")
def test_a_raw_size_has_no_price_where_the_rule_decides_for_one_row_more():
    """At 1177 rows half of ε is less than the rule says, and at 1178 no longer: these are neighbours."""
    prices = [epsilon_at_most(1, numeric=1, rows=n, stop="depth", size="raw") for n in (1176, 1177, 1178)]
    assert prices == [1, math.inf, math.inf]
    assert printed_shares(1, 1177).leaf == Fraction(1, 2) > printed_shares(1, 1178).leaf


def test_the_table_shows_its_lines_and_sums():
    """As text, and as HTML with the same cells."""
    price = printed_price(1, numeric=2, categorical=1, rows=398)
    head, *body = price.rows()
    assert [row[0] for row in body] == ["7", "4", "11", "11", "9", ""]
    assert body[-1][2:] == ("1", "∞") and body[0][3] == "∞" and head[0] == "line"
    assert body[2][2:] == ("0.4", "0.8") and body[3][2:] == ("0", "0.5")
    shown = price._repr_html_()
    assert all(f"<td>{cell}</td>" in shown for row in body for cell in row)
    assert shown.count("<tr>") == 7 and all(str(price).count(row[1]) >= 1 for row in body)


# --- The rule ---------------------------------------------------------------------------------------------------------


@given(budgets, sizes, depths)
def test_the_rule_is_monotone_and_at_most_a_half(epsilon, size, depth):
    """More rows or more ε need no larger share, and more levels no smaller one; in steps of a thousandth."""
    share = leaf_share_by_rule(epsilon, size, 2, depth)
    assert 0 < share <= Fraction(1, 2) and (share * 1000).denominator == 1
    assert leaf_share_by_rule(epsilon, size + 1, 2, depth) <= share <= leaf_share_by_rule(epsilon, size, 2, depth + 1)
    assert leaf_share_by_rule(2 * epsilon, size, 2, depth) <= share


@pytest.mark.claim("lem-leaf-half-spare")
@pytest.mark.parametrize(
    ("size", "depth", "epsilon", "share"),
    [(5000, 4, 1, "0.059"), (5000, 4, "1/10", "0.5"), (398, 4, 1, "0.5"), (11824, 4, 1, "0.025"), (10, 0, 9, "0.205")],
)
def test_the_rule_by_hand(size, depth, epsilon, share):
    """2^d/(2·e·N·E_max·ε), rounded up: half of what the source has."""
    by_hand = 2**depth / (2 * math.e * size * 0.01 * float(Fraction(epsilon)))
    assert leaf_share_by_rule(epsilon, size, 2, depth) == Fraction(share)
    assert float(Fraction(share)) == pytest.approx(min(0.5, by_hand), abs=1e-3)


PRICED = {"epsilon": 1, "numeric": 3, "rows": 100}
REFUSED = {
    "epsilon must be greater than 0": [{"epsilon": 0}, {"epsilon": -1}],
    "epsilon must be": [{"epsilon": float("nan")}, {"epsilon": "much"}, {"epsilon": None}],
    "numeric and categorical must be one feature or more together": [{"numeric": 0}],
    "numeric must be an integer": [{"numeric": -1}, {"numeric": 1.5}, {"numeric": True}],
    "categorical must be an integer": [{"categorical": -1}, {"categorical": "two"}],
    "rows must be an integer": [{"rows": 0}, {"rows": -5}, {"rows": 2.5}, {"rows": None}],
    "classes must be": [{"classes": 1}, {"classes": 101}, {"classes": [2]}],
    "max_depth must be": [{"max_depth": 0}, {"max_depth": 65}, {"max_depth": None}],
    "max_error must be greater than 0": [{"max_error": 0}],
    "stop must be one of raw, depth": [{"stop": "never"}, {"stop": None}],
    "quantiles must be one of joint, raw, none": [{"quantiles": True}],
    "size must be one of public, raw": [{"size": 100}],
}


@pytest.mark.parametrize("call", [epsilon_at_most, printed_price])
@pytest.mark.parametrize(("sentence", "changed"), [(s, c) for s, cases in REFUSED.items() for c in cases])
def test_bad_input_is_refused_by_name(call, sentence, changed):
    """Each parameter outside its domain."""
    with pytest.raises(ValueError, match=f"^{sentence}"):
        call(**{**PRICED, **changed})


RULE = {
    "nominal_size must be given": [{"nominal_size": None}],
    "nominal_size must be an integer": [{"nominal_size": 0}, {"nominal_size": 1.5}, {"nominal_size": True}],
    "epsilon must be": [{"epsilon": 0}, {"epsilon": math.inf}],
    "classes must be": [{"classes": 1}, {"classes": 101}],
    "max_depth must be": [{"max_depth": -1}, {"max_depth": 65}],
    "max_error must be": [{"max_error": 0}, {"max_error": "none"}],
}


@pytest.mark.parametrize(("sentence", "changed"), [(s, c) for s, cases in RULE.items() for c in cases])
def test_the_rule_refuses_by_name(sentence, changed):
    """A size that is missing or no size, and all else."""
    with pytest.raises(ValueError, match=f"^{sentence}"):
        leaf_share_by_rule(**{"epsilon": 1, "nominal_size": 100, **changed})


def test_numpy_integers_are_integers():
    """Sizes may come from arrays."""
    assert epsilon_at_most(1, numeric=np.int64(3), rows=np.int64(5000), stop="depth", size="raw") == math.inf
    assert leaf_share_by_rule(1, np.int64(5000)) == Fraction(59, 1000)

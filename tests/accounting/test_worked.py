"""Derivations by hand and from grown trees are equal; columns in parallel are refused, with the exact factor."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.accounting import check_derivation
from fdpedu.accounting.worked.by_hand import Shape, columns_in_parallel, theorem_6
from fdpedu.accounting.worked.columns import _at_most, most_allowed, success, vote
from fdpedu.claims import REGISTER
from fdpedu.claims.accounting import columns
from fdpedu.claims.accounting.manifests import shape
from fdpedu.claims.federations import grow
from fdpedu.claims.strategies import budgets, domains_with_parties, shares
from fdpedu.derivation_checker import DerivationRefused
from fdpedu.domain import Domain, Numeric
from tests.support.accounting import validate


@settings(max_examples=60, deadline=None)
@given(domains_with_parties(), budgets, shares, st.integers(0, 3), st.integers(0, 9), st.booleans(), st.integers(0, 99))
def test_theorem_6_by_hand_is_what_a_grown_tree_derives(case, budget, share, depth, least, unspent, seed):
    """The same JSON, accepted with the same total, complete by the manifest, and both of the published schema."""
    options = {"max_depth": depth, "leaf_share": share, "unspent_to_leaf": unspent}
    tree, federation = grow(case, budget, np.random.default_rng(seed), min_samples_split=least, **options)
    by_hand = theorem_6(case[0], shape(tree.root), epsilon=budget, randomness="seeded generator", **options)
    assert by_hand.content == tree.derivation.content
    manifest = federation.manifest.to_json()
    assert check_derivation(by_hand.to_json(), manifest) == tree.derivation.guarantee
    validate("derivation", tree.derivation.to_json())
    validate("manifest", manifest)


GRID = Domain([Numeric.grid("x", 0, 4, bins=4), Numeric.grid("z", 0, 4, bins=4)], ("a", "b"))
FULL = Shape(0, frozenset({0, 1}), Shape(1, frozenset({0})), Shape(0, frozenset({2})))


def test_equation_3_by_hand():
    """ε = 3, λ = 1/3, d = 2, p = 2: each histogram costs 1/2 and each leaf 1; a branch 2·1 + 1 = 3."""
    derivation = theorem_6(GRID, FULL, epsilon=3, max_depth=2, leaf_share="1/3")
    assert derivation.guarantee[:7] == ("pure", 3, 0, 1, 3, True, ("operating system",))
    costs = []
    derivation.total(lambda step: costs.append(step["epsilon"]) or 0)
    assert sorted(costs) == ["1"] * 7  # three nodes, each two releases at 1/2, and four leaves
    each = []
    derivation.total(lambda step: each.append((step["releases"], step["sensitivity"], step["rate"])) or 0)
    assert sorted(each) == [(1, 1, "1")] * 4 + [(2, 1, "1/2")] * 3
    assert "= 2 × 1/2: class × bin histograms of all features, round 1" in derivation.render()
    with pytest.raises(ValueError, match="max_depth"):
        theorem_6(GRID, FULL, epsilon=3, max_depth=1)


@settings(max_examples=40, deadline=None)
@given(st.fractions(Fraction(1, 20), Fraction(19, 20), max_denominator=20), st.integers(1, 20))
def test_columns_in_parallel_are_refused_with_the_exact_factor(alpha, m):
    """The checker names the rule and the two columns; in sequence they are more than the budget."""
    claimed = columns_in_parallel(columns.columns(m), 1)
    validate("derivation", claimed.to_json())  # well-formed, and wrong
    if m > 1:
        with pytest.raises(DerivationRefused, match="premises 0 and 1"):
            check_derivation(claimed.to_json())
        claimed.content["proof"].update(epsilon=str(m))
        claimed.content["proof"]["premises"][0].update(rule="sequential", epsilon=str(m))
        with pytest.raises(DerivationRefused, match="more than the budget 1"):
            check_derivation(claimed.to_json())
    columns.factor(m, alpha)


def test_the_vote_of_the_columns_beats_what_the_claim_allows():
    """25 columns at α = 3/5: no test of an ε-DP release is right more than 5/8 of the time; the vote is, and exactly
    as often as computed (false alarm below 10⁻⁹ by Hoeffding's bound at 4000 trials).
    """
    alpha, m, rng = Fraction(3, 5), 25, np.random.default_rng(4)
    assert success(alpha, m) > Fraction(9, 10) > most_allowed(alpha) == Fraction(5, 8)
    assert success(alpha, 1) == most_allowed(alpha)
    coins = rng.geometric(0.4, (2, 4000, m)) - 1
    present = rng.integers(0, 2, 4000)
    noisy = 7 + present[:, None] + coins[0] - coins[1]
    right = sum(vote([7] * m, row) == bool(there) for row, there in zip(noisy.tolist(), present, strict=True))
    assert abs(right / 4000 - float(success(alpha, m))) < 0.055


UNSPENT = ({}, {"unspent_to_leaf": False}, {"unspent_to_leaf": True})


def test_a_leaf_gets_its_share_and_no_more_unless_that_is_asked_for():
    """A leaf at once, where three splits were paid for."""
    domain = Domain([Numeric.grid("x", 0, 4, bins=4)], (0, 1))
    texts = [theorem_6(domain, None, epsilon=1, max_depth=3, **more).to_json() for more in UNSPENT]
    assert texts[0] == texts[1] != texts[2]


def test_columns_in_parallel_are_of_their_domain():
    domain = Domain([Numeric.grid(name, 0, 4, bins=4) for name in "xy"], (0, 1))
    assert columns_in_parallel(domain, 1).domain is domain


@given(st.fractions(Fraction(1, 50), Fraction(49, 50)), st.integers(-30, 0))
def test_noise_below_a_number_is_a_sum_of_its_masses(alpha, t):
    """(1−α)/(1+α)·α^{−t} at t ≤ 0, and what is above 0 is as likely as what is below."""
    assert _at_most(t, alpha) - _at_most(t - 1, alpha) == (1 - alpha) / (1 + alpha) * alpha**-t
    assert _at_most(0, alpha) + _at_most(-1, alpha) == 1


def test_what_is_derived_by_hand_names_claims_of_the_register():
    """Every release states a claim of the book; a histogram of each column in parallel says all that a ledger would."""
    domain = Domain([Numeric.grid(name, 0, 4, bins=4) for name in ("x", "z")], ("a", "b"))
    derivations = theorem_6(domain, None, epsilon=1, max_depth=2), columns_in_parallel(domain, "1/2")
    claims = []
    for derivation in derivations:
        derivation.total(lambda step: claims.append(step["claim"]) or 0)
    assert set(claims) == {"thm-histogram", "thm-node-histograms"} <= set(REGISTER)
    (proof,) = derivations[1].content["proof"]["premises"]
    assert [step["query"] for step in proof["premises"]] == [f"class × bin histogram of {name}" for name in ("x", "z")]
    (only,) = columns_in_parallel(domain, "1/2", [1]).content["proof"]["premises"][0]["premises"]
    common = {"rule": "release", "round": 1, "mechanism": "discrete Laplace", "releases": 1, "sensitivity": 1}
    cost = {"rate": "1/2", "epsilon": "1/2", "region": {}, "colluders": 0, "claim": "thm-histogram"}
    asked = {"type": "class-histogram", "parameters": {"feature": 1}, "query": "class × bin histogram of z"}
    assert only == {**common, **cost, "index": 1, **asked}
    assert {key: proof[key] for key in ("rule", "epsilon", "region")} == {
        "rule": "parallel", "epsilon": "1/2", "region": {},
    }  # fmt: skip

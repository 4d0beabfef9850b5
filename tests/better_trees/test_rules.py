"""Depths, shares, blocks and designers: thresholds met exactly, and who pays for which level."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fdpedu.accounting import Budget
from fdpedu.boosting import rules_for
from fdpedu.domain import Domain
from fdpedu.recommending import Recommendation, recommend
from fdpedu.trees.designs.owner import owner_shape
from fdpedu.trees.designs.rotating import designers, level_costs, rotating_shape
from fdpedu.trees.designs.votes import Votes
from fdpedu.trees.shape import Asked

FIFTH = Fraction(1, 5)


@pytest.mark.parametrize(
    ("size", "epsilon", "shape"),
    [
        (None, 7, (4, FIFTH)),
        (1, 1, (4, Fraction(7, 20))),
        (299, "1/2", (4, Fraction(7, 20))),
        (300, 0.5, (4, FIFTH)),
        (1999, 1, (4, FIFTH)),
        (2000, 1, (5, FIFTH)),
        (10**6, 5, (5, FIFTH)),
    ],
)
def test_the_shape_of_a_rotating_tree(size, epsilon, shape):
    assert rotating_shape(size, epsilon) == shape


@pytest.mark.parametrize(
    ("size", "epsilon", "blocks"), [(None, 1, 2), (799, "1/2", 1), (800, "1/2", 2), (9999, 1, 2), (10_000, 1, 3)]
)
def test_the_shape_of_an_owners_tree(size, epsilon, blocks):
    assert owner_shape(size, epsilon) == (blocks, FIFTH)


def test_parties_design_in_turn():
    assert designers([2, 0, 1], 7) == (2, 0, 1, 2, 0, 1, 2) and designers(range(5), 0) == ()
    assert designers([255], 64) == (255,) * 64 and designers(np.array([1, 0]), 3) == (1, 0, 1)


@pytest.mark.claim("lem-party-coordinate")
@given(st.permutations(range(6)), st.integers(1, 6), st.integers(0, 12), st.fractions("1/9", "8/9", max_denominator=9))
def test_each_party_pays_its_levels_and_the_leaves_epsilon_in_all(order, parties, depth, share):
    designs = designers([k for k in order if k < parties], depth)
    costs, paid = level_costs(designs, 3, share), Counter()
    assert len(costs) == depth
    for party, cost in zip(designs, costs, strict=True):
        assert cost > 0
        paid[party] += cost
    assert all(whole == 3 * (1 - share) for whole in paid.values())
    assert len({cost for party, cost in zip(designs, costs, strict=True) if party == designs[0]}) <= 1


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: designers([0, 0], 2), "order must name each party once, and at least one"),
        (lambda: designers([], 2), "order must name each party once, and at least one"),
        (lambda: designers([256], 2), "order must be at most 255, got 256"),
        (lambda: designers([-1], 2), "order must be an integer ≥ 0, got -1"),
        (lambda: designers([0], 65), "depth must be at most 64, got 65"),
        (lambda: designers([0], -1), "depth must be an integer ≥ 0, got -1"),
        (lambda: level_costs([256], 1, "1/2"), "designs must be at most 255, got 256"),
        (lambda: level_costs([-1], 1, "1/2"), "designs must be an integer ≥ 0, got -1"),
        (lambda: level_costs(3, 1, "1/2"), "designs must be a list"),
        (lambda: designers(3, 1), "order must be a list"),
        (lambda: level_costs([0], 1, 1), "leaf_share must lie strictly between 0 and 1, got 1"),
        (lambda: level_costs([0], 1, 0), "leaf_share must be greater than 0, got 0"),
        (lambda: level_costs([0], 0, "1/2"), "epsilon must be greater than 0, got 0"),
        (lambda: rotating_shape(0, 1), "nominal_size must be an integer ≥ 1, got 0"),
        (lambda: rotating_shape(2.5, 1), "nominal_size must be an integer ≥ 1, got 2.5"),
        (lambda: owner_shape(True, 1), "nominal_size must be an integer ≥ 1, got True"),
        (lambda: owner_shape(5, 0), "epsilon must be greater than 0, got 0"),
        (lambda: asked(n_parties=0), "n_parties must be an integer ≥ 1, got 0"),
        (lambda: asked(n_parties=2.0), "n_parties must be an integer ≥ 1, got 2.0"),
        (lambda: asked(n_parties=[[1, 2]]), "n_parties must be a public number that is fixed beforehand, got a list"),
        (lambda: asked(nominal_size=np.zeros((3, 2))), "nominal_size must be a public number that is fixed beforehand"),
        (
            lambda: asked(nominal_size=[[1, "a"]]),
            "nominal_size must be a public number that is fixed beforehand, got a",
        ),
        (lambda: asked(nominal_size=0), "nominal_size must be an integer ≥ 1, got 0"),
        (lambda: asked(nominal_size=1e3), "nominal_size must be an integer ≥ 1, got 1000.0"),
        (lambda: asked(epsilon=[1]), "epsilon must be a public number that is fixed beforehand, got a list"),
        (lambda: asked(epsilon=0), "epsilon must be greater than 0, got 0"),
        (lambda: asked(delta=1), "delta must be at least 0 and less than 1, got 1"),
        (lambda: asked(delta=-1), "delta must be at least 0 and less than 1, got -1"),
        (lambda: asked(want="forest"), "want must be 'tree' or 'score' or 'curve' or 'number', got 'forest'"),
        (lambda: asked(want=1), "want must be 'tree' or 'score' or 'curve' or 'number', got 1"),
        (
            lambda: asked(want="score", nominal_size=None),
            "nominal_size must be given for want 'score': about how many rows all parties have, a public number",
        ),
        (
            lambda: asked(want="curve"),
            "delta must be greater than 0 for want 'curve', as curves are paid in ρ; want 'score' is not",
        ),
        (lambda: asked(want="number", n_parties=1), "n_parties must be at least 2 for want 'number', got 1"),
        (lambda: asked(want="score", delta=1), "delta must be at least 0 and less than 1, got 1"),
        (lambda: asked(trust="nobody"), "trust must be 'designer' or 'sums', got 'nobody'"),
        (lambda: asked(trust=None), "trust must be 'designer' or 'sums', got None"),
    ],
)
def test_the_sentences_of_refusals(make, words):
    with pytest.raises(ValueError) as refusal:
        make()
    assert str(refusal.value).startswith(words)


def asked(**options):
    return recommend(**{"n_parties": 5, "nominal_size": 1000, "epsilon": 1, **options})


@pytest.mark.parametrize(
    ("options", "design", "depth", "share", "word"),
    [
        ({}, "rotating", 4, FIFTH, "own party"),
        ({"n_parties": 2, "nominal_size": None}, "rotating", 4, FIFTH, "own party"),
        ({"n_parties": 32, "nominal_size": 2000}, "rotating", 5, FIFTH, "own party"),
        ({"n_parties": 5, "nominal_size": 100}, "rotating", 4, Fraction(7, 20), "own party"),
        ({"n_parties": 33}, "screened", 3, FIFTH, "more than 32 parties"),
        ({"n_parties": 33, "nominal_size": 5000}, "screened", 6, FIFTH, "noisy sums of all"),
        ({"trust": "sums"}, "screened", 3, FIFTH, "only sums of all parties"),
        ({"trust": "sums", "n_parties": 99, "nominal_size": 2000}, "screened", 5, FIFTH, "only sums"),
        ({"n_parties": 1}, "owner", 4, FIFTH, "one owner has all rows"),
        ({"n_parties": 1, "nominal_size": 300, "trust": "sums"}, "owner", 2, FIFTH, "blocks of two levels"),
        ({"delta": "1/1000000"}, "rotating", 4, FIFTH, "own party"),
    ],
)
def test_what_is_recommended(options, design, depth, share, word):
    found = asked(**options)
    assert (found.model, found.design, found.max_depth, found.leaf_share) == ("tree", design, depth, share)
    assert word in found.why


def test_a_recommendation_is_a_table():
    found = Recommendation("tree", "rotating", 4, FIFTH, "it suits <you>")
    assert [line.split()[0] for line in str(found).splitlines()] == ["model", "design", "max", "leaf", "why"]
    shown = found._repr_html_()
    assert "<table" in shown and "it suits &lt;you&gt;" in shown and "1/5" in shown and "Which model suits" in shown
    boosted = Recommendation("boosting", None, None, None, "it adds up", "curves")
    assert [line.split()[0] for line in str(boosted).splitlines()] == ["model", "form", "why"]


@pytest.mark.parametrize(
    ("options", "form", "word"),
    [
        ({"want": "score"}, "trees", "add up to a score"),
        ({"want": "score", "delta": "1/1000000"}, "trees", "follows the step"),
        ({"want": "score", "trust": "sums", "n_parties": 99}, "trees", "Only sums of all parties"),
        ({"want": "curve", "delta": "1/1000000"}, "curves", "a curve for each feature"),
        ({"want": "curve", "delta": "1/1000000", "n_parties": 2}, "curves", "the curves to the score"),
    ],
)
def test_boosting_is_recommended_where_a_score_or_a_curve_is_wanted(options, form, word):
    """By its name: nothing of a tree's shape is said, as boosting has rules of its own. It can be grown so."""
    found = asked(**options)
    assert (found.model, found.form) == ("boosting", form) and word in found.why
    assert (found.design, found.max_depth, found.leaf_share) == (None, None, None)
    budget = Budget.of(1, delta=options.get("delta")).limit
    assert rules_for(found.form, 1000, budget, 5).form == form


@pytest.mark.parametrize(
    ("parties", "size", "epsilon", "features", "word"),
    [
        (4, 12_000, 4, 10, "fewer than 5"),
        (5, 15_000, 4, 10, "joining is better"),
        (5, 15_001, 4, 10, "each has more than 3000"),
        (5, 1000, 1, 8, "joining is better"),  # ν is 20.9
        (5, 1000, 1, 9, "noise is too large"),  # and 18.6
        (5, 1000, "1/2", 8, "noise is too large"),
    ],
)
def test_where_a_party_is_as_well_off_alone(parties, size, epsilon, features, word):
    """As measured: joining pays from five parties on, with up to 3000 rows each, and K·ν of 100 at least."""
    for want in ("score", "curve"):
        options = {"epsilon": epsilon, "delta": "1/1000000", "want": want, "n_features": features}
        assert word in recommend(n_parties=parties, nominal_size=size, **options).alone
    assert asked(want="score").alone is None and asked(n_features=3).alone is None
    in_epsilon = recommend(n_parties=parties, nominal_size=size, epsilon=epsilon, want="score", n_features=features)
    assert word in in_epsilon.alone  # by the ρ that is sold as ε at δ = 10⁻⁶


def test_a_number_is_learnt_by_votes_as_the_design_votes_by_itself():
    found = recommend(n_parties=5, nominal_size=None, epsilon=1, want="number")
    domain = Domain.from_spec({"features": {"age": [0, 100, 4]}, "target": [0, 40, 16]})
    shape = Votes().for_domain(domain).settled(Asked(), 1)[1]
    assert (found.model, found.design) == ("tree", "votes")
    assert (found.max_depth, found.leaf_share) == (shape.depth, shape.leaf_share)

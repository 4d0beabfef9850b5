"""How trees grow by each rule: who votes for what, what becomes of ties and of parties without rows, and thresholds."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.cart import candidates, entropy, fit_cart
from fdpedu.claims import strategies as draw
from fdpedu.claims.secret_sharing.parties import grown, small_parties
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.randomness import Rehearsal, ReplayedWords, ZeroWords
from fdpedu.secure_sum import commit_coins, joint_coins
from fdpedu.sources.elzein import RULES, fit_shared_tree, growing
from fdpedu.sources.elzein.growing import STEPS

WIDE = Domain([Numeric.grid("x", 0, 100, bins=10)], ("a", "b", "c"))
WARDS = Domain([Categorical(name, ("A", "B")) for name in "uvw"], ("a", "b"))
CASES = small_parties(draw)
FOUR, FIFTH = [[4, "a"], [6, "b"], [8, "c"], [8, "c"]], [[9, "c"], [11, "b"]]


def fit(domain, *parts, rule="mended", depth=2, rng=None, **options):
    pairs = [([row[:-1] for row in rows], [row[-1] for row in rows]) for rows in parts]
    return fit_shared_tree(pairs, domain, rule=rule, max_depth=depth, rng=rng or Rehearsal(1), **options)


def told(node):
    return [(ballot.about, ballot.totals, ballot.votes) for ballot in node.ballots]


def wanting(*names):
    """Rows of wards whose class each of these names tells for so many rows: the first best, and so on."""
    rows = []
    for lag, name in enumerate(names):
        for k, other in product(range(4 - lag), "AB"):
            row = {each: "AB"[(k + (other == "B")) % 2] for each in "uvw"}
            rows.append([{**row, name: other}[each] for each in "uvw"] + ["ab"[other == "B"]])
    return rows


# --- rules ------------------------------------------------------------------------------------------------------------


def test_the_rules():
    assert {name: tuple(vars(rule).values()) for name, rule in RULES.items()} == {
        "printed": (False, True, False, "mean"),
        "mended": (True, False, True, "mean"),
        "median": (True, False, True, "median"),
        "histograms": (True, False, True, "pooled"),
    }
    assert STEPS == 65_535


@pytest.mark.claim("lem-middle-outside", "lem-own-middle")
def test_a_party_without_rows_gives_the_middle_of_the_range_as_printed_and_that_of_its_node_when_mended():
    """The path x ≤ 7.6 of [0, 100]: four give 5, and one has no rows: (4·5 + 50)/5 = 14; mended (4·5 + 3.8)/5."""
    printed, mended = (fit(WIDE, *[FOUR] * 4, FIFTH, rule=rule) for rule in ("printed", "mended"))
    for tree, found in ((printed, 14), (mended, 4.76)):
        assert tree.root.threshold == pytest.approx(7.6, abs=1e-3)
        assert tree.root.thresholds == (round(0.07 * STEPS),) * 4 + (round(0.1 * STEPS),)
        left, right = tree.root.children
        assert left.threshold == pytest.approx(found, abs=1e-3) and right.label == 2
        assert left.thresholds[:4] == (round(0.05 * STEPS),) * 4
    assert printed.root.children[0].thresholds[4] == round(0.5 * STEPS)
    assert printed.root.children[0].threshold > printed.root.threshold > mended.root.children[0].threshold


@pytest.mark.claim("lem-empty-party")
def test_a_party_without_rows_votes_for_no_split_and_has_no_label_as_printed_and_speaks_by_its_ancestor_when_mended():
    printed, mended = (fit(WIDE, *[FOUR] * 4, FIFTH, rule=rule) for rule in ("printed", "mended"))
    assert told(printed.root) == [("attribute", (5, 0), (0,) * 5)] == told(mended.root)
    assert told(printed.root.children[0]) == [("attribute", (4, 1), (0, 0, 0, 0, 1))]
    assert told(mended.root.children[0]) == [("attribute", (5, 0), (0,) * 5)]
    assert told(printed.root.children[0].children[1]) == [("label", (0, 0, 0), (None,) * 5)]
    assert told(mended.root.children[0].children[0]) == [("label", (4, 1, 0), (0, 0, 0, 0, 1))]
    assert told(mended.root.children[0].children[1]) == [("label", (0, 5, 0), (1,) * 5)]
    assert printed.root.children[0].children[0].ballots[-1].totals == (4, 0, 0)


@pytest.mark.claim("lem-own-middle")
@settings(max_examples=25, deadline=None)
@given(CASES, st.integers(1, 4), st.integers(0, 9), st.sampled_from(["mended", "median"]))
def test_every_threshold_is_strictly_within_its_node_and_all_parties_vote(case, depth, seed, rule):
    """Whatever parties are without rows; at the ends of the range by rounding at most."""
    domain, parts = case
    tree = grown(case, rule, depth, seed)
    ends = {j: (f.edges[0], f.edges[-1]) for j, f in enumerate(domain.features) if isinstance(f, Numeric)}
    pending = [(tree.root, ends, frozenset())]
    while pending:
        node, around, asked = pending.pop()
        assert all(sum(ballot.totals) == len(parts) for ballot in node.ballots) and node.depth <= depth
        below = [around] * len(node.children)
        if node.threshold is not None:
            low, high = around[node.attribute]
            step = (ends[node.attribute][1] - ends[node.attribute][0]) / STEPS
            assert low - step / 2 <= node.threshold <= high + step / 2 and low < high
            assert rule == "mended" or low < node.threshold < high
            below = [{**around, node.attribute: pair} for pair in ((low, node.threshold), (node.threshold, high))]
            assert len(node.children) == 2
        elif node.attribute is not None:
            assert node.attribute not in asked and len(node.children) == domain.features[node.attribute].n_codes
            asked |= {node.attribute}
        pending += [(child, *rest, asked) for child, *rest in zip(node.children, below, strict=True)]


# --- ties -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("second", ["u", "v"])
def test_after_a_tie_the_attributes_of_most_votes_stand_again_as_printed(second):
    """Two want u, two v; the fifth wants w, and then u or v: its second vote decides."""
    parts = [*[wanting("u")] * 2, *[wanting("v")] * 2, wanting("w", second)]
    printed, mended = (fit(WARDS, *parts, rule=rule, depth=1) for rule in ("printed", "mended"))
    k = "uv".index(second)
    assert told(printed.root) == [
        ("attribute", (2, 2, 1, 0), (0, 0, 1, 1, 2)),
        ("attribute again", (2 + (k == 0), 2 + (k == 1), 0, 0), (0, 0, 1, 1, k)),
    ]
    assert printed.root.attribute == k and printed.root.branch_of == (0, 1)
    assert [ballot.about for ballot in mended.root.ballots] == ["attribute"] and mended.root.attribute in (0, 1)
    assert not coins_of(printed) and coins_of(mended) == 1


def coins_of(tree):
    return sum(getattr(step, "kind", "") == "coins" for node in tree.nodes() for step in node.steps)


def test_a_party_to_which_nothing_that_stands_gains_anything_takes_the_last_that_stands():
    """The fifth wants w only; u and v gain it nothing, so it takes v. With no split among those that stand, that."""
    only_w = [[*uv, "AB"[k], "ab"[k]] for uv in product("AB", repeat=2) for k in range(2)]
    tree = fit(WARDS, *[wanting("u")] * 2, *[wanting("v")] * 2, only_w, rule="printed", depth=1)
    assert told(tree.root)[1] == ("attribute again", (2, 3, 0, 0), (0, 0, 1, 1, 1)) and tree.root.attribute == 1
    pure = [["A", "A", "A", "a"]]
    tree = fit(WARDS, *[wanting("u")] * 2, pure, pure, only_w, rule="printed", depth=1)
    assert told(tree.root)[:2] == [
        ("attribute", (2, 0, 1, 2), (0, 0, 3, 3, 2)),
        ("attribute again", (2, 0, 0, 3), (0, 0, 3, 3, 3)),
    ]
    assert tree.root.label == 0 and tree.root.ballots[-1].about == "label"


@pytest.mark.parametrize(("coin", "sides", "at"), [(b"\1\0", 2, 0), (b"\0\1", 2, 1), (b"\1\0", 3, 1), (b"\0\2", 3, 2)])
@pytest.mark.parametrize("rule", ["printed", "mended"])
def test_where_a_tie_stays_the_joint_coin_is_the_number_of_the_one_that_wins(monkeypatch, coin, sides, at, rule):
    monkeypatch.setattr(growing, "joint_coins", lambda *given: coin)
    tree = fit(WARDS, *[wanting(name) for name in "vwu"[:sides]], rule=rule, depth=1)
    assert tree.root.attribute == sorted("uvw".index(name) for name in "vwu"[:sides])[at]
    again = ["attribute again"] if rule == "printed" else []
    assert [ballot.about for ballot in tree.root.ballots] == ["attribute", *again] and coins_of(tree) >= 1
    labels = fit(WARDS, [["A", "A", "A", "a"]], [["A", "A", "A", "b"]], rule=rule, depth=0)
    assert labels.root.label == int.from_bytes(coin, "big") % 2 and coins_of(labels) == 1
    assert [ballot.about for ballot in labels.root.ballots] == ["label"]


def test_a_coin_is_made_of_words_of_all_parties_and_committed_to_by_all():
    """One row each: two words deal the shares of the votes, and then each party tosses four."""
    word = [1, 2, *range(3, 11)]
    tree = fit(
        WARDS, [["A", "A", "A", "a"]], [["B", "A", "A", "b"]], depth=0, rng=ReplayedWords([0, 0, *word[:2], *word[2:]])
    )
    members = [bytes([k]) * 32 for k in range(2)]
    coins = [np.array(some, dtype=np.uint64).tobytes() for some in (word[2:6], word[6:])]
    joint = joint_coins(coins, [commit_coins(coin, members) for coin in coins], members)
    assert tree.root.label == int.from_bytes(joint, "big") % 2


# --- thresholds -------------------------------------------------------------------------------------------------------


def cut(at, low=0.0, high=100.0):
    """Rows whose best threshold is there."""
    return [[low, "a"], [at - 1, "a"], [at + 1, "b"], [high, "b"]]


@pytest.mark.claim("lem-mean-threshold")
def test_the_mean_is_taken_in_steps_of_the_public_range():
    tree = fit(Domain([Numeric.grid("x", -20, 80, bins=10)], ("a", "b")), cut(10, -20, 80), cut(33, -20, 80), depth=1)
    steps = round(0.30 * STEPS), round(0.53 * STEPS)
    assert tree.root.thresholds == steps
    assert tree.root.threshold == pytest.approx(-20 + sum(steps) / (2 * STEPS) * 100, abs=1e-9)
    top = [[100, "a"], [99.9999, "b"]]
    assert fit(WIDE, top, top, depth=1).root.threshold == 100  # N times the last step is below the modulus


@pytest.mark.parametrize(
    ("cuts", "found"),
    [((30, 70), 30), ((70, 30), 30), ((30, 50, 70), 50), ((20, 30, 60, 90), 30), ((90, 90, 90, 10), 90)],
)
def test_the_median_is_the_lower_one_of_the_borders_that_parties_vote_for(cuts, found):
    tree = fit(WIDE, *[[[at - 5, "a"], [at + 5, "b"]] for at in cuts], rule="median", depth=1)
    assert tree.root.threshold == found and tree.root.thresholds == ()
    ballot = tree.root.ballots[1]
    assert ballot.about == "threshold" and ballot.names == tuple(str(10 * k) for k in range(1, 10))
    assert ballot.votes == tuple(at // 10 - 1 for at in cuts)
    assert ballot.totals == tuple(cuts.count(10 * k) for k in range(1, 10))


@pytest.mark.claim("lem-own-middle")
def test_a_party_without_a_threshold_votes_for_the_lower_middle_border_of_its_node():
    """Left of 70 two have rows and give 30; the third has none, and of 10 to 60 gives 30 as well; right of 20 60."""
    three = [[25, "a"], [35, "b"], [65, "b"], [75, "c"], [76, "c"], [77, "c"]]
    tree = fit(WIDE, three, three, [[75, "c"], [76, "c"], [95, "b"]], rule="median", depth=2)
    assert tree.root.threshold == 70 and tree.root.ballots[1].votes == (6, 6, 7)
    left = tree.root.children[0]
    assert left.threshold == 30 and left.ballots[1].votes == (2, 2, 2)
    tree = fit(WIDE, [[15, "a"], [25, "b"], [85, "c"]], [[15, "a"], [16, "a"], [25, "b"]], [[15, "a"], [5, "b"]],
               rule="median", depth=2)  # fmt: skip
    assert tree.root.threshold == 20 and tree.root.ballots[1].votes == (1, 1, 0)
    assert tree.root.children[1].ballots[0].about == "attribute"


def test_a_number_divides_a_node_no_more_where_nothing_is_left_between_its_ends():
    """By borders of the grid: one bin is not divided again, while by values it may be."""
    pair = Domain([Numeric.grid("x", 0, 2, bins=2)], ("a", "b"))
    part = [[0.1, "a"], [0.9, "b"], [1.1, "a"], [1.2, "a"], [1.9, "a"]]
    assert fit(pair, part, part, rule="median", depth=3).depth <= 1
    assert fit(pair, part, part, rule="mended", depth=3).depth == 2
    one = [[0.4, "a"], [1.6, "b"]]
    tree = fit(pair, one, one, [[0.4, "a"], [0.5, "b"]], rule="median", depth=3)
    assert tree.depth == 1 and told(tree.root.children[0])[0][:2] == ("attribute", (0, 3))


# --- histograms -------------------------------------------------------------------------------------------------------


@pytest.mark.claim("lem-pooled-cart")
@settings(max_examples=30, deadline=None)
@given(CASES, st.integers(0, 4))
def test_added_histograms_by_gini_grow_the_cart_of_all_rows(case, depth):
    domain, parts = case
    rows = [row for some in parts for row in some]
    cart = fit_cart([row[:-1] for row in rows], [row[-1] for row in rows], grid=domain, max_depth=depth)
    tree = grown(case, "histograms", depth, 1, "gini")
    values = [f.edges[1:] if isinstance(f, Numeric) else f.categories for f in domain.features]
    cells = [list(cell) for cell in product(*values)]
    assert tree.predict(cells).tolist() == cart.predict(cells).tolist()
    assert len(tree.nodes()) == len(list(cart.nodes())) and tree.depth == cart.depth


@settings(max_examples=30, deadline=None)
@given(CASES)
def test_added_histograms_by_entropy_cut_where_least_is_left_of_all_rows(case):
    """Among the public candidates that divide the rows; without one, or of one class, the root is a leaf."""
    domain, parts = case
    rows = [row for some in parts for row in some]
    codes = domain.encode([row[:-1] for row in rows])
    labels = np.array([domain.classes.index(row[-1]) for row in rows])
    root, found = grown(case, "histograms", 1, 1, "entropy").root, candidates(domain, domain.everything)
    lefts = [np.isin(codes[:, found[k].feature], list(found[k].left)) for k in range(len(found))]
    left_over = [weight(labels[left]) + weight(labels[~left]) for left in lefts if 0 < left.sum() < len(rows)]
    if root.attribute is None:
        assert root.label == np.bincount(labels).argmax() and (not left_over or len(set(labels)) == 1)
        return
    sides = [child.label for child in root.children]
    own = [where_one(root, domain, row) == 0 for row in rows]
    assert weight(labels[own]) + weight(labels[~np.array(own)]) <= min(left_over) + 1e-9
    assert sides == [np.bincount(labels[some]).argmax() for some in (own, ~np.array(own))]


def weight(labels):
    return len(labels) * float(entropy(np.bincount(labels, minlength=2)))


def where_one(node, domain, row):
    feature, value = domain.features[node.attribute], row[node.attribute]
    if isinstance(feature, Numeric):
        upper = feature.edges[int(domain.encode([row[:-1]])[0][node.attribute]) + 1]
        return int(upper > node.threshold)
    return node.branch_of[feature.categories.index(value)]


def test_added_histograms_need_no_votes():
    tree = fit(WIDE, FOUR, FIFTH, rule="histograms", depth=1, rng=ZeroWords())
    assert tree.root.threshold == 10 and not any(node.ballots for node in tree.nodes())
    assert [node.label for node in tree.root.children] == [2, 1]
    assert fit(WIDE, [[1, "a"], [9, "a"]], [[1, "b"]], rule="histograms", depth=3).nodes()[0].label == 0
    assert fit(WIDE, [[1, "b"]], [[1, "b"]], rule="histograms", depth=0).root.label == 1  # all rows in one number

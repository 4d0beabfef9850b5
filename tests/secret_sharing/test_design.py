"""Votes that are drawn and paid for: what is asked and charged, how a tree grows by them, and its file."""

import json
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.cart import candidates
from fdpedu.claims import strategies as draw
from fdpedu.claims.better_trees.law import coded, inside, losses_by_hand
from fdpedu.claims.federations import federate
from fdpedu.derivation_checker import check_derivation
from fdpedu.dlpa import LevelCost, insider_epsilon
from fdpedu.domain import Domain, Numeric
from fdpedu.federation import ClassCounts, SplitVote
from fdpedu.federation.queries.closed_set import read_queries, write_queries
from fdpedu.files import FileRefused
from fdpedu.randomness import Rehearsal, ReplayedWords, ZeroWords
from fdpedu.trees import Tree, Votes, fit_federated_tree
from fdpedu.trees.designs import design_from_json, find_design
from fdpedu.trees.designs.votes import level_costs, winner_of
from fdpedu.trees.promise import tree_promise
from fdpedu.trees.shape import Asked, Shape
from tests.support.private_trees import DOMAIN, HALVES, THIRDS, content_of, resigned

QUARTER = Fraction(1, 4)


def grow(parts=THIRDS, domain=DOMAIN, budget=1, noise=None, **options):
    """A tree, its federation, and the queries of each round."""
    federation = federate(parts, domain, budget, noise or Rehearsal(1), tolerate=0)
    tree = fit_federated_tree(federation, design="votes", **{"rng": Rehearsal(2), **options})
    return tree, federation, [federation._asked_in(request) for request in federation.transport.requests.values()]


# --- the query --------------------------------------------------------------------------------------------------------


@pytest.mark.claim("lem-split-vote")
def test_a_vote_is_one_release_of_sensitivity_m_at_the_rate_of_a_step():
    vote = SplitVote(DOMAIN.everything, "1/2", "gini", 8)
    assert (vote.sensitivity, vote.rate.rate, vote.claim, vote.type) == (
        8,
        Fraction(1, 16),
        "lem-split-vote",
        "split-vote",
    )
    assert vote.shape(DOMAIN) == (len(candidates(DOMAIN, DOMAIN.everything)),) == (6,)
    assert (vote.describe(DOMAIN), vote.layer.mechanism) == (
        "votes of the parties for a split",
        "votes by permute-and-flip",
    )
    charge = vote.charge(DOMAIN, 2, "operating system")
    assert (charge.releases, charge.sensitivity, charge.cost.value, charge.region) == (
        1,
        8,
        Fraction(1, 2),
        vote.region,
    )
    plain = SplitVote(DOMAIN.everything, 1)
    assert (plain.loss, plain.lattice) == ("mixed", 1024)


@pytest.mark.parametrize("loss", ["errors", "gini", "mixed"])
def test_a_vote_comes_back_from_its_wire_form(loss):
    asked = [
        SplitVote(DOMAIN.everything.restrict(0, {0, 2}), "1/3", loss, 2**16),
        SplitVote(DOMAIN.everything, 2, loss, 1),
    ]
    assert list(read_queries(write_queries(asked, DOMAIN), DOMAIN)) == asked


@pytest.mark.claim("lem-split-vote")
@settings(max_examples=20, deadline=None)
@given(draw.domains_with_parties(), st.data(), st.sampled_from(["errors", "gini", "mixed"]))
def test_each_party_has_one_vote_and_without_noise_it_is_for_its_own_least_loss(case, data, loss):
    """Of several regions in one round; an empty one is voted on too, for the first split."""
    domain, parts = case
    regions = [r for r in (data.draw(draw.regions(domain)) for _ in range(2)) if len(candidates(domain, r))]
    if not regions:
        return
    asked = [SplitVote(region, 1, loss, 4) for region in regions]
    answers = federate(parts, domain, 2, ZeroWords()).release(asked)
    for region, answer in zip(regions, answers, strict=True):
        expected = np.zeros(len(candidates(domain, region)), dtype=int)
        for rows in parts:
            losses = losses_by_hand(domain, region, inside(coded(domain, rows), region), loss, 4)
            expected[losses.index(min(losses))] += 1
        assert answer.tolist() == expected.tolist() and answer.sum() == len(parts)


# --- the design -------------------------------------------------------------------------------------------------------


def test_what_the_design_says_of_itself():
    assert Votes().loss is None
    design = Votes().for_domain(DOMAIN)
    assert (design.loss, design.lattice, design.prune) == ("mixed", 1024, False)
    assert (design.curated, design.reads_size, design.fresh_leaves, design.public_splits) == (False, False, True, False)
    assert design.settled(Asked(), 1) == (design, Shape(3, QUARTER, 0))
    assert design.settled(Asked(5, "1/3"), 1)[1] == Shape(5, Fraction(1, 3), 0)
    assert design.settled(Asked(8), 1)[1].depth == 8
    assert isinstance(find_design("votes"), Votes)
    assert design_from_json(Votes("gini", 7, True).to_json()) == Votes("gini", 7, True)
    assert design.to_json() == {"name": "votes", "loss": "mixed", "lattice": 1024, "prune": False}


@pytest.mark.claim("thm-votes-tree")
def test_what_levels_and_leaves_cost():
    assert level_costs(Shape(3, QUARTER), Fraction(2)) == (Fraction(1, 2),) * 3
    assert level_costs(Shape(1, Fraction(1, 5)), Fraction(1)) == (Fraction(4, 5),)
    assert level_costs(Shape(0, QUARTER), Fraction(1)) == ()
    path, leaf = Votes().dearest_path(Fraction(2), Shape(2, QUARTER), 7, 3)
    assert path == (LevelCost("3/4", 1, shared=False),) * 2 and leaf == Fraction(1, 2)
    assert Votes().dearest_path(Fraction(2), Shape(0, QUARTER), 7, 3) == ((), 2)


@pytest.mark.claim("thm-votes-insiders")
def test_against_an_insider_votes_cost_the_same_and_leaves_more():
    given_to = {"n_features": 7, "n_parties": 4, "tolerate": 0, "colluders": 1}
    found = tree_promise(Votes(), Asked(), 1, **given_to)
    assert found.outsider.upper == 1 < found.insider.lower
    leaves = insider_epsilon(QUARTER, 4, 1)
    assert found.insider.upper - Fraction(3, 4) - leaves.upper < Fraction(1, 10**6)
    assert abs(found.insider.lower - Fraction(3, 4) - leaves.lower) < Fraction(1, 10**6)
    covered = tree_promise(Votes(), Asked(), 1, **{**given_to, "tolerate": 1})
    assert covered.insider.upper == 1


@pytest.mark.claim("thm-votes-tree")
@pytest.mark.parametrize(("depth", "share"), [(0, "1/4"), (1, "1/5"), (2, "1/4"), (3, "7/20")])
def test_what_is_asked_at_each_level_and_paid_on_each_path(depth, share):
    tree, federation, rounds = grow(budget="3/2", max_depth=depth, leaf_share=share)
    *levels, leaves = rounds
    assert [len(level) for level in levels[:2]] == [1, 2][:depth] and tree.rounds == depth + 1
    cost = (1 - Fraction(share)) * Fraction(3, 2) / max(depth, 1)
    assert all(type(q) is SplitVote and q.epsilon == cost for level in levels for q in level)
    assert all((q.loss, q.lattice) == ("mixed", 1024) for level in levels for q in level)
    leaf = Fraction(share) * Fraction(3, 2) if depth else Fraction(3, 2)
    assert {(type(q), q.epsilon) for q in leaves} == {(ClassCounts, leaf)}
    guarantee = check_derivation(tree.derivation.to_json(), federation.manifest.to_json())
    assert guarantee.spent == guarantee.value == federation.ledger.spent == Fraction(3, 2)
    assert tree.design == Votes("mixed") and tree.n_parties == 3


def test_loss_and_lattice_are_the_designs():
    federation = federate(THIRDS, DOMAIN, 1, Rehearsal(1))
    tree = fit_federated_tree(federation, design=Votes("gini", 6, prune=True), max_depth=1)
    (vote,), _ = (federation._asked_in(request) for request in federation.transport.requests.values())
    assert (vote.loss, vote.lattice) == ("gini", 6) and tree.design == Votes("gini", 6, True)


@pytest.mark.claim("thm-votes-tree")
@settings(max_examples=15, deadline=None)
@given(draw.domains_with_parties(), st.integers(0, 3))
def test_without_noise_a_node_is_split_where_most_parties_have_their_least_loss(case, depth):
    """Zero words: a tie falls to the first. Empty nodes are split, too; a leaf is at full depth, or indivisible."""
    domain, parts = case
    tree, _, _ = grow(parts, domain, noise=ZeroWords(), max_depth=depth, rng=ZeroWords())
    pending = [(tree.root, domain.everything, 0)]
    records = [coded(domain, rows) for rows in parts]
    while pending:
        node, region, level = pending.pop()
        found = candidates(domain, region)
        if node.is_leaf:
            assert level == depth or not len(found)
            continue
        totals = [0] * len(found)
        for own in records:
            losses = losses_by_hand(domain, region, inside(own, region), "mixed", 1024)
            totals[losses.index(min(losses))] += 1
        split = found[totals.index(max(totals))]
        here = region.codes(split.feature)
        assert (node.split.feature, node.split.left & here) == (split.feature, split.left & here)
        sides = region.restrict(split.feature, split.left & here), region.restrict(split.feature, here - split.left)
        pending += zip((node.left, node.right), sides, (level + 1,) * 2, strict=True)


@pytest.mark.claim("thm-votes-tree")
def test_ties_fall_by_public_coins_and_nothing_else_does():
    """Two-bit words: with three that are level the word 3 is drawn again; of a single one no word is asked for."""
    for totals, tape, expected in (
        ([1, 3, 0], [], 1),
        ([-1, -2], [], 0),
        ([5], [], 0),
        ([2, 0, 2], [0], 0),
        ([2, 0, 2], [1], 2),
        ([2, 0, 2], [2], 0),
        ([1, 1, 1], [3, 2], 2),
        ([0, 4, 4, 4], [1], 2),
        ([0, 4, 4, 4], [3, 3, 0], 1),
    ):
        assert winner_of(np.array(totals), ReplayedWords(tape, word_bits=2)) == expected


def test_the_coins_of_a_tree_are_those_of_its_caller():
    """Two parties, empty nodes and a budget beyond need: the parties agree, unless their rows say otherwise."""
    line = Domain([Numeric.grid("x", 0, 3, bins=3)], ("a", "b"))
    parts = [[[0.5, "a"], [1.5, "b"], [2.5, "b"]], [[0.5, "a"], [1.5, "a"], [2.5, "b"]]]
    found = {}
    for word in (0, 1):
        federation = federate(parts, line, 10**6, ZeroWords())
        tree = fit_federated_tree(federation, design="votes", max_depth=1, rng=ReplayedWords([word]))
        found[word] = set(tree.root.split.left)
    assert found == {0: {0}, 1: {0, 1}}


# --- its file ---------------------------------------------------------------------------------------------------------


@pytest.mark.claim("thm-votes-tree")
@pytest.mark.parametrize("options", [{}, {"max_depth": 0}, {"max_depth": 2, "leaf_share": "1/3"}], ids=["3", "0", "2"])
def test_a_tree_is_read_as_it_was_written(options, tmp_path):
    tree, _, _ = grow(**options)
    tree.save(tmp_path / "t.json")
    again = Tree.load(tmp_path / "t.json")
    assert again == tree and again.to_json() == tree.to_json() and again.design == Votes("mixed")
    X = [[x + 0.5, w] for x, w in product(range(4), "ABC")]
    assert again.predict(X).tolist() == tree.predict(X).tolist()


def with_a_split_moved(content):
    content["root"]["split"] = {"feature": "x", "left": [0]} if "w" == content["root"]["split"]["feature"] else {
        "feature": "w", "left": ["A"]}  # fmt: skip


def below(content):
    """The first node with two leaves."""
    node = content["root"]
    while "left" in node["left"]:
        node = node["left"]
    return node


def with_a_level_less(content):
    node = below(content)
    for key in ("split", "left", "right"):
        node.pop(key)


def with_a_level_more(content):
    leaf = below(content)["left"]
    leaf |= {"split": dict(content["root"]["split"]), "left": dict(leaf), "right": dict(leaf)}


def with_dearer_leaves(content):
    for release in content["leaf_releases"]:
        release["epsilon"] = "1/2"


def with_a_leaf_less(content):
    content["leaf_releases"].pop()


CHANGES = [with_a_split_moved, with_a_level_less, with_a_level_more, with_dearer_leaves, with_a_leaf_less]


@pytest.mark.claim("thm-votes-tree")
@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_a_file_that_was_changed_is_refused(change):
    content = content_of(grow(HALVES, max_depth=2)[0])
    assert isinstance(Tree.from_json(resigned(content)), Tree)
    change(content)
    with pytest.raises(FileRefused):
        Tree.from_json(resigned(content))


def test_votes_that_were_not_paid_for_are_refused():
    """The tree of another design has the same leaves, and no votes."""
    federation = federate(HALVES, DOMAIN, 1, Rehearsal(1))
    content = content_of(fit_federated_tree(federation, design="rotating", max_depth=1))
    content["design"]["name"] = "votes"
    with pytest.raises(FileRefused, match="no choice of a split"):
        Tree.from_json(resigned(content))
    assert '"split-vote"' in json.dumps(content_of(grow(max_depth=1)[0]))

"""What an attack on the options of chapter 8 found: trees that outgrew their documents, files, scores, intervals."""

import json
from argparse import Namespace
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from fdpedu import derivation_checker
from fdpedu.accounting import BudgetExceeded, Ledger
from fdpedu.claims.federations import federate
from fdpedu.cli import growing
from fdpedu.domain import Domain
from fdpedu.estimators import noisy_score
from fdpedu.estimators.tables import made_parties
from fdpedu.federation import ClassCounts, Federation, NodeHistograms, Party, messages
from fdpedu.federation import federation as rounds
from fdpedu.files import FileRefused, digest
from fdpedu.randomness import Rehearsal
from fdpedu.trees import Design, Tree, fit_federated_tree, room
from fdpedu.trees.costs import Costs
from fdpedu.trees.leaf_release import LeafRelease
from fdpedu.trees.tree_file import _Reader
from fdpedu.trees.tree_paid import Paid

DOMAIN = Domain.from_spec({"features": {"x": [0, 4, 4], "w": ["A", "B", "C"]}, "classes": ["a", "b", "c"]})
ROWS = [[x % 4 + 0.5, "ABC"[x % 3], "abc"[(x * x + x // 5) % 3]] for x in range(60)]
PARTS = [ROWS[::3], ROWS[1::3], ROWS[2::3]]
ALL = DOMAIN.everything


def never(level, least):
    return np.zeros(len(level.inside), dtype=bool)


def grown(seed=1, budget=3, design="default", federation=None, **rules):
    federation = federation or federate(PARTS, DOMAIN, budget, Rehearsal(seed))
    rules = {"max_depth": 3, "min_samples_split": 2, **rules}
    return fit_federated_tree(federation, design=design, **rules), federation


def read(content):
    content.pop("digest", None)
    return Tree.from_json(json.dumps({**content, "digest": digest(content)}), "t.json")


# --- a tree that is paid for is returned ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("module", "limit", "value"),
    [
        (derivation_checker, "MAX_BRACKETS", 90),
        (derivation_checker, "MAX_QUOTES", 650),
        (derivation_checker, "MAX_CHARACTERS", 6000),
        (derivation_checker, "MAX_COMPARISONS", 9),
        (room, "MAX_NUMBERS", 70),
        (room, "MAX_FIELDS", 340),
        (room, "MAX_REQUEST_BYTES", 2**14 + 4000),
    ],
)
@pytest.mark.parametrize("design", [Design(stop=never), Design(stop=never, features_per_node=1, fresh_leaves=False)])
def test_a_tree_keeps_within_each_limit(monkeypatch, module, limit, value, design):
    """Levels are cut where the next one would be refused, with all that was paid lost."""
    whole, _ = grown(budget=50, design=design, rng=Rehearsal(2))
    for place in (module, messages, rounds):
        monkeypatch.setattr(place, limit, value, raising=place is module)
    tree, federation = grown(budget=50, design=design, rng=Rehearsal(2))
    assert len(tree.leaves()) < len(whole.leaves()) and federation.ledger.spent == 50
    assert Tree.from_json(tree.to_json()) == tree


def test_what_a_ledger_holds_already_counts(monkeypatch):
    federation = federate(PARTS, DOMAIN, 50, Rehearsal(1))
    first, _ = grown(federation=federation, epsilon=10)
    size = len(federation.ledger.derivation().to_json())
    monkeypatch.setattr(derivation_checker, "MAX_CHARACTERS", size + 4000)
    second, _ = grown(federation=federation, epsilon=10, design=Design(stop=never))
    assert 1 < len(second.leaves()) < len(first.leaves()) and federation.ledger.spent == 20
    rounds = federation.ledger.rounds
    monkeypatch.setattr(derivation_checker, "MAX_CHARACTERS", size + 100)
    with pytest.raises(ValueError, match="nothing was charged: the derivation of this ledger is nearly as long"):
        grown(federation=federation, epsilon=10)
    assert (federation.ledger.spent, federation.ledger.rounds) == (20, rounds)


THREE = Domain.from_spec({"features": {"x": [0, 3, 3], "y": [0, 2, 2], "w": ["A", "B", "C"]}, "classes": ["a", "b"]})
RECORDS = [[x % 3 + 0.5, x // 3 % 2 + 0.5, "ABC"[x // 6 % 3], "ab"[x * x % 5 % 2]] for x in range(36)]
CELLS = [RECORDS[::2], RECORDS[1::2]]


def mixed(level, least):
    """Every fourth node becomes a leaf, and waits while the others go on."""
    return np.arange(len(level.inside)) % 4 == 3


@pytest.mark.parametrize(
    ("limit", "values", "trees"),
    [
        ("MAX_BRACKETS", (60, 80, 100), 1),
        ("MAX_QUOTES", (500, 750, 1000), 1),
        ("MAX_CHARACTERS", (3000, 4500, 6000), 1),
        ("MAX_COMPARISONS", (20, 30, 60), 2),
        ("MAX_NUMBERS", (16, 37, 40, 43, 70), 1),
        ("MAX_FIELDS", (300, 360, 480), 1),
        ("MAX_REQUEST_BYTES", (2**14 + 3800, 2**14 + 4500, 2**14 + 7000), 1),
    ],
)
def test_no_limit_is_met_in_the_midst_of_a_tree(monkeypatch, limit, values, trees):
    """Whatever the limit is: the tree is whole, or nothing was charged for it."""
    leaves = set()
    for value in values:
        for place in (derivation_checker, room, messages, rounds):
            monkeypatch.setattr(place, limit, value, raising=False)
        for design in (Design(stop=mixed), Design(stop=mixed, features_per_node=2)):
            federation = federate(CELLS, THREE, 20 * trees, Rehearsal(1))
            for number in range(trees):
                try:
                    tree, _ = grown(federation=federation, epsilon=20, max_depth=4, design=design, rng=Rehearsal(2))
                except ValueError:
                    assert federation.ledger.spent == 20 * number
                    break
                leaves.add(len(tree.leaves()))
    assert max(leaves) > min(leaves)


def test_the_room_below_a_level():
    wide = room.Room(nodes=10**9, histograms=3, numbers=(1, 1), query=100, widest=8, features=2)
    assert [wide.below(1, 815, depth) for depth in (1, 2, 3)] == [7666, 5964, 5964]  # by the fields of a message
    long = replace(wide, query=300, widest=256)
    assert long.below(1, 325, 1) == 3333  # by its bytes
    assert replace(wide, nodes=50).below(20, 8, 1) == 30
    assert replace(wide, numbers=(2**20, 2**10)).below(1, 2**10, 1) == 30  # 2^25 less a part are in an answer


def test_the_room_is_asked_with_what_there_is(monkeypatch):
    asked = []
    monkeypatch.setattr(room.Room, "below", lambda self, *given: asked.append(given) or 10**6)
    grown(design=Design(stop=never), budget=50)
    assert asked[:3] == [(1, 1, 1), (3, 2, 2), (7, 4, 3)]


def test_comparisons_of_earlier_trees_are_counted(monkeypatch):
    federation = federate(PARTS, DOMAIN, 50, Rehearsal(1))
    costs = Costs.within(Fraction(1), None, "1/2", 2, unspent_to_leaf=True)
    assert room._used(federation)[1] == 0 and room.Room.of(federation, costs, 1).histograms == 1
    tree, _ = grown(federation=federation, epsilon=10)
    splits = room._used(federation)[1]
    assert splits == len(tree.leaves()) - 1 > 2
    monkeypatch.setattr(derivation_checker, "MAX_COMPARISONS", 90)
    assert room.Room.of(federation, costs, 1).nodes == 2 * (30 - splits)


def test_a_rule_that_no_file_keeps_is_refused_before_anything_is_charged():
    tree, _ = grown(design=Design(stop=never))
    federation = federate(PARTS, DOMAIN, 3, Rehearsal(1))
    with pytest.raises(ValueError, match="give the rule again"):
        grown(federation=federation, design=Tree.from_json(tree.to_json()).design)
    assert federation.ledger.spent == 0


# --- files ------------------------------------------------------------------------------------------------------------


def test_leaf_releases_of_another_tree_on_the_same_ledger_are_refused():
    """Both were paid for, and both divide the domain; intervals of the one would say too much of the other."""
    federation = federate(PARTS, DOMAIN, 20, Rehearsal(3))
    trees = [grown(federation=federation, epsilon=5, max_depth=depth)[0] for depth in (1, 2, 3)]
    assert len({tree.root.split for tree in trees}) > 1
    content, other = json.loads(trees[2].to_json()), json.loads(trees[1].to_json())
    for one, two in ((trees[1], other), (trees[0], json.loads(trees[0].to_json()))):
        assert [r.region for r in one.leaf_releases] != [r.region for r in trees[2].leaf_releases]
        with pytest.raises(FileRefused, match="has no release in leaf_releases: they are those of another tree"):
            read({**content, "root": two["root"]})


@pytest.mark.parametrize("key", ["design", "leaf_releases"])
@pytest.mark.parametrize("value", ["", None, 3])
def test_nothing_is_no_design_and_no_list(key, value):
    """An empty text was read as the design by default."""
    with pytest.raises(FileRefused, match=r"a design has the options|leaf_releases must be a list"):
        read({**json.loads(grown()[0].to_json()), key: value})


def test_a_merged_leaf_is_divided_by_releases_and_its_histogram_was_paid():
    left, right = ALL.restrict(0, {0, 1}), ALL.restrict(0, {2, 3})
    parts = [left.restrict(1, {0}), left.restrict(1, {1})]
    releases = [LeafRelease(part, (1, 2, 3), Fraction(1)) for part in [*parts, left.restrict(1, {2})]]
    texts = [kind(ALL, Fraction(1)).describe(DOMAIN) for kind in (NodeHistograms, ClassCounts)]
    leaves = {(release.region, texts[1]): {Fraction(1)} for release in releases}
    reader = _Reader(DOMAIN, Paid(DOMAIN, {(left, texts[0]): {Fraction(1)}, **leaves}), True, True, True)
    reader._require_leaf(left, releases)
    with pytest.raises(ValueError, match="no release of class counts of a leaf"):
        reader._require_leaf(left, releases[:2])
    with pytest.raises(ValueError, match="no release of class counts of a leaf"):
        reader._require_leaf(right, releases)
    with pytest.raises(ValueError, match="no release of class × bin histograms"):
        _Reader(DOMAIN, Paid(DOMAIN, leaves), True, True, True)._require_leaf(left, releases)


def test_every_cost_of_a_region_is_known():
    federation = federate(PARTS, DOMAIN, 20, Rehearsal(3))
    for epsilon in (2, 1):
        tree, _ = grown(federation=federation, epsilon=epsilon, max_depth=0)
    paid = Paid.by(tree.derivation, DOMAIN)
    for epsilon in (1, 2):
        paid.require_counts(ALL, Fraction(epsilon))


def test_a_tree_keeps_what_the_noise_withstands_with_parties_that_may_be_missing():
    """Its intervals are of the noise of K parties of which K − tolerate make it up; colluders are fewer."""
    five = [ROWS[k::5] for k in range(5)]
    tree, _ = grown(federation=federate(five, DOMAIN, 3, Rehearsal(1), tolerate=2, missing=1), max_depth=0)
    assert tree.tolerate == 2 and tree.derivation.guarantee.colluders == 1
    tree, _ = grown(federation=federate(PARTS, DOMAIN, 3, Rehearsal(1), tolerate=2), max_depth=0)
    with pytest.raises(FileRefused, match="tolerate must be an integer ≥ 2"):
        read({**json.loads(tree.to_json()), "tolerate": 1})


def test_a_drawing_of_a_pruned_tree_has_intervals_that_hold_at_once(monkeypatch):
    """Which leaves it shows was chosen by the noise in them: at 95 % each, 7 % of the shown ones missed (measured)."""
    tree, _ = grown(design=Design(stop=never), budget=50)
    drawn, plain = [], Tree.to_dict

    def asked(self, *node, **how):
        drawn.extend(how.values())
        return plain(self, *node, **how)

    monkeypatch.setattr(Tree, "to_dict", asked)
    each, together = tree._repr_html_(), tree.pruned()._repr_html_()
    nodes = 2 * len(tree.leaf_releases) - 1
    assert drawn == [Fraction(19, 20), 1 - Fraction(1, 20 * 3 * nodes)] and nodes > 4
    assert "lies, each with a confidence" in each and "lies, all of them at once with a confidence" in together
    assert "with a confidence" not in replace(tree.pruned(), leaf_releases=())._repr_html_()


# --- scores, parties, promises ----------------------------------------------------------------------------------------


def test_a_score_is_charged_before_it_is_released(monkeypatch):
    tree, _ = grown()
    parties, asked = [Party(rows, DOMAIN) for rows in PARTS], []
    monkeypatch.setattr(Federation, "release", lambda *given: asked.append(given))
    budget = Ledger("1/2")
    with pytest.raises(BudgetExceeded):
        noisy_score(tree, parties, 1, budget=budget)
    assert not asked and budget.spent == 0


def test_a_budget_is_told_which_noise_a_score_had():
    tree, _ = grown()
    budget = Ledger(2)
    noisy_score(tree, [Party(rows, DOMAIN) for rows in PARTS], 1, tolerate=2, budget=budget, rng=Rehearsal(1))
    assert budget.derivation().guarantee.randomness == (Rehearsal.kind,) and budget.colluders == 2


def test_rows_are_dealt_at_random():
    """Those of a sorted table, too. (That two deals of 60 rows are alike has a probability below 10^−15.)"""
    rows, labels = [row[:-1] for row in ROWS], [row[-1] for row in ROWS]
    deals = [made_parties(rows, labels, None, DOMAIN, 2, "a test") for _ in range(2)]
    assert not np.array_equal(deals[0][0]._codes, deals[1][0]._codes)
    assert [len(party._codes) for party in deals[0]] == [30, 30]


def test_the_command_line_promises_what_so_many_features_cost():
    options = Namespace(epsilon="1", max_depth=2, leaf_share="1/2", tolerate=1)
    federation = federate(PARTS, DOMAIN, 1, Rehearsal(1))
    promised = [growing._promise(options, federation, Design(features_per_node=q)) for q in (1, 2, None)]
    assert [each.path.partition(",")[0] for each in promised] == [
        "2 levels of 1 × 1/4",
        "2 levels of 2 × 1/8",
        "2 levels of 2 × 1/8",
    ]

"""The seam between designs and all else: a design that is no part of the package is grown, paid for, and written."""

import json
from dataclasses import dataclass, replace
from fractions import Fraction

import pytest

from fdpedu.cart import CodeSplit, Node
from fdpedu.claims.federations import federate
from fdpedu.derivation_checker import check_derivation
from fdpedu.dlpa import LevelCost
from fdpedu.federation import ClassCounts
from fdpedu.files import FileRefused
from fdpedu.randomness import Rehearsal
from fdpedu.trees import DESIGNS, SYSTEMS, Design, LeafRelease, Tree, designs, fit_federated_tree
from fdpedu.trees.account import Account
from fdpedu.trees.designs import TreeDesign, counting_design, design_from_json, find_design, is_design
from fdpedu.trees.protocol import Grown
from fdpedu.trees.shape import Shape
from tests.support.private_trees import DOMAIN, HALVES


@dataclass(frozen=True)
class Stump(TreeDesign):
    """One split that is public, and counts of its two leaves: all that a design has to say."""

    name = "stump"
    public_splits = True

    def settled(self, asked, epsilon):
        asked.require_only(("leaf_share",), "stump")
        return self, asked.shape(1, "1/2")

    def growth(self, asker, shape, epsilon, coins):
        return StumpGrowth(asker, epsilon)

    def require_split(self, paid, region, above, feature):
        if (above, feature) != (None, 0):
            raise ValueError("a stump has one split")

    def dearest_path(self, epsilon, shape, n_features, n_parties):
        return (LevelCost(Fraction(0), 0, shared=False),), epsilon


@dataclass
class StumpGrowth:
    asker: object
    epsilon: Fraction
    releases: tuple = ()

    def __post_init__(self):
        self.account = Account(self.asker)

    @property
    def goes_on(self):
        return not self.releases

    def round(self, progress):
        everything = self.asker.domain.everything
        sides = [everything.restrict(0, codes) for codes in ({0}, everything.codes(0) - {0})]
        answers = self.account.release([ClassCounts(side, self.epsilon) for side in sides], answered=progress)
        self.releases = tuple(
            LeafRelease(side, tuple(answer.tolist()), self.epsilon) for side, answer in zip(sides, answers, strict=True)
        )

    def finish(self):
        left, right = (Node(tuple(max(0, n) for n in release.counts)) for release in self.releases)
        counts = tuple(a + b for a, b in zip(left.counts, right.counts, strict=True))
        return Grown(Node(counts, CodeSplit(0, frozenset({0})), left, right), self.releases)


@pytest.fixture(autouse=True)
def known(monkeypatch):
    for table in ("SYSTEMS", "NAMED"):
        monkeypatch.setattr(designs, table, {**getattr(designs, table), "stump": Stump})


def test_a_design_from_elsewhere_is_grown_paid_for_and_read_back():
    federation = federate(HALVES, DOMAIN, 1, Rehearsal(1))
    steps = []
    tree = fit_federated_tree(federation, design="stump", progress=lambda *at: steps.append(at))
    assert tree.design == Stump() and tree.depth == 1 and tree.rounds == 1 and steps[-1] == (1, 1)
    assert check_derivation(tree.derivation.to_json(), federation.manifest.to_json()).spent == 1
    again = Tree.from_json(tree.to_json())
    assert again == tree and again.design == Stump() and again.leaf_releases == tree.leaf_releases
    assert fit_federated_tree(federate(HALVES, DOMAIN, 1, Rehearsal(1)), design=Stump()) == tree


def test_the_reader_asks_the_design_what_was_paid():
    tree = fit_federated_tree(federate(HALVES, DOMAIN, 1, Rehearsal(1)), design="stump")
    plain = replace(tree, design=None)
    with pytest.raises(FileRefused, match="no release of class × bin"):
        Tree.from_json(plain.to_json())
    other = json.loads(tree.to_json())
    assert other["design"] == {"name": "stump"}


def test_options_that_it_does_not_know_are_refused_before_anything_is_charged():
    for option in ({"max_depth": 2}, {"min_samples_split": 3}, {"nominal_size": 5}, {"unspent_to_leaf": True}):
        federation = federate(HALVES, DOMAIN, 1, Rehearsal(1))
        with pytest.raises(ValueError, match=f"'stump' has no use for {next(iter(option))}"):
            fit_federated_tree(federation, design="stump", **option)
        assert federation.ledger.spent == 0


def test_names_of_designs():
    assert find_design("default") is DESIGNS["default"] and type(find_design("stump")) is Stump
    for name in SYSTEMS:
        assert is_design(find_design(name)) and not find_design(name).curated
    assert not is_design(3) and not is_design("rotating") and is_design(Stump())
    with pytest.raises(ValueError, match="fit_owner_tree"):
        find_design("owner")
    with pytest.raises(ValueError, match="fit_owner_tree"):
        find_design(design_from_json({"name": "owner"}))
    with pytest.raises(ValueError, match=r"design must be one of 'default', .*'rotating'.*, or a Design, got 'x'"):
        find_design("x")
    with pytest.raises(ValueError, match="noisy counts"):
        counting_design("rotating")
    assert counting_design("screened") is DESIGNS["screened"] and counting_design(Design()) == Design()


@pytest.mark.parametrize("found", [{"name": "tree"}, {"name": 3}, {"name": ["rotating"]}])
def test_a_design_of_an_unknown_name_is_refused(found):
    with pytest.raises(
        ValueError, match="a design must be one of rotating, votes, owner, privatree, stump, or one of noisy counts"
    ):
        design_from_json(found)


@pytest.mark.parametrize("found", [3, None, ["rotating"], "rotating"])
def test_what_is_no_design_is_refused(found):
    with pytest.raises(ValueError, match="a design has the options"):
        design_from_json(found)


@pytest.mark.parametrize("design", [*DESIGNS, *SYSTEMS])
def test_no_record_pays_more_than_the_dearest_path(design):
    """What a design says before the run, against what the ledger books."""
    federation = federate(HALVES, DOMAIN, 1, Rehearsal(2))
    tree = fit_federated_tree(federation, design=design, max_depth=3, leaf_share="1/4")
    levels, leaf = tree.design.dearest_path(
        Fraction(1), Shape(3, Fraction(1, 4)), DOMAIN.n_features, federation.n_parties
    )
    assert tree.derivation.spent <= sum((level.epsilon for level in levels), leaf) <= 1

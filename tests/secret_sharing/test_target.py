"""Votes for a number: what is asked of the parties, by which law they draw, and that all else of votes is as it was."""

import json
import math
from fractions import Fraction

import numpy as np
import pytest

from fdpedu.accounting import Budget, Ledger
from fdpedu.cart import ALL_LOSSES, candidates, split_losses
from fdpedu.claims.federations import federate
from fdpedu.derivation_checker import check_derivation
from fdpedu.domain import Domain
from fdpedu.federation import ClassCounts, Federation, Party, SplitVote
from fdpedu.federation.queries.closed_set import read_queries, write_queries
from fdpedu.randomness import Rehearsal, ZeroWords
from fdpedu.trees import Votes, fit_federated_tree
from fdpedu.trees.designs.votes import level_costs
from fdpedu.trees.shape import Shape
from tests.support.private_trees import DOMAIN as CLASSES
from tests.support.private_trees import grown as of_classes
from tests.support.stays import DOMAIN, HALVES, ROWS, SPEC, grown, without_noise


def asked(domain=DOMAIN, parts=HALVES, budget=1, **options):
    """A tree, its federation, and the queries of each round."""
    federation = federate(parts, domain, budget, Rehearsal(1), tolerate=0)
    tree = fit_federated_tree(federation, **{"design": "votes", "rng": Rehearsal(2), **options})
    return tree, federation, [federation._asked_in(request) for request in federation.transport.requests.values()]


def test_each_level_is_a_vote_by_the_squared_loss_and_then_levels_are_counted():
    tree, federation, rounds = asked(max_depth=2, leaf_share="1/3")
    costs = level_costs(Shape(2, Fraction(1, 3)), Fraction(1))
    for queries, cost in zip(rounds[:2], costs, strict=True):
        assert all(type(query) is SplitVote and query.loss == "squared" for query in queries)
        assert {query.cost.value for query in queries} == {cost}
    assert all(type(query) is ClassCounts and query.cost.value == Fraction(1, 3) for query in rounds[2])
    assert federation.ledger.spent == 1 and tree.derivation.guarantee.value == 1
    assert check_derivation(json.dumps(tree.derivation.content)).value == 1
    assert tree.design == Votes("squared") and tree.n_parties == 2


def test_a_party_draws_on_the_squared_losses_of_its_rows():
    vote = SplitVote(DOMAIN.everything, 1, "squared", 1024)
    own = Party(ROWS, DOMAIN).records()
    table = np.array(vote.tally(own, np.arange(len(ROWS)), DOMAIN))
    codes, levels = DOMAIN.encode([row[:2] for row in ROWS]), DOMAIN.encode_labels([row[2] for row in ROWS])
    splits = candidates(DOMAIN, DOMAIN.everything)
    for loss, split in zip(table.tolist(), (splits[k] for k in range(len(splits))), strict=True):
        left = split.goes_left(codes[:, split.feature])
        sides = [np.bincount(levels[side], minlength=8) for side in (left, ~left)]
        assert [loss] == split_losses([sides[0]], [sides[1]], "squared", 1024).tolist()
        scatter = sum(float(((levels[side] / 7 - (levels[side] / 7).mean()) ** 2).sum()) for side in (left, ~left))
        assert loss == pytest.approx(math.floor(1024 * scatter), abs=1)


def test_without_noise_the_best_split_of_a_number_wins():
    """Days follow the age, and the ward says nothing; classes in the order of days would be split otherwise."""
    rows = [[age + 0.5, "AB"[age % 2], age / 10] for age in range(80)]
    tree = without_noise([rows[::2], rows[1::2]], max_depth=1)
    assert tree.root.split.feature == 0 and sorted(tree.root.split.left) == [0, 1]
    assert tree.predict([[10, "A"], [70, "B"]]).tolist() == [pytest.approx(2, abs=0.3), pytest.approx(6, abs=0.3)]


def test_a_vote_by_the_squared_loss_is_sent_and_read():
    vote = SplitVote(DOMAIN.everything, "1/2", "squared", 8)
    (again,) = read_queries(write_queries([vote], DOMAIN), DOMAIN)
    assert again == vote and again.parameters == {"loss": "squared", "lattice": 8}


def test_what_none_means_depends_on_the_domain_alone():
    assert Votes().for_domain(DOMAIN) == Votes("squared") == Votes("squared").for_domain(DOMAIN)
    assert Votes().for_domain(CLASSES) == Votes("mixed") == Votes("mixed").for_domain(CLASSES)
    assert Votes("gini", 6, True).for_domain(CLASSES) == Votes("gini", 6, True)
    assert [Votes(loss).loss for loss in (None, *ALL_LOSSES)] == [None, *ALL_LOSSES]


def test_a_tree_of_classes_is_written_as_before():
    for design in ("votes", Votes("mixed")):
        tree, federation = of_classes(design, min_samples_split=None, rng=Rehearsal(2))
        content = json.loads(tree.to_json())
        assert content["design"] == {"name": "votes", "loss": "mixed", "lattice": 1024, "prune": False}
        assert set(content["domain"]) == {"features", "classes"}
        found = content["digest"], federation.bytes_sent
    assert found == (json.loads(of_classes("votes", min_samples_split=None, rng=Rehearsal(2))[0].to_json())["digest"],
                     federation.bytes_sent)  # fmt: skip


@pytest.mark.parametrize("levels", [2, 16, 256])
def test_as_many_levels_as_there_may_be(levels):
    domain = Domain.from_spec({"features": {"age": [0, 80, 4], "ward": ["A", "B"]}, "target": [0, 16, levels]})
    tree = grown(domain=domain, budget=50)
    assert all(0 < answer < 16 for answer in tree.predict([row[:2] for row in ROWS]))
    assert len(tree.root.counts) == levels


def test_parties_without_rows_and_with_one_number_are_asked_like_any_others():
    for parts in ([[], []], [ROWS, []], [[[1, "A", 5]] * 9, [[1, "A", 5]]]):
        tree = grown(parts, budget=1)
        assert np.isfinite(tree.predict([row[:2] for row in ROWS])).all()
    constant = without_noise([[[1, "A", 5]] * 9, [[1, "A", 5]]])
    assert constant.predict([[1, "A"], [79, "B"]]).tolist() == [5, 5]


SENTENCES = [
    (
        lambda f: fit_federated_tree(f, design=Votes("gini")),
        "the loss 'gini' is for classes, and the domain has a numeric target, 'stay': take 'squared'",
    ),
    (
        lambda f: fit_federated_tree(f, design=Votes("errors"), max_depth=0),
        "the loss 'errors' is for classes, and the domain has a numeric target, 'stay': take 'squared'",
    ),
    (
        lambda f: fit_federated_tree(f, design=Votes(prune=True)),
        "prune must be False for a numeric target: sibling leaves of one label are merged, and these have means",
    ),
    (
        lambda f: f.release([SplitVote(DOMAIN.everything, "1/2")]),
        "the loss 'mixed' is for classes, and the domain has a numeric target, 'stay': take 'squared'",
    ),
]


@pytest.mark.parametrize(("ask", "sentence"), SENTENCES, ids=range(len(SENTENCES)))
def test_sentences_of_refusals(ask, sentence):
    federation = federate(HALVES, DOMAIN, 1, ZeroWords())
    with pytest.raises(ValueError) as refused:
        ask(federation)
    assert str(refused.value) == sentence
    assert federation.ledger.spent == 0 and federation.ledger.rounds == 0


def test_parties_that_count_days_and_hours_are_no_federation():
    hours = Domain.from_spec({**SPEC, "target": {**SPEC["target"], "unit": "hours"}})
    with pytest.raises(ValueError, match="all parties must have 'stay' in one unit; their domains say 'days' and"):
        Federation([Party([], DOMAIN), Party([], hours)], DOMAIN, Ledger(1))
    none = Domain.from_spec({**SPEC, "target": {**SPEC["target"], "unit": ""}})
    assert Federation([Party([], DOMAIN), Party([], none)], DOMAIN, Ledger(1)).n_parties == 2


def test_the_squared_loss_is_refused_where_there_are_classes():
    federation = federate([[[0.5, "A", "a"]], []], CLASSES, 1, ZeroWords())
    for ask in (
        lambda: fit_federated_tree(federation, design=Votes("squared")),
        lambda: federation.release([SplitVote(CLASSES.everything, 1, "squared")]),
    ):
        with pytest.raises(ValueError, match="the loss 'squared' is for a numeric target, and the domain has classes"):
            ask()
    assert federation.ledger.spent == 0


def test_a_ledger_of_a_domain_of_classes_does_not_pay_for_numbers():
    ledger = Ledger(Budget.of(1), domain=CLASSES)
    with pytest.raises(ValueError):
        ledger.bind(DOMAIN)


def test_a_budget_of_rho_is_refused_without_the_advice_to_take_a_design_that_is_not_for_it():
    budget = Budget.of(1, delta="1e-6")
    federation = Federation([Party(rows, DOMAIN) for rows in HALVES], DOMAIN, Ledger(budget), rng=ZeroWords())
    with pytest.raises(ValueError) as refused:
        fit_federated_tree(federation, design="votes")
    words = "a numeric target is learnt by votes, which cost ε, and the budget is in ρ: take one of ε, without a δ"
    assert str(refused.value) == words and federation.rounds == 0

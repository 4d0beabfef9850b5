"""What is refused, in which words: votes, sums, parties, options."""

from fractions import Fraction
from math import nan

import pytest

from fdpedu.accounting import Cost, Ledger
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.federation import Curator, Federation, Party, SplitVote
from fdpedu.randomness import Rehearsal, ZeroWords
from fdpedu.sources.elzein import (
    certain_votes,
    fit_local_tree,
    fit_shared_tree,
    node_messages,
    noisy_totals_win,
    published_totals,
    secret_selection,
    selection_as_printed_law,
    threshold_information,
    vote_information,
)
from fdpedu.sources.elzein.leaks import totals_rate
from fdpedu.trees import Votes, fit_federated_tree
from tests.support.odd_calls_secret_sharing import AGES, TREE, X, Y

PARTY = X, Y
GAPS = Domain([Numeric.grid("age", 0, 4, bins=4, missing=True), Categorical("ward", ("A", "B"))], ("well", "ill"))
WARD_GAPS = Domain([Numeric.grid("age", 0, 4, bins=4), Categorical("ward", ("A", "B"), missing=True)], ("well", "ill"))


def federation(budget=1):
    return Federation([Party([[*x, y] for x, y in zip(X, Y, strict=True)], AGES)] * 1 + [Party([], AGES)], AGES,
                      Ledger(budget), rng=Rehearsal(1))  # fmt: skip


def shared(*parties, domain=AGES, **options):
    return fit_shared_tree(list(parties) or [PARTY, PARTY], domain, **{"rng": ZeroWords(), "max_depth": 1, **options})


ONE = "parties must be 2 to 256, got {}: see fit_local_tree for one"
SAME = "X and y must have as many rows, at least 1; got {} and {}"
REFUSALS = [
    (lambda: secret_selection(7, 2), "votes must be a list"),
    (lambda: fit_local_tree(X, Y, AGES, max_depth=1).score(X, ["?"] * len(Y)), "y "),
    (lambda: fit_local_tree(X, Y, AGES, max_depth=1).score([[None]], Y[:1]), "X "),
    (lambda: fit_local_tree(X, ["?"] * len(Y), AGES, max_depth=1), "party 0, labels"),
    (lambda: noisy_totals_win(2, 2, Fraction(19995, 2 * 10**7)), "epsilon must be from 1/1000 to 1000"),
    (lambda: noisy_totals_win(2, 2, Fraction(10001, 10)), "epsilon must be from 1/1000 to 1000"),
    (lambda: secret_selection([1], 2), "votes must be of 2 to 256 parties, got 1: one alone has no secret"),
    (lambda: secret_selection([1] * 257, 2), "votes must be of 2 to 256 parties, got 257"),
    (lambda: secret_selection([0, 2], 2), "the vote of party 1 must be at most 1, got 2"),
    (lambda: secret_selection([-1, 0], 2), "the vote of party 0 must be an integer ≥ 0, got -1"),
    (lambda: secret_selection([0, [1, 1]], 2), "the vote of party 1 must be a vector of 2 numbers: a single 1, else 0"),
    (lambda: secret_selection([[0, 0], 0], 2), "the vote of party 0 must be a vector of 2 numbers: a single 1, else 0"),
    (lambda: secret_selection([[1, -1, 1], 0], 3), "the vote of party 0 must be a vector of 3 numbers"),
    (lambda: secret_selection([[2, 0], 0], 2), "the vote of party 0 must be a vector of 2 numbers"),
    (lambda: secret_selection([[1, 0, 0], 0], 2), "the vote of party 0 must be a vector of 2 numbers"),
    (lambda: secret_selection([[[1, 0]], 0], 2), "the vote of party 0 must be a vector of 2 numbers"),
    (lambda: secret_selection([0, 0], 0), "n_choices must be an integer ≥ 1, got 0"),
    (lambda: secret_selection([0, 0], 2**14 + 1), "n_choices must be at most 16384, got 16385"),
    (
        lambda: secret_selection([0, 0], 2, modulus=2),
        "modulus must be greater than the 2 votes that a choice may get, got 2",
    ),
    (lambda: secret_selection([0, 0], 2, modulus=1), "modulus must be an integer ≥ 2, got 1"),
    (lambda: secret_selection([0, 0], 2, modulus=2**62 + 1), f"modulus must be at most {2**62}"),
    (lambda: secret_selection([0, 0], 2, rng=3), "rng must be None"),
    (lambda: selection_as_printed_law([0, 0], 2, 2), "modulus must be greater than the 2 votes"),
    (lambda: selection_as_printed_law([0], 2, 3), "votes must be of 2 to 256 parties, got 1"),
    (
        lambda: selection_as_printed_law([0, 0], 1, 2**20 + 1),
        "modulus must leave at most 1048576 cases, and q^(M·(N−1)) is",
    ),
    (
        lambda: published_totals({0: [1]}, 2, 3),
        "sums must be of each of the 2 parties, and of nobody else; they are of [0]",
    ),
    (lambda: published_totals({0: [1], 1: [1], 2: [1]}, 2, 3), "sums must be of each of the 2 parties, and of nobody"),
    (
        lambda: published_totals([(0, [1]), (1, [1]), (1, [2])], 2, 3),
        "sums must have one vector a party, and more are of 1",
    ),
    (lambda: published_totals({0: [1], 1: [1, 2]}, 2, 3), "sums must be vectors of one length, got [(1,), (2,)]"),
    (lambda: published_totals({0: 1, 1: 1}, 2, 3), "sums must be vectors of one length, got [(), ()]"),
    (lambda: published_totals({0: [[1]], 1: [[1]]}, 2, 3), "sums must be vectors of one length"),
    (
        lambda: published_totals({0: [3], 1: [1]}, 2, 3),
        "sums must hold residues from 0 to 2: a share is less than the modulus",
    ),
    (lambda: published_totals({0: [0], 1: [0, -1][1:]}, 2, 3), "sums must hold residues from 0 to 2"),
    (lambda: published_totals({0: [1]}, 1, 3), "n_parties must be an integer ≥ 2, got 1"),
    (lambda: published_totals({0: [1]}, 257, 3), "n_parties must be at most 256, got 257"),
    (lambda: node_messages(1, "leaf"), "n_parties must be an integer ≥ 2, got 1"),
    (lambda: node_messages(2**16 + 1, "leaf"), "n_parties must be at most 65536"),
    (
        lambda: node_messages(2, "root"),
        "kind must be one of continuous, leaf, deepest, categorical, tie, coin, histograms, depth, stop",
    ),
    (lambda: node_messages(2, ["leaf"]), "kind must be one of continuous"),
    (lambda: certain_votes([]), "totals must be a list of numbers of votes, at least one, none below 0"),
    (lambda: certain_votes([-1, 2]), "totals must be a list of numbers of votes"),
    (lambda: certain_votes([[1]]), "totals must be a list of numbers of votes"),
    (lambda: certain_votes([1, 2], [0, 0]), "own must be among the votes that totals count"),
    (lambda: certain_votes([1, 2], [2]), "own must be at most 1, got 2"),
    (lambda: certain_votes([1, 2], [-1]), "own must be an integer ≥ 0, got -1"),
    (lambda: vote_information(0, 1), "n_choices must be an integer ≥ 1, got 0"),
    (lambda: vote_information(65, 1), "n_choices must be at most 64, got 65"),
    (lambda: vote_information(2, 0), "outsiders must be an integer ≥ 1, got 0"),
    (lambda: vote_information(2, 65), "outsiders must be at most 64, got 65"),
    (lambda: threshold_information(0, 1), "n_values must be an integer ≥ 1, got 0"),
    (lambda: threshold_information(4097, 1), "n_values must be at most 4096, got 4097"),
    (lambda: threshold_information(2, 0), "outsiders must be an integer ≥ 1, got 0"),
    (lambda: threshold_information(2, 65), "outsiders must be at most 64, got 65"),
    (lambda: noisy_totals_win(0, 1, 1), "n_parties must be an integer ≥ 1, got 0"),
    (lambda: noisy_totals_win(2**16 + 1, 1, 1), "n_parties must be at most 65536"),
    (lambda: noisy_totals_win(1, 0, 1), "n_choices must be an integer ≥ 1, got 0"),
    (lambda: noisy_totals_win(1, 2**14 + 1, 1), "n_choices must be at most 16384"),
    (lambda: noisy_totals_win(1, 1, "1/1001"), "epsilon must be from 1/1000 to 1000"),
    (lambda: noisy_totals_win(1, 1, 1001), "epsilon must be from 1/1000 to 1000"),
    (lambda: totals_rate(0), "epsilon must be greater than 0"),
    (lambda: shared(PARTY), ONE.format(1)),
    (lambda: shared(*[PARTY] * 257), ONE.format(257)),
    (lambda: shared(PARTY, ([], [])), "party 1 must have at least one row"),
    (lambda: shared(PARTY, (X, Y, X)), "party 1 must be a pair of raw rows and their classes, got 3 things"),
    (lambda: shared((X, Y[:1]), PARTY), "party 0: rows and labels must be as many, got 2 and 1"),
    (lambda: shared(PARTY, (X, ["well", "dead"])), "party 1, labels"),
    (lambda: shared(PARTY, ([["young", "A"], [1, "B"]], Y)), "party 1"),
    (lambda: shared(PARTY, ([[nan, "A"], [1, "B"]], Y)), "party 1"),
    (lambda: shared(PARTY, ([[1, "C"], [1, "B"]], Y)), "party 1"),
    (lambda: shared(domain=GAPS), "domain must have no codes for missing values, and has one for age"),
    (lambda: shared(domain=WARD_GAPS), "domain must have no codes for missing values, and has one for ward"),
    (lambda: shared(domain=[AGES]), "domain must be a Domain, got list"),
    (lambda: shared(rule="mean"), "rule must be one of printed, mended, median, histograms; got 'mean'"),
    (lambda: shared(rule=None), "rule must be one of printed, mended, median, histograms; got None"),
    (lambda: shared(criterion="errors"), "criterion must be one of entropy, gini; got 'errors'"),
    (lambda: shared(max_depth=-1), "max_depth must be an integer ≥ 0, got -1"),
    (lambda: shared(max_depth=33), "max_depth must be at most 32, got 33"),
    (lambda: shared(max_depth=1.0), "max_depth must be an integer"),
    (lambda: shared(rng=3), "rng must be None"),
    (
        lambda: fit_local_tree(X, Y, GAPS, max_depth=1),
        "domain must have no codes for missing values, and has one for age",
    ),
    (lambda: fit_local_tree([], [], AGES), "party 0 must have at least one row"),
    (lambda: fit_local_tree(X, Y, None), "domain must be a Domain, got NoneType"),
    (lambda: fit_local_tree(X, Y, AGES, criterion=1), "criterion must be one of entropy, gini; got 1"),
    (lambda: fit_local_tree(X, Y, AGES, max_depth=33), "max_depth must be at most 32, got 33"),
    (lambda: fit_local_tree(X, Y, AGES, max_depth=-1), "max_depth must be an integer ≥ 0, got -1"),
    (lambda: TREE.score(X, Y[:1]), SAME.format(2, 1)),
    (lambda: TREE.score([], []), SAME.format(0, 0)),
    (lambda: TREE.predict([[1]]), "X"),
    (lambda: TREE.seen_by([0, 0]), "parties must name each party once"),
    (lambda: TREE.seen_by([2]), "parties must be at most 1, got 2"),
    (lambda: TREE.seen_by([-1]), "parties must be an integer ≥ 0, got -1"),
    (lambda: Votes(loss="entropy"), "loss must be one of errors, gini, mixed, squared; got 'entropy'"),
    (lambda: Votes(lattice=0), "lattice must be an integer ≥ 1, got 0"),
    (lambda: Votes(lattice=2**16 + 1), "lattice must be at most 65536"),
    (lambda: Votes(prune=1), "prune must be"),
    (
        lambda: SplitVote(AGES.everything, 1, "entropy"),
        "loss must be one of errors, gini, mixed, squared; got 'entropy'",
    ),
    (lambda: SplitVote(AGES.everything, 1, lattice=0), "lattice must be an integer ≥ 1, got 0"),
    (
        lambda: fit_federated_tree(federation(), design="votes", nominal_size=9),
        "the design 'votes' has no use for nominal_size",
    ),
    (
        lambda: fit_federated_tree(federation(), design="votes", min_samples_split=2),
        "the design 'votes' has no use for min",
    ),
    (
        lambda: fit_federated_tree(federation(), design="votes", unspent_to_leaf=True),
        "the design 'votes' has no use for",
    ),
    (
        lambda: fit_federated_tree(federation(), design="votes", max_depth=9),
        "max_depth must be at most 8 for the design 'votes'",
    ),
    (
        lambda: fit_federated_tree(federation(Cost("gaussian", "1/2")), design="votes"),
        "the design 'votes' makes choices, which cost ε, and the budget is in ρ",
    ),
    (
        lambda: Votes().growth(Curator(Party([], AGES), Ledger(1)), None, Cost("pure", 1), ZeroWords()),
        "federation must be",
    ),
]


@pytest.mark.parametrize(("call", "words"), REFUSALS, ids=[str(k) for k in range(len(REFUSALS))])
def test_what_is_refused_and_in_which_words(call, words):
    with pytest.raises(ValueError) as refusal:
        call()
    assert str(refusal.value).startswith(words)


def test_what_is_at_the_edge_is_not_refused():
    assert shared(*[PARTY] * 256, max_depth=0).n_parties == 256
    assert shared(max_depth=32).max_depth == fit_local_tree(X, Y, AGES, max_depth=32, rng=ZeroWords()).max_depth == 32
    assert node_messages(2**16, "stop") == 2**16 and vote_information(64, 1) == 6
    assert vote_information(1, 64) == threshold_information(1, 64) == 0
    assert published_totals({k: [0] for k in range(256)}, 256, 2).tolist() == [0]
    assert noisy_totals_win(1, 2**14, 1) < 0.001 and Votes(lattice=2**16).lattice == 2**16
    assert noisy_totals_win(2, 1, 1) == pytest.approx(1)


@pytest.mark.parametrize("row", [[nan, "A"], [1, None]])
def test_nobody_is_advised_to_declare_missing_values_where_such_domains_are_refused(row):
    for call in (lambda: shared(PARTY, ([row], Y[:1])), lambda: TREE.predict([row]), lambda: TREE.score([row], Y[:1])):
        with pytest.raises(ValueError, match=r"its row left out beforehand$"):
            call()

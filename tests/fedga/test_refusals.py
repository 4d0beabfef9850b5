"""What is refused, in which words: before anything is sent."""

from math import inf, nan

import pytest

from fdpedu.cart.structures import Structure
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.federation import Party
from fdpedu.randomness import Rehearsal
from fdpedu.sources.fedga import (
    edit_distance,
    f1,
    fit_at_structure,
    fit_fedga,
    fit_local,
    improvement,
    log_ratio,
    mse,
    weighted_score,
)
from tests.support.fedga import CLASSES, NUMBERS, hospitals

X, Y = hospitals("classification", 1, 4)[0]
NUMBER = hospitals("regression", 1, 4)[0][1]
GAPS = Domain([Numeric.grid("age", 0, 4, bins=4, missing=True), Categorical("ward", ("A", "B"))], ("well", "ill"))


class NoCoins:
    """Whoever draws has begun."""

    kind, word_bits = "none", 64

    def words(self, size):
        raise AssertionError("something was drawn")

    def spawn(self, n):
        return [self] * n


def fit(*parties, domain=CLASSES, **options):
    return fit_fedga(
        list(parties) or [(X, Y), (X, Y)], domain, **{"task": "classification", "rng": NoCoins(), **options}
    )


def local(X=X, Y=Y, domain=CLASSES, **options):
    return fit_local(X, Y, domain, **{"task": "classification", "max_depth": 1, **options})


def at(structure, domain=CLASSES):
    return fit_at_structure(X, Y, structure, domain, task="classification")


PAIR = "party 1 must be a pair of raw rows and their classes or numbers"
RANGE = "domain must have a numeric target for regression: the range of what is predicted is public"
REFUSALS = [
    (lambda: fit((X, Y)), "parties must be 2 to 256, got 1: see fit_local for one"),
    (lambda: fit(*[(X, Y)] * 257), "parties must be 2 to 256, got 257"),
    (lambda: fit_fedga(7, CLASSES, task="classification"), "parties must be a list"),
    (lambda: fit((X, Y), ([], [])), "party 1"),
    (lambda: fit((X, Y), (X,)), f"{PAIR}, got 1 things"),
    (lambda: fit((X, Y), Party(X, CLASSES, labels=Y)), f"{PAIR}, got Party"),
    (lambda: fit((X, Y), 3), "party 1 must be a pair of raw rows and their classes or numbers, got int"),
    (lambda: fit((X, Y[:3]), (X, Y)), "party 0: rows and targets must be as many, got 4 and 3"),
    (lambda: fit((X, Y), ([[1, "D", 0]], ["a"])), "party 1 row 0, column 'w'"),
    (lambda: fit((X, Y), ([[nan, "A", 0]], ["a"])), "party 1 row 0, column 'x'"),
    (lambda: fit((X, Y), (X, ["?"] * 4)), "party 1, labels row 0, the class"),
    (lambda: fit(domain=3), "domain must be a Domain, got int"),
    (lambda: fit(domain=GAPS), "domain must have no codes for missing values, and has one for age"),
    (lambda: fit(domain=NUMBERS), "domain must have classes for classification, and it has a numeric target"),
    (lambda: fit(task="regression"), RANGE),
    (lambda: fit(task="ranking"), "task must be one of classification, regression; got 'ranking'"),
    (lambda: fit(task=["regression"]), "task must be one of classification, regression"),
    (
        lambda: fit((X, NUMBER), (X, ["a"] * 4), domain=NUMBERS, task="regression"),
        "party 1, targets row 0, the target 'y'",
    ),
    (lambda: fit((X, [*NUMBER[:3], nan]), (X, NUMBER), domain=NUMBERS, task="regression"), "party 0, targets row 3"),
    (lambda: fit((X, NUMBER), (X, [inf] * 4), domain=NUMBERS, task="regression"), "party 1, targets row 0"),
    (lambda: fit((X, 3), (X, NUMBER), domain=NUMBERS, task="regression"), "party 0, targets must be a list"),
    (lambda: fit(population=1), "population must be an integer ≥ 2, got 1"),
    (lambda: fit(population=1025), "population must be at most 1024, got 1025"),
    (lambda: fit(generations=0), "generations must be an integer ≥ 1, got 0"),
    (lambda: fit(generations=1025), "generations must be at most 1024, got 1025"),
    (lambda: fit(participation=0), "participation must be above 0 and at most 1, got 0"),
    (lambda: fit(participation="1.01"), "participation must be above 0 and at most 1, got '1.01'"),
    (lambda: fit(participation=-1), "participation must be above 0 and at most 1, got -1"),
    (lambda: fit(participation="half"), "participation"),
    (lambda: fit(pressure=0), "pressure must be an integer ≥ 1, got 0"),
    (lambda: fit(pressure=1025), "pressure must be at most 1024, got 1025"),
    (lambda: fit(max_depth=0), "max_depth must be an integer ≥ 1, got 0"),
    (lambda: fit(max_depth=9), "max_depth must be at most 8, got 9"),
    (lambda: fit(rng=3), "rng must be None"),
    (lambda: local(max_depth=-1), "max_depth must be an integer ≥ 0, got -1"),
    (lambda: local(max_depth=9), "max_depth must be at most 8, got 9"),
    (lambda: local(X=[], Y=[]), "the party"),
    (lambda: local(Y=Y[:2]), "the party: rows and targets must be as many, got 4 and 2"),
    (lambda: local(task="regression"), RANGE),
    (lambda: local().predict([[None, "A", 0]]), "X row 0, column 'x'"),
    (lambda: at((0, 1)), "string must have 2^d − 1 entries"),
    (lambda: at((3,)), "structure must ask for features from 0 to 2 only, got 3"),
    (lambda: at(Structure(5)), "structure must ask for features from 0 to 2 only, got 5"),
    (lambda: at((-2,)), "string must be an integer ≥ -1, got -2"),
    (lambda: f1([], []), "labels and predicted must have one shape (n,), n ≥ 1; got (0,) and (0,)"),
    (lambda: f1([1], [1, 2]), "labels and predicted must have one shape"),
    (lambda: f1(["a"], ["a"]), "labels must be integers"),
    (lambda: mse([1], [1, 2]), "targets and predicted must have one shape"),
    (lambda: mse([nan], [1]), "targets must be finite numbers"),
    (lambda: weighted_score([1], [1, 2]), "scores and sizes must be as many, at least one; got 1 and 2"),
    (lambda: weighted_score([], []), "scores and sizes must be as many, at least one; got 0 and 0"),
    (lambda: weighted_score([1], [nan]), "sizes must be finite numbers"),
    (lambda: improvement([1], [0]), "theirs must be greater than 0, got 0.0: a ratio needs it"),
    (lambda: improvement([-1], [1]), "ours must be greater than 0, got -1.0"),
    (lambda: log_ratio([1, 2], [1]), "ours and theirs must be as many, at least one; got 2 and 1"),
    (lambda: improvement([], []), "ours and theirs must be as many, at least one; got 0 and 0"),
    (lambda: edit_distance([-1], []), "a must be an integer ≥ 0, got -1"),
    (lambda: edit_distance([], 3), "b must be a list"),
]


@pytest.mark.parametrize(("call", "words"), REFUSALS, ids=[str(k) for k in range(len(REFUSALS))])
def test_what_is_refused_and_in_which_words(call, words):
    with pytest.raises(ValueError) as refusal:
        call()
    assert str(refusal.value).startswith(words)


FILL = "expected a finite number; a missing value must be filled in or its row left out beforehand"
GAPS_REFUSED = {
    "a feature of a party": (lambda: fit((X, Y), ([[nan, "A", 0]], ["a"])), f"party 1 row 0, column 'x': {FILL}"),
    "a category of a party": (
        lambda: fit((X, Y), ([[1, None, 0]], ["a"])),
        "party 1 row 0, column 'w': expected one of the 3 public categories ('A', 'B', 'C'); a missing value must be "
        "filled in or its row left out beforehand",
    ),
    "a target of a party": (
        lambda: fit((X, NUMBER), (X[:1], [nan]), domain=NUMBERS, task="regression"),
        f"party 1, targets row 0, the target 'y': {FILL}",
    ),
    "a target in one place": (
        lambda: local(X[:1], [None], NUMBERS, task="regression"),
        f"the party, targets row 0, the target 'y': {FILL}",
    ),
    "a row to be predicted": (lambda: local().predict([[None, "A", 0]]), f"X row 0, column 'x': {FILL}"),
}


@pytest.mark.parametrize("what", GAPS_REFUSED)
def test_nobody_is_advised_to_declare_missing_values_where_such_domains_are_refused(what):
    call, sentence = GAPS_REFUSED[what]
    with pytest.raises(ValueError) as refusal:
        call()
    assert str(refusal.value) == sentence


def test_a_party_is_named_of_which_a_tree_is_asked():
    found = fit(rng=Rehearsal(1), generations=1, max_depth=1, population=2)
    for party, words in ((2, "party must be at most 1, got 2"), (-1, "party must be an integer ≥ 0, got -1")):
        with pytest.raises(ValueError, match=words):
            found.predict(X, party)


def test_what_is_at_the_edge_is_not_refused():
    one = fit(
        *[(X[:1], Y[:1])] * 256, rng=Rehearsal(1), generations=1, max_depth=1, population=2, participation="1/256"
    )
    assert len(one.trees) == 256 and sum(seen.noisy_size is not None for seen in one.seen) <= 2
    assert fit(rng=Rehearsal(1), max_depth=8, generations=1, population=2, pressure=1024).max_depth == 8
    assert len(fit(rng=Rehearsal(1), max_depth=1, generations=1, population=1024).structures) <= 4
    assert local(max_depth=0).depth == 0 and local(max_depth=8).depth <= 8

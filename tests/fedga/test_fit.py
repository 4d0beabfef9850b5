"""A run: what is sent, what stays at home, who is there, and that scores are exact functions of rows."""

import inspect
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from fdpedu.cart.structures import LEAF, to_string, to_structure
from fdpedu.domain import Domain, Numeric
from fdpedu.randomness import Rehearsal, ZeroWords
from fdpedu.sources.fedga import f1, fit_at_structure, fit_fedga, fit_local, mse, weighted_score
from fdpedu.sources.fedga.result import SERVER
from tests.support.fedga import DOMAINS, hospitals

TASKS = list(DOMAINS)
SMALL = {"population": 8, "generations": 4, "max_depth": 2}


def run(task="classification", parties=None, domain=None, seed=1, **options):
    members = hospitals(task) if parties is None else parties
    return fit_fedga(members, domain or DOMAINS[task], task=task, rng=Rehearsal(seed), **{**SMALL, **options})


def coded(values):
    return [ord(one) for one in values]


def score_of(task, pair, string):
    """Of the tree that a party fits at a structure, from its predictions."""
    said = fit_at_structure(*pair, string, DOMAINS[task], task=task).predict(pair[0])
    return f1(coded(pair[1]), coded(said)) if task == "classification" else mse(pair[1], said)


@pytest.mark.parametrize("task", TASKS)
def test_the_same_coins_give_the_same_run(task):
    assert run(task) == run(task) != run(task, seed=2)


def test_scores_are_exact_functions_of_rows():
    """Each that was told is the F1 of the tree on the party's own rows, to the last digit: a ratio of counts."""
    parties, found = hospitals("classification"), run()
    for pair, seen in zip(parties, found.seen, strict=True):
        assert len(seen.scores) >= 8
        assert all(score == score_of("classification", pair, string) for string, score in seen.scores.items())


def noiseless(n_parties=4):
    """Numbers that follow from two features: folds agree, depths do not."""
    rows = [[[round(x), w, z] for x, w, z in X] for X, _ in hospitals("regression", n_parties, 100)]
    return [(X, [8 * (x > 4) + 4 * (z > 3) for x, _, z in X]) for X in rows]


def test_without_validation_a_squared_error_is_that_of_all_rows():
    """And the tree that stays at home is the one of the least."""
    parties = noiseless()
    found = run("regression", parties)
    assert not found.validation
    for pair, seen in zip(parties, found.seen, strict=True):
        for string, score in seen.scores.items():
            assert score == pytest.approx(score_of("regression", pair, string))

    for pair, tree in zip(parties, found.trees, strict=True):
        errors = [score_of("regression", pair, string) for string in found.structures]
        best = found.structures[errors.index(min(errors))]
        assert tree == fit_at_structure(*pair, best, DOMAINS["regression"], task="regression")


@pytest.mark.parametrize("task", TASKS)
def test_scores_of_the_final_population_are_means_by_noisy_sizes(task):
    found = run(task, participation="1/2")
    for string, score in zip(found.structures, found.scores, strict=True):
        told = [seen for seen in found.seen if string in seen.scores]
        assert score == weighted_score([seen.scores[string] for seen in told], [seen.noisy_size for seen in told])
    best_first = sorted(found.scores, reverse=task == "classification")
    assert list(found.scores) == best_first and found.history[-1] == found.scores[0]
    assert len(found.history) == SMALL["generations"]


def test_a_tree_is_a_function_of_its_partys_rows_and_of_the_final_structures():
    """It is the one of the structure that does best there, with thresholds and labels that nobody else knows."""
    parties, found = hospitals("classification"), run()
    for pair, tree in zip(parties, found.trees, strict=True):
        scores = [score_of("classification", pair, string) for string in found.structures]
        best = found.structures[scores.index(max(scores))]
        assert tree == fit_at_structure(*pair, best, DOMAINS["classification"], task="classification")


def test_numbers_are_predicted_by_the_tree_of_a_structure_in_the_final_population():
    for pair, tree in zip(hospitals("regression"), (found := run("regression")).trees, strict=True):
        same = (
            fit_at_structure(*pair, string, DOMAINS["regression"], task="regression") for string in found.structures
        )
        assert tree in list(same)


@pytest.mark.parametrize("task", TASKS)
def test_what_travels_is_counted(task):
    """At the start of each party; in a generation to and from each, if there is anything new; at the end to each."""
    n, found = 4, run(task, max_depth=None)
    kinds, length = Counter(message.kind for message in found.messages), 2**found.max_depth - 1
    start = {"depth": n, "global depth": n, "noisy size": n, "structure": n}
    votes = {"votes": n, "strategies": n} if task == "regression" else {}
    rounds = kinds["structures"]
    assert kinds == {**start, **votes, "structures": rounds, "scores": rounds, "final structures": n}
    assert rounds % n == 0 and n <= rounds <= SMALL["generations"] * n
    scores = sum(len(seen.scores) for seen in found.seen)
    sizes = {"structures": length * scores, "scores": scores, "final structures": n * length * len(found.structures),
             "structure": n * length, "votes": 2 * n, "strategies": 2 * n}  # fmt: skip
    for kind in kinds:
        numbers = sum(message.numbers for message in found.messages if message.kind == kind)
        assert numbers == sizes.get(kind, n), kind
    assert all(message.bytes == 8 * message.numbers for message in found.messages)
    assert all((message.sender == SERVER) != (message.receiver == SERVER) for message in found.messages)


def test_parties_that_come_late_tell_size_structure_and_its_score():
    """Who never came told nothing, and has a tree all the same."""
    parties = hospitals("classification", 6)
    found = run(parties=parties, participation="1/6", generations=4)
    there = [k for k, seen in enumerate(found.seen) if seen.noisy_size is not None]
    first = next(message.sender for message in found.messages if message.kind == "noisy size")
    assert 1 < len(there) < 6 and len(found.trees) == 6
    for k, seen in enumerate(found.seen):
        sent = Counter(message.kind for message in found.messages if message.sender == k)
        got = Counter(message.kind for message in found.messages if message.receiver == k)
        if k not in there:
            assert (seen.structure, seen.votes, dict(seen.scores), sent) == (None, None, {}, Counter())
            assert got == {"final structures": 1}
            continue
        own = fit_local(*parties[k], DOMAINS["classification"], task="classification", max_depth=2)
        assert seen.structure == to_string(own, 2) and (k == first or seen.structure in seen.scores)
        assert sent["noisy size"] == sent["structure"] == got["global depth"] == 1
        assert sent["scores"] == got["structures"] + (k != first)


def test_the_structure_of_a_late_party_joins_the_population():
    """Its score is that of this party alone, so a structure that fits it well stays among random ones."""
    parties, joined = hospitals("classification", 6), 0
    for seed in range(12):
        found = run(parties=parties, participation="1/6", generations=1, max_depth=3, seed=seed)
        late = [seen for seen in found.seen if seen.structure in seen.scores and len(seen.scores) == 9]
        assert all(seen.structure in found.structures for seen in late)
        joined += len(late)
    assert joined > 6


@pytest.mark.parametrize("task", TASKS)
def test_a_party_that_comes_late_is_scored_as_the_others_are(task):
    """By its own rows, exactly; with validation by those that it kept back, and those only."""
    parties, checked = hospitals(task, 6), 0
    for seed in range(6):
        found = run(task, parties, participation="1/6", seed=seed)
        first = next(message.sender for message in found.messages if message.kind == "noisy size")
        for k, seen in enumerate(found.seen):
            if k != first and seen.scores:
                whole = [score_of(task, parties[k], string) for string in seen.scores]
                assert np.allclose(whole, list(seen.scores.values())) == (not found.validation)
                checked += 1
    assert checked > 6


@pytest.mark.parametrize(("participation", "active"), [(1, 5), ("3/5", 3), (0.6, 3), ("1/2", 3), ("1/100", 1)])
def test_a_share_of_the_parties_is_there_at_a_time_rounded_up(participation, active):
    found = run(parties=hospitals("classification", 5), participation=participation, max_depth=None)
    assert sum(seen.depth is not None for seen in found.seen) == active
    at = [i for i, message in enumerate(found.messages) if message.kind == "structures"]
    assert at and len(at) % active == 0


def test_elitism_keeps_the_parties_own_structures():
    """It is voted on: with targets that are nearly all different; else the best stay, and no others."""
    parties = hospitals("regression", 6, 40)
    found = run("regression", parties, population=2, generations=6, max_depth=3)
    own = {seen.structure for seen in found.seen}
    assert found.elitism and own <= {*found.structures} and len(own) > 2
    rounded = [(X, [8.0 * round(v / 8) for v in y]) for X, y in parties]
    found = run("regression", rounded, population=2, generations=6, max_depth=3)
    assert not found.elitism and len(found.structures) == 2
    assert not run().elitism and not run().validation


def test_a_strategy_needs_more_than_half_of_the_votes():
    """Two of four are not enough."""
    parties = hospitals("regression", 4, 30)
    few = [(X, [8.0 * (v > 8) for v in y]) for X, y in parties]
    for many, expected in ((2, False), (3, True)):
        found = run("regression", [*parties[:many], *few[many:]])
        assert [seen.votes.elitism for seen in found.seen] == [k < many for k in range(4)]
        assert found.elitism == expected
    for many, expected in ((2, False), (3, True)):
        found = run("regression", [*parties[:many], *noiseless(4)[many:]], seed=3)
        assert [seen.votes.validation for seen in found.seen] == [k < many for k in range(4)]
        assert found.validation == expected


def test_with_validation_scores_are_of_rows_that_were_kept_back():
    """They are not the squared errors on all rows; the tree that stays is fitted on all of them."""
    parties = hospitals("regression", 4, 12)
    found = next(r for seed in range(1, 9) if (r := run("regression", parties, seed=seed)).validation)
    for pair, seen in zip(parties, found.seen, strict=True):
        whole = [score_of("regression", pair, string) for string in seen.scores]
        assert not np.allclose(whole, list(seen.scores.values()))
    assert all(tree.nodes[0].n_rows == 12 for tree in found.trees)


def coin_tossed(task, seed=0):
    """Parties whose targets do not depend on anything: no party's own tree is the best for all."""
    rng = np.random.default_rng(seed)
    draw = {"classification": lambda: "abc"[rng.integers(3)], "regression": lambda: float(rng.integers(17))}[task]
    return [(X, [draw() for _ in X]) for X, _ in hospitals(task)]


@pytest.mark.parametrize(("task", "sign"), [("classification", 1), ("regression", -1)])
def test_the_best_score_never_falls_if_all_parties_are_there(task, sign):
    """And it rises: the last population is better than the first."""
    for seed in range(4):
        history = run(task, coin_tossed(task, seed), generations=12, max_depth=3, seed=seed).history
        assert all(sign * b >= sign * a for a, b in pairwise(history)) and sign * history[-1] > sign * history[0]


def test_the_population_is_of_different_strings_and_no_larger_than_asked():
    found = run(generations=6)
    assert len({*found.structures}) == len(found.structures) == 8
    assert all(len(string) == 3 and all(LEAF <= entry < 3 for entry in string) for string in found.structures)
    one = Domain([Numeric.grid("x", 0, 8)], ("a", "b"))
    tiny = run(parties=[([[1], [2]], ["a", "b"])] * 2, domain=one, max_depth=1)
    assert {*tiny.structures} == {(0,), (LEAF,)}


def test_the_global_depth_is_the_median_of_the_depths_that_were_told():
    for seed in range(4):
        found = run(parties=hospitals("classification", 5, 40, seed), max_depth=None)
        depths = [seen.depth for seen in found.seen]
        assert found.max_depth == sorted(depths)[2] and all(1 <= depth <= 4 for depth in depths)
    found = run(max_depth=3)
    assert found.max_depth == 3 and {seen.depth for seen in found.seen} == {None}
    for task in TASKS:
        deep = run(task, max_depth=6)
        assert deep.max_depth == 6 and {len(string) for string in deep.structures} == {63}


def test_the_pressure_of_the_tournament_is_the_one_that_is_asked_for():
    assert run(pressure=1) != run(pressure=8) != run(pressure=3)


def test_sizes_have_noise_of_a_party():
    assert {seen.noisy_size for seen in fit_fedga(
        hospitals("classification"), DOMAINS["classification"], task="classification", rng=ZeroWords(), **SMALL).seen
    } == {25.0}  # fmt: skip
    sizes = [seen.noisy_size - 25 for seed in range(200) for seen in run(generations=1, population=2, seed=seed).seen]
    assert 0.8 < np.mean(np.abs(sizes)) < 1.25 and all(size % 1 for size in sizes)


@pytest.mark.parametrize("task", TASKS)
def test_parties_of_one_row_and_of_one_target_take_part(task):
    """Nothing divides them, and their trees are leaves."""
    (X, y), more = hospitals(task, 1)[0], hospitals(task, 2, seed=3)
    for parties in (
        [(X[:1], y[:1]), *more],
        [(X, [y[0]] * len(y)), *more],
        [(X, [y[0]] * len(y))] * 2,
        [(X[:1], y[:1])] * 2,
    ):
        found = run(task, parties, max_depth=None)
        assert found.trees[0].structure.depth == 0 and found.predict(X[:2], 0).tolist() == [y[0]] * 2
        assert np.isfinite(found.scores).all()


def test_detached_subtrees_travel_and_mean_nothing():
    found = [run(max_depth=3, seed=seed) for seed in range(6)]
    detached = [s for one in found for s in one.structures if to_string(to_structure(s), 3) != s]
    assert detached


@pytest.mark.parametrize(
    ("task", "words"), [("classification", "best macro F1"), ("regression", "least mean squared error")]
)
def test_a_summary_names_its_score(task, words):
    found = run(task)
    assert f"{words} {found.scores[0]:.6g}" in " ".join(found.summary().split())
    assert found.scores[0] == (max if task == "classification" else min)(found.scores)


def test_it_says_that_it_is_not_private():
    found = run()
    assert repr(found).endswith("not private: scores are exact functions of counts)")
    for shown in (found.summary(), str(found), found._repr_html_()):
        assert "not private: scores are exact functions of counts" in shown and "classification" in shown
    assert f"{sum(len(seen.scores) for seen in found.seen)}" in found.summary()
    assert (
        found.predict(hospitals("classification")[0][0], 3).tolist()
        == found.trees[3].predict(hospitals("classification")[0][0]).tolist()
    )


def test_what_is_left_out_is_what_is_documented():
    """Forty structures, twenty generations, all parties at a time, three contestants."""
    kind = inspect.signature(fit_fedga).parameters
    found = {name: kind[name].default for name in ("population", "generations", "participation", "pressure")}
    assert found == {"population": 40, "generations": 20, "participation": 1, "pressure": 3}


def test_the_folds_of_one_s_own_tree_are_drawn_from_the_coins_that_are_given():
    """Without them the depth would be another one now and then."""
    drawn = []

    class Watched(Rehearsal):
        def words(self, size):
            drawn.append(size)
            return super().words(size)

    X, y = hospitals("classification")[0]
    fit_local(X, y, DOMAINS["classification"], task="classification", rng=Watched(1))
    assert drawn


def test_each_party_has_coins_of_its_own():
    """Noise differs between parties of one size, and does not depend on how many coins another has tossed."""

    class Apart(Rehearsal):
        def spawn(self, n):
            return [Rehearsal(100 + k) for k in range(n)]

    def sizes(parties):
        options = {"task": "classification", **SMALL, "max_depth": None, "rng": Apart(1)}
        return [seen.noisy_size for seen in fit_fedga(parties, DOMAINS["classification"], **options).seen]

    X, y = hospitals("classification")[0]
    alike = sizes([(X, y)] * 3)
    assert len(set(alike)) == 3 and sizes([([*X, *X], [*y, *y]), (X, y), (X, y)])[1:] == alike[1:]

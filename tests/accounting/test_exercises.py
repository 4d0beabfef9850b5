"""The mathematics that the exercises of chapter 4 rely on: each reference against the library, or by brute force."""

import itertools
import json
from fractions import Fraction

import pytest

from fdpedu.accounting import Charge, Ledger, compose_optimal, optimal_delta, pure_to_zcdp, zcdp_to_epsilon
from fdpedu.accounting.worked.columns import exact_factor
from fdpedu.claims.noisy_counts import clamped_pmf, worst_ratio
from fdpedu.derivation_checker import DerivationRefused, check_derivation
from fdpedu.domain import Categorical, Domain
from fdpedu.exact import log_enclosure
from fdpedu.exercises.accounting import columns, floats, forge, rule
from fdpedu.exercises.accounting.ledger import ROUNDS, SITUATIONS
from fdpedu.exercises.catalogue import find
from fdpedu.privacy import datasets, neighbours, product_law
from tests.support.exercises import check

PATIENTS = Domain([Categorical("age", ("young", "old")), Categorical("ward", ("A", "B"))], ("well", "ill"))
PLACES = {
    "all": PATIENTS.everything,
    "young": PATIENTS.everything.restrict(0, [0]),
    "old": PATIENTS.everything.restrict(0, [1]),
}


def charge(region, epsilon):
    return Charge(region, epsilon, "count", "discrete Laplace", 1, "thm-discrete-laplace")


def test_what_the_ledger_has_left():
    """The ledger of the library, charged with the same rounds, refuses one and has just that left."""
    ledger, refused = Ledger(2, domain=PATIENTS), 0
    for costs in ROUNDS:
        try:
            ledger.charge([charge(PLACES[place], cost) for place, cost in costs])
        except ValueError:
            refused += 1
    left = tuple(ledger.remaining(PLACES[place]) for place in ("young", "old", "all"))
    assert (left, refused) == (find("acc-ledger").reference, 1)


# Patients are (age, weight), and stand in a row. What the two histograms of a situation count, cell by cell:
def ages(rows):
    return [sum(age <= 50 for age, _ in rows), sum(age > 50 for age, _ in rows)]


def at_median(rows):
    in_order = sorted(age for age, _ in rows)
    edge = in_order[len(in_order) // 2] if rows else 0
    return [sum(age <= edge for age in in_order), sum(age > edge for age in in_order)]


SPLITS = {
    1: lambda rows: [*ages(rows), sum(weight <= 80 for _, weight in rows), sum(weight > 80 for _, weight in rows)],
    3: lambda rows: [sum(age <= 50 for age, _ in rows), sum(weight <= 80 for _, weight in rows)],
    4: lambda rows: [*ages(rows[:2]), *ages(rows[2:])],
    5: at_median,
    6: ages,  # at an edge that was released before
}


@pytest.mark.parametrize("situation", SPLITS)
def test_which_pairs_of_histograms_compose_in_parallel(situation):
    """By exact laws with e^ε = 2, on all tables of up to three rows, a patient added anywhere: parallel iff 2 holds."""
    universe, counts = tuple(itertools.product((10, 60), (70, 90))), lambda rows: tuple(SPLITS[situation](rows))
    tables = [rows for n in range(4) for rows in itertools.product(universe, repeat=n)]
    added = itertools.product(tables, universe, range(4))
    pairs = {(counts(rows), counts((*rows[:i], patient, *rows[i:]))) for rows, patient, i in added if i <= len(rows)}
    worst = max(worst_ratio(before, after, Fraction(1, 2)) for before, after in pairs)
    letter = find("acc-regions").reference[situation]
    assert (worst == 2) == (letter == "P") and (worst >= 4) == (letter == "S"), (SITUATIONS[situation], worst)


def test_regions_as_the_library_sees_them():
    """Situations 1 and 2: classes are disjoint regions, and two histograms of all patients are in one region."""
    well, ill = (PATIENTS.everything.restrict_class([c]) for c in (0, 1))
    for regions, letter in (((well, ill), "P"), ((PATIENTS.everything,) * 2, "S")):
        ledger = Ledger(9, domain=PATIENTS)
        ledger.charge([charge(region, 1) for region in regions])
        assert (ledger.spent == 1) == (letter == "P")
    assert find("acc-regions").reference[:2] == "PS"


def paths_of(tree):
    own, parts = tree
    return [[*own, *rest] for part in parts for rest in paths_of(part)] or [own]


def test_the_account_of_a_transcript_is_its_most_expensive_path():
    cases = find("acc-filter").cases()
    assert len(cases) > 100
    for (tree,) in cases:
        assert find("acc-filter").reference(tree) == max(map(sum, paths_of(tree)))


def test_a_path_pays_all_and_no_more():
    """Every path of the exercise costs ε exactly, and a node never more than what is there."""
    for epsilon, depth, share, used in find("acc-saved").cases():
        spent = find("acc-saved").reference(epsilon, depth, share, used)
        each = (1 - share) * epsilon / depth
        assert sum(spent) == epsilon and all(cost > 0 for cost in spent) and spent[-1] >= share * epsilon
        assert all(sum(spent[: t + 1]) <= (t + 1) * each for t in range(len(used)))


def test_the_broken_code_of_the_task_is_the_first_misconception():
    """It pays more than ε where something is saved, and is right where nothing is."""
    exercise, space = find("acc-saved"), {}
    exec(exercise.task.split("```python\n")[1].split("```")[0], space)
    assert check("acc-saved", space["path_budget"]).misconception == "gives it to leaf and child"
    for case in exercise.cases():
        given, right = space["path_budget"](*case), exercise.reference(*case)
        assert (sum(given) > case[0]) == (given != right) and given == exercise.wrong[0].answer(*case)


@pytest.mark.parametrize(
    "answer",
    [
        ("1", ["0.1"] * 10 + ["1e-16"]),
        ("1", ["0.5", "0.5000000000000000001"]),
        (1, [Fraction(10**17 + 1, 10**17)]),
        (3, ["1", "2", "1/10000000000000000000"]),
    ],
)
def test_any_budget_that_passes_by_rounding_is_right(answer):
    """And the library's ledger refuses it."""
    assert check("acc-float", answer).passed
    ledger = Ledger(answer[0], domain=PATIENTS)
    with pytest.raises(ValueError, match="more than the budget"):
        ledger.charge([charge(PLACES["all"], cost) for cost in answer[1]])


def test_the_float_ledger_errs_both_ways():
    assert not floats.float_ledger(0.3, [0.1, 0.2]) and floats.float_ledger(0.9, [0.3, 0.3, 0.3, 1e-17])
    assert floats.compare(Fraction(1), [Fraction(1)])[0] == "fits"


def test_the_two_histograms_go_as_far_as_four():
    """The largest ratio of the exact laws over all neighbours is e^{2ε} = 4, and the event of the answer reaches it."""
    for data in datasets(tuple(itertools.product((0, 1), repeat=2)), 2):
        for other in neighbours(data, tuple(itertools.product((0, 1), repeat=2))):
            assert worst_ratio(columns.cells(data), columns.cells(other), Fraction(1, 2)) == 4
    data, other, event = find("acc-columns").reference
    assert columns.probability(data, event) / columns.probability(other, event) == exact_factor("1/2", 2) == 4


def test_the_noise_of_the_columns():
    """Pr[noise ≤ t] is that of the clamped law, summed."""
    law = clamped_pmf(Fraction(1, 2), 0, 9)
    assert all(columns.at_most(t) == sum(law[: t + 10]) for t in range(-8, 9))


def test_every_pair_of_a_patient_breaks_the_columns():
    """Any patient will do, added to any data set, and any thresholds at or below the old values."""
    for patient in itertools.product((0, 1), repeat=2):
        data, more = [(0, 1)], [(0, 1), patient]
        event = [None] * 4
        for i in (patient[0], 2 + patient[1]):
            event[i] = columns.cells(data)[i] - 1
        assert check("acc-columns", (data, more, event)).passed


def test_what_the_weak_checker_accepts_the_real_one_refuses_unless_it_is_true():
    """All parallel steps of up to three releases on two codes, and what each checker says."""
    codes, seen = ([0], [1], [0, 1]), set()
    for n in (1, 2, 3):
        for parts in itertools.product(codes, repeat=n):
            step = ("parallel", [0, 1], [("release", Fraction(1), part) for part in parts])
            word, _ = forge.compare(step)
            seen.add(word)
            if word == "honest":
                assert check_derivation(forge.written(step, 1)).value == 1
            elif word == "forged":
                with pytest.raises(DerivationRefused, match="can hold the same record"):
                    check_derivation(forge.written(step, 1))
    assert seen == {"honest", "forged", "refused"}


def test_the_forgery_is_a_derivation_of_the_right_form():
    """Its only fault is the overlap: with sequential for parallel the real checker accepts it."""
    content = json.loads(forge.written(find("acc-forge").reference, 1))
    content["proof"].update(rule="sequential", epsilon="3")
    content["budget"] = content["guarantee"]["value"] = "3"
    assert check_derivation(json.dumps(content)).value == 3


def test_the_parallel_rule_on_sets_of_records():
    """The reference, against rectangles written out as sets of records."""
    for region, premises in find("acc-check").cases():
        whole, parts = set(itertools.product(*region)), [set(itertools.product(*part)) for _, part in premises]
        applies = bool(parts) and all(part <= whole for part in parts)
        applies &= sum(map(len, parts)) == len(set().union(*parts))
        expected = max((cost for cost, _ in premises), default=0) if applies else rule.REFUSED
        assert rule.parallel_step(region, premises) == expected


def test_the_least_delta_of_coins():
    """Against all words of the product law; and where all coins are alike, within the library's enclosure."""
    from fdpedu.privacy import hockey_stick

    cases, alike = find("acc-optimal").cases(), 0
    for factors, b in cases:
        found = find("acc-optimal").reference(factors, b)
        laws = [({1: a / (1 + a), 0: 1 / (1 + a)}, {1: 1 / (1 + a), 0: a / (1 + a)}) for a in factors]
        p, q = (product_law(*side) for side in zip(*laws, strict=True))
        assert found == hockey_stick(p, q, b) == hockey_stick(q, p, b)
        if len(set(factors)) == 1:
            each, target, k = log_enclosure(factors[0]), log_enclosure(b), len(factors)
            assert optimal_delta(each.lower, k, target.upper).lower <= found
            assert found <= optimal_delta(each.upper, k, max(0, target.lower)).upper
            alike += 1
    assert 0 < alike < len(cases)


@pytest.mark.parametrize("answer", [("1", "11/12", "11/12"), (1, "11/12", Fraction(11, 12)), (1, 11 / 12, 11 / 12)])
def test_the_ledger_is_read_from_text_too(answer):
    assert check("acc-ledger", answer).passed


def test_zcdp_of_many_releases():
    """The library's enclosure, to nine digits; never less than the optimal composition."""
    for k, epsilon, delta in find("acc-zcdp").cases():
        found = find("acc-zcdp").reference(k, epsilon, delta)
        exact = zcdp_to_epsilon(k * pure_to_zcdp(epsilon), delta)
        assert found == pytest.approx(float(exact), rel=1e-9, abs=1e-12)
        assert compose_optimal(epsilon, k, delta).lower <= exact.upper
    assert check("acc-zcdp", lambda k, e, d: float(zcdp_to_epsilon(k * pure_to_zcdp(e), d))).passed


@pytest.mark.parametrize(
    ("id", "answer", "said"),
    [
        ("acc-regions", "PSPSS", "7 letters"),
        ("acc-regions", [1] * 7, "letters P and S"),
        ("acc-regions", list("PSPSSSS"), "one of the seven"),
        ("acc-ledger", (1, 2), "3 values"),
        ("acc-ledger", (1, "eleven", 1), "a number"),
        ("acc-ledger", (1, None, 1), "a number was expected"),
        ("acc-float", ("1", []), "1 to 1000"),
        ("acc-float", ("1", ["x"]), "finite number"),
        ("acc-float", ("1e999", ["1"]), "too large"),
        ("acc-float", 7, "2 values"),
        ("acc-columns", ([(0, 2)], [], [0] * 4), "0 or 1"),
        ("acc-columns", ([], [], [0] * 3), "4 values"),
        ("acc-columns", ([], [(0, 0)], [99, 0, 0, 0]), "between −50 and 50"),
        ("acc-forge", ("guess", [0], []), "a step begins with"),
        ("acc-forge", ("parallel", [0], []), "needs premises"),
        ("acc-forge", ("release", 0, [0]), "more than 0"),
        ("acc-forge", ("release", 1, [9]), "between 0 and 3"),
        ("acc-forge", ("sequential", [0], [("release", 1, [0])] * 60), "at most 50 steps"),
        ("acc-check", lambda region, premises: "no", "not text"),
    ],
)
def test_the_reply_to_odd_answers_says_what_is_wrong(id, answer, said):
    reply = check(id, answer)
    assert reply.verdict == "FAIL" and said.lower() in " ".join(str(reply).split()).lower(), reply

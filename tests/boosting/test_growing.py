"""Whole fits: without noise they are a short reference in fractions, tie for tie; and what is refused beforehand."""

import json
import math
from fractions import Fraction

import numpy as np
import pytest

from fdpedu.accounting import Budget, BudgetExceeded, Cost, Ledger
from fdpedu.boosting import fit_federated_boosting
from fdpedu.derivation_checker import check_derivation
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.federation import ClassCounts, Federation, Party
from fdpedu.randomness import Rehearsal, ZeroWords

MIXED = Domain(
    [Numeric.grid("age", 0, 8, bins=8), Numeric.grid("dose", 0, 4, bins=4, missing=True),
     Categorical("ward", ("A", "B", "C"))], ("well", "ill"),
)  # fmt: skip
LINE = Domain([Numeric.grid("age", 0, 8, bins=8)], ("well", "ill"))
CODED = Domain([Categorical("ward", ("A", "B", "C", "D"), missing=True)], ("well", "ill"))
PURE, RHO = Budget.of(2), Budget.of(1, delta=1e-6)


def rows(n, seed=0, ill=4):
    rng = np.random.default_rng(seed)
    found = zip(rng.integers(0, 8, n), rng.integers(0, 5, n), rng.integers(0, 3, n), rng.integers(0, 9, n), strict=True)
    return [
        [a + 0.5, None if d == 4 else d + 0.5, "ABC"[w], "ill" if a + noise > 2 * ill else "well"]
        for a, d, w, noise in found
    ]


class Heard(Rehearsal):
    """Public coins, and the words that were drawn last: those of the made-up rows."""

    def words(self, size):
        self.last = super().words(size)
        return self.last


def federation(parts, domain, budget, source=None, **options):
    members = [Party(part, domain) for part in parts]
    return Federation(members, domain, Ledger(budget), rng=source or ZeroWords(), **options)


def reference(data, domain, ensemble, words):
    """The model from exact counts, as the chapter describes it; the questions are those that were drawn."""
    rules, p, steps = ensemble.rules, domain.n_features, 64
    codes, labels = domain.encode([r[:-1] for r in data]).tolist(), domain.encode_labels([r[-1] for r in data]).tolist()
    n, size = len(data), rules.nominal_size
    share = [[Fraction(sum(row[j] == c for row in codes), n) for c in range(f.n_codes)]
             for j, f in enumerate(domain.features)]  # fmt: skip
    counts = [labels.count(y) for y in (0, 1)]
    weights, whole = [256, 256], Fraction(size)
    if rules.weighted:
        light = round(256 * math.sqrt(min(counts) / max(counts)))
        weights = [256 if m == min(counts) else light for m in counts]
        whole *= Fraction(sum(w * m for w, m in zip(weights, counts, strict=True)), 256 * n)

    def leaf(questions, row):
        return sum((not mask >> row[j] & 1) << len(questions) - 1 - i for i, (j, mask) in enumerate(questions))

    def score(model, row):
        trees, intercept, scale = model
        return sum(w[leaf(q, row)] for q, w in trees) * scale // 16 + intercept

    def probability(s):
        s = max(-8, min(8, math.floor(Fraction(s, 64) + Fraction(1, 2)) / 64))
        return round(steps / (1 + math.exp(-s)))

    def shares_of(questions):
        found = []
        for number in range(2 ** len(questions)):
            inside = [set(range(f.n_codes)) for f in domain.features]
            for i, (j, mask) in enumerate(questions):
                right = number >> len(questions) - 1 - i & 1
                inside[j] &= {c for c in range(domain.features[j].n_codes) if (mask >> c & 1) != right}
            found.append(math.prod(sum(share[j][c] for c in inside[j]) for j in range(p)))
        return found

    def unit(value):
        return max(-(2**20), min(2**20, round(value * 4096)))

    asked = iter(q for q, _ in ensemble.model.trees)
    k = rules.questions if rules.form == "trees" else 1
    factor = Fraction(3, 2) * Fraction(rules.step) * p / (k * rules.rounds * rules.trees_per_round)
    trees, intercept = [], 0
    for _ in range(rules.rounds):
        pulls = []
        for row, y in zip(codes, labels, strict=True):
            t = max(-32, min(32, probability(score((trees, intercept, 16), row)) - steps * y))
            pulls.append(int(math.copysign(abs(t) * weights[y] // 256, t)))
        new, centres = [], []
        for _ in range(rules.trees_per_round):
            questions = next(asked)
            mu = shares_of(questions)
            step = []
            for number, m in enumerate(mu):
                pulled = sum(g for g, row in zip(pulls, codes, strict=True) if leaf(questions, row) == number)
                expected = whole / 4 * (m + Fraction(1, 2 * len(mu)))
                step.append(-Fraction(pulled, steps) / expected if m else Fraction(0))
            centre = sum(m * s for m, s in zip(mu, step, strict=True))
            centres.append(centre)
            new.append((questions, tuple(unit((s - centre) * factor) for s in step)))
        trees, intercept = trees + new, intercept + unit(sum(centres) / len(centres))
    made_up = []
    for j, drawn in enumerate(words.reshape(p, 2000).tolist()):
        ends = [sum(share[j][: c + 1]) for c in range(len(share[j]))]
        made_up.append([next(c for c, end in enumerate(ends) if Fraction(w, 2**64) < end) for w in drawn])
    scores = [score((trees, intercept, 16), row) for row in zip(*made_up, strict=True)]
    spread = np.std(scores) / 4096
    scale = 64 if spread < 1 / 4 else max(16, round(16 / spread))
    intercept = unit(Fraction(intercept * scale, 16 * 4096))
    sigmas = deviations(ensemble)
    for sigma in sigmas:
        at = [probability(score((trees, intercept, scale), row)) for row in codes]
        g = sum(max(-32, min(32, q - steps * y)) for q, y in zip(at, labels, strict=True))
        h = sum(q * (steps - q) // steps for q in at)
        move = -float(g) / (max(h, size * steps / 50) + 2 * sigma)
        intercept = unit(Fraction(intercept, 4096) + Fraction(max(-2.0, min(2.0, move))))
    return tuple(trees), intercept, scale, tuple(weights)


def deviations(ensemble):
    """σ of the noise of both pairs, from what the derivation says of them."""
    steps = [step for _, step in ensemble.derivation.releases() if step["type"] == "intercept-sums"]
    more = ensemble.n_parties / (ensemble.n_parties - ensemble.tolerate)
    if ensemble.derivation.measure != "pure":
        return [math.sqrt(float(Fraction(step["variance"])) * more) for step in steps]
    alpha = [math.exp(-Fraction(step["rate"])) for step in steps]
    return [math.sqrt(2 * a * more) / (1 - a) for a in alpha]


CASES = {
    "pure": (MIXED, PURE, "trees", 60, 3, {}),
    "in ρ": (MIXED, RHO, "trees", 60, 2, {"max_depth": 2}),
    "six questions": (MIXED, RHO, "trees", 40, 2, {"max_depth": 6}),
    "curves": (MIXED, RHO, "curves", 60, 3, {}),
    "curves of three questions": (MIXED, RHO, "curves", 60, 2, {"max_depth": 3}),
    "weighted": (MIXED, RHO, "trees", 60, 2, {"nominal_size": 9000}),
    "weighted curves": (MIXED, RHO, "curves", 60, 2, {"nominal_size": 9000}),
    "small nominal size": (MIXED, PURE, "trees", 60, 2, {"nominal_size": 1}),
    "one feature": (LINE, RHO, "curves", 30, 2, {}),
    "one feature, several questions": (LINE, PURE, "trees", 30, 2, {}),
    "categories that may be missing": (CODED, RHO, "curves", 30, 2, {}),
}


@pytest.mark.claim("thm-federated-boosting")
@pytest.mark.parametrize("name", CASES)
def test_without_noise_it_is_the_reference(name):
    domain, budget, form, n, parties, options = CASES[name]
    data = rows(n, seed=n, ill=6 if "weighted" in name else 4)
    if domain is LINE:
        data = [[r[0], r[-1]] for r in data]
    if domain is CODED:
        data = [["ABCD"[int(r[0]) % 4] if r[1] else None, r[-1]] for r in data]
    f, coins = federation([data[k::parties] for k in range(parties)], domain, budget), Heard(3)
    options = {"nominal_size": n, "rounds": 2, "trees_per_round": 3, **options}
    ensemble = fit_federated_boosting(f, form=form, rng=coins, progress=lambda *_: None, **options)
    trees, intercept, scale, weights = reference(data, domain, ensemble, coins.last)
    assert ensemble.model.trees == trees and ensemble.model.scale == scale and ensemble.weights == weights
    assert abs(ensemble.model.intercept - intercept) <= 1  # a float's last digit before it is rounded
    assert (min(weights) < 256) == ("weighted" in name)


def test_constant_features_and_empty_parties():
    """A feature with one value has no leaf on the other side; a party may have no rows."""
    data = [[0.5, 1.5, "B", r[-1]] for r in rows(20)]
    f, coins = federation([data, []], MIXED, RHO), Heard(1)
    ensemble = fit_federated_boosting(f, nominal_size=20, rounds=2, trees_per_round=3, rng=coins)
    trees, intercept, scale, _ = reference(data, MIXED, ensemble, coins.last)
    assert ensemble.model.trees == trees and ensemble.model.scale == scale == 64
    assert abs(ensemble.model.intercept - intercept) <= 1
    assert len(set(ensemble.decision_function([r[:-1] for r in data]))) == 1


@pytest.mark.parametrize(("parties", "tolerate"), [(3, 2), (7, 1), (100, 1)])
def test_few_and_many_parties(parties, tolerate):
    f = federation([rows(2, k) for k in range(parties)], MIXED, RHO, Rehearsal(1), tolerate=tolerate)
    ensemble = fit_federated_boosting(f, nominal_size=200, rounds=1, trees_per_round=2, rng=Rehearsal(2))
    guarantee = check_derivation(ensemble.derivation.to_json(), f.manifest.to_json())
    assert guarantee.colluders == tolerate and f.ledger.spent.value == RHO.limit.value
    assert (ensemble.n_parties, ensemble.tolerate, ensemble.rounds) == (parties, tolerate, 4)


@pytest.mark.claim("thm-federated-boosting")
def test_a_part_of_a_ledger_and_twice():
    """Two ensembles from one ledger: each costs its part, and its derivation has both."""
    f = federation([rows(20, k) for k in range(2)], MIXED, 3, Rehearsal(1))
    options = {"nominal_size": 40, "rounds": 1, "trees_per_round": 2, "rng": Rehearsal(2)}
    first = fit_federated_boosting(f, epsilon="1", **options)
    second = fit_federated_boosting(f, epsilon="3/2", **options)
    assert f.ledger.spent == Fraction(5, 2) and (first.rounds, second.rounds) == (4, 4)
    assert first.guarantee.spent == 1 and second.guarantee.spent == Fraction(5, 2)
    assert json.loads(second.to_json())["n_rounds"] == [5, 6, 7, 8]
    with pytest.raises(BudgetExceeded):
        fit_federated_boosting(f, epsilon=1, **options)
    assert f.ledger.spent == Fraction(5, 2) and f.rounds == 8


def test_progress_counts_the_rounds():
    seen = []
    f = federation([rows(5)] * 2, MIXED, 1, Rehearsal(1))
    fit_federated_boosting(
        f, nominal_size=10, rounds=3, trees_per_round=1, rng=Rehearsal(2), progress=lambda *at: seen.append(at)
    )
    assert seen == [(k, 6) for k in range(1, 7)]


THREE = Domain([Numeric.grid("age", 0, 8, bins=8)], ("a", "b", "c"))
REFUSED = {
    "no nominal size": (MIXED, PURE, {"nominal_size": None}, "nominal_size"),
    "a nominal size of 0": (MIXED, PURE, {"nominal_size": 0}, "nominal_size"),
    "three classes": (THREE, PURE, {}, "two classes"),
    "depth 0": (MIXED, PURE, {"max_depth": 0}, "max_depth"),
    "depth 7": (MIXED, PURE, {"max_depth": 7}, "max_depth"),
    "no rounds": (MIXED, PURE, {"rounds": 0}, "rounds"),
    "no trees": (MIXED, PURE, {"trees_per_round": 0}, "trees_per_round"),
    "too many trees": (MIXED, PURE, {"rounds": 64, "trees_per_round": 65}, "trees_per_round"),
    "curves in ε": (MIXED, PURE, {"form": "curves"}, "curves"),
    "another form": (MIXED, PURE, {"form": "forest"}, "form"),
    "tiny ε": (MIXED, Budget.of("1/1000000000000000000000"), {}, "epsilon|rate"),
    "tiny ρ": (MIXED, Cost("gaussian", Fraction(1, 10**22), Fraction(1)), {}, "rho"),
    "more than is left": (MIXED, PURE, {"epsilon": 3}, "left|budget"),
    "progress that cannot be called": (MIXED, PURE, {"progress": 3}, "progress"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused_is_refused_before_anything_is_charged(name):
    domain, budget, options, named = REFUSED[name]
    f = federation([[], []], domain, budget, Rehearsal(1))
    with pytest.raises(ValueError, match=named):
        fit_federated_boosting(f, **{"nominal_size": 10, "rng": Rehearsal(1), **options})
    assert f.rounds == 0 and f.ledger.derivation is not None and not f.transport.requests
    assert not any(f.ledger.spent if isinstance(f.ledger.spent, tuple) else [f.ledger.spent])


def test_a_ledger_with_too_little_xi_is_refused_before_anything_is_charged():
    f = federation([[], []], MIXED, Cost("gaussian", Fraction(1, 40), Fraction(1, 10**12)), Rehearsal(1), tolerate=0)
    with pytest.raises(BudgetExceeded, match="nothing was charged"):
        fit_federated_boosting(f, nominal_size=10, rounds=1, trees_per_round=2, rng=Rehearsal(1))
    assert f.rounds == 0 and f.ledger.spent == (0, 0)


def test_what_is_no_federation_is_refused():
    with pytest.raises(ValueError, match="federation"):
        fit_federated_boosting([[1, 2]], nominal_size=10)


def test_a_ledger_that_is_exceeded_in_between_keeps_what_was_paid():
    """Somebody else spends from the ledger after two rounds: the fit ends, and says what has been paid."""
    f = federation([rows(5)] * 2, MIXED, 1, Rehearsal(1))

    def spend(done, _):
        if done == 2:
            f.release([ClassCounts(MIXED.everything, "1/4")])

    with pytest.raises(BudgetExceeded, match="ensemble"):
        fit_federated_boosting(f, nominal_size=10, rounds=2, trees_per_round=1, rng=Rehearsal(2), progress=spend)
    assert f.ledger.spent == Fraction(1, 10) + Fraction(42, 100) + Fraction(1, 4)


@pytest.mark.claim("thm-federated-boosting")
def test_of_everything_released_only_the_sums_depend_on_rows():
    """The public coins alone say which features are asked about in which round, whatever the rows are."""
    found = []
    for seed in (1, 2):
        f = federation([rows(30, seed)] * 2, MIXED, PURE, Rehearsal(1))
        ensemble = fit_federated_boosting(f, nominal_size=60, rounds=2, trees_per_round=4, rng=Rehearsal(5))
        found.append([tuple(feature for feature, _ in q) for q, _ in ensemble.model.trees])
    assert found[0] == found[1] and {len(set(features)) for features in found[0]} == {3}

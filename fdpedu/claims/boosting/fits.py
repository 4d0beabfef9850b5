"""Whole fits: what is asked is a function of earlier answers and coins, and all of it costs the budget."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from types import ModuleType
from typing import Any

from fdpedu.accounting import BudgetExceeded, Cost, Ledger
from fdpedu.boosting import Ensemble, fit_federated_boosting
from fdpedu.claims.accounting.derivations import verdict
from fdpedu.claims.boosting.questions import SMALL
from fdpedu.claims.boosting.table import ADD_REMOVE
from fdpedu.claims.checking import require
from fdpedu.claims.federations import Case, dealt, from_sums_alone
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.trees.federated import OBSERVER
from fdpedu.dlpa import count_noise_shares
from fdpedu.domain import Categorical, Domain, Numeric, Rows
from fdpedu.federation import Curator, Federation, Party
from fdpedu.randomness import Rehearsal

EIGHT = Domain([Numeric.grid("age", 0, 8, bins=8, missing=True), Categorical("ward", ("A", "B"))], ("well", "ill"))
EPSILON, RHO = Cost("pure", Fraction(7, 3)), Cost("gaussian", Fraction(1, 30), Fraction(1, 10**8))
Expected = tuple[str, Fraction, int, int, int, int]
"""Of a release its type, its part of the budget, releases and ℓ₁ sensitivity, ℓ₂² and cells."""
ROWS: Rows = [[age, ward, label] for age in (0.5, 1.5, None) for ward in "AB" for label in ("well", "ill", "ill")]


def fitted(
    domain: Domain, parts: Sequence[Rows], budget: Cost, seed: int, tolerate: int = 0, **options: Any
) -> tuple[Ensemble, Federation | Curator]:
    """An ensemble of these parties, and the federation that boosted it; of one the curator."""
    federation = asker_of(parts, domain, Ledger(budget), seed, tolerate)
    options = {"nominal_size": 50, "progress": lambda *_: None, "rng": Rehearsal(seed + 1), **options}
    return fit_federated_boosting(federation, **options), federation


def asker_of(parts: Sequence[Rows], domain: Domain, ledger: Ledger, seed: int, tolerate: int) -> Federation | Curator:
    """Who has these rows: a federation, or of one party the curator."""
    members = [Party(rows, domain) for rows in parts]
    if len(members) == 1:
        return Curator(members[0], ledger, Rehearsal(seed))
    return Federation(members, domain, ledger, rng=Rehearsal(seed), tolerate=tolerate)


def costs(
    parties: int,
    tolerate: int,
    budget: Cost,
    form: str,
    rounds: int,
    trees: int,
    depth: int,
    threshold: str | None = None,
) -> None:
    """A fit releases p histograms, R rounds of B trees, and twice a pair, at fixed parts of the budget: all of it.

    With a threshold class counts come second, for a hundredth, and the rest has these parts of what is left. Each is
    charged with the noise that its sensitivity asks for; the checker agrees, and not with a query less.
    """
    options: Any = {"form": form, "rounds": rounds, "trees_per_round": trees, "max_depth": depth}
    options["threshold"] = threshold
    ensemble, federation = fitted(SMALL, dealt(ROWS, parties), budget, parties, tolerate, **options)
    part, left = Fraction(21, 25) / rounds, Fraction(99 if threshold else 100, 100)
    expected: list[Expected] = [
        ("group-counts", left * Fraction(1, 10), 2, 1, 2, 2),
        *([("class-counts", Fraction(1, 100), 1, 1, 1, 1)] if threshold else []),
        *[("gradient-sums", left * part, trees, 32, 1024 * trees, trees)] * rounds,
        *[("intercept-sums", left * Fraction(3, 100), 1, 48, 1280, 2)] * 2,
    ]
    require_costs(ensemble, federation, budget, expected)
    manifest = json.loads(federation.manifest.to_json())
    manifest["rounds"].pop(0)
    require(verdict(ensemble.derivation.content, manifest) is None, "accepted with a query less than was released")


def require_costs(
    ensemble: Ensemble, federation: Federation | Curator, budget: Cost, expected: Sequence[Expected]
) -> None:
    """A fit has released what is expected, and nothing else; it adds up to the budget; ledger and checker agree."""
    steps = [step for _, step in ensemble.derivation.releases()]
    require(ensemble.rounds == federation.rounds == len(steps) == len(expected), f"there are {len(steps)} releases")
    for step, each in zip(steps, expected, strict=True):
        require_step(step, each, budget, federation.n_parties)
    spent: Any = federation.ledger.spent
    require((spent if budget.is_pure else spent.value) == budget.value, f"spent is {spent} of {budget.value}")
    proved = verdict(ensemble.derivation.content, json.loads(federation.manifest.to_json()))
    require(proved is not None and proved.spent == spent, f"the checker says {proved}")


def require_step(step: Mapping[str, Any], expected: Expected, budget: Cost, parties: int) -> None:
    """A step of a derivation is such a release, with the noise that it asks for."""
    name, share, releases, sensitivity, l2, cells = expected
    cost = share * budget.value
    require(step["type"] == name and step["region"] == {}, f"{step['type']} of {step['region']}, expected {name}")
    if budget.is_pure:
        found: Any = (step["releases"], step["sensitivity"], Fraction(step["rate"]), Fraction(step["epsilon"]))
        stated: Any = (releases, sensitivity, cost / releases / sensitivity, cost)
    else:
        variance, least = Fraction(step["variance"]), l2 / (2 * cost)
        enough = least <= variance <= max((least + 1) * Fraction(1001, 1000), 2 * Fraction(parties))
        require(enough, f"{name} has the variance {variance}, needed is {least}")
        found = (step["l2_squared"], step["cells"], Fraction(step["rho"]))
        stated = (l2, cells, cost)
    require(found == stated, f"{name} states {found}, expected {stated}")


def fits(most: int) -> Iterator[tuple[Any, ...]]:
    """ε and ρ, both forms, one round and more, one tree and more, two to five parties, one owner; with a threshold."""
    for rounds, trees in product(range(1, most + 1), (1, 3)):
        yield 2 + rounds, rounds, EPSILON, "trees", rounds, trees, 1 + rounds
        yield 2, rounds % 2, RHO, "trees", rounds, trees, 2
        yield 3, 1, RHO, "curves", rounds, trees, 1 + rounds % 2
    yield 1, 0, EPSILON, "trees", 2, 3, 2
    yield 1, 0, RHO, "trees", 1, 3, 2
    yield 1, 0, RHO, "curves", 2, 1, 2
    for parties, budget, form in ((3, EPSILON, "trees"), (1, EPSILON, "trees"), (2, RHO, "curves"), (1, RHO, "trees")):
        yield parties, 0, budget, form, most, 2, 1, "counted"


def asked_alike(
    case: Case, seed: int, size: int, rounds: int, form: str, in_rho: bool, threshold: str | None = None
) -> None:
    """Parties without rows, given the released sums, are asked the same bytes, and the ensemble is the same.

    So every question is a function of public coins and of what was released before.
    """
    options: Any = {"form": form, "nominal_size": size, "rounds": rounds, "trees_per_round": 2, "threshold": threshold}
    require_asked_alike(case, RHO if in_rho or form == "curves" else EPSILON, seed, **options)


def require_asked_alike(case: Case, budget: Cost, seed: int, **options: Any) -> None:
    """Parties without rows, given the released sums, are asked the same bytes, and the ensemble is the same."""

    def grown(parts: Sequence[Rows], _: int) -> Any:
        found = fitted(case[0], parts, budget, seed, **options)[0]
        made = found.model, found.threshold, vars(found.rules), found.intercepts, found.pairs, found.start
        return *made, found.histograms.tolist(), found.rounds

    from_sums_alone(case, grown)


def random_fits(draw: ModuleType) -> Any:
    """Parties with rows of two classes, a seed, a nominal size, rounds, a form, and whether ρ is paid."""
    cases = draw.domains_with_parties().filter(lambda case: case[0].n_classes == 2)
    size = draw.st.sampled_from([3, 50, 10_000])
    form = draw.st.sampled_from(["trees", "curves"])
    return draw.tuples(cases, draw.integers(0, 99), size, draw.integers(1, 3), form, draw.booleans())


def small_fits(rounds: int) -> Iterator[tuple[Any, ...]]:
    """Few rows in one party or in all, or one owner of them; both forms and measures, short steps and long ones."""
    rows: Rows = [
        [age, ward, label] for age in (0.5, 1.5, 1.7, 5.5, None) for ward in "AB" for label in ("well", "ill")
    ]
    parts: list[list[Rows]] = [[[], [[0.5, "A", "well"]]], [rows, rows[:5], []]]
    for seed, each in enumerate(parts):
        for form, in_rho in (("trees", False), ("trees", True), ("curves", True)):
            yield from (((EIGHT, each), seed, size, rounds, form, in_rho) for size in (3, 30))
            yield (EIGHT, [rows]), seed, 30, rounds, form, in_rho
            yield (EIGHT, each), seed, 30, 1, form, in_rho, "counted"


def all_or_nothing(parties: int, tolerate: int, rounds: int, form: str) -> None:
    """With the ξ that all its noise takes a fit is whole; with less it is refused, and nothing is charged."""
    shares = count_noise_shares(parties, tolerate)
    parts = dealt(ROWS, parties)
    options: Any = {"form": form, "rounds": rounds, "trees_per_round": 2}
    ample, _ = fitted(SMALL, parts, RHO, 1, tolerate, **options)
    taken = sum((Fraction(step["xi"]) for _, step in ample.derivation.releases()), Fraction(0))
    require(taken > 0, f"{shares} shares take ξ = {taken}")
    enough = Cost("gaussian", RHO.value, taken)
    _, federation = fitted(SMALL, parts, enough, 1, tolerate, **options)
    require(federation.ledger.spent == (RHO.value, taken), f"spent is {federation.ledger.spent}")
    ledger = Ledger(Cost("gaussian", RHO.value, taken - Fraction(1, 10**12)))
    federation = asker_of(parts, SMALL, ledger, 1, tolerate)
    try:
        fit_federated_boosting(federation, nominal_size=50, progress=lambda *_: None, rng=Rehearsal(2), **options)
    except BudgetExceeded:
        require(ledger.spent == (0, 0), f"it is refused, and {ledger.spent} is charged")
        require(federation.rounds == 0, f"it is refused after {federation.rounds} rounds")
    else:
        require(False, f"ξ = {taken} is needed, and less is taken for enough")


CLAIMS = (
    Claim(
        "thm-federated-boosting",
        status="checked",
        code=(
            "fdpedu.boosting.course",
            "fdpedu.boosting.growth",
            "fdpedu.boosting.growth.fit_federated_boosting",
        ),
        checks=(
            Check(
                "costs",
                "exact",
                "one to {size} rounds of one tree and three, ε and ρ, trees and curves: every release of a fit, its "
                "noise and its cost; their sum; ledger, checker and manifest; with a threshold and without",
                costs,
                fits,
                2,
                4,
                more=[
                    (2, 1, Cost("pure", Fraction(1, 7)), "trees", 5, 2, 6),
                    (5, 2, Cost("gaussian", Fraction(3), Fraction(1, 10**6)), "curves", 1, 1, 1),
                ],
            ),
            Check(
                "asked alike, small data",
                "exact",
                "two and three parties of a few rows, both forms and measures, {size} rounds: as below",
                asked_alike,
                small_fits,
                3,
                8,
            ),
            Check(
                "asked alike",
                "property",
                "{size} random federations, forms and measures: parties without rows, given the released sums, are "
                "asked bytewise the same, and the ensemble is the same",
                asked_alike,
                random_fits,
                8,
                400,
                more=[
                    ((SMALL, [[*ROWS] * 3, ROWS[:5], []]), 4, size, 3, form, True)
                    for form, size in (("trees", 20_000), ("curves", 20_000), ("trees", 1))
                ],
            ),
            Check(
                "all or nothing",
                "exact",
                "one to {size} parties, all that they tolerate, both forms: a fit with the ξ that it takes, and with "
                "10⁻¹² less",
                all_or_nothing,
                lambda most: (
                    (k, tolerate, 1 + k % 2, ("trees", "curves")[tolerate % 2])
                    for k in range(1, most + 1)
                    for tolerate in range(k)
                ),
                3,
                5,
                more=[(6, 2, 3, "trees")],
            ),
        ),
        assumptions=(ADD_REMOVE, "integers", OBSERVER, "running time is not covered"),
        uses=(
            *("thm-gradient-sums", "lem-intercept-sums", "lem-group-counts", "thm-polya-shares", "thm-tolerate"),
            *("lem-smoothed-gaussian", "thm-sequential", "thm-gaussian-filter", "thm-gaussian-root"),
            *("thm-histogram", "thm-post-processing", "thm-round", "thm-manifest-complete"),
        ),
    ),
)

_RECORDS = "[respond.__self__._records for respond in self.asker._endpoints]"  # what only a simulation can reach
_GROWTH = "fdpedu.boosting.growth.Growth"

TWINS = (
    Broken(
        "histograms not counted",
        "fdpedu.boosting.rules.parts_of",
        "1 - _HISTOGRAMS - outcome.begins",
        "1 - outcome.begins",
        "The histograms are asked for once, before boosting begins: they are no part of its budget.",
        "thm-federated-boosting",
        "costs",
    ),
    Broken(
        "one pair for two",
        "fdpedu.boosting.rules.parts_of",
        "outcome.ends * _INTERCEPT",
        "min(1, outcome.ends) * _INTERCEPT",
        "The intercept is asked for a second time only to be sure: the question is the same.",
        "thm-federated-boosting",
        "costs",
    ),
    Broken(
        "histograms for next to nothing",
        f"{_GROWTH}._counts",
        'self._cost("histograms")',
        'self._cost("histograms").scaled(Fraction(1, 100))',
        "Histograms say how the features lie, and nothing of anybody's class, so little noise is enough.",
        "thm-federated-boosting",
        "costs",
    ),
    Broken(
        "cuts from raw quantiles",
        f"{_GROWTH}.ensemble",
        "Drawing(self.rules, course.marginals,",
        "Drawing(self.rules, type(course.marginals)(self.domain, sum(records.histograms(records.within("
        f"[self.domain.everything])[0]).reshape(-1, 2).sum(axis=1) for records in {_RECORDS})),",
        "Quantiles are statistics of many rows, and a cut is drawn from many of them.",
        "thm-federated-boosting",
        "asked alike, small data",
    ),
    Broken(
        "N from the number of rows",
        "fdpedu.boosting.growth.boosted",
        "rules_for(form, nominal_size,",
        "rules_for(form, 1 + sum(len(respond.__self__._records.labels) for respond in asker._endpoints),",
        "Everybody knows about how many rows there are, so the step may as well be chosen by their true number.",
        "thm-federated-boosting",
        "asked alike, small data",
    ),
    Broken(
        "enlarged by the scores of real rows",
        f"{_GROWTH}._end",
        "enlarged(model, course.made_up)",
        f"enlarged(model, {_RECORDS}[0].columns if len({_RECORDS}[0].labels) else course.made_up)",
        "A spread is one number, and the model is released already.",
        "thm-federated-boosting",
        "asked alike, small data",
    ),
    Broken(
        "step from the spread of real rows",
        f"{_GROWTH}._course",
        "Course.of(self.rules, self.domain, self.histograms, variance, sigma)",
        f"(lambda course: (course, len({_RECORDS}[0].labels) and course._known.__init__({_RECORDS}[0].columns))[0])"
        "(Course.of(self.rules, self.domain, self.histograms, variance, sigma))",
        "How curved the loss is says nothing of anybody: it is a mean over all rows.",
        "thm-federated-boosting",
        "asked alike, small data",
    ),
    Broken(
        "k and steps from exact sums",
        f"{_GROWTH}.ensemble",
        "course.after(self.model, trees, sums)",
        f"course.after(self.model, trees, sums + sum(int(records.labels.sum()) for records in {_RECORDS}))",
        "Whether features interact is seen best without noise, and only a yes or no comes of it.",
        "thm-federated-boosting",
        "asked alike, small data",
    ),
    Broken(
        "a guard from raw correlations",
        f"{_GROWTH}.ensemble",
        "self.batches.append(kept)",
        "self.batches.append(kept), setattr(course, '_step', course._step // (1 + any(10 * int((r.columns[0] == "
        f"r.columns[-1]).sum()) > 9 * len(r.labels) for r in {_RECORDS})))",
        "Whether columns are alike is known beforehand, so the step may be halved for it.",
        "thm-federated-boosting",
        "asked alike, small data",
    ),
    Broken(
        "early stopping on the training loss",
        f"{_GROWTH}.ensemble",
        "for _ in range(self.rules.rounds)",
        f"for _ in (r for r in range(self.rules.rounds) if not r or any((self.model.predict(records.columns, "
        f"records._everybody) != records.labels).any() for records in {_RECORDS}))",
        "Where all rows are right already, a further round would only add noise.",
        "thm-federated-boosting",
        "asked alike, small data",
    ),
    Broken(
        "a threshold from raw counts",
        f"{_GROWTH}._begin",
        "self._ask(asked).ravel()",
        f"(self._ask(asked), [sum(int((r.labels == c).sum()) for r in {_RECORDS}) for c in (0, 1)])[1]",
        "A threshold is one number that is made at the end, of the share of a whole class.",
        "thm-federated-boosting",
        "asked alike, small data",
    ),
    Broken(
        "class counts beside the budget",
        "fdpedu.boosting.rules.parts_of",
        "share * (1 - outcome.begins)",
        "share",
        "Class counts cost a hundredth, which is within what nobody reckons with.",
        "thm-federated-boosting",
        "costs",
    ),
    Broken(
        "ξ not asked for beforehand",
        f"{_GROWTH}._require_payable",
        "taken > self.budget.xi",
        "taken > 1",
        "ξ is a millionth part of anything, so there is always enough of it.",
        "thm-federated-boosting",
        "all or nothing",
    ),
)

"""A lower bound on ε that may be watched, and several audits of one claim."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from fdpedu.audit import Bet, epsilon_lower
from fdpedu.audit.confidence import CELLS
from fdpedu.audit.pairs import audit_pairs
from fdpedu.claims.audit.bets import LN2, Law, guesses_of
from fdpedu.claims.audit.wealth import ALL_BEFORE, ODDS, PAIR, Counts, ever, least_favourable, remembered
from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim

LN3 = Fraction(10986122886681098, 10**16)  # a little more than ln 3
TRUE = {ODDS[1]: LN2, ODDS[2]: LN3}


def smallest_that_stands(counts: Counts, alpha: Fraction, delta: Fraction, directions: int) -> None:
    """Claims below the bound, in five steps and at its end, are rejected; one a little above stands (with δ = 0)."""
    bound = epsilon_lower(*counts, alpha=alpha, delta=delta, directions=directions)
    require(bound * CELLS == round(bound * CELLS), f"{bound} is no multiple of 1/{CELLS}")
    last = Fraction(str(bound)) - Fraction(1, CELLS)
    for claim in (last * k / 5 for k in range(6) if last >= 0):
        reached = Bet.against(claim, delta, directions).reaches(1 / alpha, *counts)
        require(reached, f"ε ≥ {bound} is said, and ε = {float(claim)} stands")
    if not delta:
        above = Fraction(str(bound)) + Fraction(2, CELLS)
        reached = Bet.against(above).reaches(1 / alpha, *counts)
        require(not reached, f"ε ≥ {bound} is said, and even ε = {float(above)} is rejected")


def bounds(most: int) -> Iterator[tuple[Counts, Fraction, Fraction, int]]:
    """Counts of guesses, without a δ and with; among them one where ε = 0 stands and larger claims fall."""
    for right, wrong in product(range(0, most + 1, 10), (0, 3, 10)):
        yield (right, wrong, 5), Fraction(1, 20), Fraction(0), 2
    for none in (0, 20, 89, 178, 356):
        yield (89, 0, none), Fraction(1, 20), Fraction(3, 10), 1


def never_above(odds: Fraction, guessing: Fraction, alpha: Fraction, runs: int) -> None:
    """Over all sequences: the bound is ever above the true ε with probability at most α, looked at after each run."""
    wrong = remembered(lambda counts: epsilon_lower(*counts, alpha=alpha) > TRUE[odds])
    risk = ever(wrong, least_favourable(odds, guessing), runs)
    require(risk <= alpha, f"the bound is ever above ε with probability {float(risk):.4f}, allowed is {alpha}")


def all_pairs(alpha: Fraction, pairs: int) -> None:
    """Audits of several pairs have parts of α that add up to at most α, whatever is audited."""
    data = [([0] * k, [0] * (k + 1)) for k in range(pairs)]
    parts = {one.pair: one.alpha for one in audit_pairs(lambda rows: 7, data, alpha=alpha, runs=8, seed=1)}
    require(len(parts) == pairs, f"of {pairs} pairs {len(parts)} are audited")
    require(sum(parts.values()) <= alpha, f"the parts {[*map(str, parts.values())]} are more than {alpha} together")


def all_events(p: Law, q: Law, alpha: Fraction, runs: int) -> None:
    """Four ways to guess, bet on together on the same runs at α/4 each: one is ever won with probability at most α."""
    events = [guesses_of(sides) for sides in product((1, -1), repeat=2)]
    bet, units = Bet(ODDS[1]), sum(p) + sum(q)
    rich = remembered(lambda counts: bet.reaches(len(events) / alpha, *counts))
    seen = [(k, side, Fraction(law[k], units)) for side, law in ((-1, p), (1, q)) for k in range(2) if law[k]]
    alive, stopped = {((0, 0, 0),) * len(events): Fraction(1)}, Fraction(0)
    for _ in range(runs):
        after: dict[tuple[Counts, ...], Fraction] = {}
        for counts, chance in alive.items():
            for k, side, share in seen:
                here = tuple(
                    (r + (g[k] == side), w + (g[k] != side), 0) for (r, w, _), g in zip(counts, events, strict=True)
                )
                after[here] = after.get(here, Fraction(0)) + chance * share
        won = {here for here in after if any(map(rich, here))}
        stopped += sum((after[here] for here in won), Fraction(0))
        alive = {here: chance for here, chance in after.items() if here not in won}
    require(stopped <= alpha, f"one of {len(events)} bets is won with probability {float(stopped):.4f}")


def restarts(odds: Fraction, alpha: Fraction, runs: int, times: int) -> None:
    """Audits that begin anew are further audits: together they err with 1 − (1 − α′)^k, going on at most with α."""
    bet, shares = Bet(odds), least_favourable(odds, Fraction(1))
    rich = remembered(lambda counts: bet.reaches(1 / alpha, *counts))

    def risk(many: int) -> Fraction:
        return ever(rich, shares, many)

    once, on = risk(runs), risk(runs * times)
    require(once <= on <= alpha, f"going on errs with {float(on):.4f}, one part with {float(once):.4f}")
    require(1 - (1 - once) ** times <= times * alpha, "several audits err more often than all their α together")
    require(1 - (1 - once) ** times > alpha, f"{times} fresh starts err with {float(1 - (1 - once) ** times):.4f} only")


CLAIMS = (
    Claim(
        "thm-epsilon-sequence",
        status="proved+checked",
        code=("fdpedu.audit.confidence.epsilon_lower",),
        checks=(
            Check(
                "smallest that stands",
                "exact",
                "up to {size} right guesses, without a δ and with: what is below the bound is rejected, in fractions",
                smallest_that_stands,
                bounds,
                60,
                200,
            ),
            Check(
                "watched",
                "exhaustive",
                "e^ε = 2 and 3, all sequences of {size} runs: how often the bound is ever above the true ε",
                never_above,
                lambda runs: (
                    (odds, guessing, alpha, many)
                    for odds in TRUE
                    for guessing, many in ((Fraction(1), runs), (Fraction(1, 2), runs // 3))
                    for alpha in (Fraction(3, 4), Fraction(1, 3))
                ),
                12,
                18,
            ),
        ),
        assumptions=(ALL_BEFORE, PAIR, "bounds are rounded down to thousandths"),
        uses=("thm-ville", "thm-approximate-bet"),
    ),
    Claim(
        "lem-split-alpha",
        status="proved+checked",
        code=("fdpedu.audit.pairs.audit_pairs",),
        checks=(
            Check(
                "parts of α",
                "exact",
                "three α and one to {size} pairs",
                all_pairs,
                lambda most: product((Fraction(1, 10**6), Fraction(1, 20), Fraction(1, 2)), range(1, most + 1)),
                5,
                12,
            ),
            Check(
                "all events at once",
                "exhaustive",
                "e^ε = 2, distributions on two outputs, four events on the same runs, all sequences of {size} runs",
                all_events,
                lambda runs: (
                    (p, q, alpha, runs)
                    for p, q in (((1, 2), (2, 1)), ((1, 1), (1, 1)))
                    for alpha in (Fraction(19, 20), Fraction(1, 2))
                ),
                12,
                24,
            ),
            Check(
                "restarts",
                "exact",
                "two odds, {size} fresh starts of six runs against going on",
                restarts,
                lambda times: ((odds, Fraction(3, 4), 6, times) for odds in ODDS[:2]),
                5,
                7,
            ),
        ),
        assumptions=(ALL_BEFORE, PAIR),
        uses=("thm-ville",),
    ),
)

TWINS = (
    Broken(
        "the largest ε that is rejected",
        "fdpedu.audit.confidence.epsilon_lower",
        "int(np.argmin(refuted))",
        "int(np.append(np.flatnonzero(refuted) + 1, 0)[:-1].max(initial=0))",
        "The bound is what comes after the largest claim that fell.",
        "thm-epsilon-sequence",
        "smallest that stands",
    ),
    Broken(
        "every pair at the whole α",
        "fdpedu.audit.pairs.audit_pairs",
        "as_alpha(alpha) / max(1, len(each))",
        "as_alpha(alpha)",
        "The pairs are different tests, and each has its own error.",
        "lem-split-alpha",
        "parts of α",
    ),
)

"""A wealth that cannot grow under a true claim: Ville's inequality on all outcomes of short games, and in audits."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import comb, isclose
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from fdpedu.audit import Audit, Bet, audit
from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim

ALL_BEFORE = "each run is (ε, δ)-DP given all runs before it, as the claim says; fresh coins in every run"
PAIR = "D and D′ are neighbours; this is the caller's word"
HALF = Fraction(1, 2)
ODDS = (Fraction(1), Fraction(1, 2), Fraction(1, 3))  # of e^ε = 1, 2, 3
LEVELS = (Fraction(3, 4), Fraction(1, 4))
Shares = tuple[Fraction, Fraction, Fraction]  # how probable a right guess, a wrong one, and none are in a run
Counts = tuple[int, int, int]


def own_wealth(odds: Fraction, fee: Fraction, marks: Sequence[int]) -> Fraction:
    """What 64 gamblers own who began with 1/64 each, run by run: 1 is a right guess, −1 a wrong one, 0 is none."""
    owned = [Fraction(1, 64)] * 64
    for mark in marks:
        for j in range(64):
            stake = Fraction(2 * j + 1, 128) ** 2
            owned[j] *= {1: 1 + odds * stake, -1: 1 - stake, 0: 1 - fee * stake}[mark]
    return sum(owned, Fraction(0))


def least_favourable(odds: Fraction, guessing: Fraction) -> Shares:
    """A guess with this probability, and right as often as the claim of e^ε = 1/odds allows."""
    return guessing / (1 + odds), guessing * odds / (1 + odds), 1 - guessing


def ever(rich: Callable[[Counts], bool], shares: Shares, runs: int) -> Fraction:
    """How probable it is that some count on the way is rich: over all sequences of so many runs, exactly."""
    alive, stopped = {(0, 0, 0): Fraction(1)}, Fraction(0)
    for _ in range(runs):
        after: dict[Counts, Fraction] = {}
        for counts, chance in alive.items():
            right, wrong, none = counts
            nexts = (right + 1, wrong, none), (right, wrong + 1, none), (right, wrong, none + 1)
            for here, share in zip(nexts, shares, strict=True):
                if share:
                    after[here] = after.get(here, Fraction(0)) + chance * share
        stopped += sum((chance for counts, chance in after.items() if rich(counts)), Fraction(0))
        alive = {counts: chance for counts, chance in after.items() if not rich(counts)}
    return stopped


def never_rich(odds: Fraction, guessing: Fraction, alpha: Fraction, runs: int) -> None:
    """Somebody who looks after each run sees 1/α with probability at most α; and the mean wealth after five is 1."""
    bet, shares = Bet(odds), least_favourable(odds, guessing)
    risk = ever(remembered(lambda counts: bet.reaches(1 / alpha, *counts)), shares, runs)
    require(risk <= alpha, f"wealth is ever {1 / alpha} with probability {float(risk):.4f}, allowed is {alpha}")
    right, wrong, none = shares
    mean = Fraction(0)
    for k, m in product(range(6), repeat=2):
        z = 5 - k - m
        if z == 0 or (z > 0 and none):
            ways = comb(5, k) * comb(5 - k, m)
            mean += ways * right**k * wrong**m * none**z * bet.wealth(k, m, z)
    require(mean == 1, f"the mean wealth after five runs is {mean}")


def remembered(rich: Callable[[Counts], bool]) -> Callable[[Counts], bool]:
    """The same, each count once."""
    known: dict[Counts, bool] = {}

    def again(counts: Counts) -> bool:
        if counts not in known:
            known[counts] = rich(counts)
        return known[counts]

    return again


def games(runs: int) -> Iterator[tuple[Fraction, Fraction, Fraction, int]]:
    """Three odds, a guess in every run, or in every other one of fewer runs; two errors."""
    kinds = (Fraction(1), runs), (HALF, runs // 2)
    return ((odds, guessing, alpha, many) for odds in ODDS for guessing, many in kinds for alpha in LEVELS)


# --- real audits ------------------------------------------------------------------------------------------------------


def count_with_noise(seed: int, rate: float = 1.0) -> Any:
    """A count with geometric noise on both sides (for teaching: Python's own generator)."""
    coin = random.Random(seed)

    def noise() -> int:
        k = 0
        while coin.random() < 2.718281828459045**-rate:
            k += 1
        return k

    return lambda data: len(data) + noise() - noise()


EVENT = (lambda y: y >= 1, lambda y: y <= 0)
FLOAT_STAKES = [((2 * j + 1) / 128) ** 2 for j in range(64)]


def goes_on(seed: int, parts: tuple[int, ...], alpha: Fraction, learnt: bool, way: str) -> None:
    """An audit in parts has the wealth of all its runs, and is refuted if that was ever 1/α; not of the learnt ones.

    The parts follow each other directly, or are saved and loaded in between, or come in batches.
    """
    mechanism, batch, event = count_with_noise(seed), way == "batched", None if learnt else EVENT
    one: Any = (lambda data, n: [mechanism(data) for _ in range(n)]) if batch else mechanism
    found = audit(one, [], [1], alpha=alpha, event=event, runs=parts[0], batch=batch, seed=1000 + seed)
    for more in parts[1:]:
        if way == "saved":
            with TemporaryDirectory() as folder:
                found.save(Path(folder) / "audit.json")
                found = Audit.load(Path(folder) / "audit.json", one, [], [1], event=event)
        found = found.more(more)
    marks, before = found.marks.tolist(), found.learnt_on
    require(len(marks) + before == found.runs == sum(parts), f"{len(marks)} bets and {before} of {sum(parts)} runs")
    odds, owned = float(Bet.against(1).odds), [1 / 64] * 64
    first = None
    for n, (mark, told) in enumerate(zip(marks, found.wealth.tolist(), strict=True), 1):
        owned = [w * {1: 1 + odds * u, -1: 1 - u, 0: 1}[mark] for w, u in zip(owned, FLOAT_STAKES, strict=True)]
        own = sum(owned)
        require(isclose(own, told, rel_tol=1e-9), f"after {n} bets 64 gamblers own {own}, the audit says {told}")
        require(not isclose(own, 1 / alpha, rel_tol=1e-9), "choose another α: floats do not decide here")
        first = n + before if first is None and own > 1 / alpha else first
    require(found.refuted_at == first, f"refuted at {found.refuted_at}; the wealth is first 1/α at {first}")
    require(found.refuted == (first is not None), f"refuted is {found.refuted}, at {first}")


def in_parts(many: int) -> Iterator[tuple[int, tuple[int, ...], Fraction, bool, str]]:
    """Audits of the right noise in one to three parts, with the event given and learnt."""
    for seed in range(many):
        for parts in ((60,), (40, 20), (24, 16, 20)):
            yield from ((seed, parts, Fraction(3, 4), learnt, "at once") for learnt in (False, True))


def continued(many: int) -> Iterator[tuple[int, tuple[int, ...], Fraction, bool, str]]:
    """In four parts, in three ways, at a high α."""
    for seed in range(many):
        yield from ((seed, (40, 30, 20, 10), Fraction(4, 5), False, way) for way in ("at once", "saved", "batched"))


def unrelated(seed: int) -> None:
    """Words that are drawn without the data do not refute ε = 0."""
    coin = random.Random(seed)
    found = audit(lambda data: f"word {coin.randrange(250)}", [], [1], epsilon=0, runs=4000, seed=1000 + seed)
    require(not found.refuted, f"words drawn without the data refute ε = 0, by “{found.event}”")


def false_alarms(audits: int) -> None:
    """Of audits of the right noise at α = 1/20, watched after every run, no more are refuted than chance allows.

    With probability at most 10⁻⁷ more than 1/20 and 5.2 standard errors of them are.
    """
    refuted = sum(
        audit(
            count_with_noise(seed), [], [1], epsilon=1, alpha=Fraction(1, 20), event=EVENT, runs=200, seed=seed
        ).refuted
        for seed in range(audits)
    )
    most = audits / 20 + 5.2 * (audits * 0.05 * 0.95) ** 0.5 + 1
    require(
        refuted <= most, f"{refuted} of {audits} audits of the right noise are refuted, at most {most:.0f} should be"
    )


def raised(swap: bool) -> None:
    """An exception that comes on one of the two data sets only is an output, and is found, whichever it is."""
    coin = random.Random(7)

    def mechanism(data: Any) -> int:
        if bool(data) == swap and coin.random() < 0.5:
            raise KeyError("an empty leaf")
        return 7

    found = audit(mechanism, [], [1], epsilon=1, runs=800, seed=1)
    require(found.refuted, f"exceptions come on {'D′' if swap else 'D'} only, and 800 runs refute nothing")


def either_side(swap: bool, seed: int) -> None:
    """An output that comes on one of the two data sets only is found, whichever it is."""
    coin = random.Random(seed)
    found = audit(
        lambda data: "x" if bool(data) != swap and coin.random() < 0.5 else "y",
        [],
        [1],
        epsilon=1,
        runs=1200,
        seed=seed,
    )
    require(
        found.refuted, f"x comes on {'D' if swap else 'D′'} only, and 1200 runs refute nothing; event: {found.event}"
    )


CLAIMS = (
    Claim(
        "def-wealth",
        status="checked",
        code=("fdpedu.audit.auditing.Audit",),
        checks=(
            Check(
                "all of its runs",
                "exact",
                "{size} audits of the right noise in one to three parts, event given and learnt: the wealth is that of "
                "64 gamblers over all runs that were bet on, and the first time at 1/α is told",
                goes_on,
                in_parts,
                6,
                60,
            ),
            Check(
                "not on its own runs",
                "exact",
                "{size} audits of words that have nothing to do with the data: none refutes ε = 0",
                unrelated,
                lambda many: ((seed,) for seed in range(many)),
                3,
                30,
            ),
            Check(
                "exceptions",
                "exact",
                "an exception on D only, and on D′ only, is an output",
                raised,
                lambda _: ((False,), (True,)),
            ),
            Check(
                "both directions",
                "exact",
                "an output that comes on D only, or on D′ only; {size} seeds each",
                either_side,
                lambda many: ((swap, seed) for swap in (False, True) for seed in range(many)),
                3,
                30,
            ),
        ),
        assumptions=(ALL_BEFORE, PAIR),
    ),
    Claim(
        "thm-ville",
        status="proved+checked",
        code=("fdpedu.audit.auditing.Audit.more",),
        checks=(
            Check(
                "short games",
                "exhaustive",
                "e^ε = 1, 2, 3, two α: all sequences of {size} runs, or of half as many in which one may say nothing, "
                "looked at after each, in fractions",
                never_rich,
                games,
                12,
                16,
            ),
            Check(
                "continued",
                "exact",
                "{size} audits in four parts, directly, saved and loaded, and batched: none begins anew",
                goes_on,
                continued,
                8,
                80,
            ),
            Check(
                "false alarms",
                "statistical",
                "of {size} audits of the right noise, watched after each of 200 runs, at α = 1/20",
                false_alarms,
                lambda many: ((many,),),
                400,
                4000,
                alpha=1e-7,
            ),
        ),
        assumptions=(ALL_BEFORE, PAIR),
        uses=("def-wealth",),
    ),
)

TWINS = (
    Broken(
        "the event is chosen on the runs that are bet on",
        "fdpedu.audit.auditing.begin",
        "event = learnt_event(trial.run(primes), primes, Goal(*claim, runs - learnt_on))",
        "seen = trial.run(primes)\n"
        "        event = learnt_event(seen, primes, Goal(*claim, runs - learnt_on))\n"
        "        marks = np.where(primes, 1, -1) * event.guesses(seen)\n"
        '        return Audit(claim, ("D", "D′"), event, 0, start, trial, marks)',
        "The runs from which the event was learnt are runs like any other, and it is a pity not to bet on them.",
        "def-wealth",
        "not on its own runs",
    ),
    Broken(
        "exceptions are dropped",
        "fdpedu.audit.auditing.Audit.more",
        "self._add(np.where(primes, guesses, -guesses))",
        "self._add(np.where(primes, guesses, -guesses) if not self.raised else np.maximum(guesses * primes, 0))",
        "A run that failed has no output, so it does not count.",
        "def-wealth",
        "exceptions",
    ),
    Broken(
        "a guess in one direction only",
        "fdpedu.audit.events.Learnt.guesses",
        "return found if self.rising else -found",
        "return np.maximum(found if self.rising else -found, 0)",
        "ε is symmetric in D and D′, so it is enough to look for one of them.",
        "def-wealth",
        "both directions",
    ),
    Broken(
        "each part of an audit with a fresh α",
        "fdpedu.audit.auditing.Audit._add",
        "first_reaching(self._bet, 1 / self.alpha, self._totals, marks)",
        "first_reaching(self._bet, 1 / self.alpha, 0 * self._totals, marks)",
        "Whoever continues tomorrow makes a new test tomorrow.",
        "thm-ville",
        "continued",
    ),
    Broken(
        "stops at the best p-value",
        "fdpedu.audit.auditing.Audit._add",
        "at = first_reaching(self._bet, 1 / self.alpha, self._totals, marks)",
        "n, k, c = np.cumsum(marks != 0), np.cumsum(marks == 1), float(self._bet.odds)\n"
        "        best = (k - n / (1 + c)) / np.sqrt(np.maximum(n, 1) * c / (1 + c) ** 2)\n"
        "        tails = [__import__('math').erfc(z / 2**0.5) / 2 for z in best.tolist()]\n"
        "        at = next((i + 1 for i, tail in enumerate(tails) if i > 20 and tail <= self.alpha), None)",
        "A p-value below α refutes the claim, and one may stop as soon as it is there.",
        "thm-ville",
        "false alarms",
    ),
    Broken(
        "the best gambler in hindsight",
        "fdpedu.audit.betting.Bet.reaches",
        'least, counts = GAMBLERS * as_fraction(level, "level"), _counts(right, wrong, none)',
        'least, counts = as_fraction(level, "level"), _counts(right, wrong, none)',
        "Of several stakes the one that did best was the right one, so its gambler began with all the money.",
        "thm-ville",
        "short games",
    ),
)

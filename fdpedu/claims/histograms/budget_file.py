"""Rounds that are charged in a file, by processes that are killed, race, or fork.

Checks of thm-round.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import product
from tempfile import TemporaryDirectory

from fdpedu.accounting import BudgetExceeded, Charge, Ledger
from fdpedu.claims.checking import require
from fdpedu.claims.federations import AGE
from fdpedu.claims.forks import Say, begin_child, count_lines, end_child, in_child, require_fork
from fdpedu.derivation_checker import check_derivation
from fdpedu.federation import ClassCounts, Federation, InProcess, Party
from fdpedu.federation.evidence import Evidence
from fdpedu.randomness import Rehearsal, ReplayedWords, Source
from fdpedu.secure_sum import KeyPair, pairwise_keys

COST = Fraction(1, 4)
ROUNDS = 3  # of a process that is to be killed; the budget is enough for one more


class _Telling(InProcess):
    """A transport that says which round an answer belongs to, as soon as the answer is out; and may then die."""

    def __init__(self, say: Say, dies: bool = False) -> None:
        super().__init__()
        self._say, self._dies = say, dies

    def gather(
        self, round_number: int, names: Sequence[str], request: bytes, endpoints: Sequence[Callable[[bytes], bytes]]
    ) -> list[bytes | None]:
        def reported(respond: Callable[[bytes], bytes], request: bytes) -> bytes:
            answer = respond(request)
            self._say(str(round_number))
            if self._dies:
                os.kill(os.getpid(), signal.SIGKILL)
            return answer

        return super().gather(round_number, names, request, [partial(reported, respond) for respond in endpoints])


def _federation(ledger: Ledger, transport: InProcess | None = None) -> Federation:
    parties = [Party([[10, "ill"]], AGE), Party([], AGE)]
    return Federation(parties, AGE, ledger, transport=transport, rng=Rehearsal(0))


def _ask(federation: Federation, rounds: int = ROUNDS) -> None:
    for _ in range(rounds):
        federation.release([ClassCounts(AGE.everything, COST)])


def _work(path: str, moment: int | None, say: Say) -> None:
    """Three rounds, killed at a line; 0: as soon as an answer has left; None: not killed, and the lines are counted."""
    federation = _federation(Ledger.open(path), _Telling(say, dies=moment == 0))
    lines = count_lines(partial(_ask, federation), moment)
    if moment is None:
        say(f"{lines} lines")


def killed(moment: int) -> None:
    """However a process was killed, what it let out is charged, once; and the next one goes on with the rest.

    The file holds what was asked in each round, so that the checker accepts the whole as complete.
    """
    with TemporaryDirectory() as folder:
        path = f"{folder}/budget.db"
        Ledger.open(path, COST * (ROUNDS + 1), domain=AGE).close()
        said, status = in_child(partial(_work, path, moment))
        require(status == -signal.SIGKILL, f"the process was not killed: {said}, {status}")
        with Ledger.open(path) as ledger:
            seen, rounds = sorted(set(map(int, said))), ledger.rounds
            require(seen == list(range(1, len(seen) + 1)), f"answers of the rounds {seen} were seen")
            require(len(seen) <= rounds <= len(seen) + 1, f"answers of the rounds {seen} were seen, {rounds} charged")
            require(ledger.spent == COST * rounds, f"{rounds} rounds cost {ledger.spent}")
            _ask(_federation(ledger), 1)
            require(ledger.rounds == rounds + 1, f"after {rounds} rounds the next has number {ledger.rounds}")
            derivation = ledger.derivation()
            require(derivation.spent == COST * (rounds + 1), "the derivation says otherwise")
            asked = Evidence.of(ledger).manifest(derivation).to_json()
            require(check_derivation(derivation.to_json(), asked).spent == derivation.spent, "it is not complete")


def moments(most: int) -> Iterator[tuple[int]]:
    """When an answer has left; and so many lines, evenly over what the rounds run through."""
    require_fork()
    yield (0,)  # which leaves the caches filled, so that all children run through as many lines
    with TemporaryDirectory() as folder:
        path = f"{folder}/budget.db"
        Ledger.open(path, 1, domain=AGE).close()
        said, _ = in_child(partial(_work, path, None))
    lines = int(said[-1].split()[0]) * 19 // 20
    yield from ((1 + lines * i // most,) for i in range(most))


def waits(cost: str, expected: int | None) -> None:
    """While another process writes a round of 1/2, a charge waits; then it finds what is left of 1."""
    with TemporaryDirectory() as folder:
        path = f"{folder}/budget.db"
        ledger = Ledger.open(path, 1, domain=AGE)
        child, reading = begin_child(partial(_write_slowly, path))
        os.read(reading, 1)
        number = _number_of(partial(ledger.charge, [_count(cost)]))
        said, status = end_child(child, reading)
        require(status == 0, f"the other process failed: {said}")
        require(number == expected, f"a charge of {cost} after one of 1/2 has the number {number}")
        require(ledger.spent == Fraction(1, 2) + (Fraction(cost) if expected else 0), f"{ledger.spent} is spent")


def _write_slowly(path: str, say: Say) -> None:
    with Ledger.open(path)._books("BEGIN IMMEDIATE") as books:
        say("begun")
        time.sleep(0.2)
        books.append(1, "", [_count("1/2")])


def turns(_: int) -> Iterator[tuple[str, int | None]]:
    require_fork()
    yield from (("1/2", 2), ("3/4", None))


def _count(cost: str) -> Charge:
    return Charge(AGE.everything, Fraction(cost), "count", "m", 1, "thm-histogram")


def one_budget(order: tuple[tuple[int, str], ...]) -> None:
    """Two ledgers on one file, and a third that opens it anew each time, together are one ledger."""
    one = Ledger(1, domain=AGE)
    with TemporaryDirectory() as folder:
        path = f"{folder}/budget.db"
        both = [Ledger.open(path, 1, domain=AGE), Ledger.open(path)]
        for who, cost in order:
            charge = [_count(cost)]
            booked, expected = (
                _number_of(partial(ledger.charge, charge)) for ledger in ((*both, Ledger.open(path))[who], one)
            )
            require(booked == expected, f"ledger {who} says {booked}, one ledger alone {expected}")
        for ledger in (*both, Ledger.open(path)):
            require(ledger.spent == one.spent, f"{ledger.spent} is spent in the file, and {one.spent} in one ledger")


def _number_of(charge: Callable[[], int]) -> int | None:
    try:
        return charge()
    except BudgetExceeded:
        return None


def orders(most: int) -> Iterator[tuple[tuple[tuple[int, str], ...]]]:
    """Who charges, and how much, up to so many times."""
    for n in range(1, most + 1):
        yield from ((order,) for order in product(product(range(3), ("1/3", "2/3")), repeat=n))


def racing(n: int) -> None:
    """Several processes release until the budget is spent: each round once, and all of the budget."""
    with TemporaryDirectory() as folder:
        path, rounds = f"{folder}/budget.db", 4 * n + 1
        Ledger.open(path, COST * rounds, domain=AGE).close()
        children = [begin_child(partial(_spend, path)) for _ in range(n)]
        said = [line for child in children for line in end_child(*child)[0]]
        numbers = sorted(said)
        expected = sorted(2 * [str(number) for number in range(1, rounds + 1)])  # two parties answer a round
        require(numbers == expected, f"the rounds {numbers} were answered")
        with Ledger.open(path) as ledger:
            require(ledger.spent == ledger.budget, f"{ledger.spent} of {ledger.budget} is spent")


def _spend(path: str, say: Say) -> None:
    federation = _federation(Ledger.open(path), _Telling(say))
    while True:
        try:
            _ask(federation, 1)
        except BudgetExceeded:
            return


def processes(most: int) -> Iterator[tuple[int]]:
    require_fork()
    yield from ((n,) for n in range(2, most + 1))


def _kinds() -> dict[str, Callable[[], object]]:
    """What is made here, and what a child then tries to do with it."""
    sources: dict[str, Source] = {"rehearsal": Rehearsal(1), "tape": ReplayedWords([1, 2])}
    pair, other, masks = KeyPair(), KeyPair(), pairwise_keys(2)[0]
    ledger, federation, known = Ledger(1), _federation(Ledger(1)), Ledger(1, domain=AGE)
    return {
        "ledger": partial(ledger.charge, [_count("1/2")]),
        "new federation of a ledger": lambda: _ask(_federation(known), 1),
        "federation": partial(_ask, federation, 1),
        "masks": partial(masks.draw, 0, 1),
        "key pair": partial(pair.shared_key, other.public),
        **{name: partial(source.words, 1) for name, source in sources.items()},
        **{f"child of a {name}": partial(source.spawn, 1) for name, source in sources.items()},
    }


def forked(kind: str) -> None:
    """A child refuses to go on, and its parent goes on."""
    go_on = _kinds()[kind]

    def attempt(say: Say) -> None:
        try:
            go_on()
            say("it went on")
        except ValueError as error:
            say(str(error))

    said, _ = in_child(attempt)
    require("forked" in said[-1], f"in the child: {said[-1]}")
    go_on()


def kinds(_: int) -> Iterator[tuple[str]]:
    require_fork()
    yield from ((kind,) for kind in _kinds())

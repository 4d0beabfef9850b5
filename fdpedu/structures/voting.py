"""Structures that travel at a stated ε: generations of votes, in which each party draws one structure on its own rows.

In place of scores, which are counts, a generation releases how many parties drew each structure. The first structures
come from public coins, and all later ones from public coins and the votes before them; so no generation depends on rows
other than through votes. Nobody is asked for a size, a depth, or a wish. What a party then does at home, with the
structures that everybody sees, is released to nobody.

Guarantee: for records added or removed, ε against whoever sees the votes, and against all other parties together;
integers. Each party's own tree is an exact function of its rows, so it is not private towards that party, and what all
the others see together of its rows costs ε. Not guaranteed: that a party votes by its rows; running time.

Claims: thm-structures, thm-billboard
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import product

import numpy as np

from fdpedu.accounting import Cost
from fdpedu.accounting.limits import needs_of, require_left
from fdpedu.cart.least_loss import require_loss
from fdpedu.cart.structures import LEAF, count_structures, to_string, to_structure
from fdpedu.exact import Rational, as_integer
from fdpedu.federation import Population, StructureVote
from fdpedu.federation.asker import Asker, Progress, require_federation
from fdpedu.federation.queries.structures import DEEPEST, MOST_STRUCTURES
from fdpedu.randomness import Rng, Source, uniform_below
from fdpedu.showing import TerminalBar
from fdpedu.structures.genetic import String, offspring, random_string
from fdpedu.structures.released import Structures
from fdpedu.structures.released_file import Generation
from fdpedu.trees.account import Account
from fdpedu.trees.costs import budget_within
from fdpedu.trees.subset import public_coins, shuffled

MOST_GENERATIONS, LATTICE, PRESSURE = 100, 1024, 2
_TRIES = 20  # to find a structure that is not there yet


def fit_private_structures(
    federation: Asker,
    *,
    max_depth: int = 2,
    population: int = 40,
    generations: int = 3,
    epsilon: Cost | Rational | None = None,
    loss: str | None = None,
    progress: Progress | None = None,
    rng: Rng = None,
) -> Structures:
    """Structures that the parties of a federation have voted on; with their derivation.

    Claims: thm-structures

    Parameters
    ----------
    federation : parties, domain and ledger
    max_depth : of the structures, from 1 to 3
    population : P, how many are voted on in each generation, from 2 to 64; all, where there are no more
    generations : G, from 1 to 100; each costs ε/G
    epsilon : of all generations together; all that the ledger has left unless given
    loss : by which parties judge: ``errors`` for classes, ``squared`` for a target; the domain's own unless given
    progress : called with the number of answers so far and the most that there may be
    rng : public coins, of which structures are made; None for the operating system's. They hide nothing

    Raises
    ------
    BudgetExceeded
        If ``epsilon`` is more than the ledger has left; then nothing is released.
    ValueError
        For a ledger of ρ, structures of more cells than a party counts, a cost too small to be drawn; before anything
        is charged.
    Exception
        Whatever fails after something was paid, such as a party that falls silent: its attribute ``released`` has the
        answers, and ``model`` the generations that were voted on (:attr:`Structures.unfinished`), None if none was.
    """
    require_federation(federation)
    depth = as_integer(max_depth, "max_depth", minimum=1, maximum=DEEPEST)
    size = as_integer(population, "population", minimum=2, maximum=MOST_STRUCTURES)
    rounds = as_integer(generations, "generations", minimum=1, maximum=MOST_GENERATIONS)
    own = "errors" if federation.domain.target is None else "squared"
    judged = own if loss is None else loss
    require_loss(judged)
    each, coins = _cost_of_each(federation, epsilon, rounds), public_coins(rng, federation)

    def vote(strings: tuple[String, ...]) -> StructureVote:
        return StructureVote(federation.domain.everything, each, Population(strings), judged, LATTICE)

    _require_room(federation, vote, depth, size, rounds)
    report = TerminalBar("voting on structures") if progress is None else progress
    return _voted(federation, vote, (depth, size, rounds), report, coins)


def _cost_of_each(federation: Asker, epsilon: Cost | Rational | None, rounds: int) -> Fraction:
    """ε of a generation."""
    ledger = federation.ledger
    budget = budget_within(ledger.left(), ledger.measure, epsilon, ledger.total.delta)
    if not budget.is_pure:
        raise ValueError(
            f"epsilon must be ε, as a vote for structures is a choice, and the budget is in ρ ({budget}): take a "
            "ledger of ε"
        )
    return budget.value / rounds


def _require_room(
    federation: Asker, vote: Callable[[tuple[String, ...]], StructureVote], depth: int, size: int, rounds: int
) -> None:
    """Refuse what could not be asked to the end, before anything is charged: the largest structures there may be."""
    domain, ledger = federation.domain, federation.ledger
    widest = max(range(domain.n_features), key=lambda j: domain.features[j].n_codes)
    largest = vote(((widest,) * (2**depth - 1),) * size)
    largest.check(domain)
    charge = largest.charge(domain, federation.colluders, "any")
    needs = needs_of([charge], rounds) + Counter(steps=2 * rounds)
    require_left(ledger.counts, ledger.total, [charge.cost], needs)


def _voted(
    federation: Asker,
    vote: Callable[[tuple[String, ...]], StructureVote],
    numbers: tuple[int, int, int],
    report: Progress,
    coins: Source,
) -> Structures:
    """Generation after generation."""
    (depth, size, rounds), domain, found = numbers, federation.domain, list[Generation]()
    account = Account(federation, "vote on structures")
    strings = first_generation(domain.n_features, depth, size, coins)
    with account.delivering(lambda: _structures_of(federation, query, found, account, rounds)):
        for number in range(rounds):
            query = vote(strings)

            def answered(done: int, of: int, number: int = number) -> None:
                report(number * of + done, rounds * of)

            # thm-structures: generations see the same records, so each is charged on top of those before
            (votes,) = account.release([query], answered=answered)
            found.append(Generation(strings, tuple(votes.tolist())))
            if number + 1 < rounds:
                strings = next_generation(found, domain.n_features, size, coins)
        report(1, 1)
    return _structures_of(federation, query, found, account, rounds)


def _structures_of(
    federation: Asker, query: StructureVote, found: Sequence[Generation], account: Account, planned: int
) -> Structures:
    """The generations that were voted on; unfinished, if they are fewer than were planned."""
    return Structures(
        federation.domain,
        query.loss,
        query.lattice,
        tuple(found),
        federation.ledger.derivation(),
        federation.n_parties,
        federation.tolerate,
        account.rounds,
        len(found) < planned,
    )


def first_generation(n_features: int, depth: int, size: int, coins: Source) -> tuple[String, ...]:
    """Random structures that ask at all places, all different; or all structures, where there are no more than that.

    Claims: thm-structures

    >>> from fdpedu.randomness import Rehearsal
    >>> first_generation(4, 2, 3, Rehearsal(1))
    ((3, 2, 1), (0, 2, 2), (0, 2, 1))
    >>> sorted(first_generation(1, 1, 40, Rehearsal(1)))
    [(-1,), (0,)]
    """
    return _filled([], (n_features, depth, size), lambda: [random_string(n_features, depth, 0, coins)], coins)


def next_generation(before: list[Generation], n_features: int, size: int, coins: Source) -> tuple[String, ...]:
    """Structures that have had votes, at most half of all, and offspring of theirs; from public coins and votes only.

    Parameters
    ----------
    before : all earlier generations, at least one
    n_features, size : p and P
    coins : public
    """
    votes = Counter[String]()
    for generation in before:
        for string, n in zip(generation.strings, generation.votes, strict=True):
            votes[connected(string)] += max(0, n)  # a liar's votes may be below 0
    ranked = sorted((string for string in votes if votes[string]), key=lambda string: -votes[string])
    parents = ranked[: size // 2] or [connected(string) for string in before[-1].strings]
    fitness = [votes[string] for string in parents]

    def made() -> Iterable[String]:
        return map(connected, offspring(parents, fitness, 2, PRESSURE, n_features, coins))

    numbers = n_features, depth_of(before[-1].strings[0]), size
    return _filled(ranked[: size // 2], numbers, made, coins)


def depth_of(string: String) -> int:
    """Of the full tree that a string writes down."""
    return len(string).bit_length()


def connected(string: String) -> String:
    """The one string of a structure that has no detached subtrees.

    >>> connected((2, -1, 0)), connected((-1, 2, 0))
    ((2, -1, 0), (-1, -1, -1))
    """
    return to_string(to_structure(string), depth_of(string))


def _filled(
    kept: list[String], numbers: tuple[int, int, int], make: Callable[[], Iterable[String]], coins: Source
) -> tuple[String, ...]:
    """As many different structures as are asked for: those that are kept, then new ones, made so or quite at random.

    Parameters
    ----------
    kept : different from each other
    numbers : p, the depth, and how many; if there are no more structures, all of them
    make : some more
    coins : public
    """
    n_features, depth, size = numbers
    if count_structures(n_features, depth) <= size:
        found = list(dict.fromkeys(connected(s) for s in product(range(LEAF, n_features), repeat=2**depth - 1)))
        return tuple(shuffled(found, coins))
    found, tries = list(kept), 0
    while len(found) < size:
        tries += 1
        some = make() if tries <= _TRIES * size else [_any_string(n_features, depth, coins)]
        found += [string for string in dict.fromkeys(some) if string not in found]
    return tuple(found[:size])


def _any_string(n_features: int, depth: int, coins: Source) -> String:
    """Each place a feature or nothing, alike."""
    letters = uniform_below(np.full(2**depth - 1, n_features + 1), coins) + LEAF
    return connected(tuple(letters.tolist()))

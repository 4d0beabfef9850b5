"""Checks of chapter 5: sums that survive drop-outs come out right or not at all, and show nothing but the sum."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import combinations_with_replacement, product
from typing import NamedTuple

import numpy as np

from fdpedu.claims.checking import require
from fdpedu.claims.secure_sum.laws_ideal import IdealPrimitives, Tables, ideal_tables, view_counts
from fdpedu.randomness import Words
from fdpedu.secure_sum import (
    STAGES,
    Member,
    Reveal,
    RoundLost,
    Rules,
    Share,
    encode,
    recover_secret,
    seat,
    sum_with_dropouts,
)

Pattern = tuple[int, ...]  # for each party, how many stages it completes


def sum_or_error(rules: Rules, completes: Pattern, modulus: int) -> None:
    """The sum of those who sent their numbers, exactly when enough were left at every stage; else the round is lost."""
    values = [[7**k, -(3**k), 1] for k in range(rules.n_parties)]
    at = [sum(done > stage for done in completes) for stage in range(len(STAGES))]
    needed = [rules.least_survivors] * 3 + [rules.threshold] * 2
    short = next((stage for stage, name in enumerate(STAGES) if at[stage] < needed[stage]), None)
    try:
        result = sum_with_dropouts(values, rules, completes, modulus, primitives=IdealPrimitives())
    except RoundLost as lost:
        require(short is not None, f"enough were left, but {lost}")
        silent = [str(k) for k, done in enumerate(completes) if done <= short]  # type: ignore[operator]
        require(str(lost).endswith(f"not there: {', '.join(silent)}"), f"other parties are missing than: {lost}")
        return
    require(short is None, "there is a result, although too few were left")
    sent = [row for row, done in zip(values, completes, strict=True) if done > 2]
    require(result.tolist() == np.sum(sent, axis=0).tolist(), f"the sum of those who sent is not {result.tolist()}")
    noise = len(sent) - rules.colluders
    require(noise >= rules.n_parties - rules.tolerate, f"the sum holds {noise} honest noise shares, which is too few")


def every_pattern(parties: int) -> Iterator[tuple[Rules, Pattern, int]]:
    """All patterns of 2 to so many parties: with all rules up to one party less, with two rules for the most."""
    for n in range(2, parties + 1):
        few = (Rules.for_missing(n, 1), Rules.for_missing(n, 2, 1, liar=False)) if n == parties else honest_rules(n)
        for rules in few:
            yield from ((rules, completes, 2**64) for completes in product(range(len(STAGES) + 1), repeat=n))


def honest_rules(n: int) -> Iterator[Rules]:
    """All rules for n parties and an honest aggregator: those against a liar are among them, but for a name."""
    return (rules for rules in all_rules(n) if not rules.liar)


def all_rules(n: int) -> Iterator[Rules]:
    """All rules for n parties that are accepted: the noise tolerates the colluders, the missing, too, or one more."""
    for missing, colluders, liar in product(range(n), range(n), (True, False)):
        for tolerate in sorted({colluders, missing + colluders, missing + colluders + 1}):
            try:
                yield Rules(n, n - missing, colluders, tolerate, liar)
            except ValueError:
                continue


def patterns_up_to_order(parties: int) -> Iterator[tuple[Rules, Pattern, int]]:
    """All rules of 3 to so many parties, and patterns up to permutation of the parties, mod 97·2^10."""
    for n in range(3, parties + 1):
        stages = list(combinations_with_replacement(range(len(STAGES) + 1), n))
        yield from ((rules, completes, 97 * 2**10) for rules in honest_rules(n) for completes in stages)


def real_keys(rules: Rules, completes: Pattern) -> None:
    """The same with X25519, Ed25519 and sealed boxes, which the tables stand for elsewhere."""
    values = [[k, -k] for k in range(rules.n_parties)]
    sent = [row for row, done in zip(values, completes, strict=True) if done > 2]
    result = sum_with_dropouts(values, rules, completes)
    require(result.tolist() == np.sum(sent, axis=0).tolist(), "the sum is another one")


# --- what is seen -----------------------------------------------------------------------------------------------------


class Opened(NamedTuple):
    """The secrets that shares of the aggregator and the colluders open, by owner."""

    seeds: dict[int, bytes]
    keys: dict[int, bytes]


def opened(rules: Rules, members: Sequence[Member], reveals: Iterable[Reveal], colluders: Collection[int]) -> Opened:
    """All shares that were revealed, and all that colluders hold, put together wherever there are t of one secret."""
    found: list[dict[int, dict[int, bytes]]] = [{}, {}]
    for reveal in reveals:
        for kind, shares in zip(found, reveal[1:], strict=True):
            for owner, y in shares:
                kind.setdefault(owner, {})[reveal.party] = y
    for c in colluders:
        for owner, both in members[c]._shares.items():
            for kind, y in zip(found, both, strict=True):
                kind.setdefault(owner, {})[c] = y
    return Opened(*(_secrets(rules, kind) for kind in found))


def _secrets(rules: Rules, held: dict[int, dict[int, bytes]]) -> dict[int, bytes]:
    """The secrets of which t shares are held; what fewer shares give is nobody's secret."""
    found = {}
    for owner, by_holder in held.items():
        if len(by_holder) >= rules.threshold:
            shares = [Share(holder + 1, int.from_bytes(y, "big")) for holder, y in by_holder.items()]
            found[owner] = recover_secret(shares, rules.threshold).to_bytes(32, "big")
    return found


def only_the_sum(rules: Rules, completes: Pattern, modulus: int) -> None:
    """Over all ideal tables, what is seen has one law for all honest numbers with the same sum of honest survivors.

    Seen are all masked numbers, late ones too; all tables of secrets that shares can open; and what colluders know.
    The colluders are the last parties, and follow the protocol.
    """
    n = rules.n_parties
    colluders, honest = range(n - rules.colluders, n), range(n - rules.colluders)
    with ideal_tables(n * (n + 1) // 2, modulus) as tables:
        members, sent, listed, reveals = _played(rules, completes, tables, modulus)
        if not sent:
            return
        secrets = opened(rules, members, reveals, colluders)
        known = _known(members, secrets, colluders, sent, tables)
    if any(k in honest for k in (*secrets.seeds, *secrets.keys)):
        noise = len(set(listed) & set(honest))
        require(noise >= n - rules.tolerate, f"secrets are opened, with {noise} honest noise shares")
    laws: dict[int, dict[int, int]] = {}
    for values in product(range(modulus), repeat=len(honest)):
        own = (*values, *[0] * len(colluders))
        seen = [encode(np.full(tables.size, own[k]), mask, modulus) for k, mask in sorted(sent.items())]
        total = sum(own[k] for k in listed) % modulus
        law = view_counts([*seen, *known], modulus)
        require(laws.setdefault(total, law) == law, f"the view of {values} differs from others of the same sum")


def _played(
    rules: Rules, completes: Pattern, tables: Tables, modulus: int
) -> tuple[list[Member], dict[int, Words], tuple[int, ...], list[Reveal]]:
    """A round on zeros: the members, all masked numbers (also of who fell silent then), the list, what was revealed."""
    members, collector = seat(rules, tables.size, modulus, primitives=IdealPrimitives())
    zeros, sent = np.zeros(tables.size, dtype=np.int64), dict[int, Words]()

    def left(stage: int) -> list[Member]:
        return [member for member in members if completes[member.index] > stage]

    listed: tuple[int, ...] = ()
    reveals: list[Reveal] = []
    try:
        hellos = collector.hellos([member.announce() for member in left(0)])
        boxes = collector.boxes([box for member in left(1) for box in member.share(hellos)])
        masked = [member.mask(zeros, boxes[member.index]) for member in left(1)]
        sent = {one.party: one.words for one in masked}  # those who fall silent now are late, and not listed
        listed = collector.survivors([one for one in masked if completes[one.party] > 2])
        consents = collector.consents([member.agree(listed) for member in left(3)])
        reveals = [member.unmask(consents) for member in left(4)]
    except RoundLost:
        pass
    return members, sent, listed, reveals


def _known(
    members: Sequence[Member], secrets: Opened, colluders: range, sent: Collection[int], tables: Tables
) -> list[Words]:
    """The tables of opened secrets, and of the colluders' own."""
    occasion, known = members[0].occasion, []
    for _, seed in sorted({**secrets.seeds, **{c: members[c]._seed for c in colluders}}.items()):
        known.append(occasion.self_mask(seed))
    for k, key in sorted({**secrets.keys, **{c: members[c]._key for c in colluders}}.items()):
        for j in sorted(set(sent) - {k}):
            public = members[0]._primitives.public(members[j]._key)
            known.append(occasion.pairwise(k, {j: members[0]._primitives.agree(key, public)}))
    return known


def small_views(most: int) -> Iterator[tuple[Rules, Pattern, int]]:
    """All rules and patterns of two and three parties mod 2, and of more with R^(number of tables) up to ``most``."""
    for n, modulus in ((2, 2), (3, 2), (2, 3), (3, 3), (4, 2), (4, 3)):
        if modulus ** (n * (n + 1) // 2) <= most:
            for rules in honest_rules(n):
                if n < 4 or rules.tolerate == n - rules.threshold + rules.colluders:
                    patterns = combinations_with_replacement if n > 3 else _ordered
                    yield from ((rules, completes, modulus) for completes in patterns(range(2, 6), n))


def _ordered(stages: Iterable[int], n: int) -> Iterator[Pattern]:
    yield from product(stages, repeat=n)

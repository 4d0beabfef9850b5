"""Sums that survive drop-outs: they come out right or are lost."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, combinations_with_replacement, product
from typing import NamedTuple

import numpy as np

from fdpedu.claims.checking import Refuted, require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.secure_sum.ideal import IdealPrimitives
from fdpedu.secure_sum import (
    STAGES,
    Consent,
    Member,
    Reveal,
    RoundLost,
    Rules,
    Share,
    recover_secret,
    seat,
    sum_with_dropouts,
)

Pattern = tuple[int, ...]  # for each party, how many stages it completes
Sharers = tuple[Pattern, ...]  # for each honest party, whose boxes it gets, its own included


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


def lists_are_impossible(parties: int, threshold: int, colluders: int) -> None:
    """Rules against a liar are accepted exactly if c < t and the honest cannot be divided under two signed lists."""
    honest = parties - colluders
    divided = any(min(first, honest - first) + colluders >= threshold for first in range(honest + 1))
    try:
        Rules(parties, threshold, colluders, parties - 1)
    except ValueError:
        require(divided or not colluders < threshold, "rules are refused, although two lists cannot both be signed")
        return
    require(not divided and colluders < threshold, "rules are accepted that let two lists both be signed")


def all_thresholds(most: int) -> Iterator[tuple[int, int, int]]:
    """Up to so many parties, all thresholds, all numbers of colluders."""
    for parties in range(2, most + 1):
        yield from product([parties], range(1, parties + 1), range(parties - 1))


def masked(rules: Rules, sharers: Sharers) -> list[Member]:
    """A round up to the third stage, in which each honest party gets the boxes of some only."""
    members, collector = seat(rules, 1, primitives=IdealPrimitives())
    hellos = collector.hellos([member.announce() for member in members])
    boxes = collector.boxes([box for member in members for box in member.share(hellos)])
    for member in members:
        whose = sharers[member.index] if member.index < len(sharers) else range(len(members))
        member.mask(np.zeros(1, dtype=np.int64), [box for box in boxes[member.index] if box.sender in whose])
    return members


def signed(members: Sequence[Member], honest: int, lists: Mapping[int, Pattern]) -> list[Consent]:
    """What the honest sign of the lists that they are sent, and colluders under all that somebody might want."""
    consents = list[Consent]()
    for k, listed in lists.items():
        try:
            consents.append(members[k].agree(listed))
        except ValueError:  # it is not on the list, has others' shares, or has signed another
            continue
    wanted = {(member._sharers, listed) for member in members[:honest] for listed in lists.values()}
    for colluder in members[honest:]:
        for sharers, listed in wanted:
            consents.append(Consent(colluder.index, colluder._sign("survivors", sharers, listed)))
    return consents


def revealed(members: Sequence[Member], consents: Sequence[Consent]) -> dict[int, Reveal]:
    """What the honest reveal, who are shown all consents."""
    found = {}
    for member in members:
        try:
            found[member.index] = member.unmask(consents)
        except ValueError:
            continue
    return found


def one_list_is_opened(rules: Rules, lists: tuple[Pattern, Pattern], sent: Pattern) -> None:
    """Honest parties are sent one of two lists each, and afterwards the other one; colluders sign both.

    Of no honest party both secrets are opened; and masks are taken off for one list at most, with enough honest noise.
    """
    honest = rules.n_parties - rules.colluders
    members = masked(rules, (tuple(range(rules.n_parties)),) * honest)
    reveals, answered = list[Reveal](), set[Pattern]()
    for turn in (0, 1):
        shown = {k: lists[which ^ turn] for k, which in enumerate(sent)}
        consents = signed(members, honest, shown)
        found = revealed(members[:honest], consents)
        reveals += found.values()
        answered |= {shown[k] for k in found}
    require(len(answered) <= 1, f"masks are taken off for two lists of survivors: {sorted(answered)}")
    require_one_secret(opened(rules, members, reveals, range(honest, len(members))), honest)
    for listed in answered:
        noise = len(set(listed) & set(range(honest)))
        require(noise >= rules.n_parties - rules.tolerate, f"{noise} honest noise shares are too few")


def require_one_secret(secrets: Opened, honest: int) -> None:
    """Of no honest party both secrets are opened."""
    both = sorted(k for k in range(honest) if k in secrets.seeds and k in secrets.keys)
    require(not both, f"both secrets are opened of the parties {both}")


def long_lists(rules: Rules) -> list[Pattern]:
    """All lists of survivors that have as many names as the rules demand."""
    n = rules.n_parties
    return [some for size in range(rules.least_survivors, n + 1) for some in combinations(range(n), size)]


def lies(rules: Rules) -> Iterator[tuple[Rules, tuple[Pattern, Pattern], Pattern]]:
    """All pairs of lists, and all ways to tell each honest party of one, if possible of one that it is on."""
    for lists in combinations(long_lists(rules), 2):
        on = [[i for i in (0, 1) if k in lists[i]] or [0] for k in range(rules.n_parties - rules.colluders)]
        yield from ((rules, lists, sent) for sent in product(*on))


def lists_can_be_mixed(rules: Rules) -> None:
    """Without the condition against liars there is an attack: some lie opens both secrets, or two lists."""
    for case in lies(rules):
        try:
            one_list_is_opened(*case)
        except Refuted:
            return
    raise Refuted("no lie is of any use, although the rules do not provide for a liar")


def false_shares_noticed(rules: Rules, owner: int, holder: int, kind: str, byte: int) -> None:
    """A false share of a seed or of a key ends the round with an error that says whose it is, and no sum."""
    members, collector = seat(rules, 1, primitives=IdealPrimitives())
    silent = (owner,) if kind == "key" else ()
    hellos = collector.hellos([member.announce() for member in members])
    boxes = collector.boxes([box for member in members for box in member.share(hellos)])
    alive = [member for member in members if member.index not in silent]
    listed = collector.survivors([one.mask(np.ones(1, dtype=np.int64), boxes[one.index]) for one in alive])
    consents = collector.consents([member.agree(listed) for member in alive])
    reveals = [member.unmask(consents) for member in alive]
    falsified = [_falsified(reveal, owner, byte) if reveal.party == holder else reveal for reveal in reveals]
    try:
        total = collector.total(sorted(falsified, key=lambda reveal: reveal.party != holder))
    except ValueError as error:
        require(f"of party {owner}" in str(error) and "share of it is false" in str(error), f"refused, but as {error}")
        return
    raise Refuted(f"a false share gives the sum {total.tolist()}")


def _falsified(reveal: Reveal, owner: int, byte: int) -> Reveal:
    def false(y: bytes) -> bytes:
        return y[:byte] + bytes([y[byte] ^ 1]) + y[byte + 1 :]

    kinds = (tuple((k, false(y) if k == owner else y) for k, y in shares) for shares in reveal[1:])
    return Reveal(reveal.party, *kinds)


CLAIMS = (
    Claim(
        "lem-survivor-lists",
        status="proved+checked",
        code=(
            "fdpedu.secure_sum.rules",
            "fdpedu.secure_sum.rules.Rules",
            "fdpedu.secure_sum.rules.two_lists_impossible",
        ),
        checks=(
            Check(
                "divisions",
                "exhaustive",
                "two to {size} parties, all thresholds, colluders, and divisions of the honest under two lists",
                lists_are_impossible,
                all_thresholds,
                9,
                40,
            ),
            Check(
                "without it",
                "exact",
                "rules for an honest aggregator with 2t = K + c: some lie opens two lists, or both secrets of a party",
                lists_can_be_mixed,
                lambda _: [(Rules(4, 2, 0, 2, False),), (Rules(3, 2, 1, 2, False),), (Rules(2, 1, 0, 1, False),)],
            ),
        ),
        assumptions=("signatures are not forged",),
        uses=("asm-signatures",),
    ),
    Claim(
        "thm-dropout-sum",
        status="proved+checked",
        code=(
            "fdpedu.secure_sum.dropouts",
            "fdpedu.secure_sum.dropouts.Member.mask",
            "fdpedu.secure_sum.collector",
            "fdpedu.secure_sum.collector.Collector.total",
            "fdpedu.secure_sum.collector.sum_with_dropouts",
        ),
        checks=(
            Check(
                "patterns",
                "exhaustive",
                "all patterns of drop-outs at all stages: all rules of fewer than {size} parties, two rules of {size}",
                sum_or_error,
                every_pattern,
                4,
                5,
            ),
            Check(
                "patterns up to order",
                "exhaustive",
                "3 to {size} parties, all rules, patterns up to permutation of the parties, another modulus",
                sum_or_error,
                patterns_up_to_order,
                3,
                6,
            ),
            Check(
                "real keys",
                "exact",
                "X25519, Ed25519 and sealed boxes: four parties, one of which falls silent at each stage",
                real_keys,
                lambda _: ((Rules.for_missing(4, 1), (5, stage, 5, 5)) for stage in range(6)),
                more=[(Rules.for_missing(4, 1), (5, 5, 5, stage)) for stage in range(6)],
            ),
            Check(
                "false shares",
                "exact",
                "four parties, one of which gives a false share of another's seed, or key",
                false_shares_noticed,
                lambda _: ((Rules.for_missing(4, 1), 1, *rest) for rest in product((0, 2), ("seed", "key"), (0, 65))),
                more=[(Rules.for_missing(4, 1), 3, 1, *rest) for rest in product(("seed", "key"), (0, 30, 65))],
            ),
        ),
        assumptions=("integers mod $R$", "the true sums lie in $[-R/2,R/2)$"),
        uses=("thm-shamir", "thm-private-sum", "lem-no-overflow"),
    ),
)

TWINS = (
    Broken(
        "half of the parties is enough",
        "fdpedu.secure_sum.rules.two_lists_impossible",
        "2 * threshold > n_parties + colluders",
        "2 * threshold >= n_parties + colluders",
        "Two lists with half of the parties each have all parties on them.",
        "lem-survivor-lists",
        "divisions",
    ),
    Broken(
        "noise of colluders counted",
        "fdpedu.secure_sum.rules.Rules.least_survivors",
        "self.n_parties - self.tolerate + self.colluders",
        "self.n_parties - self.tolerate",
        "Every survivor has added its share of the noise.",
        "thm-dropout-sum",
        "patterns",
    ),
    Broken(
        "masks of the missing forgotten",
        "fdpedu.secure_sum.collector.Collector.total",
        "set(self._sharers) - set(self._masked)",
        "set()",
        "A party that sends nothing adds nothing.",
        "thm-dropout-sum",
        "patterns",
    ),
    Broken(
        "false share believed",
        "fdpedu.secure_sum.collector.Collector._seed",
        "hashed(seed) != self._hellos[k].commitment",
        "len(seed) != 32",
        "Shares are authentic, because their boxes were sealed.",
        "thm-dropout-sum",
        "false shares",
    ),
)

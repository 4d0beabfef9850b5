"""Checks of chapter 5: an aggregator that lies about who survived, or about whose shares have come."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product

import numpy as np

from fdpedu.claims.checking import Refuted, require
from fdpedu.claims.secure_sum.laws_dropouts import Opened, Pattern, all_rules, opened
from fdpedu.claims.secure_sum.laws_ideal import IdealPrimitives
from fdpedu.secure_sum import Box, Consent, Hello, Member, Reveal, Rules, Share, recover_secret, seat

Sharers = tuple[Pattern, ...]  # for each honest party, whose boxes it gets, its own included


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
    """What the honest sign of the lists that they are told, and colluders under all that somebody might want."""
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


def one_list_is_opened(rules: Rules, lists: tuple[Pattern, Pattern], told: Pattern) -> None:
    """Honest parties are told of one of two lists each, and afterwards of the other one; colluders sign both.

    Of no honest party both secrets are opened; and masks are taken off for one list at most, with enough honest noise.
    """
    honest = rules.n_parties - rules.colluders
    members = masked(rules, (tuple(range(rules.n_parties)),) * honest)
    reveals, answered = list[Reveal](), set[Pattern]()
    for turn in (0, 1):
        shown = {k: lists[which ^ turn] for k, which in enumerate(told)}
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


def lying_lists(parties: int) -> Iterator[tuple[Rules, tuple[Pattern, Pattern], Pattern]]:
    """All rules against a liar, all pairs of lists that are long enough, all ways to tell each honest party of one."""
    for n in range(2, parties + 1):
        for rules in all_rules(n):
            if rules.liar:
                yield from lies(rules)


def long_lists(rules: Rules) -> list[Pattern]:
    """All lists of survivors that have as many names as the rules demand."""
    n = rules.n_parties
    return [some for size in range(rules.least_survivors, n + 1) for some in combinations(range(n), size)]


def lies(rules: Rules) -> Iterator[tuple[Rules, tuple[Pattern, Pattern], Pattern]]:
    """All pairs of lists, and all ways to tell each honest party of one, if possible of one that it is on."""
    for lists in combinations(long_lists(rules), 2):
        on = [[i for i in (0, 1) if k in lists[i]] or [0] for k in range(rules.n_parties - rules.colluders)]
        yield from ((rules, lists, told) for told in product(*on))


def lists_can_be_mixed(rules: Rules) -> None:
    """Without the condition against liars there is an attack: some lie opens both secrets, or two lists."""
    for case in lies(rules):
        try:
            one_list_is_opened(*case)
        except Refuted:
            return
    raise Refuted("no lie is of any use, although the rules do not provide for a liar")


def shares_withheld(rules: Rules, sharers: Sharers, listed: Pattern) -> None:
    """Each honest party masks for those whose boxes it got, as the aggregator likes; then all are told of one list.

    What is learnt is the sum over one set of honest parties at most, and it holds enough noise.
    """
    honest = rules.n_parties - rules.colluders
    members = masked(rules, sharers)
    consents = signed(members, honest, dict.fromkeys(range(honest), listed))
    reveals = revealed(members[:honest], consents)
    secrets = opened(rules, members, reveals.values(), range(honest, len(members)))
    require_one_secret(secrets, honest)
    sums = learnt(sharers, secrets)
    require(len(sums) <= 1, f"the sums over {sums} are learnt, each on its own")
    require(all(len(one) >= rules.n_parties - rules.tolerate for one in sums), f"{sums} hold too little noise")


def learnt(sharers: Sharers, secrets: Opened) -> list[frozenset[int]]:
    """Over which sets of honest parties the sum is learnt, when masks are ideal.

    A party's number stays hidden as long as its own mask is on, or a mask with another honest party that does not stand
    in that one's number, too; and with it those of all whom its masks connect it to.
    """
    honest = range(len(sharers))
    off = {(k, j) for k, j in product(honest, repeat=2) if k in secrets.keys or j in secrets.keys}
    masks = {k: {j for j in sharers[k] if j != k and j in honest and (k, j) not in off} for k in honest}
    left, found = set(honest), list[frozenset[int]]()
    while left:
        group, new = set[int](), {min(left)}
        while new:
            group |= new
            new = {j for k in new for j in masks[k] | {i for i in honest if k in masks[i]}} - group
        if all(k in secrets.seeds and all(k in masks[j] for j in masks[k]) for k in group):
            found.append(frozenset(group))
        left -= group
    return found


def withheld_shares(parties: int) -> Iterator[tuple[Rules, Sharers, Pattern]]:
    """All rules against a liar with which one party may be missing; all boxes that may be withheld, all lists."""
    for n in range(3, parties + 1):
        for rules in all_rules(n):
            if rules.liar and rules.least_survivors < n:
                long = long_lists(rules)
                own = [[some for some in long if k in some] for k in range(n - rules.colluders)]
                yield from ((rules, sharers, listed) for sharers in product(*own) for listed in long)


def too_few_shares(rules: Rules) -> None:
    """What t − 1 parties hold of another's secrets does not give them by fewer shares, either."""
    members = masked(rules, (tuple(range(rules.n_parties)),) * rules.n_parties)
    for owner in members:
        secrets = [int.from_bytes(secret, "big") for secret in (owner._seed, owner._key)]
        others = [member for member in members if member is not owner]
        for group in combinations(others, rules.threshold - 1):
            for kind, secret in enumerate(secrets):
                held = [Share(one.index + 1, int.from_bytes(one._shares[owner.index][kind], "big")) for one in group]
                given = {recover_secret(held, few) for few in range(1, len(held) + 1)}
                require(secret not in given, f"{rules.threshold - 1} shares give a secret of party {owner.index}")


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


def forged_keys_left_out(rules: Rules, victim: int) -> None:
    """A key that the aggregator puts in the place of a party's is left out: nobody shares secrets with it."""
    members, _ = seat(rules, 1, primitives=IdealPrimitives())
    hellos = [member.announce() for member in members]
    primitives = IdealPrimitives()
    forged = hellos[victim]._replace(public=primitives.public(primitives.fresh()))
    shown: list[Hello] = [forged if hello.party == victim else hello for hello in hellos]
    for member in members:
        if member.index != victim:
            dealt: tuple[Box, ...] = member.share(shown)
            require(victim not in {box.receiver for box in dealt}, f"party {member.index} shares with a forged key")

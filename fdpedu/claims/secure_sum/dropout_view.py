"""Sums that survive drop-outs show nothing but the sum."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import combinations, combinations_with_replacement, product

import numpy as np

from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.secure_sum.ideal import IdealPrimitives, Tables, ideal_tables, view_counts
from fdpedu.claims.secure_sum.survivors import Opened, Pattern, all_rules, honest_rules, masked, opened
from fdpedu.randomness import Words
from fdpedu.secure_sum import Member, Reveal, RoundLost, Rules, Share, encode, recover_secret, seat


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


CLAIMS = (
    Claim(
        "thm-dropout-view",
        status="proved+checked",
        code=("fdpedu.secure_sum.messages", "fdpedu.secure_sum.dropouts", "fdpedu.secure_sum.dropouts.Member.share"),
        checks=(
            Check(
                "views",
                "exhaustive",
                "all rules, patterns of drop-outs and honest values mod 2 and 3, all masks up to {size} fillings",
                only_the_sum,
                small_views,
                64,
                1100,
                more=[
                    (rules, completes, 2)
                    for rules in (Rules(3, 2, 1, 2, False), Rules(3, 2, 0, 1))
                    for completes in [(2, 5, 5), (5, 2, 5), (5, 5, 5), (5, 3, 5), (5, 4, 5), (3, 3, 3), (2, 2, 5)]
                ],
            ),
            Check(
                "shares of colluders",
                "exhaustive",
                "2 to {size} parties, all rules, all groups of t − 1: their shares do not give any other's secrets",
                too_few_shares,
                lambda most: ((rules,) for n in range(2, most + 1) for rules in all_rules(n)),
                4,
                7,
            ),
        ),
        assumptions=(
            "the aggregator is curious, and honest about who survived",
            "integers mod $R$",
            "seeds and keys are of this round only",
        ),
        uses=("thm-shamir", "asm-key-stream", "thm-sum-colluders"),
    ),
)

TWINS = (
    Broken(
        "self-mask left out",
        "fdpedu.secure_sum.messages.Occasion.self_mask",
        'one_mask(key_for(seed, "self-mask", self.binding), self.size, self.modulus)',
        '0 * one_mask(key_for(seed, "self-mask", self.binding), self.size, self.modulus)',
        "Pairwise masks hide a number already.",
        "thm-dropout-view",
        "views",
    ),
    Broken(
        "both shares revealed",
        "fdpedu.secure_sum.dropouts.Member.unmask",
        "for k in self._sharers if k not in alive)",
        "for k in self._sharers)",
        "The more shares arrive, the better.",
        "thm-dropout-view",
        "views",
    ),
    Broken(
        "shares below the threshold",
        "fdpedu.secure_sum.dropouts.Member._deal",
        "self.rules.threshold, self.rules.n_parties",
        "max(1, self.rules.threshold - 1), self.rules.n_parties",
        "A polynomial of degree t has t shares.",
        "thm-dropout-view",
        "shares of colluders",
    ),
)

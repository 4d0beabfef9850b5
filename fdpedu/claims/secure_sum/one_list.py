"""An aggregator that lies about who survived, or about whose shares have come."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.secure_sum.ideal import IdealPrimitives
from fdpedu.claims.secure_sum.survivors import (
    Opened,
    Pattern,
    Sharers,
    all_rules,
    lies,
    long_lists,
    masked,
    one_list_is_opened,
    opened,
    require_one_secret,
    revealed,
    signed,
)
from fdpedu.secure_sum import Box, Hello, Rules, seat


def lying_lists(parties: int) -> Iterator[tuple[Rules, tuple[Pattern, Pattern], Pattern]]:
    """All rules against a liar, all pairs of lists that are long enough, all ways to tell each honest party of one."""
    for n in range(2, parties + 1):
        for rules in all_rules(n):
            if rules.liar:
                yield from lies(rules)


def shares_withheld(rules: Rules, sharers: Sharers, listed: Pattern) -> None:
    """Each honest party masks for those whose boxes it got, as the aggregator likes; then all are sent one list.

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


CLAIMS = (
    Claim(
        "thm-one-list",
        status="proved+checked",
        code=(
            "fdpedu.secure_sum.dropouts",
            "fdpedu.secure_sum.dropouts.Member.agree",
            "fdpedu.secure_sum.dropouts.Member.unmask",
        ),
        checks=(
            Check(
                "two lists",
                "exhaustive",
                "2 to {size} parties, all rules, all pairs of lists, all ways to tell each of one, then of the other",
                one_list_is_opened,
                lying_lists,
                4,
                5,
            ),
            Check(
                "shares withheld",
                "exhaustive",
                "3 to {size} parties, all rules, all ways to withhold shares from honest parties, all lists",
                shares_withheld,
                withheld_shares,
                3,
                4,
            ),
            Check(
                "forged keys",
                "exact",
                "two to {size} parties: a key that a party has not signed is left out by all the others",
                forged_keys_left_out,
                lambda most: ((Rules.for_missing(n, 1), 0) for n in range(3, most + 1)),
                5,
                9,
                more=[(Rules.for_missing(4, 1), 2)],
            ),
        ),
        assumptions=(
            "signatures are not forged, seals are not broken",
            "honest parties follow the protocol, and answer once",
        ),
        uses=("lem-survivor-lists", "thm-shamir", "asm-signatures", "asm-key-stream"),
    ),
)

TWINS = (
    Broken(
        "two survivor sets",
        "fdpedu.secure_sum.dropouts.Member.agree",
        'self._enter("agree")',
        'self._coming = ["unmask"]',
        "Somebody may fall silent while the list is signed; then one signs a shorter list.",
        "thm-one-list",
        "two lists",
    ),
    Broken(
        "consents not checked",
        "fdpedu.secure_sum.dropouts.Member._agrees",
        "return listed and self._signed_by(",
        "return listed or self._signed_by(",
        "Whoever is on the list has agreed to it.",
        "thm-one-list",
        "two lists",
    ),
    Broken(
        "unsigned round key accepted",
        "fdpedu.secure_sum.dropouts.Member._accepts",
        "return self._signed_by(",
        "return hello.signature != b'' or self._signed_by(".replace("'", '"'),
        "The identities were checked at the beginning of the session.",
        "thm-one-list",
        "forged keys",
    ),
    Broken(
        "both secrets of who is listed",
        "fdpedu.secure_sum.dropouts.Member.unmask",
        "for k in self._sharers if k not in alive)",
        "for k in self._sharers if k not in alive or k == min(alive))",
        "A key that masks a sum which is being opened is of no more use.",
        "thm-one-list",
        "shares withheld",
    ),
)

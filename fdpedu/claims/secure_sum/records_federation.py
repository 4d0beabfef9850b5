"""Chapter 5. A federation in which nobody is believed: messages, party ledgers, answers."""

from fractions import Fraction
from itertools import product

from fdpedu.claims.records import Check, Claim
from fdpedu.claims.secure_sum import laws_federation as law
from fdpedu.claims.secure_sum import laws_messages as language

ROOM = "fdpedu.federation"
ASSUMED = ("integers mod $R$", "ideal keys, seals and masks")

CLAIMS = (
    Claim(
        "thm-messages",
        "One reading of every message",
        "secure_sum",
        "this book",
        status="proved+checked",
        code=(
            f"{ROOM}.messages",
            f"{ROOM}.messages.read",
            f"{ROOM}.endpoint",
            f"{ROOM}.endpoint.Endpoint.respond",
        ),
        checks=(
            Check(
                "altered messages",
                "property",
                "{size} sessions, in each 40 altered messages before every true one: refused by name, or read as what "
                "they say",
                language.mutated_messages,
                lambda s: s.st.tuples(s.st.integers(0, 10**9)),
                8,
                500,
            ),
            Check(
                "old sessions",
                "exact",
                "2 to {size} parties: nonces, keys and requests of an older session",
                law.old_session,
                lambda most: ((n,) for n in range(2, most + 1)),
                3,
                6,
            ),
        ),
        assumptions=("SHA-256 has no known collisions",),
        uses=("lem-canonical", "asm-signatures"),
    ),
    Claim(
        "thm-party-ledger",
        "A party that believes nobody",
        "secure_sum",
        "this book",
        status="proved+checked",
        code=(f"{ROOM}.endpoint", f"{ROOM}.endpoint.Endpoint._asked", f"{ROOM}.limits.Limits"),
        checks=(
            Check(
                "own ledger",
                "exhaustive",
                "all sequences of up to {size} requests to either of two parties, of which the last are beyond the "
                "budget: what is answered, charged, and when it is counted",
                law.own_ledger,
                law.small_costs,
                2,
                4,
            ),
            Check(
                "limits",
                "exact",
                "an owner who pins members, wants three of them, two tolerated, or counts only",
                law.limits_hold,
                lambda _: ((tried,) for tried in law.TRIED),
            ),
            Check(
                "asked otherwise",
                "exact",
                "2 to {size} parties, one of them asked at another rate: whether the answers add up to the counts",
                law.asked_otherwise,
                lambda most: (
                    (n, k, cost)
                    for n in range(2, most + 1)
                    for k, cost in product(range(n), (Fraction(1, 2), Fraction(1, 3), Fraction(3)))
                ),
                3,
                5,
            ),
        ),
        assumptions=(
            "the owner has compared and pinned all members; at most tolerate − missing of them collude",
            "the aggregator may deviate from the protocol; honest parties do not",
            *ASSUMED,
        ),
        uses=("thm-messages", "thm-announcements", "thm-equivocation", "thm-one-list", "thm-tolerate", "lem-filter"),
    ),
    Claim(
        "thm-answers-checked",
        "No sum of anything else",
        "secure_sum",
        "this book",
        status="proved+checked",
        code=(f"{ROOM}.session.Session.ask",),
        checks=(
            Check(
                "wrong answers",
                "exhaustive",
                "2 to {size} parties, each of them, eleven ways to answer wrongly: the round is lost by its name",
                language.answers_checked,
                language.all_faults,
                2,
                5,
            ),
            Check(
                "silent parties",
                "exhaustive",
                "3 to {size} parties, one of which may be missing: all stages at which each may fall silent",
                law.silent_parties,
                law.silent_patterns,
                3,
                4,
            ),
        ),
        assumptions=("the aggregator follows the protocol", "signatures are not forged", "integers mod $R$"),
        uses=("thm-messages", "asm-signatures", "thm-private-sum", "thm-dropout-sum"),
    ),
)

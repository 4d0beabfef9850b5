"""Chapter 5. Who is at the other end: signatures, announcements, identities."""

from fdpedu.claims.records import Check, Claim
from fdpedu.claims.secure_sum import laws_keys as law

IDENTITY = "fdpedu.secure_sum.identity"

CLAIMS = (
    Claim(
        "asm-signatures",
        "Signatures are not forged",
        "secure_sum",
        "this book; the report leaves it open",
        status="assumed",
        code=(IDENTITY, f"{IDENTITY}.is_signed"),
        checks=(
            Check(
                "known answers",
                "exact",
                "RFC 8032, 7.1, the first three tests; and alterations of message and signature",
                law.signs_as_printed,
                lambda _: ((case,) for case in range(3)),
            ),
            Check(
                "kept",
                "exact",
                "an identity in a file: encrypted, for its owner alone, the same again; never shown, never copied",
                law.identity_kept,
                lambda _: [("correct horse",), ("größer",)],
            ),
        ),
        assumptions=("computationally bounded",),
    ),
    Claim(
        "thm-announcements",
        "Accepted announcements",
        "secure_sum",
        "this book",
        status="proved+checked",
        code=(IDENTITY, f"{IDENTITY}.replace_pinned", f"{IDENTITY}.verify_announcements"),
        checks=(
            Check(
                "honest",
                "exact",
                "2 to {size} honest parties accept, and have the same binding",
                law.accepts_the_pinned,
                lambda most: ((n,) for n in range(2, most + 1)),
                5,
                20,
            ),
            Check(
                "attacks",
                "exact",
                "fourteen alterations, each refused for its own reason: keys, signatures, sessions, lists, doubles",
                law.attack_refused,
                lambda _: ((attack,) for attack in (*law.ALTERED, *law.LISTS)),
            ),
            Check(
                "in the middle",
                "exact",
                "one in the middle reads what is masked under bare keys, and is refused under signed ones",
                law.man_in_the_middle,
                lambda _: [((0, 0),), ((3, -4),)],
            ),
            Check(
                "replaced",
                "exact",
                "a replacement that the old identity has signed, and five that it has not, or not for this",
                law.identity_replaced,
                lambda _: ((case,) for case in law.REPLACEMENTS),
            ),
        ),
        assumptions=("whoever carries the messages may alter, replay and invent them",),
        uses=("asm-signatures", "lem-canonical"),
    ),
)

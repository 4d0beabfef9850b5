"""Numbers have limits: the last one is accepted, the next refused by name."""

import pytest

from fdpedu.secure_sum import (
    Edges,
    Masks,
    Ring,
    Rules,
    Share,
    algorithm_1_as_printed,
    check_modulus,
    count_messages,
    failure_probability,
    pairwise_keys,
    recover_secret,
    require_room,
    share,
    share_secret,
    sharing_risk,
    sum_with_dropouts,
    toy_break,
    toy_public,
    toy_shared,
)

TOY, MANY, LONG = 10**6, 10_000, 2**4096
LINE = [Share(1, 2), Share(2, 6)]


def said(call):
    with pytest.raises(ValueError) as refused:
        call()
    return str(refused.value)


# name → whether at least or at most → the limit → a call with one number in this place
LIMITS = [
    ("generator", "at least", 2, lambda n: toy_public(1, 23, n)),
    ("generator", "at most", TOY, lambda n: toy_public(1, 23, n)),
    ("secret", "at least", 1, lambda n: toy_public(n)),
    ("secret", "at most", TOY, lambda n: toy_public(n)),
    ("prime", "at least", 3, lambda n: toy_public(1, n, 2)),
    ("prime", "at most", TOY, lambda n: toy_public(1, n)),
    ("other_public", "at least", 1, lambda n: toy_shared(1, n)),
    ("other_public", "at most", TOY, lambda n: toy_shared(1, n)),
    ("secret", "at least", 1, lambda n: toy_shared(n, 2)),
    ("secret", "at most", TOY, lambda n: toy_shared(n, 2)),
    ("prime", "at least", 3, lambda n: toy_shared(1, 2, n)),
    ("prime", "at most", TOY, lambda n: toy_shared(1, 2, n)),
    ("prime", "at least", 3, lambda n: toy_break(1, n, 2)),
    ("prime", "at most", TOY, lambda n: toy_break(5, n)),
    ("public", "at most", TOY, lambda n: toy_break(n, 999_983) if n > TOY else None),
    ("modulus", "at least", 2, lambda n: check_modulus(n)),
    ("modulus", "at least", 2, lambda n: algorithm_1_as_printed([1], [[0]], n)),
    ("modulus", "at most", 2**62, lambda n: algorithm_1_as_printed([1], [[0]], n)),
    ("largest", "at least", 0, lambda n: require_room(n, 1)),
    ("largest", "at most", 2**64, lambda n: require_room(n, 1) if n > 2**64 else None),
    ("n_parties", "at least", 1, lambda n: require_room(1, n)),
    ("n_parties", "at most", MANY, lambda n: require_room(1, n)),
    ("n", "at least", 1, lambda n: share(1, n, 7)),
    ("n", "at most", MANY, lambda n: share(1, n, 7)),
    ("secret", "at least", 0, lambda n: share_secret(n, 1, 1, 7)),
    ("threshold", "at least", 1, lambda n: share_secret(1, n, 3, 7)),
    ("prime", "at least", 2, lambda n: share_secret(1, 1, 1, n)),
    ("prime", "at most", LONG, lambda n: share_secret(1, 1, 1, n)),
    ("n", "at least", 1, lambda n: share_secret(1, 1, n, 7)),
    ("n", "at most", MANY, lambda n: share_secret(1, 1, n, 2**40)),
    ("threshold", "at least", 1, lambda n: recover_secret(LINE, n, 7)),
    ("prime", "at least", 2, lambda n: recover_secret([Share(1, 1)], 1, n)),
    ("prime", "at most", LONG, lambda n: recover_secret([Share(1, 1)], 1, n)),
    ("n_parties", "at least", 1, lambda n: pairwise_keys(n)),
    ("n_parties", "at most", MANY, lambda n: pairwise_keys(n) if n > MANY else None),
    ("sum_number", "at least", 0, lambda n: Masks(0, {}).draw(n, 1)),
    ("sum_number", "at most", 2**96 - 1, lambda n: Masks(0, {}).draw(n, 1)),
    ("size", "at least", 0, lambda n: Masks(0, {}).draw(1, n)),
    ("n_parties", "at least", 3, lambda n: count_messages(n, 1)),
    ("n_parties", "at most", 1000, lambda n: count_messages(n, 1) if n > 1000 else None),
    ("size", "at least", 0, lambda n: count_messages(3, n)),
    ("size", "at most", 10**8, lambda n: count_messages(3, n) if n > 10**8 else None),
    ("n_parties", "at least", 2, lambda n: Rules(n, n)),
    ("n_parties", "at most", MANY, lambda n: Rules(n, n)),
    ("threshold", "at least", 1, lambda n: Rules(3, n, liar=False)),
    ("colluders", "at least", 0, lambda n: Rules(3, 3, n)),
    ("tolerate", "at least", 0, lambda n: Rules(3, 3, 0, n)),
    ("missing", "at least", 0, lambda n: Rules.for_missing(3, n)),
    ("completes", "at least", 0, lambda n: sum_with_dropouts([[1], [1], [1]], Rules.for_missing(3, 1), [5, 5, n])),
    ("completes", "at most", 5, lambda n: sum_with_dropouts([[1], [1], [1]], Rules.for_missing(3, 1), [5, 5, n])),
    ("neighbours", "at least", 2, lambda n: Ring(n)),
    ("neighbours", "at most", 2 * MANY, lambda n: Ring(n)),
    ("n_parties", "at least", 1, lambda n: Ring(2).draw(bytes(32), n)),
    ("n_parties", "at most", MANY, lambda n: Ring(2).draw(bytes(32), n)),
    ("n_parties", "at least", 1, lambda n: Edges("1/2").draw(bytes(32), n)),
    ("n_parties", "at most", MANY, lambda n: Edges("1/2").draw(bytes(32), n) if n > MANY else None),
    ("n_parties", "at least", 1, lambda n: failure_probability(Ring(2), n)),
    ("n_parties", "at most", MANY, lambda n: failure_probability(Ring(2), n)),
    ("n_parties", "at most", 100, lambda n: failure_probability(Edges("1/2"), n)),
    ("colluders", "at least", 0, lambda n: failure_probability(Ring(2), 3, n)),
    ("missing", "at least", 0, lambda n: failure_probability(Ring(2), 3, 0, n)),
    ("threshold", "at least", 1, lambda n: sharing_risk(Ring(2), 3, n)),
]


@pytest.mark.parametrize("place", range(len(LIMITS)))
def test_a_limit_is_accepted_and_one_more_refused(place):
    """By the name of the argument, with the limit; what is no whole number is refused by name, too."""
    name, side, limit, call = LIMITS[place]
    call(limit)
    beyond = limit + (1 if side == "at most" else -1)
    told = f"{name} must be at most {limit}, got" if side == "at most" else f"{name} must be an integer ≥ {limit}, got"
    message = said(lambda: call(beyond))
    assert message.startswith(told), message
    if limit < TOY and side == "at least":
        assert said(lambda: call("x")).startswith(f"{name} must be"), name

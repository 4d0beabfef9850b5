"""How deep a tree of choices is, how ε is shared, and who designs which level: rules of public numbers.

Each rule is a step function of N·ε, with N the nominal size that the owners have named. Neighbouring values differ by
.01 to .03 in accuracy, so nothing is lost by naming N roughly.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from fdpedu.exact import Rational, as_integer, as_list, as_positive_fraction
from fdpedu.trees.shape import by_rows_and_epsilon

_FIFTH = Fraction(1, 5)


def rotating_shape(nominal_size: int | None, epsilon: Rational) -> tuple[int, Fraction]:
    """Depth and leaf share of a rotating tree: 4 levels, from N·ε = 2000 on 5; a fifth, below 150 seven twentieths.

    Parameters
    ----------
    nominal_size : N ≥ 1, of all parties together; None where none is named
    epsilon : of the whole tree

    Examples
    --------
    >>> [rotating_shape(n, 1) for n in (149, 1999, 2000)]
    [(4, Fraction(7, 20)), (4, Fraction(1, 5)), (5, Fraction(1, 5))]
    """
    return (
        by_rows_and_epsilon(nominal_size, epsilon, [(2000, 5)], 4, 4),
        by_rows_and_epsilon(nominal_size, epsilon, [(150, _FIFTH)], Fraction(7, 20), _FIFTH),
    )


def owner_shape(nominal_size: int | None, epsilon: Rational) -> tuple[int, Fraction]:
    """The number of blocks, each of two levels, and the leaf share of one owner's tree: 1 block, from 400 on 2, 3.

    >>> [owner_shape(n, 1)[0] for n in (399, 400, 10_000, None)]
    [1, 2, 3, 2]
    """
    return by_rows_and_epsilon(nominal_size, epsilon, [(400, 2), (10_000, 3)], 1, 2), _FIFTH


def designers(order: Sequence[int], depth: int) -> tuple[int, ...]:
    """The party that designs each level: the parties in their public order, and from the first again.

    Parameters
    ----------
    order : positions of the parties, each once
    depth : the number of levels

    Examples
    --------
    >>> designers([2, 0, 1], 4)
    (2, 0, 1, 2)
    """
    parties = [as_integer(party, "order", minimum=0, maximum=255) for party in as_list(order, "order")]
    if not parties or len(set(parties)) != len(parties):
        raise ValueError("order must name each party once, and at least one")
    levels = as_integer(depth, "depth", minimum=0, maximum=64)
    return tuple(parties[level % len(parties)] for level in range(levels))


def level_costs(designs: Sequence[int], epsilon: Rational, leaf_share: Rational) -> tuple[Fraction, ...]:
    """What the splits of each level cost: (1−s)ε divided by the number of levels that its party designs.

    Claims: lem-party-coordinate

    Parameters
    ----------
    designs : the party of each level (:func:`designers`)
    epsilon : of the whole tree
    leaf_share : s, the part that is kept for the leaves

    Examples
    --------
    >>> level_costs([0, 1, 0], 1, "1/5")
    (Fraction(2, 5), Fraction(4, 5), Fraction(2, 5))
    """
    parties = [as_integer(party, "designs", minimum=0, maximum=255) for party in as_list(designs, "designs")]
    own = Counter(parties)
    share = as_positive_fraction(leaf_share, "leaf_share")
    if share >= 1:
        raise ValueError(f"leaf_share must lie strictly between 0 and 1, got {leaf_share}")
    # lem-party-coordinate: a record is at one party, so it pays for the levels of this party only
    splits = (1 - share) * as_positive_fraction(epsilon, "epsilon")
    return tuple(splits / own[party] for party in parties)

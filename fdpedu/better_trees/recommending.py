"""Which tree for whom: a rule of public numbers."""

from __future__ import annotations

from collections.abc import Sized
from dataclasses import dataclass
from fractions import Fraction

from fdpedu.better_trees.rules import owner_shape, rotating_shape
from fdpedu.exact import Rational, as_fraction, as_integer, as_positive_fraction, quoted
from fdpedu.showing import html_table, text_table
from fdpedu.trees.shape import as_nominal_size, screened_shape

WANTED, TRUSTED = ("tree",), ("designer", "sums")
MANY_PARTIES = 32  # beyond, one party's rows tell less of a split than noisy sums of all


@dataclass(frozen=True)
class Recommendation:
    """A tree that suits, and why.

    Parameters
    ----------
    model : what is grown: ``tree``
    design : a name for :func:`fdpedu.trees.fit_federated_tree`; ``owner`` stands for
        :func:`fdpedu.better_trees.fit_owner_tree`
    max_depth, leaf_share : what the design takes by itself, given the same nominal size
    why : in a sentence or two
    """

    model: str
    design: str
    max_depth: int
    leaf_share: Fraction
    why: str

    def _rows(self) -> list[tuple[str, str]]:
        return [(name.replace("_", " "), str(value)) for name, value in vars(self).items()]

    def __str__(self) -> str:
        return text_table(self._rows())

    def _repr_html_(self) -> str:
        return html_table(("", "recommended"), self._rows(), caption="Which tree suits")


def recommend(
    *,
    n_parties: int,
    nominal_size: int | None,
    epsilon: Rational,
    delta: Rational = 0,
    want: str = "tree",
    trust: str = "designer",
) -> Recommendation:
    """The design that closes most of the gap in the book's experiments, from public numbers only.

    Parameters
    ----------
    n_parties : K ≥ 1; 1 is one owner of all rows
    nominal_size : N, how many rows all of them have about: public, fixed beforehand, never their true number; or None
    epsilon : of the whole tree
    delta : 0 ≤ δ < 1, which may be left unused: the trees that are recommended need none
    want : ``tree``
    trust : ``designer``: a level may rest on what one party says of its rows. ``sums``: only on sums of all parties

    Raises
    ------
    ValueError
        If a number is outside its domain; also where rows are given in place of a number.

    Examples
    --------
    >>> [recommend(n_parties=k, nominal_size=5000, epsilon=1).design for k in (1, 5, 80)]
    ['owner', 'rotating', 'screened']
    """
    for name, value in (("n_parties", n_parties), ("nominal_size", nominal_size), ("epsilon", epsilon)):
        if isinstance(value, Sized) and not isinstance(value, str):
            raise ValueError(
                f"{name} must be a public number that is fixed beforehand, got a {type(value).__name__} of values: "
                "how many rows there are is private"
            )
    parties = as_integer(n_parties, "n_parties", minimum=1)
    size, budget = as_nominal_size(nominal_size), as_positive_fraction(epsilon, "epsilon")
    if not 0 <= as_fraction(delta, "delta") < 1:
        raise ValueError(f"delta must be at least 0 and less than 1, got {quoted(delta)}")
    if not isinstance(want, str) or want not in WANTED:
        raise ValueError(f"want must be {' or '.join(map(repr, WANTED))}, got {quoted(want)}")
    if not isinstance(trust, str) or trust not in TRUSTED:
        raise ValueError(f"trust must be {' or '.join(map(repr, TRUSTED))}, got {quoted(trust)}")
    if parties == 1:
        blocks, share = owner_shape(size, budget)
        why = f"one owner has all rows: {blocks} level{'s' * (blocks > 1)} of blocks, three splits at the price of one"
        return Recommendation(want, "owner", 2 * blocks, share, why)
    if trust == "sums":
        depth, share = screened_shape(size, budget)
        why = "only sums of all parties are asked for; below the root, of the four features that look best there"
        return Recommendation(want, "screened", depth, share, why)
    if parties > MANY_PARTIES:
        depth, share = screened_shape(size, budget)
        why = (
            f"with more than {MANY_PARTIES} parties one party's rows tell too little of a split, so noisy sums of all "
            "parties are better"
        )
        return Recommendation(want, "screened", depth, share, why)
    depth, share = rotating_shape(size, budget)
    why = "each level is designed by one party, so a record pays for the levels of its own party only"
    return Recommendation(want, "rotating", depth, share, why)

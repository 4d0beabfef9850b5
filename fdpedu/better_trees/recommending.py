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
_ONE_OWNER = "one owner has all rows, and draws blocks of two levels: three splits at the price of one"
_SUMS_ONLY = "only sums of all parties are asked for; below the root, of the four features that look best there"
_MANY = (
    f"with more than {MANY_PARTIES} parties one party's rows tell too little of a split, so noisy sums of all parties "
    "are better"
)
_IN_TURN = "each level is designed by one party, so a record pays for the levels of its own party only"


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
        _require_number(name, value)
    parties = as_integer(n_parties, "n_parties", minimum=1)
    size, budget = as_nominal_size(nominal_size), as_positive_fraction(epsilon, "epsilon")
    if not 0 <= as_fraction(delta, "delta") < 1:
        raise ValueError(f"delta must be at least 0 and less than 1, got {quoted(delta)}")
    for name, value, known in (("want", want, WANTED), ("trust", trust, TRUSTED)):
        if not isinstance(value, str) or value not in known:
            raise ValueError(f"{name} must be {' or '.join(map(repr, known))}, got {quoted(value)}")
    if parties == 1:
        blocks, share = owner_shape(size, budget)
        return Recommendation(want, "owner", 2 * blocks, share, _ONE_OWNER)
    if trust == "sums" or parties > MANY_PARTIES:
        return Recommendation(want, "screened", *screened_shape(size, budget), _SUMS_ONLY if trust == "sums" else _MANY)
    return Recommendation(want, "rotating", *rotating_shape(size, budget), _IN_TURN)


def _require_number(name: str, value: object) -> None:
    """Refuse rows in place of a public number, in words that say why."""
    if isinstance(value, Sized) and not isinstance(value, str):
        raise ValueError(
            f"{name} must be a public number that is fixed beforehand, got a {type(value).__name__} of values: how "
            "many rows there are is private"
        )

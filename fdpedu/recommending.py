"""Which tree for whom, when boosting is better than a tree, and when a party is as well off alone: public numbers only.

Boosting is a system of its own (:mod:`fdpedu.boosting`), so it is named here and nothing of it is used.
"""

from __future__ import annotations

import math
from collections.abc import Sized
from dataclasses import dataclass
from fractions import Fraction

from fdpedu.accounting import gaussian_budget
from fdpedu.exact import Rational, as_fraction, as_integer, as_positive_fraction, quoted
from fdpedu.showing import html_table, text_table
from fdpedu.trees.designs.owner import owner_shape
from fdpedu.trees.designs.rotating import rotating_shape
from fdpedu.trees.shape import as_nominal_size, screened_shape

WANTED, TRUSTED = ("tree", "score", "curve", "number"), ("designer", "sums")
MANY_PARTIES = 32  # beyond, one party's rows tell less of a split than noisy sums of all
_ONE_OWNER = "one owner has all rows, and draws blocks of two levels: three splits at the price of one"
_SUMS_ONLY = "only sums of all parties are asked for; below the root, of the four features that look best there"
_MANY = (
    f"with more than {MANY_PARTIES} parties one party's rows tell too little of a split, so noisy sums of all parties "
    "are better"
)
_SCORE = (
    "many small trees are asked for together and add up to a score: its noise follows the step, not the number of "
    "trees. Only sums of all parties are asked for"
)
_CURVE = "many small trees of one feature each add up to a curve for each feature, and the curves to the score"
FEWEST_PARTIES, OWN_ROWS, LEAST_SIGNAL = 5, 3000, 100  # where joining pays, as measured: K, N/K, and K·N·√ρ/p
_MEASURED_DELTA = Fraction(1, 10**6)
_ALONE = "a model of its own rows, unprotected and shown to nobody, is at least as good for a party: "
_TOGETHER = "joining is better for a party than an unprotected model of its own rows"
_VOTES = 3, Fraction(1, 4)  # what the design takes by itself; a test compares them
_NUMBER = "at each node the parties vote on a split by the squared loss of levels; a leaf answers with a mean"
_IN_TURN = "each level is designed by one party, so a record pays for the levels of its own party only"


@dataclass(frozen=True)
class Recommendation:
    """A model that suits, and why.

    Parameters
    ----------
    model : what is grown: ``tree``, or ``boosting`` for :func:`fdpedu.boosting.fit_federated_boosting`
    design : a name for :func:`fdpedu.trees.fit_federated_tree`; ``owner`` stands for
        :func:`fdpedu.trees.fit_owner_tree`. None of boosting
    max_depth, leaf_share : what the design takes by itself, given the same nominal size; None of boosting
    why : in a sentence or two
    form : of boosting ``trees`` or ``curves``; None of a tree
    alone : whether a party would be as well off with a model of its own rows that protects nobody and that nobody else
        sees, as measured in the book; None of a tree, and where the number of features was not given
    """

    model: str
    design: str | None
    max_depth: int | None
    leaf_share: Fraction | None
    why: str
    form: str | None = None
    alone: str | None = None

    def _rows(self) -> list[tuple[str, str]]:
        """What is said of it; what means nothing for the model is left out."""
        named = {"model": self.model, "form": self.form, **vars(self)}
        return [(name.replace("_", " "), str(value)) for name, value in named.items() if value is not None]

    def __str__(self) -> str:
        return text_table(self._rows())

    def _repr_html_(self) -> str:
        return html_table(("", "recommended"), self._rows(), caption="Which model suits")


def recommend(
    *,
    n_parties: int,
    nominal_size: int | None,
    epsilon: Rational,
    delta: Rational = 0,
    want: str = "tree",
    trust: str = "designer",
    n_features: int | None = None,
) -> Recommendation:
    """What closes most of the gap in the book's experiments, from public numbers only: a design of trees, or boosting.

    Parameters
    ----------
    n_parties : K ≥ 1; 1 is one owner of all rows
    nominal_size : N, how many rows all of them have about: public, fixed beforehand, never their true number; or None
    epsilon : of the whole model
    delta : 0 ≤ δ < 1; trees leave it unused, boosting in ρ asks for more of them, and curves need it
    want : ``tree``, to be read as one; ``score``, the best prediction; ``curve``, one for each feature, to be read.
        These two are boosted, for two classes, and need a nominal size. ``number``: a tree that
        predicts a numeric target, by at least 2 parties
    trust : ``designer``: a level may rest on what one party says of its rows. ``sums``: only on sums of all parties
    n_features : p, for what is boosted: then it is also said where a party is as well off alone

    Raises
    ------
    ValueError
        If a number is outside its domain, or not one with which what is wanted can be grown; also where rows are given
        in place of a number.

    Examples
    --------
    >>> [recommend(n_parties=k, nominal_size=5000, epsilon=1).design for k in (1, 5, 80)]
    ['owner', 'rotating', 'screened']
    >>> print(recommend(n_parties=5, nominal_size=5000, epsilon=1, delta=1e-6, want="curve"))
    model  boosting
    form   curves
    why    many small trees of one feature each add up to a curve for each feature, and the curves to the score
    >>> numbers = {"epsilon": 1, "delta": 1e-6, "want": "score", "n_features": 13}
    >>> for k in (5, 20):
    ...     print(recommend(n_parties=k, nominal_size=39_000, **numbers).alone)
    a model of its own rows, unprotected and shown to nobody, is at least as good for a party: each has more than 3000
    joining is better for a party than an unprotected model of its own rows
    """
    given = {"n_parties": n_parties, "nominal_size": nominal_size, "epsilon": epsilon, "n_features": n_features}
    for name, value in given.items():
        _require_number(name, value)
    parties = as_integer(n_parties, "n_parties", minimum=1)
    size, budget = as_nominal_size(nominal_size), as_positive_fraction(epsilon, "epsilon")
    features = None if n_features is None else as_integer(n_features, "n_features", minimum=1)
    allowed = as_fraction(delta, "delta")
    if not 0 <= allowed < 1:
        raise ValueError(f"delta must be at least 0 and less than 1, got {quoted(delta)}")
    for name, value, known in (("want", want, WANTED), ("trust", trust, TRUSTED)):
        if not isinstance(value, str) or value not in known:
            raise ValueError(f"{name} must be {' or '.join(map(repr, known))}, got {quoted(value)}")
    if want == "number":
        if parties == 1:
            raise ValueError("n_parties must be at least 2 for want 'number', got 1: votes are among parties")
        return Recommendation("tree", "votes", *_VOTES, _NUMBER)
    if want != "tree":
        return _boosted(want, parties, size, budget, allowed, features)
    if parties == 1:
        blocks, share = owner_shape(size, budget)
        return Recommendation("tree", "owner", 2 * blocks, share, _ONE_OWNER)
    if trust == "sums" or parties > MANY_PARTIES:
        return Recommendation(
            "tree", "screened", *screened_shape(size, budget), _SUMS_ONLY if trust == "sums" else _MANY
        )
    return Recommendation("tree", "rotating", *rotating_shape(size, budget), _IN_TURN)


def _boosted(
    want: str, n_parties: int, size: int | None, epsilon: Fraction, delta: Fraction, n_features: int | None
) -> Recommendation:
    """Boosting, if it can be grown."""
    if size is None:
        raise ValueError(
            f"nominal_size must be given for want {want!r}: about how many rows all parties have, a public number"
        )
    if want == "curve" and not delta:
        raise ValueError("delta must be greater than 0 for want 'curve', as curves are paid in ρ; want 'score' is not")
    form, why = ("trees", _SCORE) if want == "score" else ("curves", _CURVE)
    alone = None if n_features is None or n_parties == 1 else _alone(n_parties, size, epsilon, delta, n_features)
    return Recommendation("boosting", None, None, None, why, form, alone)


def _alone(n_parties: int, size: int, epsilon: Fraction, delta: Fraction, n_features: int) -> str:
    """Whether an unprotected model of a party's own rows is as good, by the rule that fits the book's measurements."""
    rho = gaussian_budget(epsilon, delta or _MEASURED_DELTA).limit.value
    if n_parties < FEWEST_PARTIES:
        return f"{_ALONE}there are fewer than {FEWEST_PARTIES} of them"
    if size > OWN_ROWS * n_parties:
        return f"{_ALONE}each has more than {OWN_ROWS}"
    if n_parties * size * math.sqrt(rho) < LEAST_SIGNAL * n_features:
        return f"{_ALONE}noise is too large for so few rows"
    return _TOGETHER


def _require_number(name: str, value: object) -> None:
    """Refuse rows in place of a public number, in words that say why."""
    if isinstance(value, Sized) and not isinstance(value, str):
        raise ValueError(
            f"{name} must be a public number that is fixed beforehand, got a {type(value).__name__} of values: how "
            "many rows there are is private"
        )

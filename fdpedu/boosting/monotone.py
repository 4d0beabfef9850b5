"""Curves that may only rise, or only fall: isotonic regression of what was released, in whole numbers.

A curve is pooled where it turns back: neighbours are replaced by their mean, weighted by the shares of rows that
released histograms give them. It is post-processing, so it costs nothing, before a fit and after it.

Claims: lem-monotone
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

import numpy as np

from fdpedu.boosting.marginals import Marginals
from fdpedu.boosting.orders import Floats
from fdpedu.boosting.outcomes import outcome_of
from fdpedu.domain import Domain, Numeric
from fdpedu.exact import Integers, as_integer, as_list, quoted
from fdpedu.gradients import AdditiveModel
from fdpedu.gradients.additive import MAX_WEIGHT, WeightedTrees, leaf_of_codes, questions_of

DIRECTIONS = {1: "may only rise", -1: "may only fall"}
_LEVELS = 63  # of a tree of six questions; one leaf is for the codes of other trees
Block = tuple[int, int]  # the codes from the first to before the second, which have one value


@dataclass(frozen=True)
class Fitted:
    """A curve of one direction.

    Parameters
    ----------
    feature : its position in the domain
    direction : 1 if it may only rise, −1 if it may only fall
    values : what each code adds to the sum of weights, in units of 1/4096
    """

    feature: int
    direction: int
    values: tuple[int, ...]


def directions_of(given: Any, domain: Domain) -> dict[int, int]:
    """By the position of a feature its direction, as they were given by names.

    Raises
    ------
    ValueError
        For what is no feature of the domain, or a category, and for other directions than 1 and −1.
    """
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise ValueError(f'monotone must be a mapping such as {{"age": +1}}, got {type(given).__name__}')
    found = {}
    for name, direction in given.items():
        j = next((i for i, feature in enumerate(domain.features) if feature.name == name), None)
        if j is None:
            raise ValueError(f"monotone must name features of the domain, and {quoted(name)} is none")
        if not isinstance(domain.features[j], Numeric):
            raise ValueError(f"monotone must name numeric features, and the categories of {quoted(name)} have no order")
        if type(direction) is not int or direction not in DIRECTIONS:
            raise ValueError(
                f"monotone must say +1 of {quoted(name)}, whose curve may only rise then, or -1 for one that may only "
                f"fall, got {quoted(direction)}"
            )
        found[j] = direction
    return found


def require_monotone(given: Any, domain: Domain, rules: Any) -> dict[int, int]:
    """The directions, once it is known that these rules have curves, and scores that may rise.

    There is always room for the fitted curves: a feature has 5 trees then at most. If a model has 5 trees for each of
    256 features, they make way for no more; and if it has fewer, there is room for 1280 beside them.
    """
    found = directions_of(given, domain)
    if not found:
        return found
    if rules.form != "curves":
        raise ValueError(
            f"monotone must be left out for form {quoted(rules.form)}: form 'curves' has a curve for each feature"
        )
    if outcome_of(domain).n_scores > 1:
        raise ValueError(
            "monotone must be left out for several classes: where one of several scores rises, others have to fall"
        )
    return found


def isotonic(values: Sequence[int], weights: Sequence[int]) -> list[tuple[Block, int]]:
    """The rising numbers that lie nearest to these, by weighted squares, each rounded to a whole number; in blocks.

    Pools adjacent violators, in exact arithmetic.

    Claims: lem-monotone

    Parameters
    ----------
    values : whole numbers
    weights : positive whole numbers

    Examples
    --------
    >>> isotonic([1, 5, 2, 6], [1, 1, 2, 1])
    [((0, 1), 1), ((1, 3), 3), ((3, 4), 6)]
    """
    blocks = list[tuple[int, int, int, int]]()  # begin, end, Σ w·v, Σ w
    for i, (value, weight) in enumerate(zip(values, weights, strict=True)):
        begin, total, whole = i, weight * value, weight
        # lem-monotone: as long as the block before has the larger mean, or the same, both are one
        while blocks and blocks[-1][2] * whole >= total * blocks[-1][3]:
            first, _, above, below = blocks.pop()
            begin, total, whole = first, total + above, whole + below
        blocks.append((begin, i + 1, total, whole))
    return [((begin, end), (2 * total + whole) // (2 * whole)) for begin, end, total, whole in blocks]


def blocks_of(released: Sequence[int], shares: Sequence[int], direction: int) -> list[tuple[Block, int]]:
    """The fitted blocks of a curve; where no row is expected, a weight of one unit."""
    weights = [max(1, share) for share in shares]
    found = isotonic([direction * value for value in released], weights)
    return [(block, direction * max(-MAX_WEIGHT, min(MAX_WEIGHT, value))) for block, value in found]


def fits_of(domain: Domain, model: Any, marginals: Marginals, directions: Mapping[int, int]) -> tuple[Fitted, ...]:
    """The fitted curves of a released model, as they follow from its weights and from released histograms.

    Missing values are no part of the order: what they add stays as it was released.
    """
    found = []
    for j, direction in sorted(directions.items()):
        values, n = released_curve(domain, model, j), bins_of(domain, j)
        fitted = [v for (a, b), v in blocks_of(values[:n], units_of(marginals, j)[:n], direction) for _ in range(a, b)]
        rest = [max(-MAX_WEIGHT, min(MAX_WEIGHT, value)) for value in values[n:]]
        found.append(Fitted(j, direction, (*fitted, *rest)))
    return tuple(found)


def read_fits(found: Any, ensemble: Mapping[str, Any], marginals: Marginals) -> tuple[Fitted, ...]:
    """The fitted curves that a file states: of one direction, and within a unit what follows from what was released.

    Whoever scores has the file's curves, so all who have it score alike, whatever their processors round.
    """
    domain = ensemble["domain"]
    if not isinstance(found, Mapping) or not found or not all(isinstance(one, Mapping) for one in found.values()):
        raise ValueError("monotone must name features, each with its direction and its values")
    if any(set(one) != {"direction", "values"} for one in found.values()):
        raise ValueError("each curve of monotone needs exactly the keys direction and values")
    directions = require_monotone({name: one["direction"] for name, one in found.items()}, domain, ensemble["rules"])
    fits = []
    for fit in fits_of(domain, ensemble["model"], marginals, directions):
        stated = found[domain.features[fit.feature].name]["values"]
        values = tuple(
            as_integer(one, "values", minimum=-MAX_WEIGHT, maximum=MAX_WEIGHT) for one in as_list(stated, "values")
        )
        rising = [fit.direction * value for value in values[: bins_of(domain, fit.feature)]]
        if len(values) != len(fit.values) or any(abs(a - b) > 1 for a, b in zip(values, fit.values, strict=True)):
            raise ValueError("its curves of one direction are not those that follow from what was released")
        if rising != sorted(rising):
            raise ValueError(f"the curve of {quoted(domain.features[fit.feature].name)} turns back")
        fits.append(replace(fit, values=values))
    return tuple(fits)


def written_fits(fits: Sequence[Fitted], domain: Domain) -> dict[str, Any]:
    """As they stand in a file, by the names of their features."""
    return {domain.features[f.feature].name: {"direction": f.direction, "values": list(f.values)} for f in fits}


def bins_of(domain: Domain, feature: int) -> int:
    """How many codes of a feature have an order."""
    described: Any = domain.features[feature]
    return int(described.n_bins)


def units_of(marginals: Marginals, feature: int) -> list[int]:
    """The share of each code, in whole units of 2⁻³⁰."""
    found: list[int] = np.diff(marginals.ends[feature], prepend=0).tolist()
    return found


def released_curve(domain: Domain, model: AdditiveModel, feature: int) -> list[int]:
    """What each code adds to the sum of weights, by the trees that ask about the feature; as released."""
    found: Integers = np.zeros(domain.features[feature].n_codes, dtype=np.int64)
    for questions, weights in model.trees:
        if questions[0][0] == feature:
            found += np.array(weights, dtype=np.int64)[leaf_of_codes(questions, len(found))]
    values: list[int] = found.tolist()
    return values


def with_fits(model: AdditiveModel, fits: Sequence[Fitted]) -> AdditiveModel:
    """The same model, whose trees about these features make way for their fitted curves."""
    replaced = {fit.feature for fit in fits}
    kept = tuple(tree for tree in model.trees if tree[0][0][0] not in replaced)
    return replace(model, trees=kept + tuple(tree for fit in fits for tree in as_trees(fit.feature, fit.values)))


def as_trees(feature: int, values: Sequence[int]) -> WeightedTrees:
    """Trees that ask about one feature and add up to these values of its codes.

    >>> as_trees(0, [-4096, -4096, 0, 4096])
    ((((0, 7), (0, 11)), (-4096, 0, 4096, 0)),)
    """
    levels = sorted(set(values))
    parts = (
        [levels] if len(levels) <= _LEVELS + 1 else [levels[i : i + _LEVELS] for i in range(0, len(levels), _LEVELS)]
    )
    found = []
    for part in parts:
        others = [] if len(parts) == 1 else [0]  # of the codes that other trees speak of
        place = {level: i + len(others) for i, level in enumerate(part)}
        n = max(1, (len(part) + len(others) - 1).bit_length())
        questions = questions_of(feature, [place.get(value, 0) for value in values], n)
        found.append((questions, tuple([*others, *part] + [0] * ((1 << n) - len(part) - len(others)))))
    return tuple(found)


def pooled(deviations: Floats, values: Sequence[int], shares: Sequence[int]) -> Floats:
    """What the noise of a block's mean deviates by at most, given the block: the mean of its codes' deviations.

    Parameters
    ----------
    deviations, values : of each code, those without an order last
    shares : of each code that has one
    """
    found, begin = deviations.copy(), 0
    for _, run in groupby(values[: len(shares)]):
        end = begin + len(list(run))
        found[begin:end] = np.average(deviations[begin:end], weights=np.maximum(1, shares[begin:end]))
        begin = end
    return found

"""An exercise to implement: quantile edges from released counts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import accumulate, product

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import integer, sequence


@cache
def fine_grids() -> Sequence[Case]:
    """Three and four fine bins with noisy counts from −2 to 5, two to four coarse ones; then long tails."""
    small = [(list(c), b) for n in (3, 4) for c in product((-2, 0, 1, 5), repeat=n) for b in (2, 3, 4)]
    tails = [([9, 7, -3, 4, -2, 0, 1, -2, 2, -3, 1, 0], b) for b in (2, 3, 4, 5)]
    return tuple([*small, *tails])


def cuts(counts: Sequence[int], bins: int) -> list[int]:
    """For each target the first edge that reaches it; each edge once."""
    from itertools import accumulate

    sums = list(accumulate(counts))
    found: list[int] = []
    if sums[-1] <= 0:
        return found
    for i in range(1, bins):
        reached = [k for k in range(1, len(counts)) if bins * sums[k - 1] >= i * sums[-1]]
        if reached and reached[0] not in found:
            found.append(reached[0])
    return found


def _by(counts: Sequence[int], bins: int, reaches: Callable[[int, int], bool]) -> list[int]:
    """The same with another comparison of bins·S_k and i·S_r."""
    sums = list(accumulate(counts))
    if sums[-1] <= 0:
        return []
    firsts = [
        next((k for k in range(1, len(counts)) if reaches(bins * sums[k - 1], i * sums[-1])), 0) for i in range(1, bins)
    ]
    return list(dict.fromkeys(k for k in firsts if k))


def _repeated(counts: Sequence[int], bins: int) -> list[int]:
    sums = list(accumulate(counts))
    firsts = [next((k for k in range(1, len(counts)) if bins * sums[k - 1] >= i * sums[-1]), 0) for i in range(1, bins)]
    return [k for k in firsts if k] if sums[-1] > 0 else []


EDGES = Exercise(
    id="hist-edges",
    kind="implement",
    hint="`itertools.accumulate` gives the sums `S_k` of the first k noisy counts. Compare `bins · S_k` with `i · "
    "S_r`, in whole numbers. Noisy sums may fall, so try the inner edges one after the other.",
    domain="three and four fine bins with counts among −2, 0, 1, 5, two to four coarse bins; then a long tail",
    cases=fine_grids,
    size=lambda counts, bins: len(counts),
    reference=cuts,
    read=sequence(integer),
    explanation=(
        "Everything is computed from released counts, so the edges cost nothing beyond what the fine histogram did. "
        "Each edge is kept once, so there may be fewer bins than asked for.\n"
        "The library makes the sums rise from both sides and takes the nearest edge. It also adds up the counts as "
        "they are. With clipped cells, a long tail of empty bins would seem to hold many records."
    ),
    wrong=(
        Misconception(
            "clips the cells first",
            lambda counts, bins: cuts([max(0, n) for n in counts], bins),
            "Each clipped cell adds records that are not there, and a long tail has many. Add up the counts as they "
            "are: their noise has the mean 0.",
        ),
        Misconception(
            "wants more than the target",
            lambda counts, bins: _by(counts, bins, lambda a, b: a > b),
            "An edge that reaches exactly i/bins of the total is enough, because the task says at least.",
        ),
        Misconception(
            "repeats edges",
            _repeated,
            "Two targets may be reached at the same edge, when a fine bin holds many records. An edge is kept once.",
        ),
        Misconception(
            "cuts at equal width",
            lambda counts, bins: list(
                dict.fromkeys(k for i in range(1, bins) if 0 < (k := round(i * len(counts) / bins)) < len(counts))
            ),
            "These are equal numbers of fine bins. The task asks for equal numbers of records, so look at the counts.",
        ),
        Misconception(
            "counts edges from 0",
            lambda counts, bins: [k - 1 for k in cuts(counts, bins)],
            "That is the number of the last fine bin to the left. Edge k has k bins to its left, so it is one more.",
        ),
        Misconception(
            "takes the outer edge",
            lambda counts, bins: _outermost(counts, bins),
            "Edge r is the end of the public range, and no record is to its right. Inner edges only: k ≤ r − 1.",
        ),
        Misconception(
            "takes the nearest edge",
            lambda counts, bins: _nearest(counts, bins),
            "The library takes the nearest edge. Here it is the first one that reaches the target.",
        ),
        Misconception(
            "cuts without a total",
            lambda counts, bins: _without_total(counts, bins),
            "If the noisy total is 0 or below, parts of it mean nothing, so there are no edges.",
        ),
    ),
)


def _outermost(counts: Sequence[int], bins: int) -> list[int]:
    sums = list(accumulate(counts))
    firsts = [
        next((k for k in range(1, len(sums) + 1) if bins * sums[k - 1] >= i * sums[-1]), 0) for i in range(1, bins)
    ]
    return list(dict.fromkeys(k for k in firsts if k)) if sums[-1] > 0 else []


def _nearest(counts: Sequence[int], bins: int) -> list[int]:
    sums = list(accumulate(counts))
    near = [min(range(1, len(sums)), key=lambda k: abs(bins * sums[k - 1] - i * sums[-1])) for i in range(1, bins)]
    return sorted(set(near)) if sums[-1] > 0 else []


def _without_total(counts: Sequence[int], bins: int) -> list[int]:
    sums = list(accumulate(counts))
    firsts = [next((k for k in range(1, len(counts)) if bins * sums[k - 1] >= i * sums[-1]), 0) for i in range(1, bins)]
    return list(dict.fromkeys(k for k in firsts if k))

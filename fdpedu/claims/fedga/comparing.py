"""Two hospitals that are alike improve on each other, both: what a mean of ratios says."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from types import ModuleType
from typing import Any

from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.sources.fedga import improvement, log_ratio

Scores = tuple[float, ...]


def not_both(ours: Scores, theirs: Scores) -> None:
    """If one improves on the other, the other does not improve on it."""
    forth, back = improvement(ours, theirs), improvement(theirs, ours)
    require(not (forth > 0 and back > 0), f"{ours} improves on {theirs} by {forth} %, and the other way by {back} %")


def exchanged(n: int) -> Iterator[tuple[Scores, Scores]]:
    """Two hospitals, each better once."""
    yield from [((0.5, 1.0), (1.0, 0.5)), ((0.25, 1.0), (1.0, 0.25))][:n]


def never_below(ours: Scores, theirs: Scores) -> None:
    """Both ways together are never below 0, and 0 for equal scores only; the log-ratio has the other sign."""
    both = improvement(ours, theirs) + improvement(theirs, ours)
    require(both >= -1e-9, f"both ways together it is {both} %")
    require((both > 1e-9) == (ours != theirs), f"both ways together it is {both} %")
    one, other = log_ratio(ours, theirs), log_ratio(theirs, ours)
    require(abs(one + other) < 1e-12, f"the log-ratio is {one}, and {other} the other way")
    # X and Y exchanged within each pair: as likely either way
    mixed = improvement((*ours, *theirs), (*theirs, *ours))
    require(mixed >= -1e-9, f"of exchanged scores it is {mixed} %")
    require(abs(log_ratio((*ours, *theirs), (*theirs, *ours))) < 1e-12, "the log-ratio of exchanged scores is not 0")


def grid(most: int) -> Iterator[tuple[Scores, Scores]]:
    """All pairs of scores of two hospitals in quarters, up to so many."""
    values = [k / 4 for k in range(1, most + 1)]
    yield from product(product(values, repeat=2), repeat=2)


def random_scores(draw: ModuleType) -> Any:
    """Up to eight hospitals with scores in hundredths."""

    def of(n: int) -> Any:
        scores = draw.tuples(*[draw.integers(1, 100).map(lambda k: k / 100)] * n)
        return draw.tuples(scores, scores)

    return draw.integers(1, 8).flatmap(of)


CLAIMS = (
    Claim(
        "fedga-benefit",
        status="refuted as stated",
        code=("fdpedu.sources.fedga.comparing.improvement",),
        checks=(Check("not both", "exact", "{size} pairs of hospitals", not_both, exchanged, 1),),
        corrected_by="lem-ratio",
    ),
    Claim(
        "lem-ratio",
        status="proved+checked",
        code=("fdpedu.sources.fedga.comparing", "fdpedu.sources.fedga.comparing.log_ratio"),
        checks=(
            Check(
                "grid",
                "exhaustive",
                "two hospitals, all scores in quarters up to {size} of them",
                never_below,
                grid,
                3,
                6,
            ),
            Check("random", "property", "{size} random cases of up to eight", never_below, random_scores, 50, 1000),
        ),
    ),
)

TWINS = (
    Broken(
        "logarithms of absolute differences",
        "fdpedu.sources.fedga.comparing.log_ratio",
        "np.mean(np.log(one / other))",
        "np.mean(np.abs(np.log(one / other)))",
        "A distance between scores has no sign.",
        "lem-ratio",
        "grid",
    ),
)

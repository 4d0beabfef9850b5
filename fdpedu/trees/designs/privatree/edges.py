"""Which borders are kept before a tree is grown: all public ones, or some that are paid for.

Equal bins of a public range waste most of their borders where a feature has a long tail. Then some borders of the fine
public grid are kept, as many as ``edge_bins`` wide bins need: by the joint exponential mechanism (``joint``), or by
quantiles of a noisy histogram (``histogram``). The domain stays as it is. A record has a value in every feature, so
what the features cost adds up: each of m features gets ε/m. (The source gives each of them ε.)

Claims: lem-edges-add-up
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from fdpedu.cart.candidates import Borders
from fdpedu.domain import Domain, Numeric
from fdpedu.exact import Integers
from fdpedu.federation import ClassHistogram, JointEdges, Query
from fdpedu.histograms.edges import quantile_places

EDGES = ("public", "joint", "histogram")


def features_to_thin(domain: Domain, bins: int) -> tuple[int, ...]:
    """The features that have more bins than are to be kept; public.

    >>> domain = Domain.from_spec({"features": {"age": [0, 90, 30], "dose": [0, 4, 4]}, "classes": ["no", "yes"]})
    >>> features_to_thin(domain, 10)
    (0,)
    """
    fine = ((j, feature) for j, feature in enumerate(domain.features) if isinstance(feature, Numeric))
    return tuple(j for j, feature in fine if feature.n_bins > bins)


def edge_queries(domain: Domain, kind: str, bins: int, cost: Fraction) -> list[Query]:
    """What is asked of all records, which costs this in all; nothing where all borders are kept.

    Claims: lem-edges-add-up

    Parameters
    ----------
    domain : with fine bins
    kind : a name of :data:`EDGES`
    bins : how many wide bins a feature has at most
    cost : ε, of all features together
    """
    thinned = () if kind == "public" else features_to_thin(domain, bins)
    if not thinned:
        return []
    each = cost / len(thinned)  # lem-edges-add-up: a record has a value in every feature
    if kind == "joint":
        return [JointEdges(domain.everything, each, j, bins) for j in thinned]
    return [ClassHistogram(domain.everything, each, j) for j in thinned]


def kept_borders(domain: Domain, kind: str, bins: int, answers: Sequence[Integers]) -> Borders:
    """The borders that are kept, from what was answered to :func:`edge_queries`; post-processing.

    Parameters
    ----------
    domain, kind, bins : as there
    answers : one for each query
    """
    kept: list[tuple[int, ...] | None] = [None] * domain.n_features
    for j, answer in zip(features_to_thin(domain, bins), answers, strict=True):
        feature = domain.features[j]
        assert isinstance(feature, Numeric)
        places = answer.tolist() if kind == "joint" else quantile_places(answer[: feature.n_bins], bins)
        kept[j] = tuple(places)
    return Borders(tuple(kept))


def require_kept(domain: Domain, kind: str, bins: int, borders: Borders) -> None:
    """Refuse borders that :func:`kept_borders` cannot have kept; of another choice of as many nothing tells."""
    borders.require_of(domain)
    thinned = () if kind == "public" else features_to_thin(domain, bins)
    kept = [some for some in borders.kept if some is not None]
    at = tuple(j for j, some in enumerate(borders.kept) if some is not None)
    fit = all(len(some) == bins - 1 if kind == "joint" else 1 <= len(some) < bins for some in kept)
    if at != thinned or not fit:
        raise ValueError(f"borders are none that {kind} edges of at most {bins} bins keep")

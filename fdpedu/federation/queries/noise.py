"""What a party draws before its answer is masked: the layer of noise of a type of queries.

The layer of most types is :data:`POLYA_SHARES`. Each party adds its share of noise to every exact number, and the
shares of all parties together have the law of discrete Laplace noise. Where a query costs ρ in place of ε, its layer is
:data:`GAUSSIAN_SHARES`: the shares are discrete Gaussian numbers. A type may have another layer, by which a party
draws its answer itself, as in a vote. Then its draw alone hides its records, and the sum of all draws is released.
Either way a layer is the only place that draws, and its answer costs at most what the query says.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any, Protocol

import numpy as np

from fdpedu.dlpa import polya_share
from fdpedu.dlpa.gaussian_noise import GaussianNoise, gaussian_share
from fdpedu.domain import Domain
from fdpedu.exact import Integers, Rate
from fdpedu.randomness import Source
from fdpedu.sampling import require_drawable


class Drawn(Protocol):
    """What a layer has to know of a query."""

    @property
    def layer_of_noise(self) -> Layer: ...
    @property
    def drawn_by(self) -> object: ...
    @property
    def rate(self) -> Rate: ...
    def gaussian(self, n_noise_shares: int) -> GaussianNoise: ...
    def size(self, domain: Domain) -> int: ...
    def exact_size(self, domain: Domain) -> int: ...


class Layer(Protocol):
    """How exact local numbers become what a party sends."""

    @property
    def mechanism(self) -> str:
        """The name of what is drawn, in ledgers and derivations."""
        ...

    def require_drawable(self, query: Any) -> None:
        """Refuse, with a ValueError, a query for which no party could draw."""
        ...

    def noisy(
        self, exact: Integers, queries: Sequence[Any], domain: Domain, n_noise_shares: int, source: Source
    ) -> Integers:
        """What is sent in place of the exact numbers of some queries, which stand one after the other."""
        ...


class PolyaShares:
    """Masked sums: every exact number, plus this party's share of discrete Laplace noise of the query's rate."""

    mechanism = "discrete Laplace in Pólya shares"

    def require_drawable(self, query: Drawn) -> None:
        require_drawable(query.rate)

    def noisy(
        self, exact: Integers, queries: Sequence[Drawn], domain: Domain, n_noise_shares: int, source: Source
    ) -> Integers:
        return exact + noise_of(queries, domain, n_noise_shares, source)


class GaussianShares:
    """Masked sums: every exact number, plus this party's discrete Gaussian share of noise, where the cost is ρ."""

    mechanism = "discrete Gaussian in shares"

    def require_drawable(self, query: Drawn) -> None:
        query.gaussian(1)  # one share alone is the largest

    def noisy(
        self, exact: Integers, queries: Sequence[Drawn], domain: Domain, n_noise_shares: int, source: Source
    ) -> Integers:
        parts = [
            # lem-gaussian-sum-renyi: independent shares in every cell, for n_noise_shares parties
            gaussian_share(alike[0].gaussian(n_noise_shares).share, sum(query.size(domain) for query in alike), source)
            for alike in _drawn_alike(queries)
        ]
        return exact + np.concatenate(parts)


POLYA_SHARES, GAUSSIAN_SHARES = PolyaShares(), GaussianShares()


def _drawn_alike(queries: Sequence[Drawn]) -> list[list[Drawn]]:
    """Neighbouring queries of one noise, together."""
    return [list(alike) for _, alike in groupby(queries, key=lambda query: query.drawn_by)]


def noise_of(queries: Sequence[Drawn], domain: Domain, n_noise_shares: int, source: Source) -> Integers:
    """One Pólya share for every number; neighbouring queries of one rate are drawn together.

    Parameters
    ----------
    queries : of one round
    domain : what is public
    n_noise_shares : how many shares make up the full noise
    source : the party's own
    """
    parts = [
        # thm-polya-shares: independent shares in every cell, for n_noise_shares parties (thm-tolerate)
        polya_share(alike[0].rate, n_noise_shares, sum(query.size(domain) for query in alike), source)
        for alike in _drawn_alike(queries)
    ]
    return np.concatenate(parts)


def noisy(exact: Integers, queries: Sequence[Drawn], domain: Domain, n_noise_shares: int, source: Source) -> Integers:
    """What a party sends in a round, before it is masked: each query's exact numbers, by the layer of its type.

    Parameters
    ----------
    exact : of all queries, one after the other
    queries : of one round
    domain : what is public
    n_noise_shares : how many shares make up the full noise
    source : the party's own
    """
    parts, begin = [], 0
    for layer, group in groupby(queries, key=lambda query: query.layer_of_noise):
        alike = list(group)
        end = begin + sum(query.exact_size(domain) for query in alike)
        parts.append(layer.noisy(exact[begin:end], alike, domain, n_noise_shares, source))
        begin = end
    return np.concatenate(parts)

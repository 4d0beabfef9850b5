"""A party: the records it holds, checked and encoded at the border, and its endpoint in a federation.

Everything that can be wrong with the data is refused here, before any budget is spent, by row and column and never by
value. After that nothing raises: what an endpoint computes and sends depends on
released values, its counts and its noise.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

import numpy as np

from fdpedu.dlpa import polya_share
from fdpedu.domain import Domain
from fdpedu.exact import Integers, require_writable
from fdpedu.federation.queries import Counts, Query, read_request
from fdpedu.federation.records import Records
from fdpedu.randomness import Source
from fdpedu.secure_sum import Masks, encode


class Party:
    """One data holder, with its rows encoded under the public domain.

    Parameters
    ----------
    rows : each the p feature values followed by the class; or, with ``labels``, the feature values alone. May be empty
    domain : the public domain that all parties share
    labels : the classes, if they do not stand in the rows
    name : for messages

    Raises
    ------
    ValueError
        For NaN or infinite values, unknown categories or classes, wrong shapes. Values beyond a public range are
        clipped into the end bins; ``clipped`` counts them, for the party's own eyes.

    Examples
    --------
    >>> from fdpedu.domain import Domain, Numeric
    >>> clinic = Party([[63, "ill"], [140, "well"]], Domain([Numeric.grid("age", 0, 100, bins=4)], ("well", "ill")))
    >>> clinic, clinic.clipped
    (Party('party'), {'age': 1})
    """

    def __init__(self, rows: Any, domain: Domain, *, labels: Any = None, name: str = "party") -> None:
        if type(domain) is not Domain:  # a subclass could encode otherwise than it says
            raise ValueError(f"domain must be a Domain, got {type(domain).__name__}")
        features, classes = (rows, labels) if labels is not None else _split_off_class(rows, domain)
        self.name, self.domain = str(name), domain
        require_writable(self.name, "name")
        self._codes, self.clipped = domain.admit(features, self.name)
        self._labels = domain.encode_labels(classes, self.name)
        if len(self._codes) != len(self._labels):
            raise ValueError(f"{self.name}: there must be as many labels as rows")

    def __repr__(self) -> str:
        return f"Party({self.name!r})"

    def endpoint(self, masks: Masks, source: Source, n_noise_shares: int) -> Endpoint:
        """Take part in a federation, with masks shared with the other parties and a source of noise of one's own."""
        return Endpoint(Records(self._codes, self._labels, self.domain), self.domain, masks, source, n_noise_shares)


class Endpoint:
    """A party's side of a federation: it reads a request and writes an answer, bytes to bytes."""

    def __init__(self, records: Records, domain: Domain, masks: Masks, source: Source, n_noise_shares: int) -> None:
        self._records, self._domain = records, domain
        self._masks, self._source, self._n_noise_shares = masks, source, n_noise_shares

    def respond(self, request: bytes) -> bytes:
        """Exact counts, then noise, then masks; three steps that are never mixed."""
        round_number, queries = read_request(request, self._domain)
        noisy = self._counts(queries)
        noisy += self._noise(queries)
        return encode(noisy, self._masks.draw(round_number, noisy.size)).tobytes()

    def _counts(self, queries: Sequence[Query]) -> Counts:
        """The exact counts of all queries, one after the other."""
        rows = self._records.within(query.region for query in queries)
        parts = [query.tally(self._records, found, self._domain) for query, found in zip(queries, rows, strict=True)]
        return np.concatenate(parts)

    def _noise(self, queries: Sequence[Query]) -> Integers:
        """One noise share for every cell; neighbouring queries of one rate are drawn together."""
        parts = [
            polya_share(rate, self._n_noise_shares, sum(query.size(self._domain) for query in alike), self._source)
            for rate, alike in groupby(queries, key=lambda query: query.rate)
        ]
        return np.concatenate(parts)


def _split_off_class(rows: Any, domain: Domain) -> tuple[Any, Any]:
    if isinstance(rows, (str, bytes)) or not isinstance(rows, Iterable):
        raise ValueError(f"rows must be a list of rows, got {type(rows).__name__}")
    table = rows.tolist() if isinstance(rows, np.ndarray) else list(rows)
    for i, row in enumerate(table):
        if isinstance(row, (str, bytes)) or not hasattr(row, "__len__") or len(row) != domain.n_features + 1:
            raise ValueError(f"row {i}: expected {domain.n_features} feature values and the class")
    return [list(row[:-1]) for row in table], [row[-1] for row in table]

"""Records as codes, and what of them lies in a region, by hand."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np

from fdpedu.domain import Codes, Domain, Region
from fdpedu.trees.clamped_tables import Data

Record = tuple[int, ...]


def records(domain: Domain) -> list[Record]:
    """One record for each cell and class, as codes."""
    return list(product(*(range(feature.n_codes) for feature in domain.features), range(domain.n_classes)))


def coded(domain: Domain, rows: Sequence[Sequence[Any]]) -> Data:
    """Rows of records as codes."""
    X = np.array([row[:-1] for row in rows], dtype=object).reshape(len(rows), domain.n_features)
    labels = domain.encode_labels([row[-1] for row in rows])
    return tuple((*codes, c) for codes, c in zip(domain.encode(X).tolist(), labels.tolist(), strict=True))


def as_arrays(domain: Domain, data: Data) -> tuple[Codes, Codes]:
    """Records as the arrays that a party has: codes, and classes."""
    codes = np.array([record[:-1] for record in data], dtype=np.uint8).reshape(len(data), domain.n_features)
    return codes, np.array([record[-1] for record in data], dtype=np.uint8)


def inside(data: Data, region: Region) -> Data:
    """The records in a region."""
    masks = (*region.features, region.classes)
    return tuple(record for record in data if all(mask >> code & 1 for mask, code in zip(masks, record, strict=True)))


def class_counts(domain: Domain, region: Region, data: Data) -> tuple[int, ...]:
    """How many records of each class are in a region."""
    there = [record[-1] for record in inside(data, region)]
    return tuple(there.count(c) for c in range(domain.n_classes))

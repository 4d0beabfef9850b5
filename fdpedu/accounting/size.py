"""How large the steps of a derivation are when they are written, at most: read off the charges, without writing."""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from fdpedu.domain import Region


class Size(NamedTuple):
    """Characters, brackets that open, and quotation marks: what the checker limits in a text."""

    characters: int = 0
    brackets: int = 0
    quotes: int = 0

    def plus(self, other: Size, times: int = 1) -> Size:
        return Size(*(a + times * b for a, b in zip(self, other, strict=True)))


# Without their texts and numbers. An index in a round is a number of up to 20 digits, both together.
HEAD, _RELEASE, RULE, FEATURE = Size(320, 5, 48), Size(186, 2, 34), Size(62, 3, 12), Size(22, 1, 4)


@lru_cache(maxsize=1024)
def of_texts(*texts: str) -> Size:
    """Texts as JSON writes them."""
    written = "".join(json.dumps(text, ensure_ascii=False) for text in texts)
    return Size(len(written), written.count("[") + written.count("{"), written.count('"'))


def of_release(texts: tuple[str, ...], parameters: Mapping[str, object], numbers: tuple[Fraction | int, ...]) -> Size:
    """A release on the region of its enclosing step."""
    asked = json.dumps(parameters, ensure_ascii=False)
    written = Size(len(asked), asked.count("{") + asked.count("["), asked.count('"'))
    return _RELEASE.plus(of_texts(*texts)).plus(written).plus(Size(sum(map(digits, numbers))))


def of_names(region: Region, around: Region | None) -> Size:
    """The coordinates in which a region differs from what is around it; None: all of them."""
    coordinates, codes = region.differing(around)
    return Size(12 * coordinates + 4 * codes, coordinates, 2 * coordinates)


def digits(number: Fraction | int) -> int:
    """Characters of a number: a bit is less than a third of a digit."""
    return sum(part.bit_length() // 3 + 2 for part in number.as_integer_ratio())

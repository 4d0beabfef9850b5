"""Checks of chapter 3: mechanisms on small data sets, sound and broken, by the check of chapter 2."""

from __future__ import annotations

from collections.abc import Callable

from fdpedu.claims.checking import exhaust, need
from fdpedu.claims.small_mechanisms import SMALL_MECHANISMS


def twins(name: str) -> None:
    """The sound mechanism holds on all neighbours; the same check refutes the broken one, first on the stated pair."""
    one = SMALL_MECHANISMS[name]
    need(one.verdict("sound"), f"the sound one {one.verdict('sound')}")
    need(one.verdict("broken").pair == one.pair, f"the broken one {one.verdict('broken')}")


def checking(*names: str) -> Callable[[int], int]:
    """A check of these twins."""
    return lambda _: exhaust(twins, [(name,) for name in names])

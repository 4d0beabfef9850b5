"""Checks of chapter 3: mechanisms on small data sets, sound and broken, by the check of chapter 2."""

from __future__ import annotations

from collections.abc import Callable

from fdpedu.claims.checking import exhaust
from fdpedu.claims.mechanisms.small import TWINS
from fdpedu.claims.privacy.laws import told_apart


def checking(*names: str) -> Callable[[int], int]:
    """A check of the twins of these names."""
    by_name = {twins.name: twins for twins in TWINS}
    cases = [(by_name[name],) for name in names]
    return lambda _: exhaust(told_apart, cases)

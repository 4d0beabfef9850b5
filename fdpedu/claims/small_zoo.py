"""The small zoo: broken mechanisms on small domains, each beside its sound twin, from the modules small.py.

>>> SMALL_ZOO["half the scale"].exp_epsilon
2
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from fdpedu.chapters import collect
from fdpedu.claims.privacy.small import Twins

SMALL_ZOO: Mapping[str, Twins] = MappingProxyType(
    {twins.name: twins for twins in collect("fdpedu.claims", "small", "TWINS")}
)

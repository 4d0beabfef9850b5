"""Small broken variants: mechanisms on small domains, each beside a sound one, from the modules ``small``.

>>> SMALL_ZOO["half the scale"].exp_epsilon
2
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType

from fdpedu.chapters import folders, topics
from fdpedu.claims.privacy.small import SoundAndBroken

_MODULES = [f"{folder.__name__}.small" for folder in folders("fdpedu.claims") if "small" in topics(folder)]
SMALL_ZOO: Mapping[str, SoundAndBroken] = MappingProxyType(
    {both.name: both for module in _MODULES for both in import_module(module).SMALL_PAIRS}
)

"""fdpedu: a textbook that runs, on federated differentially private decision trees.

Every chapter of the book has its module here, and the module is what the chapter explains. Importing the
package loads NumPy and the standard library only; a room is loaded when it is first entered:

>>> import fdpedu
>>> int(fdpedu.mechanisms.discrete_laplace_pmf(0, alpha="1/3") * 2)
1
"""

import importlib
from types import ModuleType

from fdpedu.chapters import TIERS

__version__ = "0.1.0"

_ROOMS = (*(room for tier in TIERS[:-1] for room in tier), "viz")


def __getattr__(name: str) -> ModuleType:
    if name in _ROOMS:
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_ROOMS])

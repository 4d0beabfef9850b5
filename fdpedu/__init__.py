"""fdpedu: a textbook that runs, on federated differentially private decision trees.

Every chapter of the book has its module here, and the module is what the chapter explains. Importing the
package loads NumPy and the standard library only; a room is loaded when it is first entered:

>>> import fdpedu
>>> int(fdpedu.mechanisms.discrete_laplace_pmf(0, alpha="1/3") * 2)
1

What a room offers is imported from the room. Who asks the package itself for it is told where it is:

>>> from fdpedu import Ledger
Traceback (most recent call last):
ImportError: cannot import name 'Ledger' from 'fdpedu': it is in fdpedu.accounting
"""

import importlib
import importlib.util
import sys
from functools import cache
from types import ModuleType

from fdpedu.chapters import TIERS

__version__ = "0.1.0"

_ROOMS = (*(room for tier in TIERS[:-1] for room in tier), "viz")


def __getattr__(name: str) -> ModuleType:
    if name in _ROOMS:
        return importlib.import_module(f"{__name__}.{name}")
    rooms = () if name.startswith("_") else _where(name)
    pointer = f": it is in {' and '.join(rooms)}" if rooms else ""
    if pointer and sys._getframe(1).f_code.co_name == "_handle_fromlist":  # of `from fdpedu import …`
        raise ImportError(f"cannot import name {name!r} from {__name__!r}{pointer}", name=__name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}{pointer}")


@cache
def _where(name: str) -> tuple[str, ...]:
    """The rooms that offer a name; none if it is a module of the package, which Python goes on to import."""
    if importlib.util.find_spec(f"{__name__}.{name}"):
        return ()
    rooms = [importlib.import_module(f"{__name__}.{room}") for room in _ROOMS]
    return tuple(room.__name__ for room in rooms if name in _offered(room))


def _offered(room: ModuleType) -> list[str]:
    """The public names of a room; of one that does not list them, what is made there."""
    made = [name for name, found in vars(room).items() if getattr(found, "__module__", None) == room.__name__]
    return list(getattr(room, "__all__", made))


def __dir__() -> list[str]:
    return sorted([*globals(), *_ROOMS])

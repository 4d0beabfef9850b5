"""fdpedu: a textbook that runs, on federated differentially private decision trees.

Every chapter of the book has its module here, and the module is what the chapter explains. Importing the
package loads NumPy and the standard library only; a module is loaded when it is first used:

>>> import fdpedu
>>> int(fdpedu.mechanisms.discrete_laplace_pmf(0, alpha="1/3") * 2)
1

Import a name from its module. The package itself does not have it, and its error says which module does:

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

__version__ = "0.2.0"

_MODULES = (*(module for tier in TIERS[:-1] for module in tier), "viz")


def __getattr__(name: str) -> ModuleType:
    if name in _MODULES:
        return importlib.import_module(f"{__name__}.{name}")
    modules = () if name.startswith("_") else _where(name)
    pointer = f": it is in {' and '.join(modules)}" if modules else ""
    if pointer and sys._getframe(1).f_code.co_name == "_handle_fromlist":  # of `from fdpedu import …`
        raise ImportError(f"cannot import name {name!r} from {__name__!r}{pointer}", name=__name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}{pointer}")


@cache
def _where(name: str) -> tuple[str, ...]:
    """The modules that offer a name; none if it is one itself, which Python goes on to import."""
    if importlib.util.find_spec(f"{__name__}.{name}"):
        return ()
    modules = [importlib.import_module(f"{__name__}.{module}") for module in _MODULES]
    return tuple(module.__name__ for module in modules if name in _offered(module))


def _offered(module: ModuleType) -> list[str]:
    """The public names of a module; if it does not list them, what it defines."""
    made = [name for name, found in vars(module).items() if getattr(found, "__module__", None) == module.__name__]
    return list(getattr(module, "__all__", made))


def __dir__() -> list[str]:
    return sorted([*globals(), *_MODULES])

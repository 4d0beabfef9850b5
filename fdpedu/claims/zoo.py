"""Broken variants: plausible bugs, each one changed line of the shipped code, and the check that catches it.

Each stands in the file of the claim whose check must catch it: ``TWINS`` of ``fdpedu.claims.<chapter>.<topic>``.

>>> twin = ZOO["half the scale"]
>>> print(twin.diff())
fdpedu.federation.queries.Query.rate
- self.epsilon / (self.n_releases * self.sensitivity)
+ 2 * self.epsilon / (self.n_releases * self.sensitivity)
>>> with twin.applied():
...     print(check_twin(twin).verdict)
FAILED
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import ModuleType

from fdpedu.chapters import collect_from, folders
from fdpedu.claims.mutation import Broken
from fdpedu.claims.register import REGISTER
from fdpedu.claims.verify import Result, run_check

__all__ = ["ZOO", "Broken", "check_twin"]


class Zoo(Mapping[str, Broken]):
    """Name → broken variant. The chapters are looked through in order, and none is loaded after the one that has it."""

    def __init__(self) -> None:
        self._loaded: dict[str, dict[str, Broken]] = {}

    def __getitem__(self, name: str) -> Broken:
        for folder in folders("fdpedu.claims"):
            if name in (twins := self._twins(folder)):
                return twins[name]
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return (name for folder in folders("fdpedu.claims") for name in self._twins(folder))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _twins(self, folder: ModuleType) -> dict[str, Broken]:
        if folder.__name__ not in self._loaded:
            self._loaded[folder.__name__] = {twin.name: twin for twin in collect_from(folder, "TWINS")}
        return self._loaded[folder.__name__]


ZOO: Mapping[str, Broken] = Zoo()


def check_twin(twin: Broken) -> Result:
    """Run the check that must catch it; inside ``with twin.applied()`` it fails, outside it does not.

    Which random cases are tried depends on the version of Hypothesis: where the few of a quick check find nothing, the
    many of a deep one are tried.
    """
    claim = REGISTER[twin.claim]
    check = claim.check(twin.check)
    result = run_check(claim, check)
    return run_check(claim, check, deep=True) if result.ok and check.kind == "property" else result

"""The zoo: plausible bugs, each one changed line of the shipped code, and the check that catches it.

The twins stand in the folders of the chapters: each in the chapter of the claim whose check must catch it.

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

from collections.abc import Mapping
from types import MappingProxyType

from fdpedu.chapters import collect
from fdpedu.claims.mutation import Broken
from fdpedu.claims.register import REGISTER
from fdpedu.claims.verify import Result, run_check

__all__ = ["ZOO", "Broken", "check_twin"]

# Bugs in the shipped code, from the modules bugs*.py of the chapters.
ZOO: Mapping[str, Broken] = MappingProxyType({twin.name: twin for twin in collect("fdpedu.claims", "bugs", "TWINS")})


def check_twin(twin: Broken) -> Result:
    """Run the check that must catch it; inside ``with twin.applied()`` it fails, outside it does not."""
    claim = REGISTER[twin.claim]
    return run_check(claim, claim.check(twin.check))

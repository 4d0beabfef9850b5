"""Whoever may be asked for releases: a federation, a curator of all rows, or what stands before one of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from fdpedu.accounting import Ledger
from fdpedu.domain import Domain
from fdpedu.exact import Integers
from fdpedu.federation.queries import Query

Progress = Callable[[int, int], None]
_NEEDED = ("domain", "ledger", "n_parties", "tolerate", "colluders", "rounds", "release")


class Asker(Protocol):
    """All that a fit needs of a :class:`Federation`, which has two parties or more, or of a :class:`Curator`, alone."""

    rounds: int

    @property
    def domain(self) -> Domain: ...
    @property
    def ledger(self) -> Ledger: ...
    @property
    def n_parties(self) -> int: ...
    @property
    def tolerate(self) -> int: ...
    @property
    def colluders(self) -> int: ...
    def release(
        self, queries: Sequence[Query], account: str = "", *, answered: Progress | None = None
    ) -> list[Integers]: ...


def require_asker(found: object, name: str = "federation") -> None:
    """Refuse what asks neither parties, as a :class:`Federation` does, nor one owner, as a :class:`Curator` does."""
    if not _asks(found):
        raise ValueError(f"{name} must be a Federation, or the Curator of all rows, got {type(found).__name__}")


def require_federation(found: object, name: str = "federation") -> None:
    """Refuse what does not ask two parties or more, as a :class:`Federation` does."""
    if not _asks(found) or found.n_parties < 2:  # type: ignore[attr-defined]  # it has all that is needed
        raise ValueError(f"{name} must be a Federation, got {type(found).__name__}")


def require_curator(found: object, name: str = "curator") -> None:
    """Refuse what does not ask one owner of all rows, as a :class:`Curator` does."""
    if not _asks(found) or found.n_parties != 1:  # type: ignore[attr-defined]
        raise ValueError(f"{name} must be a Curator, got {type(found).__name__}")


def _asks(found: object) -> bool:
    return not isinstance(found, type) and all(hasattr(found, part) for part in _NEEDED)

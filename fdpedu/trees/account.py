"""The account of one model: what it asks is charged to it alone, so what it has paid is known among all that was paid.

A ledger, and the derivation that is made of it, are of all models that one budget pays for. What belongs to one of
them, say how large its noise is, is read from its own rounds only, whose numbers the model keeps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from fdpedu.accounting import BudgetExceeded
from fdpedu.exact import Integers
from fdpedu.federation import Query
from fdpedu.federation.asker import Progress


class Account:
    """What one model asks of a federation or a curator, and what was answered.

    Parameters
    ----------
    asker : whoever releases, an :class:`fdpedu.federation.Asker`
    what : the model, in messages and in the name of the account, which no other model has
    """

    def __init__(self, asker: Any, what: str = "tree") -> None:
        self._asker, self._what = asker, what
        self.name = asker.ledger.new_account(what)
        self.released = list[tuple[Query, Integers]]()

    @property
    def rounds(self) -> tuple[int, ...]:
        """The numbers of the rounds that were charged, as the ledger counts them."""
        found: tuple[int, ...] = self._asker.ledger.rounds_of(self.name)
        return found

    def release(self, queries: Sequence[Query], *, answered: Progress | None = None) -> list[Integers]:
        """One round."""
        answers: list[Integers] = self._asker.release(queries, self.name, answered=answered)
        self.released += [(query, answer.copy()) for query, answer in zip(queries, answers, strict=True)]
        return answers

    @contextmanager
    def delivering(self, so_far: Callable[[], Any]) -> Iterator[None]:
        """Let whatever fails within say what is paid, and deliver what was bought until then.

        Another program may have spent what the model still needs, a party may have fallen silent, a disk be full. The
        error's attribute ``released`` has what was answered, and ``model`` the model so far, None where there is none.

        Parameters
        ----------
        so_far : makes a model, or None, of what was released until now: post-processing, asked for if anything was
        """
        try:
            yield
        except Exception as failed:
            n = len(self.rounds)
            if n:
                times = f"{n} round{'s' * (n > 1)}"
                said = f"what this {self._what} has charged in {times} stays paid (Ledger.spent)"
                if isinstance(failed, BudgetExceeded):
                    said += ". Somebody else charged the same budget in the meantime"
                said += "; what was answered is in this error's attribute 'released'"
                failed.released = tuple(self.released)  # type: ignore[attr-defined]
                failed.model = model = self._model(so_far, failed)  # type: ignore[attr-defined]
                _add(failed, said if model is None else f"{said}, the {self._what} so far in 'model'")
            raise

    def _model(self, so_far: Callable[[], Any], failed: Exception) -> Any:
        """The model so far; what fails in making it, such as a ledger that can no longer be read, hides nothing."""
        if not self.released:
            return None
        try:
            return so_far()
        except Exception as why:
            failed.add_note(f"no {self._what} could be made of what was answered: {why}")
            return None


def _add(failed: Exception, said: str) -> None:
    """Add a sentence to a message, if it is one; else as a note."""
    if len(failed.args) == 1 and isinstance(failed.args[0], str):
        failed.args = (f"{failed.args[0]}; {said}",)
    else:
        failed.add_note(said)

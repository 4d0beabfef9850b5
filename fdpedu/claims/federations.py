"""Small federations, and the trees that they grow: what the checks of several chapters are tried on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from fdpedu.accounting import Ledger
from fdpedu.claims.checking import require
from fdpedu.claims.replay import patched
from fdpedu.domain import Domain, Numeric, Rows
from fdpedu.exact import Integers, Rational
from fdpedu.federation import Federation, Party, deal
from fdpedu.federation.queries import noisy
from fdpedu.federation.session import Session
from fdpedu.randomness import Rehearsal, Source
from fdpedu.trees import DESIGNS, Tree, fit_federated_tree, stopping

Case = tuple[Domain, Sequence[Rows]]
Answered = tuple[Integers, tuple[int, ...]]  # sums, and of whom they are
AGE = Domain([Numeric.grid("age", 0, 100, bins=2)], ("well", "ill"))
# More rows than random cases have: sixty in four features and three classes, of three parties, one of which has none.
_SIXTY = [[x % 4 + 0.5, "ABC"[x % 3], x % 2 + 0.5, x * 5 % 6, "abc"[(x * x + x // 5) % 3]] for x in range(60)]
_FEATURES = {"x": [0, 4, 4], "w": ["A", "B", "C"], "z": [0, 2, 2], "v": [0, 6, 3]}
LARGER: Case = Domain.from_spec({"features": _FEATURES, "classes": ["a", "b", "c"]}), [_SIXTY[::2], [], _SIXTY[1::2]]


def federate(parts: Sequence[Rows], domain: Domain, budget: Rational, rng: Source, **options: Any) -> Federation:
    """A federation of these parties."""
    return Federation([Party(rows, domain) for rows in parts], domain, Ledger(budget), rng=rng, **options)


def dealt(rows: Rows, parties: int) -> list[Rows]:
    """The rows of so many parties, each row dealt by its own draw, always in the same way."""
    return [[rows[i] for i in part] for part in deal(len(rows), parties, Rehearsal(1))]


def grow(case: Case, budget: Rational, rng: Source, **options: Any) -> tuple[Tree, Federation]:
    """A tree of these parties, and the federation that grew it."""
    domain, parts = case
    federation = federate(parts, domain, budget, rng, transport=options.pop("transport", None))
    return fit_federated_tree(federation, **options), federation


def rows_to_split(design: str, least: int) -> dict[str, Any]:
    """``min_samples_split``, for a design that asks about rows; one that never stops has no use for it."""
    found = DESIGNS.get(design)
    return {} if found is not None and found.stop is stopping.never else {"min_samples_split": least}


def from_sums_alone(case: Case, grown: Callable[[Sequence[Rows], int], Any]) -> None:
    """Parties without any rows, given the sums of others, are asked the same, and what is grown of them is the same.

    So is one owner without any rows, given the answers of another.

    Parameters
    ----------
    case : a domain, and the rows of its parties
    grown : given the rows of all parties and 0, or no rows and 1: what is compared
    """
    sums = list[tuple[Any, Answered]]()

    class Keeping(Session):
        def ask(self, *asked: Any) -> Answered:
            sums.append((asked[:3], super().ask(*asked)))
            return sums[-1][1][0].copy(), sums[-1][1][1]

    class Replaying(Session):
        def ask(self, *asked: Any) -> Answered:
            require(sums, f"{asked[:3]} is asked beyond what others were asked")
            before, answer = sums.pop(0)
            require(asked[:3] == before, f"after the same sums {asked[:3]} is asked, and not {before}")
            return answer

    def keeping(exact: Integers, queries: Any, *rest: Any) -> Integers:
        sums.append((queries, (noisy(exact, queries, *rest), ())))
        return sums[-1][1][0].copy()

    def replaying(exact: Integers, queries: Any, *rest: Any) -> Integers:
        require(sums, f"{queries} are asked beyond what the other owner was asked")
        before, (answer, _) = sums.pop(0)
        require(queries == before, f"after the same answers {queries} are asked, and not {before}")
        return answer

    found = []
    turns: Any = ((Keeping, keeping, case[1]), (Replaying, replaying, [[]] * len(case[1])))
    for turn, (session, answers, rows) in enumerate(turns):
        with (
            patched("fdpedu.federation.federation", Session=session),
            patched("fdpedu.federation.curator", noisy=answers),
        ):
            found.append(grown(rows, turn))
    require(found[0] == found[1], f"it is {found[0]}, and from its sums alone {found[1]}")

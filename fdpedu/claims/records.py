"""What a claim is, what evidence for it can be, and what came of checking it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from fdpedu.claims.checking import Condition, exhaust, explore, import_strategies

Kind = Literal["exact", "exhaustive", "machine proof", "property", "statistical"]
Status = Literal["proved+checked", "checked", "assumed", "refuted as stated"]

# What a check that did not fail has shown. Only a proof proves.
VERDICTS: Mapping[Kind, str] = {
    "exact": "holds exactly",
    "exhaustive": "verified",
    "machine proof": "proved",
    "property": "not refuted",
    "statistical": "not rejected",
}

MORE = 40  # further cases of a strategy


@dataclass(frozen=True)
class Check:
    """Evidence for a claim: a condition, and the cases on which it is tried.

    Parameters
    ----------
    name : unique within its claim
    kind : what a success means, see :data:`VERDICTS`
    shows : what is tried, in words; ``{size}`` stands for the size
    condition : takes a case, and raises :class:`fdpedu.claims.checking.Refuted` if the shipped code breaks it there.
        Tests and readers call it on cases of their own
    cases : takes the size, returns the cases (tuples of the condition's arguments), smallest first. For a property:
        takes :mod:`fdpedu.claims.strategies`, returns a strategy of cases, of which as many are tried as the size says
    quick, deep : the size by default, and with ``--deep`` (a bound, a number of examples, a number of draws)
    alpha : for a statistical check, the probability of a false alarm
    more : further cases, larger or of another kind, for the tests and for ``--deep``; or a function that takes
        :mod:`fdpedu.claims.strategies` and returns them, or a strategy of which some are tried
    """

    name: str
    kind: Kind
    shows: str
    condition: Condition
    cases: Callable[[Any], Any]
    quick: int = 0
    deep: int = 0
    alpha: float | None = None
    more: Sequence[tuple[Any, ...]] | Callable[[Any], Any] = ()

    def run(self, size: int) -> int:
        """Try the condition; returns the number of cases, or of draws.

        Raises
        ------
        fdpedu.claims.checking.Counterexample
            With the first case that breaks the condition, or for a property the simplest that was found.
        fdpedu.claims.checking.NotRun
            If what is needed is not installed.
        """
        if self.kind == "property":
            return explore(self.condition, self.cases, size)
        tried = exhaust(self.condition, self.cases(size))
        return size if self.kind == "statistical" else tried

    def run_more(self) -> int:
        """Try the condition on the further cases, as :meth:`run` does on the others; returns their number."""
        cases = self.more(import_strategies()) if callable(self.more) else self.more
        if isinstance(cases, Iterable):
            return exhaust(self.condition, cases)
        return explore(self.condition, lambda _: cases, MORE)

    def size(self, deep: bool) -> int:
        return max(self.quick, self.deep) if deep else self.quick

    def described(self, deep: bool = False) -> str:
        """What is tried, with the size put in."""
        return self.shows.format(size=f"{self.size(deep):,}")


@dataclass(frozen=True)
class Claim:
    """One numbered statement: of the sources, or of our own.

    Parameters
    ----------
    label : the same in the book (``:label:``), in docstrings (``Claims:``) and in tests (``@pytest.mark.claim``)
    status : ``proved+checked`` needs a proof in the book; ``checked`` has none there yet
    code : dotted paths of the objects that implement it; each of them names the label in its docstring
    checks : the evidence, run by ``verify``
    assumptions : under what it is meant: neighbours, convention of Gini, kind of arithmetic, who is curious
    uses : labels of the claims that it rests on
    corrected_by : for a claim that is refuted as stated, the label of the mended one
    title, source, statement : what it says, in a few words; document and number, such as "report, Theorem 6", or "this
        book"; Markdown with mathematics. A record gives them only while its chapter is not written; afterwards they are
        the text of the page, and the register puts them in
    chapter : the module that the chapter of the book explains; the register puts it in
    """

    label: str
    status: Status
    code: tuple[str, ...]
    checks: tuple[Check, ...] = ()
    assumptions: tuple[str, ...] = ()
    uses: tuple[str, ...] = ()
    corrected_by: str = ""
    title: str = ""
    source: str = ""
    statement: str = ""
    chapter: str = ""

    def check(self, name: str) -> Check:
        """The check of that name."""
        return next(check for check in self.checks if check.name == name)


def in_short(source: str) -> str:
    """A source without what is said of it.

    >>> in_short("this book, after Walker"), in_short("report, Theorem 7; here as an identity")
    ('this book', 'report, Theorem 7')
    """
    return "this book" if source.startswith("this book") else source.split(";")[0]

"""Running the checks of the register, and telling what came of it."""

from __future__ import annotations

import errno
import sys
import time
import warnings
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from typing import Any

from fdpedu.claims.checking import Counterexample, NotRun
from fdpedu.claims.records import VERDICTS, Check, Claim, in_short
from fdpedu.claims.register import REGISTER, find
from fdpedu.printable import escape
from fdpedu.showing import Html, html_table, text_table
from fdpedu.trees import NominalSizeWarning

FAILED, REFUTED, NOT_RUN = "FAILED", "refuted", "not run"
EXTRAS = {
    "hypothesis": "verify",
    "nvflare": "flare",
    "scipy": "verify",
    "sklearn": "data",
    "z3": "verify",
}  # what a plain installation leaves out
WORDING = "Property tests fail to refute; exhaustive checks verify up to a size; only a proof proves."


@dataclass(frozen=True)
class Result:
    """What came of one check. ``verdict`` says no more than the kind of check allows."""

    label: str
    source: str
    check: str
    kind: str
    shows: str
    cases: int
    seconds: float
    verdict: str
    counterexample: str = ""  # for a check that was not run: what is missing

    @property
    def ok(self) -> bool:
        """Whether this is as the register says: refuted for a claim that is refuted as stated, else not.

        A check that was not run shows nothing, so it is not.
        """
        return self.verdict not in (FAILED, NOT_RUN)

    def to_dict(self) -> dict[str, Any]:
        return {**asdict(self), "ok": self.ok}

    def _repr_html_(self) -> str:
        return Results([self])._repr_html_()


class Results(list[Result]):
    """The results of several checks: a list that shows itself as a table."""

    @property
    def ok(self) -> bool:
        return all(result.ok for result in self)

    @property
    def failed(self) -> list[Result]:
        """What is not as the register says; that a check was not run is no failure."""
        return [result for result in self if result.verdict == FAILED]

    @property
    def not_run(self) -> list[Result]:
        """The checks that need what is not installed."""
        return [result for result in self if result.verdict == NOT_RUN]

    def to_text(self) -> str:
        """An aligned table; below it counterexamples, the checks that were not run, and what the verdicts mean."""
        head = ("claim", "source", "check", "kind", "cases", "time", "verdict")
        lines = [text_table([head, *map(_cells, self)], right={4, 5})]
        for result in self:
            if result.counterexample and result.verdict != NOT_RUN:
                lines += ["", f"{result.label}, {result.check}: {result.verdict}", f"  {result.counterexample}"]
        for why in dict.fromkeys(result.counterexample for result in self.not_run):
            left = [f"  {result.label}, {result.check}" for result in self.not_run if result.counterexample == why]
            lines += ["", f"not run: {why}", *left]
        return "\n".join([*lines, "", WORDING, self.summary()])

    def __str__(self) -> str:
        return self.to_text()

    def summary(self) -> str:
        """One line: how many checks, and how many were not as they should be."""
        failed, missing = len(self.failed), len(self.not_run)
        claims = len({result.label for result in self})
        checks = f"{len(self)} check{'s' * (len(self) != 1)} of {claims} claim{'s' * (claims != 1)}"
        parts = [f"{checks} in {sum(result.seconds for result in self):.1f} s"]
        parts += [f"{failed} FAILED"] * bool(failed) + [f"{missing} not run"] * bool(missing)
        return "; ".join(parts) + ("." if failed or missing else "; all as the register says.")

    def _repr_html_(self) -> str:
        head = ("claim", "check", "cases", "time", "verdict")
        rows = [(_code(r.label), f"{r.check} ({r.kind})", *_numbers(r), _verdict(r)) for r in self]
        return html_table(head, rows, caption=f"{self.summary()} {WORDING}")


def _numbers(result: Result) -> tuple[str, str]:
    return f"{result.cases:,}", f"{result.seconds:.2f}\u00a0s"


def _cells(r: Result) -> tuple[str, ...]:
    return (r.label, in_short(r.source), r.check, r.kind, *_numbers(r), r.verdict)


def _code(text: str) -> Html:
    return Html(f"<code>{escape(text)}</code>")


def _verdict(result: Result) -> Html:
    return Html(escape(result.verdict) + (f"<br>{_code(result.counterexample)}" if result.counterexample else ""))


def verify(
    labels: str | Iterable[str] | None = None,
    deep: bool = False,
    *,
    progress: Callable[[int, int], None] = lambda done, of: None,
) -> Results:
    """Run the checks of a claim, of several, or of all, on the code as it is installed.

    Parameters
    ----------
    labels : a label, several, or None for all
    deep : larger sizes, minutes instead of seconds
    progress : called with the number of checks done and of all

    Raises
    ------
    UnknownClaim
        With the nearest labels.

    Examples
    --------
    >>> [result.verdict for result in verify("lem-increment")]
    ['proved', 'verified']
    """
    if isinstance(labels, str):
        labels = [labels]
    claims = [find(label) for label in dict.fromkeys(REGISTER if labels is None else labels)]
    pairs = [(claim, check) for claim in claims for check in claim.checks]
    results = Results()
    for done, (claim, check) in enumerate(pairs):
        progress(done, len(pairs))
        results.append(run_check(claim, check, deep))
    progress(len(pairs), max(len(pairs), 1))
    return results


def run_check(claim: Claim, check: Check, deep: bool = False) -> Result:
    """Run one check of a claim. That of a claim refuted as stated must find a counterexample."""
    refuted, cases, counterexample = claim.status == "refuted as stated", 0, ""
    start = time.perf_counter()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", NominalSizeWarning)  # few rows stand for sizes of all kinds
            cases = check.run(check.size(deep))
            cases += check.run_more() if deep and check.more else 0
        verdict = FAILED if refuted else VERDICTS[check.kind]
        counterexample = "the check found none, but the register says that the claim is refuted" if refuted else ""
    except Exception as error:
        verdict = FAILED  # a check that breaks down shows nothing
        if missing := how_to_install(error) or lacking(error):
            verdict, counterexample = NOT_RUN, missing
        elif isinstance(error, NotRun):
            verdict, counterexample = NOT_RUN, str(error)
        elif isinstance(error, Counterexample):
            cases, verdict, counterexample = error.cases, REFUTED if refuted else FAILED, str(error)
        else:
            counterexample = f"{type(error).__name__}: {error}"
    seconds, shows = time.perf_counter() - start, check.described(deep)
    return Result(claim.label, claim.source, check.name, check.kind, shows, cases, seconds, verdict, counterexample)


def how_to_install(error: BaseException) -> str:
    """What to install, if an error was caused by the lack of what an extra brings; else nothing.

    >>> how_to_install(ModuleNotFoundError(name="scipy.special"))
    "this needs scipy, which a plain installation leaves out: pip install 'fdpedu[verify]'"
    >>> how_to_install(ModuleNotFoundError(name="fdpedu.typing_error"))
    ''
    """
    cause: BaseException | None = error
    while cause is not None:
        missing = (cause.name or "").split(".")[0] if isinstance(cause, ModuleNotFoundError) else ""
        if extra := EXTRAS.get(missing):
            name = {"sklearn": "scikit-learn", "z3": "z3-solver"}.get(missing, missing)
            return f"this needs {name}, which a plain installation leaves out: pip install 'fdpedu[{extra}]'"
        cause = cause.__cause__
    return ""


def lacking(error: BaseException) -> str:
    """What this system or its Python has not, if an error was caused by that; else nothing.

    >>> lacking(OSError(errno.ENOSYS, "Function not implemented"))
    'this system cannot do what is needed: Function not implemented'
    >>> lacking(ModuleNotFoundError(name="sqlite3"))
    'this Python has no module sqlite3'
    >>> lacking(ModuleNotFoundError(name="no_such_module"))
    ''
    """
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, OSError) and cause.errno in (errno.ENOSYS, errno.EOPNOTSUPP):
            return f"this system cannot do what is needed: {cause.strerror}"
        if isinstance(cause, ModuleNotFoundError) and cause.name in sys.stdlib_module_names:
            return f"this Python has no module {cause.name}"
        cause = cause.__cause__
    return ""

"""Running the checks of the register, and telling what came of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from typing import Any

from fdpedu.claims.checking import Counterexample, NotRun
from fdpedu.claims.records import VERDICTS, Check, Claim
from fdpedu.claims.register import REGISTER, find
from fdpedu.viz.page import escape

FAILED, REFUTED, NOT_RUN = "FAILED", "refuted", "not run"
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
    counterexample: str = ""

    @property
    def ok(self) -> bool:
        """Whether this is as the register says: refuted for a claim that is refuted as stated, else not."""
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

    def to_text(self) -> str:
        """An aligned table; below it counterexamples, and what the verdicts mean."""
        head = ("claim", "source", "check", "kind", "cases", "time", "verdict")
        rows = [head, *(_cells(result) for result in self)]
        widths = [max(len(row[i]) for row in rows) for i in range(len(head))]
        lines = []
        for row in rows:
            cells = [
                c.rjust(w) if i in (4, 5) else c.ljust(w) for i, (c, w) in enumerate(zip(row, widths, strict=True))
            ]
            lines.append("  ".join(cells).rstrip())
        for result in self:
            if result.counterexample:
                lines += ["", f"{result.label}, {result.check}: {result.verdict}", f"  {result.counterexample}"]
        return "\n".join([*lines, "", WORDING, self.summary()])

    def summary(self) -> str:
        """One line: how many checks, and how many were not as they should be."""
        failed = sum(result.verdict == FAILED for result in self)
        missing = sum(result.verdict == NOT_RUN for result in self)
        claims = len({result.label for result in self})
        checks = f"{len(self)} check{'s' * (len(self) != 1)} of {claims} claim{'s' * (claims != 1)}"
        told = [f"{checks} in {sum(result.seconds for result in self):.1f} s"]
        told += [f"{failed} FAILED"] * bool(failed) + [f"{missing} not run"] * bool(missing)
        return "; ".join(told) + ("." if failed or missing else "; all as the register says.")

    def _repr_html_(self) -> str:
        head = ("claim", "check", "cases", "time", "verdict")
        rows = [(_code(r.label), f"{escape(r.check)} ({escape(r.kind)})", *_numbers(r), _verdict(r)) for r in self]
        body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
        columns = "".join(f'<th scope="col">{name}</th>' for name in head)
        caption = f"<caption>{escape(self.summary())} {WORDING}</caption>"
        return f'<table class="fdpedu-results">{caption}<thead><tr>{columns}</tr></thead><tbody>{body}</tbody></table>'


def _numbers(result: Result) -> tuple[str, str]:
    return f"{result.cases:,}", f"{result.seconds:.2f} s"


def _cells(r: Result) -> tuple[str, ...]:
    return (r.label, r.source.split(";")[0], r.check, r.kind, *_numbers(r), r.verdict)


def _code(text: str) -> str:
    return f"<code>{escape(text)}</code>"


def _verdict(result: Result) -> str:
    return escape(result.verdict) + (f"<br>{_code(result.counterexample)}" if result.counterexample else "")


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
    refuted, counterexample = claim.status == "refuted as stated", ""
    start = time.perf_counter()
    try:
        cases = check.run(check.size(deep))
        verdict = FAILED if refuted else VERDICTS[check.kind]
        counterexample = "the check found none, but the register says that the claim is refuted" if refuted else ""
    except Counterexample as found:
        cases, verdict, counterexample = found.cases, REFUTED if refuted else FAILED, str(found)
    except NotRun as missing:
        cases, verdict, counterexample = 0, NOT_RUN, str(missing)
    except Exception as error:  # a check that breaks down shows nothing
        cases, verdict, counterexample = 0, FAILED, f"{type(error).__name__}: {error}"
    seconds, shows = time.perf_counter() - start, check.described(deep)
    return Result(claim.label, claim.source, check.name, check.kind, shows, cases, seconds, verdict, counterexample)

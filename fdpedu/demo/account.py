"""A derivation for those who have never seen one: each line in plain words, with its term explained where it stands.

The first line and the last one are seen at once, the lines between them on demand: in a ``details`` element, which
opens without JavaScript, and which a page opens on paper.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import groupby
from typing import Any

from fdpedu.accounting import Derivation
from fdpedu.domain import Domain, Region
from fdpedu.domain.region import ALL, PARTY
from fdpedu.printable import escape

Line = tuple[int, str, str]
"""How deep a line stands, what it costs, and why."""

QUESTIONS = {
    "node-histograms": "a table of counts for each of {n} measurements: how many patients of each diagnosis have a "
    "value in each of its ranges ({n} × {each})",
    "designed-split": "which question divides the patients next, told by the practice whose turn it is. It draws one, "
    "and is likelier to draw one that divides its own patients well",
    "split-vote": "how many practices choose each question to divide the patients next. Each of them draws one, and is "
    "likelier to draw one that divides its own patients well",
    "class-counts": "the two numbers of a leaf, where no more questions are asked: how many patients of each diagnosis "
    "are in it",
}


def account_in_words(derivation: Derivation) -> str:
    """The derivation as HTML: its first line and its last, and all of it in order on demand.

    Raises
    ------
    ValueError
        If it holds a question that this page has no words for.
    """
    lines = list(_lines(derivation.content["proof"], derivation.domain, derivation.domain.everything))
    rows = "".join(f'<li style="margin-left: {depth}em">{_row(cost, why)}</li>' for depth, cost, why in lines)
    (_, whole, first), (_, least, last) = lines[0], lines[-1]
    ends = (
        f"<p>{_row(whole, first)}</p><p>{_row(least, last)}</p>" if len(lines) > 1 else f"<p>{_row(whole, first)}</p>"
    )
    between = f"<summary>All {len(lines)} lines, from the top</summary><ul>{rows}</ul>"
    return f'<div class="fdpedu-account">{ends}<details>{between}</details></div>'


def _row(cost: str, why: str) -> str:
    return f"<strong>ε = {escape(cost)}</strong>: {escape(why)}."


def _lines(step: Mapping[str, Any], domain: Domain, around: Region, depth: int = 0) -> Iterator[Line]:
    """The step, and what it rests on; questions of one kind about the same patients are one line."""
    here = Region.from_json(step["region"], around)
    about = _about(domain, here, around)
    if step["rule"] == "release":
        yield depth, step["epsilon"], _asked(step) + about.replace(" about ", ", among ", 1)
        return
    parts = [dict(part) for part in step["premises"]]
    by_practice = all(any(name.startswith(PARTY) for name in part["region"]) for part in parts)
    yield depth, step["epsilon"], _rule(step["rule"], parts, about, by_practice)
    for alike, group in groupby(parts, key=lambda part: (part["rule"], part.get("type"), str(part["region"]))):
        found = list(group)
        if alike[0] == "release" and len(found) > 1:
            total = sum(Fraction(part["epsilon"]) for part in found)
            found = [{**found[0], "epsilon": str(total), "releases": sum(part["releases"] for part in found)}]
        for part in found:
            yield from _lines(part, domain, here, depth + 1)


def _about(domain: Domain, here: Region, around: Region) -> str:
    """About which patients, if not about all that are meant anyway: with which values, and of which practice."""
    anywhere, before = (replace(region, parties=ALL) for region in (here, around))
    values = "" if anywhere == before else f" with {domain.describe(anywhere)}"
    practices = [str(index + 1) for index in sorted(here.party_indexes)] if not here.of_all_parties else []
    at = f" of practice {' or '.join(practices)}" if practices and here.parties != around.parties else ""
    return f" about patients{at}{values}" if at or values else ""


def _asked(step: Mapping[str, Any]) -> str:
    """A question in words."""
    if step.get("type") not in QUESTIONS:
        raise ValueError(f"derivation: no words are known for the question {step.get('type')!r}")
    n = step["releases"]
    return QUESTIONS[step["type"]].format(n=n, each=Fraction(step["epsilon"]) / n)


def _rule(rule: str, parts: list[dict[str, Any]], about: str, by_practice: bool) -> str:
    costs = [part["epsilon"] for part in parts]
    if rule == "adaptive":
        return (
            "the budget, the most that all answers together may cost any patient. It holds although each question was "
            "chosen after the answers to earlier ones"
        )
    if rule == "sequential":
        return f"{' + '.join(costs)}, as the costs of several questions{about} add up"
    only = "is a patient of one practice, and on one side of a split" if by_practice else "is on one side of a split"
    if len(set(costs)) == 1:
        return f"what each of these {len(costs)} costs, as each patient {only} only"
    return f"the largest of {', '.join(costs)}, as each patient {only} only"

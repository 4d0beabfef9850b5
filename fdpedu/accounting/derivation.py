"""A derivation for people and for the checker: as text, as HTML, as JSON."""

from __future__ import annotations

import html
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from fdpedu.derivation_checker import Guarantee, check_derivation
from fdpedu.domain import Domain, Region

Step = dict[str, Any]


@dataclass(frozen=True)
class Derivation:
    """A re-checkable account: ``guarantee`` is what the independent checker accepts, ``render()`` is for reading."""

    content: dict[str, Any]
    domain: Domain

    @property
    def guarantee(self) -> Guarantee:
        """What :func:`check_derivation` says of the JSON text; raises if it is refused."""
        return check_derivation(self.to_json())

    def total(self, cost: Callable[[Step], Any]) -> Any:
        """The total under another cost of a release: sums over sequences, the largest over parallel parts."""

        def value(step: Step) -> Any:
            if step["rule"] == "release":
                return cost(step)
            parts = [value(premise) for premise in step["premises"]]
            return max(parts) if step["rule"] == "parallel" else sum(parts)

        return value(self.content["proof"])

    def to_json(self, indent: int | None = None) -> str:
        return json.dumps(self.content, ensure_ascii=False, indent=indent)

    def render(self) -> str:
        """The derivation as aligned text: the cost of every step, the rule, what was released."""
        rows = [(f"{indent}{cost}", text) for indent, cost, text in self._rows()]
        width = max(len(left) for left, _ in rows)
        return "\n".join(f"{left:<{width}}  {text}".rstrip() for left, text in rows)

    def _repr_html_(self) -> str:
        body = "".join(
            f'<tr><td style="padding-left:{0.5 + 0.9 * (len(indent) // 2):.1f}em;white-space:nowrap">{cost}</td>'
            f'<td style="text-align:left">{html.escape(text)}</td></tr>'
            for indent, cost, text in self._rows()
        )
        caption = html.escape(str(self.guarantee))
        head = '<tr><th scope="col">ε</th><th scope="col" style="text-align:left">why</th></tr>'
        parts = f"<caption>{caption}</caption><thead>{head}</thead><tbody>{body}</tbody>"
        return f'<table class="fdpedu-derivation">{parts}</table>'

    def _rows(self) -> Iterator[tuple[str, str, str]]:
        pending: list[tuple[int, Step]] = [(0, self.content["proof"])]
        while pending:
            depth, step = pending.pop()
            yield "  " * depth, step["epsilon"], self._describe(step)
            for same in reversed(_gather(step.get("premises", []))):
                pending.append((depth + 1, same))

    def _describe(self, step: Step) -> str:
        where = self.domain.describe(_region(step["region"], self.domain))
        if step["rule"] == "release":
            times = f"{step['times']} × " if step.get("times", 1) > 1 else ""
            each = f" of {Fraction(step['epsilon']) / step['times']} each" if times else ""
            return f"{times}{step['query']}{each}, round {step['round']}; on {where}"
        costs = [premise["epsilon"] for premise in step["premises"]]
        shown = {"sequential": " + ".join(costs), "parallel": f"max({', '.join(costs)})", "adaptive": ""}[step["rule"]]
        meaning = {
            "sequential": f"in sequence on {where}",
            "parallel": f"in parallel on disjoint parts of {where}",
            "adaptive": "regions and budgets chosen from earlier releases (filter lemma)",
        }[step["rule"]]
        return meaning if len(shown) > 40 or not shown else f"{meaning}: {shown}"


def _gather(premises: Sequence[Step]) -> list[Step]:
    """For reading only: releases of one round, one region and one kind are shown as one line with their number."""
    shown: list[Step] = []
    for step in premises:
        last = shown[-1] if shown else {}
        kind = [step.get(key) for key in ("rule", "round", "mechanism", "region")]
        same = step["rule"] == "release" and kind == [last.get(key) for key in ("rule", "round", "mechanism", "region")]
        if same and str(step["query"]).split(" of ")[0] == str(last["query"]).split(" of ")[0]:
            total = str(Fraction(last["epsilon"]) + Fraction(step["epsilon"]))
            name = str(step["query"]).split(" of ")[0]
            shown[-1] = {**last, "epsilon": total, "times": last.get("times", 1) + 1, "query": name}
        else:
            shown.append(step)
    return shown


def _region(restrictions: dict[str, list[int]], domain: Domain) -> Region:
    region = domain.everything
    for name, codes in restrictions.items():
        region = region.restrict_class(codes) if name == "class" else region.restrict(int(name), codes)
    return region

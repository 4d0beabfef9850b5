"""Chapter 4. Accounting: what a sequence of releases costs, as a derivation that anyone can re-check.

A release is charged to a *region* of the record domain, the part that its query looks at. A record z pays for the releases
whose region holds z, so the cost of everything so far is the largest sum over regions that share a record. Regions may be
chosen from earlier outputs (the two sides of a split just published): the filter lemma says that if no record ever pays more
than ε, the whole transcript is ε-differentially private.

The :class:`Ledger` books charges *before* anything is drawn. All charges of a round are booked together or not at all, in
exact fractions. Its :class:`Derivation` is a tree of rules, and :mod:`fdpedu.derivation_checker`, which imports nothing of this
package, re-verifies it from its JSON text.

Guarantee: pure ε-DP; neighbours differ by adding or removing one record; against an outsider and against as many colluders as
every charge tolerates; for exact releases (integers). Not covered: running time, and how often the data was used elsewhere.

Claims: lem-filter
"""

from __future__ import annotations

import html
import json
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from fdpedu.derivation_checker import Guarantee, check_derivation
from fdpedu.domain import Domain, Region, regions_summary
from fdpedu.exact import as_fraction, as_positive_fraction

__all__ = ["BudgetExceeded", "Charge", "Derivation", "Guarantee", "Ledger", "check_derivation"]

SCHEMA = "fdpedu-derivation/1"


class BudgetExceeded(ValueError):
    """A round would cost some record more than the budget. Nothing was charged and nothing was released."""


@dataclass(frozen=True)
class Charge:
    """One release: its region, its ε = sensitivity × rate, and why that is so (query, mechanism, claim)."""

    region: Region
    epsilon: Fraction
    query: str
    mechanism: str
    sensitivity: int
    claim: str
    colluders: int = 0
    randomness: str = "operating system"

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", as_positive_fraction(self.epsilon, "epsilon"))


@dataclass
class _Forest:
    """Charges by region, nested or disjoint. A region that overlaps others otherwise is booked on a larger product.

    Booking a charge on a larger region can only overstate its cost, so the cost computed here is never too small.
    """

    parent: dict[Region, Region | None] = field(default_factory=dict)
    children: dict[Region | None, list[Region]] = field(default_factory=lambda: {None: []})
    charges: dict[Region, list[tuple[int, Charge]]] = field(default_factory=dict)

    def copy(self) -> _Forest:
        return _Forest(
            dict(self.parent),
            {region: list(below) for region, below in self.children.items()},
            {region: list(charges) for region, charges in self.charges.items()},
        )

    def place(self, region: Region) -> Region:
        """Make room for the region; returns the region on which it is booked."""
        at: Region | None = None
        while region not in self.parent:
            meeting = [below for below in self.children[at] if not below.is_disjoint(region)]
            outer = next((below for below in meeting if below.contains(region)), None)
            if outer is not None:
                at = outer
            elif all(region.contains(below) for below in meeting):
                self._insert(region, at, meeting)
            else:
                for below in meeting:
                    region = region.hull(below)
                at = None
        return region

    def _insert(self, region: Region, above: Region | None, below: list[Region]) -> None:
        self.children[above] = [r for r in self.children[above] if r not in below] + [region]
        self.parent[region], self.children[region], self.charges[region] = above, below, []
        for r in below:
            self.parent[r] = region

    def own(self, region: Region) -> Fraction:
        return sum((charge.epsilon for _, charge in self.charges[region]), Fraction(0))

    def below(self, region: Region | None) -> Fraction:
        """The most that a record pays in regions strictly inside this one."""
        return max((self.own(r) + self.below(r) for r in self.children[region]), default=Fraction(0))

    def through(self, region: Region) -> Fraction:
        """The most that a record of this region pays in all."""
        above, at = Fraction(0), self.parent[region]
        while at is not None:
            above, at = above + self.own(at), self.parent[at]
        return above + self.own(region) + self.below(region)


class Ledger:
    """The budget of one data set: charges are booked before a release, atomically, and never beyond the budget.

    Parameters
    ----------
    budget : ε > 0 in total, read exactly (a float as the decimal it prints as)
    measure, relation : ``"pure"`` and ``"add-remove"``; a substitution is one removal and one addition, and costs twice
    domain : the public domain that the regions belong to (a federation fills it in)

    Examples
    --------
    >>> from fdpedu.domain import Domain, Numeric
    >>> domain = Domain([Numeric.grid("age", 0, 100, bins=2)], ("well", "ill"))
    >>> young, old = (domain.everything.restrict(0, [code]) for code in (0, 1))
    >>> ledger = Ledger(1, domain=domain)
    >>> def count(region, epsilon): return Charge(region, epsilon, "count", "discrete Laplace", 1, "thm-discrete-laplace")
    >>> ledger.charge([count(young, "1/2"), count(old, "1/3")])  # disjoint: no record pays for both
    >>> ledger.spent, ledger.remaining(old)
    (Fraction(1, 2), Fraction(2, 3))
    >>> ledger.charge([count(old, "1/3"), count(young, "2/3")])
    Traceback (most recent call last):
    fdpedu.accounting.BudgetExceeded: the round would bring some record to ε = 7/6, more than the budget 1; nothing was charged
    >>> ledger.spent
    Fraction(1, 2)

    Claims: lem-filter
    """

    def __init__(
        self, budget: Any, *, measure: str = "pure", relation: str = "add-remove", domain: Domain | None = None
    ) -> None:
        if measure != "pure":
            raise ValueError(f"measure must be 'pure', got {measure!r}")
        if relation != "add-remove":
            raise ValueError(f"relation must be 'add-remove' (a substitution costs twice as much), got {relation!r}")
        self.budget = as_positive_fraction(budget, "budget")
        self.measure, self.relation, self.domain = measure, relation, domain
        self._forest, self._rounds, self._lock = _Forest(), 0, threading.Lock()

    def __repr__(self) -> str:
        return f"Ledger(budget {self.budget}, spent {self.spent}, add-remove)"

    def bind(self, domain: Domain) -> None:
        """Name the domain whose regions are charged; once named it does not change."""
        if self.domain is not None and self.domain != domain:
            raise ValueError("this ledger belongs to another domain")
        self.domain = domain

    @property
    def spent(self) -> Fraction:
        """The most that any record has paid."""
        return self._forest.below(None)

    def remaining(self, region: Region | None = None) -> Fraction:
        """What may still be charged to the region (by default to all records)."""
        if region is None:
            return self.budget - self.spent
        trial = self._forest.copy()
        return self.budget - trial.through(trial.place(region))

    def charge(self, charges: Iterable[Charge]) -> None:
        """Book all charges of one round, or none of them.

        Raises
        ------
        BudgetExceeded
            If some record would pay more than the budget.
        """
        batch = list(charges)
        if not batch or not all(isinstance(charge, Charge) for charge in batch):
            raise ValueError("charge a non-empty list of Charge")
        with self._lock:
            trial = self._forest.copy()
            for charge in batch:
                trial.charges[trial.place(charge.region)].append((self._rounds + 1, charge))
            cost = trial.below(None)
            if cost > self.budget:
                raise BudgetExceeded(
                    f"the round would bring some record to ε = {cost}, more than the budget {self.budget}; nothing was charged"
                )
            self._forest, self._rounds = trial, self._rounds + 1

    def derivation(self) -> Derivation:
        """The cost of everything charged so far, as a tree of rules."""
        if self.domain is None or not self._rounds:
            raise ValueError("a derivation needs a domain and at least one charge")
        forest, whole = self._forest, self.domain.everything
        every = [charge for charges in forest.charges.values() for _, charge in charges]
        premise = _combine([_derive(forest, r, whole) for r in forest.children[None]], "parallel", {})
        proof = {"rule": "adaptive", "epsilon": premise["epsilon"], "region": {}, "premises": [premise]}
        colluders = min(charge.colluders for charge in every)
        features = [{"name": f.name, "codes": f.n_codes} for f in self.domain.features]
        text = {
            "schema": SCHEMA,
            "measure": self.measure,
            "relation": self.relation,
            "randomness": sorted({charge.randomness for charge in every}),
            "budget": str(self.budget),
            "domain": {"features": features, "classes": self.domain.n_classes},
            "proof": proof,
            "guarantee": {"measure": self.measure, "value": proof["epsilon"], "delta": "0", "colluders": colluders},
        }
        return Derivation(text, self.domain)


Step = dict[str, Any]


def _derive(forest: _Forest, region: Region, whole: Region) -> Step:
    """The rule tree of one region: its own releases in sequence, then its disjoint parts in parallel."""
    at = region.to_json(whole)
    steps: list[Step] = []
    for round_number, charge in forest.charges[region]:
        steps.append(
            {
                "rule": "release",
                "round": round_number,
                "query": charge.query,
                "mechanism": charge.mechanism,
                "sensitivity": charge.sensitivity,
                "rate": str(charge.epsilon / charge.sensitivity),
                "epsilon": str(charge.epsilon),
                "region": charge.region.to_json(whole),
                "colluders": charge.colluders,
                "claim": charge.claim,
            }
        )
    parts = [_derive(forest, below, whole) for below in forest.children[region]]
    if parts:
        steps.append(_combine(parts, "parallel", at))
    return _combine(steps, "sequential", at)


def _combine(steps: Sequence[Step], rule: str, region: dict[str, list[int]]) -> Step:
    if len(steps) == 1:
        return steps[0]
    values = [Fraction(step["epsilon"]) for step in steps]
    value = max(values) if rule == "parallel" else sum(values, Fraction(0))
    return {"rule": rule, "epsilon": str(value), "region": region, "premises": list(steps)}


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
        return f'<table class="fdpedu-derivation"><caption>{caption}</caption><thead>{head}</thead><tbody>{body}</tbody></table>'

    def _rows(self) -> Iterator[tuple[str, str, str]]:
        pending: list[tuple[int, Step]] = [(0, self.content["proof"])]
        while pending:
            depth, step = pending.pop()
            yield "  " * depth, step["epsilon"], self._describe(step)
            for same in reversed(_gather(step.get("premises", []))):
                pending.append((depth + 1, same))

    def _describe(self, step: Step) -> str:
        where = regions_summary(_region(step["region"], self.domain), self.domain)
        if step["rule"] == "release":
            times = f"{step['times']} × " if step.get("times", 1) > 1 else ""
            each = f" of {Fraction(step['epsilon']) / step['times']} each" if times else ""
            return f"{times}{step['query']}{each}, by {step['mechanism']}, round {step['round']}; on {where}"
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


def split_budget(epsilon: Any, share: Any) -> tuple[Fraction, Fraction]:
    """(share·ε, the rest), both exact; ``share`` must lie strictly between 0 and 1.

    >>> split_budget(1, 0.3)
    (Fraction(3, 10), Fraction(7, 10))
    """
    total, part = as_positive_fraction(epsilon, "epsilon"), as_fraction(share, "share")
    if not 0 < part < 1:
        raise ValueError(f"a share of the budget must lie strictly between 0 and 1, got {part}")
    return total * part, total * (1 - part)

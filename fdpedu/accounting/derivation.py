"""A derivation for people and for the checker: as text, as HTML, as JSON."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from fdpedu import files
from fdpedu.accounting.charge import BY_HAND
from fdpedu.accounting.cost import NOTHING, PURE, Amount, Cost, Paid, largest_of, sum_of
from fdpedu.accounting.writing import Step, amount_of, stated_domain
from fdpedu.derivation_checker import Guarantee, check_derivation
from fdpedu.domain import Categorical, Domain, Region
from fdpedu.exact import require_type
from fdpedu.printable import escape
from fdpedu.showing import text_table


class _Line(NamedTuple):
    """A step to read: its cost, why, and the steps that it rests on."""

    amount: Amount
    pure: bool
    text: str
    below: list[_Line]

    @property
    def cost(self) -> str:
        """ε; or ρ, and ξ where there is one."""
        xi = f" + ξ {self.amount.xi}" * (self.amount.xi > 0)
        return str(self.amount.value) if self.pure else f"ρ {self.amount.value}{xi}"

    def walk(self, depth: int = 0) -> Iterator[tuple[int, _Line]]:
        yield depth, self
        for line in self.below:
            yield from line.walk(depth + 1)

    def to_dict(self, whole: Fraction) -> dict[str, Any]:
        """Plain data for a drawing; ``share`` is the part of the whole cost."""
        below = [line.to_dict(whole) for line in self.below]
        return {"cost": self.cost, "text": self.text, "share": float(self.amount.value / whole), "below": below}

    def to_html(self) -> str:
        return f"<li><strong>{self.cost}</strong> {escape(self.text)}{_list(*self.below)}</li>"


def _list(*lines: _Line) -> str:
    items = "".join(line.to_html() for line in lines)
    return f'<ul style="list-style: none; margin: 0; padding-left: 0.9em">{items}</ul>' if lines else ""


@dataclass(frozen=True)
class Derivation:
    """A re-checkable account: ``guarantee`` is what the independent checker accepts, ``render()`` is for reading."""

    content: dict[str, Any]
    domain: Domain

    @property
    def guarantee(self) -> Guarantee:
        """What :func:`check_derivation` says of the JSON text; raises if it is refused."""
        return check_derivation(self.to_json())

    @property
    def spent(self) -> Paid:
        """The most that a record paid in this run, as the checker verifies it; at most the guarantee's value."""
        spent = self.guarantee.spent
        return Amount(*spent) if isinstance(spent, tuple) else spent

    @property
    def measure(self) -> str:
        """``"pure"`` or ``"gaussian"``, of older ones ``"concentrated"``."""
        return str(self.content["measure"])

    def total(self, cost: Callable[[Step], Any]) -> Any:
        """The total under another cost of a release: sums over sequences, the largest over parallel parts."""

        def value(step: Step) -> Any:
            if step["rule"] == "release":
                return cost(step)
            parts = [value(premise) for premise in step["premises"]]
            return max(parts) if step["rule"] == "parallel" else sum(parts)

        return value(self.content["proof"])

    def cost_of(self, rounds: Collection[int] = ()) -> Cost:
        """The most that a record has paid in these rounds, say in those of one model; in all, if none are named.

        Parameters
        ----------
        rounds : their numbers; at least one of them is of this derivation
        """

        def value(step: Step) -> Amount:
            if step["rule"] == "release":
                return amount_of(step) if not rounds or step["round"] in rounds else NOTHING
            parts = [value(premise) for premise in step["premises"]]
            return largest_of(parts) if step["rule"] == "parallel" else sum_of(parts)

        return Cost(self.measure, *value(self.content["proof"]))

    def releases(self, rounds: Collection[int] = ()) -> Iterator[tuple[Region, Step]]:
        """Every release of these rounds with its region, in the order of reading; of all, if no rounds are named."""
        pending: list[tuple[Region, Step]] = [(self.domain.everything, self.content["proof"])]
        while pending:
            around, step = pending.pop()
            here = Region.from_json(step["region"], around)
            if step["rule"] == "release":
                if not rounds or step["round"] in rounds:
                    yield here, step
            else:
                pending += [(here, premise) for premise in reversed(step["premises"])]

    def to_json(self, indent: int | None = None) -> str:
        """The text that the checker reads; without an ``indent`` as short as possible."""
        separators = (",", ":") if indent is None else None
        return json.dumps(self.content, ensure_ascii=False, indent=indent, separators=separators)

    def save(self, path: files.Location, *, overwrite: bool = False) -> None:
        """Write the text that ``fdpedu check-derivation`` reads."""
        files.write_text(path, self.to_json(indent=1) + "\n", overwrite=overwrite)

    @classmethod
    def load(cls, path: files.Location, domain: Domain | None = None) -> Derivation:
        """A derivation from its file, if the checker accepts it. Without a domain, regions are described by codes.

        Raises
        ------
        FileRefused
            If the checker refuses it, or it is of another domain than the given one.
        """
        return cls.from_json(files.read_text(path), domain, str(path))

    @classmethod
    def from_json(cls, text: str, domain: Domain | None = None, where: str = "the text") -> Derivation:
        """The same from a text."""
        if domain is not None:
            require_type(domain, Domain, "domain")
        files.understood(where, lambda: check_derivation(text))
        content = json.loads(text.removeprefix("\ufeff"))
        codes = files.understood(where, lambda: _domain_of_codes(content["domain"]))
        found = cls(content, codes if domain is None else domain)
        if domain is not None and not found.is_of(domain):
            raise files.FileRefused(f"{where}: the derivation is of another domain")
        return found

    def is_of(self, domain: Domain) -> bool:
        """Whether it states this domain: as many classes, and the same features, by name and number of codes."""
        return _domain_of_codes(stated_domain(domain)) == _domain_of_codes(self.content["domain"])

    def render(self) -> str:
        """The derivation as aligned text: the cost of every step, and why."""
        rows = [("  " * depth + line.cost, line.text) for depth, line in self._outline().walk()]
        return text_table(rows)

    def _repr_html_(self) -> str:
        """The same as a nested list."""
        guarantee = escape(str(self.guarantee))
        return f'<div class="fdpedu-derivation"><p>{guarantee}</p>{_list(self._outline())}</div>'

    def draw(self, title: str = "What was spent, and why", caption: str | None = None) -> str:
        """The derivation as a picture for a page: accessible SVG in HTML, each cost also as a bar."""
        from fdpedu.viz import draw_derivation

        whole = amount_of(self.content["proof"]).value
        return draw_derivation(self._outline().to_dict(whole), title=title, caption=caption)

    def _outline(self, step: Step | None = None, around: Region | None = None) -> _Line:
        """The step and everything below it as lines to read; ``around`` is the region of the enclosing step."""
        step, outer = step or self.content["proof"], around or self.domain.everything
        here, premises = Region.from_json(step["region"], outer), _gather(step.get("premises", []))
        below = [self._outline(premise, here) for premise in premises]
        return _Line(amount_of(step), self.measure == PURE, self._describe(step, premises, here, outer), below)

    def _describe(self, step: Step, premises: Sequence[Step], here: Region, outer: Region) -> str:
        costs = [str(amount_of(premise).value) for premise in premises]
        if step["rule"] == "adaptive":
            some = any(not region.of_all_parties for region, _ in self.releases())
            where = "; in each session every record lies at one party, which depends on no other record" * some
            return f"the budget, as regions and costs may be chosen on the way (filter lemma){where}"
        if step["rule"] == "sequential":
            return f"= {' + '.join(costs)} in sequence, on {self.domain.describe(here)}"
        if step["rule"] == "parallel":
            return f"= max({', '.join(costs)}), on disjoint parts"
        what = f"{step['query']}, round {step['round']}"
        if "rho" in step:
            what += f" (ℓ₂² {step['l2_squared']}, variance {step['variance']})"
        elif step["releases"] > 1:
            what = f"= {step['releases']} × {Fraction(step['epsilon']) / step['releases']}: {what}"
        return what if here == outer else f"{what}, on {self.domain.describe(here)}"


def _domain_of_codes(stated: dict[str, Any]) -> Domain:
    """What a derivation says of its domain: names, and codes without their meaning."""
    features = [Categorical(feature["name"], tuple(range(feature["codes"]))) for feature in stated["features"]]
    return Domain(features, range(stated["classes"]))


def _gather(premises: Sequence[Step]) -> list[Step]:
    """For reading only: releases of one type, round and region are shown as one line with their number."""

    def kind(step: Step) -> tuple[Any, ...]:
        asked = (step["query"],) if step.get("type") == BY_HAND else (step.get("type"),)
        return (step["rule"], step.get("round"), *asked, step.get("releases"), amount_of(step), str(step["region"]))

    shown: list[Step] = []
    for alike, group in itertools.groupby(premises, key=kind):
        steps = list(group)
        if alike[0] == "release" and len(steps) > 1 and "epsilon" in steps[0]:
            total, releases = len(steps) * Fraction(steps[0]["epsilon"]), len(steps) * steps[0]["releases"]
            same = all(step["query"] == steps[0]["query"] for step in steps)
            query = steps[0]["query"] if same else str(steps[0]["type"]).replace("-", " ")
            shown.append({**steps[0], "epsilon": str(total), "releases": releases, "query": query})
        else:
            shown += steps
    return shown

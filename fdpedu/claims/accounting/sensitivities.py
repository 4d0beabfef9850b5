"""What a release states of its sensitivity is what follows from its type, and the checker works it out by itself.

Checks of thm-checker-sound.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product

from fdpedu.accounting import Cost, Ledger
from fdpedu.accounting.cost import GAUSSIAN, PURE
from fdpedu.claims.accounting.derivations import Content, releases, verdict
from fdpedu.claims.checking import require
from fdpedu.claims.laws.queries import ASKED, domains_of
from fdpedu.claims.mutation import Broken
from fdpedu.domain import Domain, Numeric
from fdpedu.federation import DesignedSplit, PullVectors, Query, SplitVote, StructureVote
from fdpedu.federation.queries.closed_set import CURATED
from fdpedu.gradients import TreeShapes, VectorModel

CASES = tuple(product(ASKED, (PURE, GAUSSIAN), (1, 2, 3)))
FIVE = Domain([Numeric.grid("x", 0, 3, bins=3)], tuple("abcde"))
_DRAWN = {kind.type for kind in CURATED[-4:]} | {DesignedSplit.type, SplitVote.type, StructureVote.type}


def _asked(kind: str, measure: str, m: int) -> tuple[Domain, Query]:
    domain = domains_of(kind)[m % 2]
    query = ASKED[kind](domain.everything, Fraction(1), m)
    if type(query) is PullVectors and m > 1:  # of more classes, and more trees
        shapes = TreeShapes((((0, 0b01),),) * m)
        domain, query = FIVE, PullVectors(FIVE.everything, query.cost, 2 * m, VectorModel((), (0,) * 5), shapes)
    return domain, replace(query, cost=Cost(measure, Fraction(1)))


def _forgeries(release: Content, *, of_trees: bool) -> Iterator[Content]:
    """The release with less and with more, such that everything else about it adds up."""
    cost, pure = Fraction(release["epsilon"] if "epsilon" in release else release["rho"]), "epsilon" in release
    for name in ("releases", "sensitivity") if pure else ("l2_squared", "cells"):
        for more in (-1, 1):
            found = {**release, name: release[name] + more}
            if found[name] < 1 or (name == "releases" and of_trees):  # how many trees there are, the text does not say
                continue
            if pure:
                found["rate"] = str(cost / (found["releases"] * found["sensitivity"]))
            else:
                found["variance"] = str(found["l2_squared"] / (2 * cost) + 1)
            yield found


def stated(kind: str, measure: str, m: int) -> None:
    """What a query is charged is accepted, unless it is not paid so; with another sensitivity or number it is not."""
    domain, query = _asked(kind, measure, m)
    ledger = Ledger(1, domain=domain) if measure == PURE else Ledger(rho=2, domain=domain)
    ledger.charge([query.charge(domain, 0, "operating system", session=None)])
    content = ledger.derivation().content
    payable = kind not in _DRAWN if measure == GAUSSIAN else kind != PullVectors.type
    require((verdict(content) is not None) == payable, f"a {kind} in {measure}: accepted is not {payable}")
    (release,) = releases(content)
    for found in _forgeries(release, of_trees="trees" in release["parameters"]):
        forged = copy.deepcopy(content)
        releases(forged)[0].update(found)
        require(verdict(forged) is None, f"{kind}: the checker accepts {found}, and it is {release}")


def _variant(name: str, target: str, shipped: str, replacement: str, misconception: str) -> Broken:
    where = f"fdpedu.derivation_checker.{target}"
    return Broken(name, where, shipped, replacement, misconception, "thm-checker-sound", "sensitivities")


VARIANTS: Sequence[Broken] = (  # of the claim on the checker, which lists them
    _variant(
        "a type is taken at its word",
        "_need_moves",
        "if moved is None:",
        "if True:",
        "What a query's sensitivity is, its release says.",
    ),
    _variant(
        "cells of no account",
        "_need_moves",
        "found == proved",
        "found[0] == proved[0]",
        "The square of the ℓ₂ sensitivity says all.",
    ),
    _variant(
        "a pull at two classes",
        "_moved_by",
        "min(n_classes, 1 + half)",
        "2",
        "A row moves the sum of its class, and that of the class that is predicted.",
    ),
    _variant(
        "a choice paid in rho",
        "_moved_by",
        "return _Moved(1, 1, None)",
        "return _Moved(1, 1, 1)",
        "Whatever costs ε can be paid in ρ at the same sensitivity.",
    ),
)

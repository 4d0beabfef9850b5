"""One owner of all rows: a single share is the whole noise, whatever is asked, in ε and in ρ."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from types import ModuleType
from typing import Any

import numpy as np

from fdpedu.accounting import Cost, Ledger
from fdpedu.claims.accounting.derivations import verdict
from fdpedu.claims.boosting.table import ADD_REMOVE
from fdpedu.claims.checking import require
from fdpedu.claims.laws.queries import ASKED, cases, domains_of, exact
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.replay import patched
from fdpedu.domain import Domain, Rows
from fdpedu.federation import Curator, Party, Query
from fdpedu.federation.queries import noise, noisy
from fdpedu.federation.queries.noise import POLYA_SHARES
from fdpedu.randomness import Rehearsal

XI = Fraction(3, 10**13)  # of each cell, as one share is a discrete Gaussian number itself


def whole_noise(domain: Domain, query: Query, rows: Rows, record: Sequence[Any]) -> None:
    """Whatever is asked costs what it says: ε, and where numbers get noise, ρ, too; the checker agrees.

    Without noise the answer is the exact one, or what the same words draw in its place.
    """
    told, plain = _released(domain, query, rows), exact(query, domain, rows)
    if query.layer is not POLYA_SHARES:
        plain = noisy(plain, [query], domain, 1, Rehearsal(1))
    require(np.array_equal(told.ravel(), plain), f"of {query.type} it tells {told}, and not {plain}")
    if query.layer is POLYA_SHARES and query.cost.is_pure:
        _released(domain, replace(query, cost=Cost("gaussian", query.epsilon / 8)), rows)


def _released(domain: Domain, query: Query, rows: Rows) -> Any:
    """The answer without noise; required is what is drawn, charged and checked."""
    cost, drawn = query.cost, list[tuple[str, Fraction, int]]()
    ledger = Ledger(cost if cost.is_pure else replace(cost, xi=query.cells * XI))
    curator = Curator(Party(rows, domain), ledger, Rehearsal(1))

    def polya(rate: Any, shares: int, size: int, source: Any) -> Any:
        drawn.append(("ε", Fraction(rate.rate) * Fraction(1, shares), size))
        return np.zeros(size, dtype=np.int64)

    def gaussian(share: Fraction, size: int, source: Any) -> Any:
        drawn.append(("ρ", share, size))
        return np.zeros(size, dtype=np.int64)

    with patched(noise.__name__, polya_share=polya, gaussian_share=gaussian):
        (told,) = curator.release([query])
    if query.layer is POLYA_SHARES:
        ((measure, parameter, size),) = drawn
        require(size == told.size, f"noise is added to {size} of {told.size} numbers")
        if measure == "ε":
            whole = query.epsilon / (query.n_releases * query.sensitivity)
            require(parameter == whole, f"{query.type} has noise of the rate {parameter}, and not {whole}")
        else:
            least = max(Fraction(2), Fraction(query.l2_squared) / (2 * cost.value) + 1)
            require(parameter >= least, f"{query.type} has noise of the variance {parameter}, needed is {least}")
    spent: Any = ledger.spent
    paid = spent if cost.is_pure else spent.value
    require(paid == cost.value, f"{query.type} of {cost} costs {spent}")
    require(cost.is_pure or spent.xi == query.cells * XI, f"{query.type} takes ξ = {spent}")
    proved = verdict(ledger.derivation().content, json.loads(curator.manifest.to_json()))
    require(proved is not None and proved.spent == spent and not proved.colluders, f"the checker says {proved}")
    return told


def alone(colluders: int) -> None:
    """A ledger that promises to withstand colluders is none of a curator, who has all rows; nothing is charged."""
    domain = Domain.from_spec({"features": {"x": [0, 2, 2]}, "classes": ["a", "b"]})
    ledger = Ledger(1, colluders=colluders)
    try:
        Curator(Party([], domain), ledger)
    except ValueError:
        require(not ledger.spent, "it is refused, and charged")
        require(colluders > 0, "an owner's own ledger is refused")
        return
    require(not colluders, f"one owner takes a ledger that is to withstand {colluders} of several")


def every_type(draw: ModuleType) -> Any:
    """A domain, a query of any type, rows and a record."""
    return draw.st.sampled_from(sorted(ASKED)).flatmap(lambda kind: cases(kind)(draw))


def each_type(n: int) -> Iterator[Any]:
    """Each type once, of the first of its domains, on so many rows."""
    for kind, asked in ASKED.items():
        domain = domains_of(kind)[0]
        first, second = domain.classes[:2]
        rows: Rows = [[0.5, "A", first], *[[2.5, "B", second]] * (n - 1)]
        yield domain, asked(domain.everything, Fraction(1, 2), 2), rows, rows[0]


CLAIMS = (
    Claim(
        "thm-one-owner",
        status="proved+checked",
        code=("fdpedu.federation.curator.Curator",),
        checks=(
            Check(
                "each type",
                "exact",
                "every type of query, on {size} rows, in ε and in ρ: the noise that is drawn, the charge, the answer "
                "without noise, and the checker with the manifest",
                whole_noise,
                each_type,
                3,
                9,
            ),
            Check(
                "any query",
                "property",
                "{size} random queries of all types, rows and costs: the same",
                whole_noise,
                every_type,
                5,
                2000,
            ),
            Check(
                "alone",
                "exact",
                "ledgers that promise to withstand 0 to {size} colluders: only the first is an owner's",
                alone,
                lambda most: ((k,) for k in range(most + 1)),
                3,
                9,
            ),
        ),
        assumptions=(ADD_REMOVE, "integers", "the owner sees the rows; nobody else sees anything but what is released"),
        uses=("thm-polya-shares", "lem-smoothed-gaussian", "thm-queries-in-rho", "thm-round", "thm-manifest-complete"),
    ),
)

_ANSWERED = "fdpedu.federation.curator.Curator._paid_and_answered"
TWINS = (
    Broken(
        "a curator draws one share of two",
        _ANSWERED,
        "[query], self.domain, 1, self._source",
        "[query], self.domain, 2, self._source",
        "The owner is one party, so it draws what a party draws.",
        "thm-one-owner",
        "each type",
    ),
    Broken(
        "a curator adds no noise of its own",
        _ANSWERED,
        "noisy(np.asarray(exact).ravel(), [query], self.domain, 1, self._source)",
        "np.asarray(exact).ravel()",
        "Nobody but the owner sees the sums before they are released, so nobody has to be kept from them.",
        "thm-one-owner",
        "each type",
    ),
    Broken(
        "a curator beside sites",
        "fdpedu.federation.curator.Curator.__init__",
        "if ledger.colluders:",
        "if (ledger.colluders or 0) > 1:",
        "One site that draws alone is one curious party less, so a budget that withstands one may pay for it.",
        "thm-one-owner",
        "alone",
    ),
)

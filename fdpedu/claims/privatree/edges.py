"""Edges of several features: a record has a value in each of them, so what they cost adds up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from types import ModuleType
from typing import Any

from fdpedu.accounting import Ledger
from fdpedu.claims.better_trees.law import Record, records
from fdpedu.claims.better_trees.losses import ADD_REMOVE
from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.privatree.law import all_ways, raw_rows
from fdpedu.claims.records import Check, Claim
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.federation import Curator, JointEdges, Party
from fdpedu.privacy import datasets, max_ratio
from fdpedu.randomness import Rehearsal, ZeroWords
from fdpedu.trees.clamped_tables import Data
from fdpedu.trees.designs.privatree.edges import edge_queries, features_to_thin, kept_borders

STEPS = 64  # of ln 2, in an ε of 1
FOUR = Domain([Numeric.grid(name, 0, 4, bins=4) for name in ("age", "dose")], ("well", "ill"))
THREE = Domain([Numeric.grid(name, 0, 3, bins=3) for name in ("age", "dose")], ("well", "ill"))
ONE = Domain([Numeric.grid("age", 0, 4, bins=4), Categorical("ward", ("A", "B"))], ("well", "ill"))


def edges_law(domain: Domain, data: Data, kind: str, bins: int, known: dict[Any, Any]) -> dict[Any, Fraction]:
    """The law of the borders that are kept, at an ε of 1 in all."""
    party = Party(raw_rows(domain, data), domain)

    def play() -> Any:
        curator = Curator(party, Ledger(100), ZeroWords())
        answers = curator.release(edge_queries(domain, kind, bins, Fraction(1)))
        return kept_borders(domain, kind, bins, answers)

    return all_ways(STEPS, play, known)


def one_epsilon(domain: Domain, data: Data, record: Record, kind: str, bins: int, attained: bool) -> None:
    """With a record more, no borders are more than e^ε times as likely or less; all features together.

    Where it is ``attained``, some borders are at least e^{0.99 ε} times as likely: no less than ε/m each will do.
    """
    known: dict[Any, Any] = {}
    one, other = (edges_law(domain, some, kind, bins, known) for some in (data, (*data, record)))
    require(sum(one.values()) == sum(other.values()) == 1, "the probabilities do not add up to 1")
    worst = max(max_ratio(one, other), max_ratio(other, one))
    require(worst <= 2**STEPS, f"with {record} borders are {float(worst):.3g} times as likely, e^ε is 2^{STEPS}")
    least = 2 ** (STEPS * 99 // 100)
    require(not attained or worst >= least, f"with {record} borders are only {float(worst):.3g} times as likely")


def small(most: int) -> Iterator[tuple[Domain, Data, Record, str, int, bool]]:
    """Two features with values that go together, where ε is attained; one; then all data of few records."""
    both = ((0, 0, 0),) * 4 + ((2, 2, 1),) * 3
    yield FOUR, both, (2, 2, 1), "joint", 2, True
    yield ONE, ((0, 0, 0),) * 4 + ((2, 1, 1),) * 3, (2, 1, 1), "joint", 2, True
    yield FOUR, both, (3, 3, 0), "joint", 3, False
    for kind, domain in (("joint", THREE), ("histogram", THREE), ("histogram", ONE)):
        every = records(domain)
        for data in datasets(every[:: max(1, len(every) // 4)], most):
            yield from ((domain, tuple(data), record, kind, 2, False) for record in every[::5])


def costs(domain: Domain, kind: str, bins: int, cost: Fraction, rows: Any, seed: int) -> None:
    """Each numeric feature with more bins is asked about once, of all records, at ε divided by their number.

    So the ledger books ε, where something is asked. A kept border lies between bins of its feature.
    """
    fine = [j for j, feature in enumerate(domain.features) if isinstance(feature, Numeric) and feature.n_bins > bins]
    require(
        list(features_to_thin(domain, bins)) == fine, f"asked about are {features_to_thin(domain, bins)}, not {fine}"
    )
    asked = edge_queries(domain, kind, bins, cost)
    expected = Counter({} if kind == "public" else {j: cost / len(fine) for j in fine})
    found = {query.feature: query.epsilon for query in asked}  # type: ignore[attr-defined]
    require(found == dict(expected) and len(found) == len(asked), f"the costs are {found}, not {dict(expected)}")
    require(all(query.region == domain.everything for query in asked), "a record is left out")
    if not asked:
        return
    curator = Curator(Party(rows, domain), Ledger(cost), Rehearsal(seed))
    kept = kept_borders(domain, kind, bins, curator.release(asked))
    require(curator.ledger.spent == cost, f"spent is {curator.ledger.spent}, not {cost}")
    kept.require_of(domain)
    for j, some in enumerate(kept.kept):
        require((some is not None) == (j in fine), f"feature {j} keeps {some}")
        exact = kind == "joint" and isinstance(asked[0], JointEdges)
        require(some is None or 1 <= len(some) <= bins - 1, f"feature {j} keeps {some}: more than {bins - 1}")
        require(some is None or not exact or len(some) == bins - 1, f"feature {j} keeps {some}")


def random_edges(draw: ModuleType) -> Any:
    """A domain, a kind of edges, a number of wide bins, a cost, rows, and a seed."""

    def of(domain: Domain) -> Any:
        kind = draw.st.sampled_from(["public", "joint", "histogram"])
        rest = (kind, draw.integers(2, 4), draw.epsilons, draw.tables(domain), draw.integers(0, 99))
        return draw.tuples(draw.st.just(domain), *rest)

    return draw.domains(4, 6).flatmap(of)


CLAIMS = (
    Claim(
        "lem-edges-add-up",
        status="proved+checked",
        code=("fdpedu.trees.designs.privatree.edges", "fdpedu.trees.designs.privatree.edges.edge_queries"),
        checks=(
            Check(
                "neighbours",
                "exhaustive",
                "two features and one, joint edges and noisy histograms: all data of at most {size} of some records, "
                "a record more: the exact distribution of all kept borders together; and data on which e^ε is attained",
                one_epsilon,
                small,
                1,
                2,
            ),
            Check(
                "costs",
                "property",
                "{size} random domains, kinds and numbers of bins: who is asked, at what cost; what the ledger books",
                costs,
                random_edges,
                25,
                1000,
            ),
        ),
        assumptions=(ADD_REMOVE, "integers", "domain, its fine bins and the number of wide bins are public"),
        uses=("thm-joint-quantiles", "thm-histogram", "thm-quantile-edges", "thm-sequential", "thm-post-processing"),
    ),
)

TWINS = (
    Broken(
        "quantiles of features in parallel",
        "fdpedu.trees.designs.privatree.edges.edge_queries",
        "cost / len(thinned)",
        "cost",
        "Quantiles of different features are computed on different columns, so they compose in parallel.",
        "lem-edges-add-up",
        "neighbours",
    ),
    Broken(
        "the factor 2 of joint edges forgotten",
        "fdpedu.federation.queries.edges.JointEdges.drawn",
        "(2 * joint_sensitivity(self.bins))",
        "joint_sensitivity(self.bins)",
        "A record is added, so utilities move in one direction only, as class counts do.",
        "lem-edges-add-up",
        "neighbours",
    ),
)

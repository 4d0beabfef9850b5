"""A party without rows looks like any other; and small parties on which trees are tried."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Any

from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.domain import Domain
from fdpedu.randomness import Rehearsal
from fdpedu.sources.elzein import SharedTree, fit_shared_tree

Parties = tuple[Domain, Sequence[Sequence[Sequence[Any]]]]


def grown(case: Parties, rule: str, depth: int | None, seed: int, criterion: str = "entropy") -> SharedTree:
    """The tree of these parties; the class stands last in a row."""
    domain, parts = case
    pairs = [([row[:-1] for row in rows], [row[-1] for row in rows]) for rows in parts]
    return fit_shared_tree(pairs, domain, rule=rule, criterion=criterion, max_depth=depth, rng=Rehearsal(seed))


def small_parties(draw: ModuleType) -> Any:
    """A domain without missing values, and two to four parties of one to six rows each."""

    def of(domain: Domain) -> Any:
        rows = draw.st.lists(draw.records(domain), min_size=1, max_size=6)
        return draw.tuples(draw.st.just(domain), draw.st.lists(rows, min_size=2, max_size=4))

    whole = draw.domains().filter(lambda domain: not any(getattr(f, "missing", False) for f in domain.features))
    return whole.flatmap(of)


def all_speak(case: Parties, depth: int, seed: int) -> None:
    """In a mended tree every total adds up to N, wherever a party has no rows; and a coin settles ties."""
    tree, n = grown(case, "mended", depth, seed), len(case[1])
    for node in tree.nodes():
        for ballot in node.ballots:
            require(sum(ballot.totals) == n, f"{sum(ballot.totals)} of {n} parties have voted on the {ballot.about}")
        about = [ballot.about for ballot in node.ballots]
        require(about in (["attribute"], ["attribute", "label"], ["label"]), f"the ballots of a node are {about}")


def deep(draw: ModuleType) -> Any:
    """Few rows and some levels, so that many nodes have parties without rows."""
    return draw.tuples(small_parties(draw), draw.integers(1, 4), draw.integers(0, 99))


CLAIMS = (
    Claim(
        "lem-empty-party",
        status="proved+checked",
        code=("fdpedu.sources.elzein.growing",),
        checks=(
            Check(
                "all speak",
                "property",
                "{size} random trees of parties with few rows: every total of a mended tree adds up to N",
                all_speak,
                deep,
                60,
                1000,
            ),
        ),
        assumptions=("all parties are honest but curious, and channels are private",),
    ),
)

TWINS = (
    Broken(
        "an empty party abstains",
        "fdpedu.sources.elzein.growing.Growth._speakers",
        "place.speaks_by if self.rule.from_ancestor else place.rows",
        "place.rows",
        "Whoever has no rows in a leaf has nothing to say about its class.",
        "lem-empty-party",
        "all speak",
    ),
    Broken(
        "a tie is voted on again",
        "fdpedu.sources.elzein.growing.Growth._settle",
        "if self.rule.again:",
        "if True:",
        "Asking again costs only messages.",
        "lem-empty-party",
        "all speak",
    ),
)

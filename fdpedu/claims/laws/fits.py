"""The laws of every fit that asks: what a record pays, what is grown of answers alone, and what is proved of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import ModuleType
from typing import Any

import numpy as np

from fdpedu.accounting import Ledger
from fdpedu.cart import CodeSplit
from fdpedu.claims.accounting.derivations import verdict
from fdpedu.claims.checking import require
from fdpedu.claims.federations import Case, federate
from fdpedu.claims.laws.askers import Kept, given
from fdpedu.claims.laws.coded import coded, inside
from fdpedu.federation import Curator, Party, Query
from fdpedu.federation.queries.choices import Drawn
from fdpedu.randomness import Rehearsal, Source, ZeroWords

Options = Mapping[str, Any]


def root_and_design(tree: Any) -> Any:
    """What of a tree must follow from what was released."""
    return tree.root, tree.design


def full_path(tree: Any, record: Sequence[int], options: Options) -> bool:
    """Whether the leaf of a record is at full depth."""
    node, depth = tree.root, 0
    while isinstance(node.split, CodeSplit) and node.left and node.right:
        node, depth = node.left if record[node.split.feature] in node.split.left else node.right, depth + 1
    return bool(depth == options["max_depth"])


@dataclass(frozen=True)
class Fit:
    """A fit as it is shipped, and what its laws must know of it.

    Parameters
    ----------
    fit : asks an asker, with these options and public coins of a seed; returns a model, which has a derivation
    options : of its strategies; given :mod:`fdpedu.claims.strategies`
    curated : whether one owner of all rows is asked
    told : what of the model must follow from what was released
    pays_all : whether the record must pay all of ε: its codes and the options are given; on a full path unless said
    in_files : whether its files can be read
    """

    fit: Callable[[Any, Options, int], Any]
    options: Callable[[ModuleType], Any]
    curated: bool = False
    told: Callable[[Any], Any] = root_and_design
    pays_all: Callable[[Any, Sequence[int], Options], bool] = full_path
    in_files: bool = True

    def asker(self, case: Case, budget: Any, source: Source) -> Any:
        """Who has these rows: a federation, or one owner of them all."""
        domain, parts = case
        if not self.curated:
            return federate(parts, domain, budget, source)
        return Curator(Party([row for rows in parts for row in rows], domain), Ledger(budget), source)

    def of_given(self, case: Case, options: Options, seed: int) -> tuple[Any, Kept]:
        """The model of given answers, and what was asked; the exact answers are those without noise."""
        kept = Kept(self.asker(case, 1, ZeroWords()), given(case[0], seed))
        return self.fit(kept, options, seed), kept

    # --- the laws -----------------------------------------------------------------------------------------------------

    def every_path(self, case: Case, record: Sequence[Any], at: int, options: Options, seed: int) -> None:
        """With one record more and the same answers, and with none at all, the same is asked and grown.

        The record changes the answers to what it pays for only, each by no more than its noise is for. All noise is
        possible, so e to the sum of rate times distance is the worst ratio of the transcripts: at most ε is paid.
        """
        domain, parts = case
        party, (own,) = at % len(parts), coded(domain, [record])
        more = [[*rows, record] if k == party else rows for k, rows in enumerate(parts)]
        found = [self.of_given((domain, some), options, seed) for some in (parts, more, [[] for _ in parts])]
        (model, one), (_, other), _ = found
        for again, asked in found[1:]:
            require(asked.queries == one.queries, "what is asked depends on exact counts")
            require(self.told(again) == self.told(model), "what is grown depends on exact counts")
        paid = charged = Fraction(0)
        for query, a, b in zip(one.queries, one.exact, other.exact, strict=True):
            require(a.shape == b.shape, f"answers have the shapes {a.shape} and {b.shape}")
            if not pays(query, own, party):
                require(np.array_equal(a, b), f"the record changes the answer to {query}")
                continue
            charged += query.epsilon
            paid += _moved(query, a, b, len(parts))
        require(0 < paid <= charged <= 1, f"the record pays {paid}, and is charged {charged} of 1")
        require(charged <= one.ledger.spent <= 1, f"it is charged {charged}, and the ledger says {one.ledger.spent}")
        designs = [query for query in one.queries if hasattr(query, "designer")]
        mine = not designs or any(query.designer == party for query in designs)
        whole = mine and self.pays_all(model, own, options)
        require(
            charged == 1 or not whole, f"the record is charged {charged}, although its leaf may spend the rest of 1"
        )

    def accepted(self, case: Case, options: Options, seed: int) -> None:
        """The derivation is accepted with its manifest, for the budget, and not with a query less; its file has it all.

        What is asked is what was released, and what the ledger says is spent is what the checker says.
        """
        asker = self.asker(case, 3, Rehearsal(seed))
        model = self.fit(asker, options, seed)
        content, manifest = model.derivation.content, json.loads(asker.manifest.to_json())
        guarantee, spent = verdict(content, manifest), asker.ledger.spent
        require(guarantee is not None and guarantee.value == 3, f"the checker says {guarantee}")
        require(guarantee is not None and guarantee.spent == spent <= 3, f"it says {guarantee}, spent is {spent}")
        asked = sum(len(one["queries"]) for one in manifest["rounds"])
        released = len(list(model.derivation.releases()))
        require(released == asked, f"{released} releases of {asked} queries")
        if self.in_files:
            again = type(model).from_json(model.to_json())
            require(self.told(again) == self.told(model), f"the file has {self.told(again)}, not {self.told(model)}")
            require(again.to_json() == model.to_json(), "it is not read back as it is")
            require(again.derivation.guarantee == model.derivation.guarantee, "the file has another guarantee")
        manifest["rounds"][-1]["queries"].pop()
        if not manifest["rounds"][-1]["queries"]:
            manifest["rounds"].pop()
        require(verdict(content, manifest) is None, "accepted with a query less than was released")

    def dealt(self, case: Case, record: Sequence[Any], options: Options, seed: int) -> None:
        """Wherever a record lies, and with the same answers, the same is asked and grown; it pays at most ε there."""
        for at in range(len(case[1])):
            self.every_path(case, record, at, options, seed)

    # --- cases --------------------------------------------------------------------------------------------------------

    def paths(self, draw: ModuleType) -> Any:
        """Parties with rows, a record to add to one of them, options and a seed."""

        def of(case: Case) -> Any:
            rest = (draw.records(case[0]), draw.integers(0, 3), self.options(draw), draw.integers(0, 99))
            return draw.tuples(draw.st.just(case), *rest)

        return draw.domains_with_parties().flatmap(of)

    def dealings(self, draw: ModuleType) -> Any:
        """Parties with rows, a record to add to any of them, options and a seed."""
        return self.paths(draw).map(lambda case: (*case[:2], *case[3:]))

    def runs(self, draw: ModuleType) -> Any:
        """Parties with rows, options and a seed."""
        return draw.tuples(draw.domains_with_parties(), self.options(draw), draw.integers(0, 99))


def pays(query: Query, record: Sequence[int], party: int) -> bool:
    """Whether a record of this party pays for a query: one that one party answers is paid by its records alone."""
    return bool(inside((tuple(record),), query.region)) and getattr(query, "designer", party) == party


def _moved(query: Query, before: Any, after: Any, parties: int) -> Fraction:
    """What the record pays for an answer: rate times distance; for what is drawn in place of noise all of its cost."""
    votes = query.type in ("split-vote", "structure-vote")
    require(not votes or before.sum() == after.sum() == parties, "a party has not voted")
    if votes or hasattr(query, "designer") or isinstance(query.layer, Drawn):
        return query.epsilon
    distance = int(np.abs(after - before).sum())
    require(distance <= query.n_releases * query.sensitivity, f"the answer to {query.type} moves by {distance}")
    return Fraction(query.rate.rate or 0) * distance

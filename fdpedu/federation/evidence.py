"""All that a budget's file has paid for: its charges, and beside each what was asked for it. Evidence for others.

A budget's file is its owner's. What others need to check a model that it paid for is copied from it: the derivation of
all charges, and for each round its account, its time, and its entry of a manifest. No answer, no noise and no row is in
the file, so none is here.

A model's derivation holds the rounds up to its last one, whatever else the budget has paid for in between; so its
manifest is that of all rounds up to there. A round of which nobody said what was asked is named: it was charged by
hand, or before budgets kept evidence.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fdpedu import files
from fdpedu.accounting import Derivation, Ledger
from fdpedu.accounting.budget_copy import looked_at
from fdpedu.derivation_checker import DerivationRefused
from fdpedu.federation.manifest import Manifest

SCHEMA = "fdpedu-evidence/1"
_KEYS = {"number", "account", "time", "asked"}


@dataclass(frozen=True)
class Evidence:
    """The charges of a budget, as a derivation, and its rounds, each with what was asked in it, if that is known."""

    derivation: Derivation
    rounds: Sequence[Mapping[str, Any]]

    @classmethod
    def of(cls, ledger: Ledger) -> Evidence:
        """That of a ledger in a file.

        Raises
        ------
        ValueError
            If nothing was charged.
        """
        return cls(ledger.derivation(), [one._asdict() for one in ledger.evidence()])

    @classmethod
    def of_budget(cls, path: str | os.PathLike[str]) -> Evidence:
        """That of a budget's file, which is left as it is."""
        with looked_at(path) as ledger:
            return cls.of(ledger)

    @classmethod
    def from_json(cls, text: str, where: str = "the text") -> Evidence:
        """Evidence from its text; what it says is checked together with a model's derivation."""
        content = files.loads(text, SCHEMA, where)

        def read() -> Evidence:
            rounds = content["rounds"]
            sound = isinstance(rounds, list) and all(set(one) == _KEYS for one in rounds)
            if not sound or [one["number"] for one in rounds] != [*range(1, len(rounds) + 1)]:
                raise files.FileRefused(f"{where}: expected all rounds in order, each with {', '.join(sorted(_KEYS))}")
            return cls(Derivation.from_json(json.dumps(content["derivation"]), where=where), rounds)

        return files.understood(where, read)

    def to_json(self) -> str:
        """The text that others check models with."""
        return files.dumps(
            SCHEMA, {"derivation": self.derivation.content, "rounds": [dict(one) for one in self.rounds]}
        )

    @property
    def known(self) -> int:
        """Of how many rounds it is known what was asked."""
        return sum(one["asked"] is not None for one in self.rounds)

    def manifest(self, derivation: Derivation) -> Manifest:
        """What was asked in all rounds up to the last one of a derivation: the checker compares the two.

        Raises
        ------
        DerivationRefused
            If the derivation has a later round, or if of one of these rounds nobody said what was asked; it is named.
        """
        last = last_round(derivation)
        if last > len(self.rounds):
            raise DerivationRefused(f"round {last}: the budget has paid for {len(self.rounds)} rounds only")
        for one in self.rounds[:last]:
            if one["asked"] is None:
                raise DerivationRefused(
                    f"round {one['number']}: of what was asked there is no evidence; it was charged by hand, or before "
                    f"budgets kept any (account {one['account']!r}, {one['time']})"
                )
        return Manifest.of(one["asked"] for one in self.rounds[:last])


def last_round(derivation: Derivation) -> int:
    """The round in which a derivation ends: it holds what the budget had paid for until then."""
    return max(int(step["round"]) for _, step in derivation.releases())

"""Rows that are dealt: all of them, each by its own draw, wherever the package deals."""

import re

import numpy as np
import pytest

from fdpedu.claims.federations import dealt
from fdpedu.datasets import wisconsin
from fdpedu.demo.running import _by_diagnosis
from fdpedu.domain import Domain
from fdpedu.estimators.tables import made_parties
from fdpedu.experiments.own import divided
from fdpedu.federation import deal
from fdpedu.federation.dealing import party_of_each
from fdpedu.randomness import Rehearsal
from tests.support.repository import ROOT

AGES = Domain.from_spec({"features": {"age": [0, 100, 100]}, "classes": ["well", "ill"]})


def by_the_estimators(n):
    """A row is known again by its age."""
    parties = made_parties([[i + 0.5] for i in range(n)], ["ill"] * n, None, AGES, 4, "Grower", Rehearsal(3))
    found = {int(code): k for k, party in enumerate(parties) for code in party._codes[:, 0]}
    return [found[code] for code in sorted(found)]


def of_lists(parts):
    found = {row: k for k, part in enumerate(parts) for row in np.asarray(part, dtype=int).ravel().tolist()}
    return [found[row] for row in sorted(found)]


PLACES = {
    "deal": lambda n: of_lists(deal(n, 4, Rehearsal(3))),
    "each row's party": lambda n: party_of_each(n, 4, Rehearsal(3)).tolist(),
    "estimators": by_the_estimators,
    "own trees": lambda n: divided(n, 4, skewed=False, rng=np.random.default_rng(3)).tolist(),
    "own trees, skewed": lambda n: divided(n, 4, skewed=True, rng=np.random.default_rng(3)).tolist(),
    "the demo": lambda n: of_lists(_by_diagnosis(wisconsin(), np.arange(n), 4, np.random.default_rng(3))),
    "claims": lambda n: of_lists(dealt([[i] for i in range(n)], 4)),
}


@pytest.mark.parametrize("place", PLACES)
def test_a_row_more_moves_no_other_row(place):
    """With the same draws, all rows have a party, and those that were there keep theirs; dealt again it is the same."""
    found = PLACES[place](60)
    assert len(found) == 60 and set(found) == {0, 1, 2, 3} and PLACES[place](60) == found
    for n in (1, 7, 59):
        assert PLACES[place](n) == found[:n]


DEALT_BY_PLACE = re.compile(r"\[[ik]::\w+\]|array_split|\) % (?:count|n_parties|parties|K)\b")
SOURCES = {
    "benchmarks/fedga.py",  # FedGA-Tree as its source has it, which is not private
    "benchmarks/fedga_figures.py",  # the same
    "fdpedu/claims/trees/dealing.py",  # the broken variant
}


def test_nothing_deals_rows_by_their_place():
    """No slices k, k + K, … and no equal parts: in the package, the benchmarks, the tools and on the pages."""
    files = [*ROOT.glob("*.md"), *(ROOT / "book").rglob("*.md")]
    files += [file for folder in ("fdpedu", "benchmarks", "tools", "peers") for file in (ROOT / folder).rglob("*.py")]
    found = {
        f"{file.relative_to(ROOT)}: {hit[0]}"
        for file in files
        if "_build" not in file.parts and str(file.relative_to(ROOT)) not in SOURCES
        for hit in DEALT_BY_PLACE.finditer(file.read_text("utf8"))
    }
    assert not found
    for planted in ("X[k::5]", "rows[i::n_parties]", "np.array_split(order, 5)", "rng.permutation(len(y)) % count"):
        assert DEALT_BY_PLACE.search(planted), planted

"""Sentences about accuracies say what the numbers say, and the opposite for the opposite numbers."""

import json
import re

import numpy as np
import pytest

from fdpedu.demo import this_time, what_federation_pays, what_privacy_costs, where_it_would_not_pay
from tests.support.repository import ROOT

HIGH, LOW = [0.9, 0.92, 0.88], [0.6, 0.64, 0.62]
WIDE = [0.95, 0.7, 0.97]  # on average less than HIGH, and in two of three runs more
PAYS, ALONE, NOT = "pays here", "as well alone here", "does not pay here"


@pytest.mark.parametrize(
    ("joint", "own", "conclusion"),
    [(HIGH, LOW, PAYS), (HIGH, WIDE, ALONE), (WIDE, HIGH, NOT), (LOW, HIGH, NOT), (HIGH, HIGH, NOT)],
)
def test_federation_pays_only_by_more_than_the_spread(joint, own, conclusion):
    """It is one of three conclusions, and the numbers beside it are those of the runs."""
    words, gain = what_federation_pays(joint, own), 100 * (np.array(joint) - own)
    assert [end for end in (PAYS, ALONE, NOT) if end in words.replace(NOT, "")] == [conclusion][: conclusion != NOT]
    assert (NOT in words) == (conclusion == NOT)
    assert words.startswith(f"In {(gain > 0).sum()} of 3 runs")
    assert ("worse" in words) == (gain.mean() <= 0)
    if gain.mean() > 0:
        numbers = [float(found) for found in re.findall(r"([\d.]+) points", words)]
        assert np.allclose(numbers, [gain.mean(), gain.std()], atol=0.51)


@pytest.mark.parametrize(
    ("joint", "own", "conclusion"),
    [(HIGH, LOW, "pays too"), (HIGH, WIDE, "standard deviation"), (LOW, HIGH, "better alone")],
)
def test_the_other_division_has_its_own_conclusion(joint, own, conclusion):
    """A gain, a gain within the spread, or a loss."""
    words = where_it_would_not_pay(joint, own, "If so")
    assert words.startswith("If so, ")
    assert [end for end in ("pays too", "standard deviation", "better alone") if end in words] == [conclusion]


def test_privacy_costs_what_is_lost():
    """And nothing is claimed where nothing is lost."""
    assert "privacy costs 28 points" in what_privacy_costs(LOW, HIGH)
    assert "nothing that these runs can show" in what_privacy_costs(HIGH, LOW)
    assert "60 %" in what_privacy_costs([0.5], [0.6]) and "costs 10 points" in what_privacy_costs([0.5], [0.6])


def test_one_run_concludes_nothing():
    """Two numbers, each with its tree."""
    assert re.findall(r"\d+ %", this_time(0.9, 0.95)) == ["90 %", "95 %"]
    assert not re.search("pays|better|worse|alone", this_time(0.9, 0.95))


def test_the_example_of_the_front_page_is_one_that_pays():
    """The stored runs gain more than their spread; the tree on the page, whose seed was chosen, is none of them."""
    kept = json.loads((ROOT / "book" / "measured" / "front_page.json").read_text("utf8"))
    page = (ROOT / "book" / "index.md").read_text("utf8")
    found = kept["by diagnosis"]
    assert PAYS in what_federation_pays(*(np.array(found[tree]) / kept["patients"] for tree in ("private", "local")))
    assert {len(numbers) for numbers in found.values()} == {kept["runs"]}
    assert re.findall(r"^SEED = (\d+)$", page, re.M) != [str(kept["seed"])]

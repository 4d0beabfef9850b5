"""The stored runs of trees by shares and of private votes: complete, the same when made again, sound means."""

import json
from types import SimpleNamespace

import numpy as np
import pytest

from benchmarks import secret_sharing, shared_trees, stamp, votes
from benchmarks.elzein_printed import SOURCE
from benchmarks.secret_sharing import lied_to
from benchmarks.shared_trees import DATA, DIVISIONS, ON_TRAFFIC, REAL, RULES, SMALL, Task
from benchmarks.words import GROUPS, row_in_words
from tests.support.repository import ROOT, drawn_by_the_code

pytestmark = pytest.mark.filterwarnings("ignore::fdpedu.federation.ClippedWarning")  # of data drawn here

KEPT = json.loads((ROOT / "book/measured/secret_sharing.json").read_text("utf8"))
STALE = "book/measured/secret_sharing.json is stale: make measure NAME=secret_sharing"
ROWS = {(row["data"], row["parties"], row["division"]): row for row in KEPT["figure_4"]}


def test_nothing_is_missing():
    """All sets, numbers of parties and divisions; four parties for the table of traffic; liars; gaps; its size."""
    wanted = {(rows.name, n, way) for rows in DATA for way in DIVISIONS for n in rows.parties_of(way)}
    assert ROWS.keys() == wanted | {(rows.name, ON_TRAFFIC, "a") for rows in DATA}
    assert [rows.parties for rows in DATA] == [SMALL] * 3 + [REAL] * 3 and REAL == (5, 10, 15, 20, 25)
    for rows in DATA:
        own = [row for row in KEPT["figure_4"] if row["data"] == rows.name]
        assert {row["runs"] for row in own} == {rows.runs} and rows.runs >= 2
    for (name, parties, division), row in ROWS.items():
        if parties == ON_TRAFFIC:
            assert row["size"].keys() == {"nodes", "depth", "messages", "bytes"} and "models" not in row
            continue
        small = any(rows.name == name and not rows.real for rows in DATA)
        more = () if division != "a" else (*RULES[2:], "votes") if small else ("gini",)
        assert row["models"].keys() == {"central", "local", *RULES[:2], *more}
        assert ("jaccard" in row) == (division == "a")
    assert {gap["method"] for gap in KEPT["gap"]} == {"votes", "default", "rotating"}
    assert {(row["design"], row["liar"]) for row in KEPT["liar"]} == {
        (d, lies) for d in ("votes", "rotating") for lies in (False, True)
    }
    assert [row["data"] for row in KEPT["times"]["table 2"]] == [rows.name for rows in DATA]
    its = KEPT["its size"]
    assert (its["rows"], its["attributes"]) == (56_553, 21) and its["depth"] <= 23


def test_the_source_s_numbers_are_stored_as_they_are_typed():
    """Once, in the module: tables 2 and 3 for three sets, each with a real one in its place."""
    assert KEPT["source"] == SOURCE and set(SOURCE["stand-ins"].values()) == {r.name for r in DATA if r.real}
    legend = ", ".join(f"{share:.0%}" for share in SOURCE["majority (figure 4)"].values())
    assert legend.replace(", 49", ", and 49") in (ROOT / "book/errata.md").read_text("utf8")
    assert all(len(five) == len(REAL) for k in ("local", "printed") for five in SOURCE[f"table 3, {k}"].values())


def test_it_says_where_it_was_measured():
    """Processor, date and the code of each file, that of both kinds of trees among them."""
    assert {"sources/elzein/growing.py", "trees/designs/votes.py", "simulation/voting.py"} < KEPT["measured"].keys()
    said = stamp.since(KEPT)
    assert KEPT["date"] in said and KEPT["processor"] in said


def test_a_random_part_is_made_again():
    """Two divisions of a repetition of a small set, and of a real one, others for other code."""
    draw = drawn_by_the_code()
    for k in (0, 3):
        seed = draw.randrange(DATA[k].runs)
        for way in (draw.choice("ac"), "b"):  # with other rows, another tree of all
            task = Task(k, draw.choice(DATA[k].parties_of(way)), way, seed)
            row, found = ROWS[DATA[k].name, task.n_parties, way], shared_trees.measure(task)
            for name, (accuracy, *_) in found["scores"].items():
                assert accuracy == pytest.approx(row["models"][name]["all"][seed], abs=1e-5), (STALE, task, name)


def test_scores_are_means_over_the_classes():
    """Of four rows one is of a class that is never predicted."""
    says_a = SimpleNamespace(predict=lambda X: np.array(list("aaaa")))
    split = SimpleNamespace(X_test=None, y_test=np.array(list("aaab")))
    assert shared_trees.scores_of(says_a, split) == pytest.approx([3 / 4, 3 / 7, 3 / 8, 1 / 2])


def test_trees_are_alike_as_far_as_their_top_nodes_share_attributes():
    """Two of four attributes; below the fifteenth node nothing counts; leaves have no attribute."""

    def node(attribute, *children):
        return SimpleNamespace(attribute=attribute, children=children)

    def chain(length):
        return node(None) if not length else node(20 - length, node(None), chain(length - 1))

    one, other = (SimpleNamespace(root=node(0, node(k), node(1, node(None)))) for k in (2, 3))
    assert shared_trees._jaccard(one, other) == 2 / 4 and shared_trees._jaccard(one, one) == 1
    assert shared_trees._attributes(SimpleNamespace(root=chain(18))) == {*range(2, 17)}


def test_means_follow_from_the_runs():
    """Of all models; and the paired differences of the targets, from the same runs."""
    for row in KEPT["figure_4"]:
        for model in row.get("models", {}).values():
            mean, error = model["accuracy"]
            assert mean == pytest.approx(np.mean(model["all"]), abs=1e-5)
            assert error == pytest.approx(np.std(model["all"], ddof=1) / np.sqrt(row["runs"]), abs=1e-5)
    assert secret_sharing.differences(KEPT["figure_4"]) == KEPT["targets"]
    assert all(words in secret_sharing.report(KEPT) for words in ("gap closed: votes", "digits", "±"))


def test_parts_are_as_stated():
    """Equal parts, a 25th each, and parts in the proportions 10 to 30; of (a) and (c) no row is left out."""
    assert Task(0, 5, "a", 0).ends(400) == [0, 80, 160, 240, 320, 400]
    assert Task(0, 5, "b", 0).ends(400) == [0, 16, 32, 48, 64, 80]
    assert Task(0, 5, "c", 0).ends(400) == [0, 40, 100, 180, 280, 400]
    assert all(Task(0, n, way, 0).ends(398)[-1] == 398 for n in REAL for way in "ac")
    assert Task(0, 25, "a", 0).ends(400) == Task(0, 25, "b", 0).ends(400)


def test_a_liar_is_told_from_an_honest_party():
    """With the same seed a tree with a liar is another one."""
    assert lied_to(("votes", True, 0)) != lied_to(("votes", False, 0))


def test_the_measured_targets_are_met():
    """Those that are inequalities of means; the page shows all with their errors."""
    found = {(row["data"], row["parties"], row["difference"]): row["mean"] for row in KEPT["targets"]}
    assert found["clusters", 5, "printed − local"] >= 0.015
    assert found["breast cancer", 2, "printed − local"] < 0.01
    assert next(gap["share"] for gap in KEPT["gap"] if gap["method"] == "votes") >= 0.35
    one = KEPT["times"]["against default"]
    assert one["votes"]["bytes"] <= 0.7 * one["default"]["bytes"]


def test_what_the_page_says_of_the_source_holds():
    """Shares above own rows on all real sets; indices at most the source's; bytes a node within a factor of five."""
    for (name, parties, _), row in ROWS.items():
        if name in SOURCE["stand-ins"].values() and parties != ON_TRAFFIC:
            assert row["models"]["printed"]["accuracy"][0] > row["models"]["local"]["accuracy"][0]
    times = {row["data"]: row for row in KEPT["times"]["table 2"]}
    for source, name in SOURCE["stand-ins"].items():
        for n, said in zip(REAL, SOURCE["table 3, printed"][source], strict=True):
            assert ROWS[name, n, "a"]["jaccard"]["printed"][0] <= said
        size, said = ROWS[name, ON_TRAFFIC, "a"]["size"], SOURCE["table 2"][source]
        assert 1 / 5 < size["bytes"][0] / size["nodes"][0] / (said["bytes"] / said["nodes"]) < 5
        assert times[name]["central"] < times[name]["growing"] < times[name]["printed"]
    recall = ROWS["adult", 5, "a"]["models"]
    assert recall["printed"]["recall"][0] < recall["local"]["recall"][0]


def test_the_rows_of_speed_have_words():
    """Both groups of trees by votes are named on the page of speed, with their limits."""
    rows = list(votes.rows())
    assert {row.group for row in rows} < GROUPS.keys() and all(" / " not in row_in_words(row.name) for row in rows)
    assert [row.limit for row in rows if row.quick] == [2.0, 0.7]

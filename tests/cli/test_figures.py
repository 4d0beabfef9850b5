"""``fdpedu figures`` as one would type it."""

import json

import pytest

from fdpedu.cli import main

SMALL = ["figures", "--figure", "5", "--n", "40", "--p", "3", "--max-depth", "2", "--rho", "0.3", "--epsilon", "5"]
SMALL += ["--runs", "10", "--jobs", "1"]


def test_json_is_a_list_of_points(capsys):
    assert main([*SMALL, "--variant", "printed", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["method"] for row in rows] == ["algorithm-5", "algorithm-6", "local", "central"]
    assert {row["variant"] for row in rows} == {"printed"} and rows[1]["epsilon_spent"] > rows[1]["epsilon"] == 5


def test_a_seed_repeats_everything(capsys):
    outputs = []
    for seed in ("1", "1", "2"):
        main([*SMALL, "--seed", seed])
        outputs.append(capsys.readouterr().out)
    assert outputs[0] == outputs[1] != outputs[2] and "Figure 5 as corrected" in outputs[0]


def test_files(tmp_path, capsys):
    """CSV and SVG, and finished tasks, from which the same command goes on."""
    folder = tmp_path / "new" / "folder"
    for _ in range(2):
        assert main([*SMALL, "--variant", "published", "--out", str(folder)]) == 0
    assert {path.name for path in folder.iterdir()} == {"chunks", "figure5-published.csv", "figure5-published.svg"}
    assert (folder / "figure5-published.csv").read_text("utf8").count("\n") == 5
    assert (folder / "figure5-published.svg").read_text("utf8").startswith("<svg")
    assert len(list((folder / "chunks").iterdir())) == 1


def test_one_fault_mended(capsys):
    assert main([*SMALL, "--variant", "published", "--mend", "raw_ranges", "short_bincount", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert {row["variant"] for row in rows} == {"published-without-raw-ranges-short-bincount"}
    assert rows[0]["epsilon_spent"] == "inf"


def test_a_design_of_the_book(capsys):
    assert main([*SMALL, "--methods", "default", "algorithm-5-clipped", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [(row["method"], row["epsilon_spent"]) for row in rows] == [("default", 5), ("algorithm-5-clipped", 5)]


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--figure", "1"], "invalid choice"),
        (["--variant", "print"], "variant must be one of printed, published, corrected"),
        (["--runs", "1"], "runs must be an integer ≥ 2"),
        (["--n", "3"], "n must be an integer ≥ 10"),
        (["--p", "0"], "p must be an integer ≥ 1"),
        (["--max-depth", "99"], "--max-depth must be at most 20"),
        (["--rho", "2"], "rho must lie between 0 and 1"),
        (["--epsilon", "0"], "epsilon must be greater than 0"),
        (["--epsilon", "nan"], "epsilon must be a finite number"),
        (["--seed", "-1"], "seed must be an integer ≥ 0"),
        (["--jobs", "0"], "jobs must be an integer ≥ 1"),
        (["--methods", "best"], "method must be one of"),
        (["--methods", "default", "--variant", "published"], "faults of the published code"),
        (["--mend", "raw_ranges"], "needs --variant published"),
        (["--variant", "published", "--mend", "all"], "a fault must be one of"),
        (["--out", "/dev/null/x"], "cannot write to /dev/null/x"),
        (["--runs", "many"], "expected a whole number"),
    ],
)
def test_bad_input_is_reported(more, message, capsys):
    try:
        status = main([*SMALL, *more])
    except SystemExit as end:
        status = end.code
    assert status == 2 and message in capsys.readouterr().err

"""Every check passes, a check that fails is reported, and `verify` says what came of it."""

import dataclasses
import json
import subprocess
import sys

import pytest

from fdpedu.claims import REGISTER, Check, UnknownClaim, given, rests_on, standing, verify
from fdpedu.claims.checking import Counterexample, NotRun, as_case, exhaust, explore, grid, require
from fdpedu.claims.register import search
from fdpedu.claims.verify import FAILED, NOT_RUN, REFUTED, Results, run_check
from fdpedu.claims.zoo import ZOO
from fdpedu.cli import main
from tests.support.claims import VERIFIED_ON_PAGES, a_claim, expected_verdict, module_of, with_more
from tests.support.repository import ROOT

CHECKS = [(claim, check) for claim in REGISTER.values() for check in claim.checks]
SHOWN = {label for labels in VERIFIED_ON_PAGES.values() for label in labels}
MARKS = [[pytest.mark.on_a_page] if claim.label in SHOWN else [] for claim, _ in CHECKS]


@pytest.mark.evidence
@pytest.mark.parametrize(
    ("claim", "check"),
    [pytest.param(*pair, marks=marks) for pair, marks in zip(CHECKS, MARKS, strict=True)],
    ids=lambda part: getattr(part, "label", None) or part.name,
)
def test_every_check_passes(claim, check):
    """Its verdict is what its kind can show, on at least one case; a claim refuted as stated is refuted."""
    result = run_check(claim, check)
    expected = expected_verdict(claim, check)
    assert (result.verdict, result.ok) == (expected, True), result.counterexample
    assert result.cases > 0 and bool(result.counterexample) == (expected == REFUTED)


def test_the_smallest_failure_of_algorithm_2():
    """Two rows, one at each of two parties, on different sides."""
    (result,) = verify("alg-federated-split-as-printed")
    assert result.counterexample.startswith("left = ((0, 0), (0, 1)), right = ((0, 1), (0, 0)): ZeroDivisionError")


def below_two(n):
    require(n < 2, f"{n} is too large")


@pytest.mark.parametrize(
    ("law", "cases", "verdict", "tried", "message"),
    [
        (below_two, lambda _: [(0,), (1,), (2,), (3,)], FAILED, 3, "n = 2: 2 is too large"),
        (below_two, lambda _: [], FAILED, 0, "no case to try"),
        (below_two, lambda _: 1 // 0, FAILED, 0, "ZeroDivisionError"),
        (lambda n: {}[n], lambda _: [(7,)], FAILED, 1, "n = 7: KeyError"),
    ],
)
def test_a_check_that_fails_is_reported(law, cases, verdict, tried, message):
    result = run_check(a_claim("lem-x"), Check("c", "exact", "all", law, cases))
    assert (result.verdict, result.ok, result.cases) == (verdict, False, tried) and message in result.counterexample


@pytest.mark.parametrize("more", [[(1,), (2,)], lambda _: [(1,), (2,)], lambda draw: draw.tuples(draw.integers(1, 2))])
def test_further_cases_are_tried_at_deep_sizes_and_by_the_tests(more):
    check = Check("c", "exact", "all", below_two, lambda _: [(0,)], more=more)
    assert run_check(a_claim("lem-x"), check).ok
    assert "n = 2: 2 is too large" in run_check(a_claim("lem-x"), check, deep=True).counterexample
    with pytest.raises(Counterexample, match="n = 2"):
        check.run_more()
    modules = {module_of(claim) for claim, _ in with_more()}
    assert modules == {file.parent.name for file in (ROOT / "tests").glob("*/test_more_cases.py")}


def test_a_refuted_claim_without_a_counterexample_fails():
    claim = a_claim("lem-x", "refuted as stated", corrected_by="lem-y")
    result = run_check(claim, Check("c", "exact", "all", below_two, as_case, 1))
    assert result.verdict == FAILED and "found none" in result.counterexample


def test_cases_are_counted_or_draws():
    """A statistical law is tried once, on as many draws as the size says."""
    kinds = {"exact": 1, "statistical": 1_000}
    got = {kind: Check("c", kind, "all", lambda n: None, as_case, 1_000).run(1_000) for kind in kinds}
    assert got == kinds


def test_a_property_check_finds_the_simplest_counterexample():
    with pytest.raises(Counterexample) as caught:
        explore(lambda a, b: require(a < 5, "too large"), lambda draw: draw.nodes(), 200)
    assert caught.value.case == (5, 0) and str(caught.value) == "a = 5, b = 0: too large"


def test_different_polynomials_are_distinguished():
    """They may agree on a smaller grid."""

    def cubic(x):  # the sides are equal at 1, 2, 3
        require(x**3 + 11 * x == 6 * x * x + 6, "the sides differ")

    assert exhaust(cubic, grid(variables=1, degree=2)) == 3
    with pytest.raises(Counterexample):
        exhaust(cubic, grid(variables=1, degree=3))


def test_without_hypothesis_the_property_checks_say_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "hypothesis", None)
    monkeypatch.delitem(sys.modules, "fdpedu.claims.strategies", raising=False)
    monkeypatch.delattr("fdpedu.claims.strategies", raising=False)
    with pytest.raises(NotRun, match=r"pip install 'fdpedu\[verify\]'"):
        explore(below_two, lambda draw: draw.nodes(), 1)
    results = verify("thm-category-order")
    assert [r.verdict for r in results] == ["verified", NOT_RUN] and not results.ok and "1 not run" in results.summary()


def test_verify_names_the_nearest_labels():
    with pytest.raises(UnknownClaim, match=r"'lem-incremant'.*lem-increment"):
        verify("lem-incremant")


@pytest.mark.parametrize("ask", [verify, lambda x: verify(["lem-filter", x]), rests_on, given, standing])
@pytest.mark.parametrize("label", ["no-such", "xyz", "", "increment", "LEM-INCREMENT"])
def test_an_unknown_label_is_answered_with_five(ask, label):
    """However little it looks like one; wherever a claim is named."""
    with pytest.raises(UnknownClaim) as unknown:
        ask(label)
    named = str(unknown.value).removeprefix(f"there is no claim {label!r}; the nearest are: ").split(", ")
    assert len(set(named)) == 5 and set(named) <= set(REGISTER)
    assert label != "increment" or named[0] == "lem-increment"


def test_the_command_line(capsys, monkeypatch):
    """0 when all is as the register says, 1 when a check fails, 2 with the nearest labels for an unknown one."""
    assert main(["verify", "lem-increment", "alg-federated-split-as-printed"]) == 0
    out = capsys.readouterr().out
    head, *rows = out.splitlines()[:4]
    assert [row.index(word) for row, word in zip(rows, ["proved", "verified", "refuted"], strict=True)] == [
        head.index("verdict")
    ] * 3
    assert "only a proof proves" in out and "ZeroDivisionError" in out
    with ZOO["masks reused"].applied():
        assert main(["verify", "thm-private-sum", "--json"]) == 1
    printed = json.loads(capsys.readouterr().out)
    verdicts = {r["check"]: r["verdict"] for r in printed["results"]}
    assert not printed["ok"] and verdicts["sums"] == "not refuted" and verdicts["fresh masks"] == FAILED
    assert main(["verify", "lem-incremant"]) == 2
    assert "lem-increment" in capsys.readouterr().err


def test_claims_are_found_by_their_words(capsys):
    """In any case; what says it in its title comes first; what nobody says, and what would mean nothing, is refused."""
    assert main(["verify", "--list", "PARALLEL", "composition"]) == 0
    head, *rows = capsys.readouterr().out.splitlines()
    assert head.split() == ["claim", "title", "source", "status"]
    assert [row.split()[0] for row in rows[:2]] == ["thm-parallel", "thm-parallel-substitution"]
    assert len(rows) == len(search(["parallel", "composition"])) < len(search(["parallel"]))
    assert {claim.label for claim in search()} == set(REGISTER)
    refusals = {"no such words": "no claim holds 'no such words'", "--deep": "--deep would mean nothing"}
    for wrong, said in refusals.items():
        assert main(["verify", "--list", wrong]) == 2 and said in capsys.readouterr().err


def test_the_words_of_a_user_lead_to_the_claim(capsys):
    """Also where a label is asked for."""
    assert search(["5/4"])[0].label == "lem-five-quarters"
    assert main(["verify", "5/4"]) == 2 and "nearest are: lem-five-quarters," in capsys.readouterr().err


def test_deep_sizes_are_larger():
    sizes = {check.size(deep=True) > check.size(deep=False) for _, check in CHECKS if check.deep}
    assert sizes == {True}
    (result,) = verify("def-scaled-impurity", deep=True)
    assert result.cases > 9000 and "at most 20 rows" in result.shows


def test_results_show_themselves_as_a_table():
    """With markup in a counterexample made harmless."""
    result = dataclasses.replace(verify("lem-increment")[0], counterexample="<script>", verdict=FAILED)
    assert str(Results([result])) == Results([result]).to_text()
    page = Results([result])._repr_html_()
    assert page == result._repr_html_() and "&lt;script&gt;" in page and "<caption>1 check of 1 claim" in page
    assert page.count('<th scope="col">') == 5 and "1 FAILED" in page


def test_checks_leave_nothing_behind(tmp_path, monkeypatch):
    """hypothesis keeps no folder where the reader works."""
    code = "from fdpedu.claims import verify; assert verify('thm-category-order').ok"
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True)
    assert list(tmp_path.iterdir()) == []

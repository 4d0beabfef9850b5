"""Register, code, tests and book agree; every check passes; every broken twin is caught by the check that it names."""

import ast
import dataclasses
import importlib
import json
import re
import subprocess
import sys

import pytest
from conftest import ROOT, toc_pages

from fdpedu.claims import REGISTER, Check, Claim, UnknownClaim, given, page, rests_on, standing, verify
from fdpedu.claims.broken import ZOO, Broken
from fdpedu.claims.checking import Counterexample, NotRun, exhaust, explore, need, same_polynomial
from fdpedu.claims.records import VERDICTS
from fdpedu.claims.small_mechanisms import SMALL_MECHANISMS
from fdpedu.claims.verify import FAILED, NOT_RUN, REFUTED, Results, run_check
from fdpedu.cli import main
from fdpedu.privacy import check_dp, datasets, distance

PACKAGE = ROOT / "fdpedu"
# What the book numbers as a claim: a remark with a label mends a wording; proofs and examples are not claims.
ENVIRONMENTS = "theorem|lemma|definition|algorithm|assumption|axiom|proposition|corollary|property|conjecture|remark"
CHECKS = [(claim, check) for claim in REGISTER.values() for check in claim.checks]


def docstring_labels():
    """(label, dotted path) for every ``Claims:`` line of the package."""

    def walk(node, path):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)):
            for line in re.findall(r"^\s*Claims: (.*)$", ast.get_docstring(node) or "", re.M):
                yield from ((label.split()[0], path) for label in line.split(","))
            for child in node.body:
                yield from walk(child, f"{path}.{getattr(child, 'name', '')}")

    for file in sorted(PACKAGE.rglob("*.py")):
        parts = file.relative_to(ROOT).with_suffix("").parts
        path = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        yield from walk(ast.parse(file.read_text("utf8")), path)


def marked_labels():
    """The labels of all ``@pytest.mark.claim`` in the tests."""
    for file in (ROOT / "tests").glob("test_*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.claim":
                yield from (ast.literal_eval(argument) for argument in node.args)


def chapter_labels(text):
    """The labels of the claims on a page, with the text from each to the next."""
    pattern = rf"^[`:]{{3,}}\{{prf:(?:{ENVIRONMENTS})\}}.*\n(?::\w+:.*\n)*?:label: *(\S+)"
    found = list(re.finditer(pattern, text, re.M))
    ends = [match.start() for match in found[1:]] + [len(text)]
    return {match[1]: text[match.end() : end] for match, end in zip(found, ends, strict=True)}


def disagreements(chapter, text, register):
    """How a chapter's page and the register differ: labels, and proofs that the register says are there."""
    there, expected = chapter_labels(text), {c.label for c in register.values() if c.chapter == chapter}
    yield from (f"{label} is on the page, not in the register" for label in set(there) - expected)
    yield from (f"{label} is in the register, not on the page" for label in expected - set(there))
    for label in expected & set(there):
        proof = re.search(r"\{prf:proof\}|\{dropdown\} Proof", there[label])
        if register[label].status == "proved+checked" and not proof:
            yield f"{label} has no proof on the page"


def chapters():
    return [page for page in toc_pages() if page.startswith("book/chapters/")]


def test_labels_in_docstrings_are_the_registers_code():
    """The ``Claims:`` lines of the code and ``code`` of the records are the same pairs."""
    assert sorted(docstring_labels()) == sorted(
        (claim.label, path) for claim in REGISTER.values() for path in claim.code
    )


def test_every_label_of_a_charge_is_a_claim():
    """What a derivation cites as the claim behind a release stands in the register."""
    from fdpedu.federation.queries import CLOSED_SET

    assert {query.claim for query in CLOSED_SET} <= set(REGISTER)


def test_markers_name_claims_and_every_claim_has_evidence():
    marked = set(marked_labels())
    assert marked <= set(REGISTER)
    assert {claim.label for claim in REGISTER.values() if not claim.checks} <= marked


def test_chapters_and_register_agree():
    """For each chapter in `_toc.yml`: the labels on its page are the register's, and the proofs are there."""
    for name in chapters():
        text = (ROOT / f"{name}.md").read_text("utf8")
        assert list(disagreements(re.sub(r"^\d+_", "", name.split("/")[-1]), text, REGISTER)) == [], name


PAGE = """
```{prf:lemma} One
:label: lem-one
It holds.
```
:::{dropdown} Proof
```{prf:proof}
Look.
```
:::
```{prf:definition} Two
:nonumber:
:label: def-two
A word.
```
```{prf:example}
:label: ex-three
```
"""


def a_claim(label, status="checked", **fields):
    return Claim(label, "T", "c", "s", "S", status, (), **fields)


def test_the_comparison_with_a_chapter_can_fail():
    """A sound page has no findings; a label too many, one too few, a missing proof are found."""
    sound = {"lem-one": a_claim("lem-one", "proved+checked"), "def-two": a_claim("def-two")}
    assert list(disagreements("c", PAGE, sound)) == []
    assert "not in the register" in next(disagreements("c", PAGE, {"lem-one": sound["lem-one"]}))
    assert "not on the page" in next(disagreements("c", PAGE, {**sound, "x": a_claim("x")}))
    proved = {**sound, "def-two": a_claim("def-two", "proved+checked")}
    assert list(disagreements("c", PAGE, proved)) == ["def-two has no proof on the page"]


def test_what_is_not_written_is_not_called_proved():
    """A claim is ``proved+checked`` only if its chapter is written (and once that is in the book, has the proof)."""
    written = {re.sub(r"^\d+_", "", file.stem) for file in (ROOT / "book" / "chapters").glob("*.md")}
    assert {claim.chapter for claim in REGISTER.values() if claim.status == "proved+checked"} <= written


def test_records_are_sound():
    """Labels, uses, code and checks point to what exists; nothing rests on itself or on what is refuted."""
    for label, claim in REGISTER.items():
        assert claim.label == label and re.fullmatch(r"[a-z]+-[a-z0-9-]+", label)
        # What is refuted has no kind of its own: its label says how it stands there.
        assert re.match(r"(def|lem|thm|alg|asm|wording)-", label) or claim.status == "refuted as stated"
        assert (PACKAGE / f"{claim.chapter}.py").exists() or (PACKAGE / claim.chapter).is_dir()
        assert claim.statement.count("$") % 2 == 0 and claim.code and set(claim.uses) <= set(REGISTER)
        assert label not in rests_on(label)
        assert not any(REGISTER[used].status == "refuted as stated" for used in claim.uses)
        assert len({check.name for check in claim.checks}) == len(claim.checks)
        for check in claim.checks:
            assert (
                check.kind in VERDICTS
                and check.described()
                and (check.alpha is not None) == (check.kind == "statistical")
            )
        if claim.status == "proved+checked":
            assert claim.checks
        with pytest.raises(dataclasses.FrozenInstanceError):
            claim.status = "proved+checked"


def test_a_refuted_claim_names_its_correction():
    for claim in REGISTER.values():
        assert (claim.status == "refuted as stated") == bool(claim.corrected_by)
        if claim.corrected_by:
            assert REGISTER[claim.corrected_by].status in ("proved+checked", "checked")
            assert claim.corrected_by in standing(claim.label)


def test_the_register_is_ordered_by_chapter():
    order = "cart privacy mechanisms accounting secure_sum dlpa histograms trees bounds experiments audit".split()
    places = [order.index(claim.chapter) for claim in REGISTER.values()]
    assert places == sorted(places)


def test_an_assumption_is_passed_on():
    """A claim that rests on an assumed one, at any distance, says so."""
    register = {
        "a": a_claim("a", "assumed"),
        "b": a_claim("b", uses=("a",)),
        "c": a_claim("c", "proved+checked", uses=("b",)),
        "d": a_claim("d", "proved+checked"),
    }
    assert [given(label, register) for label in "abcd"] == [(), ("a",), ("a",), ()]
    assert standing("c", register) == "proved and checked, given a" and standing("d", register) == "proved and checked"
    assert given("thm-federated-tree") == ("asm-random-words", "asm-key-stream")


@pytest.mark.parametrize(("claim", "check"), CHECKS, ids=lambda part: getattr(part, "label", None) or part.name)
def test_every_check_passes(claim, check):
    """Its verdict is what its kind can show, on at least one case; a claim refuted as stated is refuted."""
    result = run_check(claim, check)
    expected = REFUTED if claim.status == "refuted as stated" else VERDICTS[check.kind]
    assert (result.verdict, result.ok) == (expected, True), result.counterexample
    assert result.cases > 0 and bool(result.counterexample) == (expected == REFUTED)


def test_the_smallest_failure_of_algorithm_2():
    """Two rows, one at each of two parties, on different sides."""
    (result,) = verify("alg-federated-split-as-printed")
    assert result.counterexample.startswith("left = ((0, 0), (0, 1)), right = ((0, 1), (0, 0)): ZeroDivisionError")


@pytest.mark.parametrize("name", ZOO)
def test_a_broken_twin_is_caught_by_its_check(name):
    """With the bug in the shipped code the check that it names fails, with a counterexample; then nothing is left."""
    twin = ZOO[name]
    shipped = function(twin.target).__code__
    with twin.applied():
        result = twin.verify()
        assert function(twin.target).__code__ is not shipped
    assert function(twin.target).__code__ is shipped
    assert result.verdict == FAILED and not result.ok and result.counterexample
    assert "TypeError" not in result.counterexample and "NameError" not in result.counterexample  # a bug, not a typo
    assert twin.misconception.endswith(".")


@pytest.mark.parametrize("name", SMALL_MECHANISMS)
def test_no_smaller_pair_refutes_a_small_twin(name):
    """By trying all pairs at distance 1, without the check's order; and what is told is an excess over the claim."""
    twins = SMALL_MECHANISMS[name]
    small = list(datasets(twins.universe, twins.max_size))[::-1]
    failing = [
        len(a) + len(b)
        for a in small
        for b in small
        if distance(a, b, twins.relation) == 1 and not check_dp(twins.broken(a), twins.broken(b), twins.exp_epsilon)
    ]
    assert min(failing) == sum(map(len, twins.pair))
    assert all(sum(law.values()) == 1 for data in small for law in (twins.sound(data), twins.broken(data)))
    verdict = twins.verdict("broken")
    assert verdict.excess == verdict.p_event - twins.exp_epsilon * verdict.q_event > 0
    assert len(str(verdict)) < 300 and twins.misconception.endswith(".")


def function(path):
    parts, found = path.split("."), None
    for i, name in enumerate(parts, 1):
        try:  # a module first: a package may hold a function of the same name
            found = importlib.import_module(".".join(parts[:i]))
        except ModuleNotFoundError:
            found = getattr(found, name)
    return getattr(found, "fget", None) or found


def test_a_twin_is_taken_back_when_something_raises():
    twin = ZOO["masks reused"]
    shipped = function(twin.target).__code__
    with pytest.raises(KeyError), twin.applied():
        raise KeyError
    assert function(twin.target).__code__ is shipped


@pytest.mark.parametrize(
    ("target", "shipped", "message"),
    [
        ("fdpedu.secure_sum.Masks.draw", "no such line", "exactly once"),
        ("fdpedu.secure_sum.Masks.draw", "e", "exactly once"),
        ("fdpedu.secure_sum.WORD", "64", "no function"),
        ("no.such.module", "x", "there is no"),
        ("fdpedu.federation.queries.ClassHistogram.check", "super().check(domain)", "closes over"),
    ],
)
def test_a_twin_that_does_not_fit_is_refused(target, shipped, message):
    """A twin cannot outlive the line that it breaks."""
    with pytest.raises(ValueError, match=message), Broken("x", target, shipped, "pass", "", "", "").applied():
        pass


def always(_):
    return exhaust(lambda n: need(n < 2, f"{n} is too large"), [(0,), (1,), (2,), (3,)])


@pytest.mark.parametrize(
    ("run", "verdict", "cases", "message"),
    [
        (always, FAILED, 3, "n = 2: 2 is too large"),
        (lambda _: exhaust(always, []), FAILED, 0, "no case to try"),
        (lambda _: 1 // 0, FAILED, 0, "ZeroDivisionError"),
        (lambda _: exhaust(lambda n: {}[n], [(7,)]), FAILED, 1, "n = 7: KeyError"),
    ],
)
def test_a_check_that_fails_is_told(run, verdict, cases, message):
    result = run_check(a_claim("lem-x"), Check("c", "exact", "all", run))
    assert (result.verdict, result.ok, result.cases) == (verdict, False, cases) and message in result.counterexample


def test_a_refuted_claim_without_a_counterexample_fails():
    claim = a_claim("lem-x", "refuted as stated", corrected_by="lem-y")
    result = run_check(claim, Check("c", "exact", "all", lambda _: 5))
    assert result.verdict == FAILED and "found none" in result.counterexample


def test_a_property_check_finds_the_simplest_counterexample():
    with pytest.raises(Counterexample) as caught:
        explore(lambda a, b: need(a < 5, "too large"), lambda draw: draw.nodes(), 200)
    assert caught.value.case == (5, 0) and str(caught.value) == "a = 5, b = 0: too large"


def test_different_polynomials_are_told_apart():
    """They may agree on a smaller grid."""
    cubic = (lambda x: x**3 + 11 * x, lambda x: 6 * x * x + 6)  # equal at 1, 2, 3
    assert same_polynomial(*cubic, variables=1, degree=2) == 3
    with pytest.raises(Counterexample):
        same_polynomial(*cubic, variables=1, degree=3)


def test_without_hypothesis_the_property_checks_say_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "hypothesis", None)
    monkeypatch.delitem(sys.modules, "fdpedu.claims.strategies", raising=False)
    monkeypatch.delattr("fdpedu.claims.strategies", raising=False)
    with pytest.raises(NotRun, match="pip install hypothesis"):
        explore(always, lambda draw: draw.nodes(), 1)
    results = verify("thm-category-order")
    assert [r.verdict for r in results] == ["verified", NOT_RUN] and not results.ok and "1 not run" in results.summary()


def test_the_register_needs_no_hypothesis():
    code = "import sys, fdpedu.claims.broken; print('hypothesis' in sys.modules, 'scipy' in sys.modules)"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).split() == ["False", "False"]


def test_verify_names_the_nearest_labels():
    with pytest.raises(UnknownClaim, match=r"'lem-incremant'.*lem-increment"):
        verify("lem-incremant")
    with pytest.raises(UnknownClaim, match="thm-round"):
        verify(["lem-filter", "xyz"])


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
    told = json.loads(capsys.readouterr().out)
    assert not told["ok"] and [r["verdict"] for r in told["results"]] == ["verified", "not refuted", FAILED]
    assert main(["verify", "lem-incremant"]) == 2
    assert "lem-increment" in capsys.readouterr().err


def test_deep_sizes_are_larger():
    sizes = {check.size(deep=True) > check.size(deep=False) for _, check in CHECKS if check.deep}
    assert sizes == {True}
    (result,) = verify("def-scaled-impurity", deep=True)
    assert result.cases > 9000 and "at most 20 rows" in result.shows


def test_results_show_themselves_as_a_table():
    """With markup in a counterexample made harmless."""
    result = dataclasses.replace(verify("lem-increment")[0], counterexample="<script>", verdict=FAILED)
    page = Results([result])._repr_html_()
    assert page == result._repr_html_() and "&lt;script&gt;" in page and "<caption>1 check of 1 claim" in page
    assert page.count('<th scope="col">') == 5 and "1 FAILED" in page


def test_checks_leave_nothing_behind(tmp_path, monkeypatch):
    """hypothesis keeps no folder where the reader works."""
    code = "from fdpedu.claims import verify; assert verify('thm-category-order').ok"
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True)
    assert list(tmp_path.iterdir()) == []


def test_the_page_shows_every_claim():
    """In its table, in full, and in its drawing; references lead only to chapters that the book has."""
    there = {re.sub(r"^\d+_", "", name.split("/")[-1]) for name in chapters()}
    assert page.chapters_in_the_book() == there
    table, full, drawing = page.overview().text, page.in_full().text, page.graph().svg
    for label, claim in REGISTER.items():
        assert f"`{label}`" in table and f">{label}</text>" in drawing
        assert (f"{{prf:ref}}`{label}`" in full) == (claim.chapter in there)
    assert drawing.startswith('<svg role="img"') and "<title>What rests on what" in drawing
    assert drawing.count("<path") == 2 * sum(len(c.uses) for c in REGISTER.values())
    assert all(f"| {name} |" in page.zoo().text for name in ZOO)

"""Register, code, tests and book agree, and what a claim rests on is passed on."""

import ast
import dataclasses
import re
import subprocess
import sys

import pytest

from fdpedu.chapters import CHAPTERS, folders, topics
from fdpedu.claims import REGISTER, given, rests_on, standing
from fdpedu.claims.records import VERDICTS
from tests.support.claims import a_claim
from tests.support.repository import PACKAGE, ROOT

WRITTEN = [chapter for chapter in CHAPTERS if chapter.written]
# What the book numbers as a claim: a remark with a label mends a wording; proofs and examples are not claims.
ENVIRONMENTS = "theorem|lemma|definition|algorithm|assumption|axiom|proposition|corollary|property|conjecture|remark"


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
        if "Claims: " in (text := file.read_text("utf8")):
            yield from walk(ast.parse(text), path)


def marked_labels():
    """The labels of all ``@pytest.mark.claim`` in the tests."""
    texts = [file.read_text("utf8") for file in (ROOT / "tests").rglob("test_*.py")]
    for text in texts:
        for node in ast.walk(ast.parse(text)) if "pytest.mark.claim(" in text else ():
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
        proof = proof or re.search(rf"^% proof: {label}\n\n?[:`]{{3,}}\{{dropdown\}} Proof", text, re.M)  # further on
        if register[label].status == "proved+checked" and not proof:
            yield f"{label} has no proof on the page"


def test_labels_in_docstrings_are_the_registers_code():
    """The ``Claims:`` lines of the code and ``code`` of the records are the same pairs."""
    assert sorted(docstring_labels()) == sorted(
        (claim.label, path) for claim in REGISTER.values() for path in claim.code
    )


def test_every_label_of_a_charge_is_a_claim():
    """What a derivation cites as the claim behind a release stands in the register."""
    from fdpedu.federation.queries.closed_set import CLOSED_SET

    assert {query.claim for query in CLOSED_SET} <= set(REGISTER)


def test_markers_name_claims_and_every_claim_has_evidence():
    marked = set(marked_labels())
    assert marked <= set(REGISTER)
    assert {claim.label for claim in REGISTER.values() if not claim.checks} <= marked


def test_chapters_and_register_agree():
    """For each written chapter: the labels on its pages are the register's, and the proofs are there."""
    for chapter in WRITTEN:
        text = "\n".join((ROOT / f"{page}.md").read_text("utf8") for page in chapter.pages)
        assert list(disagreements(chapter.name, text, REGISTER)) == [], chapter.name


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


def test_the_comparison_with_a_chapter_can_fail():
    """A sound page has no findings; a label too many, one too few, a missing proof are found."""
    sound = {"lem-one": a_claim("lem-one", "proved+checked"), "def-two": a_claim("def-two")}
    assert list(disagreements("c", PAGE, sound)) == []
    assert "not in the register" in next(disagreements("c", PAGE, {"lem-one": sound["lem-one"]}))
    assert "not on the page" in next(disagreements("c", PAGE, {**sound, "x": a_claim("x")}))
    proved = {**sound, "def-two": a_claim("def-two", "proved+checked")}
    assert list(disagreements("c", PAGE, proved)) == ["def-two has no proof on the page"]
    further_on = (
        PAGE + "\n```{prf:lemma} One more\n:label: lem-one\n```\n% proof: {}\n\n:::{dropdown} Proof of it\n:::\n"
    )
    assert list(disagreements("c", further_on.replace("{}", "def-two"), proved)) == []
    assert "no proof" in next(disagreements("c", further_on.replace("{}", "lem-one"), proved))


def test_what_is_not_written_is_not_called_proved():
    """A claim is ``proved+checked`` only if its chapter is written (and once that is in the book, has the proof)."""
    proved = {claim.chapter for claim in REGISTER.values() if claim.status == "proved+checked"}
    assert proved <= {chapter.name for chapter in WRITTEN}


def test_records_are_sound():
    """Labels, uses, code and checks point to what exists; nothing rests on itself or on what is refuted."""
    for label, claim in REGISTER.items():
        assert claim.label == label and re.fullmatch(r"[a-z]+-[a-z0-9-]+", label)
        # What is refuted has no kind of its own: its label says how it stands there.
        assert re.match(r"(def|lem|thm|cor|prop|alg|asm|wording|vos)-", label) or claim.status == "refuted as stated"
        assert claim.chapter in {chapter.name for chapter in CHAPTERS}
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


LOADED = """
import os, sys
import hypothesis, fdpedu
from fdpedu.claims import verify
modules = [getattr(fdpedu, name) for name in fdpedu._MODULES]
for label in sys.argv[1:]:
    if os.fork():
        os.wait()
        continue
    verify(label)
    parts = [name.split(".") for name in sys.modules if name.startswith("fdpedu.claims.")]
    print(*{f"{chapter}.{module}" for _, _, chapter, *rest in parts for module in rest}, flush=True)
    os._exit(0)
"""


def test_a_claim_loads_its_chapter_and_what_that_rests_on():
    """All topics of its own chapter (of all without a page, if it has none); some of those that it rests on."""
    chapters, unwritten = (
        [chapter.name for chapter in CHAPTERS],
        {other.name for other in CHAPTERS if not other.written},
    )
    with_checks = {name: [c for c in REGISTER.values() if c.chapter == name and c.checks] for name in chapters}
    labels = [min(claims, key=lambda claim: len(claim.checks)).label for claims in with_checks.values()]
    lines = subprocess.check_output([sys.executable, "-c", LOADED, *labels], text=True).splitlines()
    names = {folder.__name__.rsplit(".", 1)[-1]: topics(folder) for folder in folders("fdpedu.claims")}
    for chapter, line in zip(chapters, lines, strict=True):
        loaded, own = set(line.split()), unwritten if chapter in unwritten else {chapter}
        whole = {name for name, all_of_it in names.items() if loaded >= {f"{name}.{topic}" for topic in all_of_it}}
        assert chapter in whole and whole <= own
        below_own = {REGISTER[used].chapter for one in own for used in below(one)}
        assert {name.split(".")[0] for name in loaded} - {"laws"} <= below_own | own  # the laws are of no chapter


def below(chapter):
    """All claims that the claims of a chapter rest on."""
    return {used for label, claim in REGISTER.items() if claim.chapter == chapter for used in rests_on(label)}


def test_the_register_needs_no_hypothesis():
    code = "import sys, fdpedu.claims.zoo; print('hypothesis' in sys.modules, 'scipy' in sys.modules)"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).split() == ["False", "False"]

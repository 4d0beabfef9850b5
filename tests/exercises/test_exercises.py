"""Every exercise: the solution passes, the stub fails politely, wrong answers get their own hint.

A reply may take a second, so what is asked of one is asked in one test.
"""

import pickle
import re
from dataclasses import FrozenInstanceError
from xml.etree import ElementTree

import pytest

from fdpedu.chapters import CHAPTERS
from fdpedu.exercises import catalogue, solution, stub, task
from fdpedu.exercises.accounting.ledger import SITUATIONS
from fdpedu.exercises.dlpa import price
from fdpedu.exercises.histograms.clipping import CELLS
from fdpedu.exercises.trees import path
from fdpedu.exercises.trial import observe
from tests.support.exercises import EXERCISES, check, each
from tests.support.repository import ROOT

WRONG = [pytest.param(entry, wrong, id=f"{entry.id}: {wrong.name}") for entry in EXERCISES for wrong in entry.wrong]
each_wrong = pytest.mark.parametrize(("exercise", "wrong"), WRONG)


# --- The records ---


def is_well_formed(reply):
    """As HTML; else this raises."""
    return ElementTree.fromstring(reply._repr_html_()) is not None


@each
def test_the_solution_passes(exercise):
    """Its text alone, in an empty namespace, is right on every case, and the reply says on how many."""
    space = {}
    exec(solution(exercise.id), space)
    name = exercise.reference.__name__ if exercise.asks_for_function else "answer"
    reply = check(exercise.id, space[name])
    assert reply.passed and reply.decided and reply.tried == len(exercise.cases()) and is_well_formed(reply)
    if exercise.asks_for_function:
        said = " ".join(str(reply).split())
        assert f"all {reply.tried:,} cases" in said and "evidence, not a proof" in said
        assert exercise.stub.splitlines()[0] in solution(exercise.id).splitlines()


@each
def test_the_stub_fails_politely(exercise):
    """The stub runs as it stands, and the reply says that there is no answer yet."""
    space = {}
    exec(stub(exercise.id).replace(f'check("{exercise.id}"', f'reply = check("{exercise.id}"'), space)
    reply = space["reply"]
    assert reply.verdict == "NOT ANSWERED YET" and not reply.passed and not reply.decided
    assert f'hint("{exercise.id}")' in str(reply) and is_well_formed(reply)


@each_wrong
def test_a_wrong_answer_gets_its_own_hint(request, exercise, wrong):
    """Each named wrong answer is rejected with its misconception and the smallest case on which it fails.

    The first of an exercise gets the same reply again, with ``--deep`` each of them.
    """
    reply = check(exercise.id, wrong.answer)
    assert reply.verdict == "FAIL" and reply.misconception == wrong.name and is_well_formed(reply)
    assert dict(reply.rows)["why"] == wrong.hint
    is_the_smallest(reply.counterexample, exercise, wrong)
    if wrong is exercise.wrong[0] or request.config.getoption("--deep"):
        again = check(exercise.id, wrong.answer)
        assert reply == again and str(reply) == str(again) and reply.rows == again.rows


def is_the_smallest(found, exercise, wrong):
    """It is a case, and fails; no case of a smaller size does, found without the checker's order."""
    answer, reference = exercise.as_function(wrong.answer), exercise.as_function(exercise.reference)

    def fails(case):
        outcome = observe(exercise, answer, case)
        return outcome.fault or not exercise.agrees(case, outcome.value, reference(*case))

    cases = exercise.cases()
    assert found in cases and fails(found)
    smaller = [case for case in reversed(cases) if exercise.size(*case) < exercise.size(*found)]
    assert [case for case in smaller if fails(case)] == []


@each
def test_cases_come_in_order_of_size_and_once(exercise):
    """So "smallest" means something, and the number of cases counts different ones; and they can be sent elsewhere."""
    cases = exercise.cases()
    sizes = [exercise.size(*case) for case in cases]
    assert sizes == sorted(sizes)
    assert len({repr(case) for case in cases}) == len(cases)
    assert repr(pickle.loads(pickle.dumps(cases[-1]))) == repr(cases[-1])


@each
def test_a_record_is_complete(exercise):
    """Texts are there, hints differ, at least two misconceptions; an id begins as its chapter's name does."""
    texts = (exercise.title, exercise.task, exercise.hint, exercise.domain, exercise.explanation)
    assert all(text.strip() for text in texts) and exercise.chapter.startswith(exercise.id.split("-")[0])
    assert exercise.level in ("warm-up", "apply", "extend") and len(exercise.wrong) >= 2
    assert (
        len({wrong.hint for wrong in exercise.wrong})
        == len({wrong.name for wrong in exercise.wrong})
        == len(exercise.wrong)
    )
    name = exercise.reference.__name__ if exercise.asks_for_function else "answer"
    assert name in exercise.stub and (name in exercise.task or not exercise.asks_for_function)
    assert exercise.task.count("$") % 2 == exercise.task.count("`") % 2 == 0
    with pytest.raises(FrozenInstanceError):
        exercise.title = "other"


def pages(chapter):
    """The text of a chapter's pages."""
    return "\n".join((ROOT / f"{page}.md").read_text("utf8") for page in chapter.pages)


@pytest.mark.parametrize("chapter", [entry for entry in CHAPTERS if entry.written], ids=lambda entry: entry.name)
def test_ids_are_the_chapter_s_and_levels_are_three(chapter):
    """The chapter asks for each exercise by its id, in the order of the catalogue."""
    asked = dict.fromkeys(re.findall(r'^(?:reply = )?check\("([\w-]+)"', pages(chapter), re.M))
    assert [entry.id for entry in catalogue(chapter.name)] == list(asked)
    assert {entry.level for entry in catalogue(chapter.name)} == {"warm-up", "apply", "extend"}


def test_every_written_chapter_has_exercises_and_no_other():
    assert {entry.chapter for entry in EXERCISES} == {chapter.name for chapter in CHAPTERS if chapter.written}


@each
def test_the_chapter_starts_from_the_stub(exercise):
    """The cell of the chapter is the stub, to the letter, and asks for the check of the answer."""
    (chapter,) = (entry for entry in CHAPTERS if entry.name == exercise.chapter)
    assert stub(exercise.id) in pages(chapter)


@pytest.mark.parametrize(
    ("id", "stated"),
    [
        ("acc-regions", [f"\n{i}. {text}" for i, text in enumerate(SITUATIONS, 1)]),
        ("dlpa-price", [f"{price.N_PARTIES} hospitals", f"at most {float(price.MAX_RATIO):g} times"]),
        ("hist-clipping", [f"{CELLS // 2} bins and 2 classes", f"the {CELLS} cells"]),
        ("tree-path", [f"depth at most {path.DEPTH} on {path.FEATURES} features", f"$\\varepsilon={path.EPSILON}$"]),
    ],
)
def test_a_task_states_what_its_check_assumes(id, stated):
    assert [words for words in stated if words not in task(id)] == []

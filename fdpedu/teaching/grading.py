"""Marks for notebooks: a verdict for every exercise of a set, points, and what a class got wrong most."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from fdpedu.exact import as_integer, as_list, as_positive_fraction, require_callable, require_type
from fdpedu.exercises import Reply
from fdpedu.exercises.stored import require_solutions
from fdpedu.files import as_path
from fdpedu.teaching.notebooks import names_of, read_notebook, require_different
from fdpedu.teaching.running import Limits, Ran, run_notebook
from fdpedu.teaching.sets import ExerciseSet, Item, shown_points

MOST_SECONDS, LEAST_MEGABYTES, MOST_MEGABYTES = 86_400, 256, 1_000_000
ANSWERS_SHARE = 1 / 4
NOT_ANSWERED, NOT_REACHED, NOT_RUN = "not answered", "not reached", "not run"


@dataclass(frozen=True)
class Mark:
    """What one answer is worth.

    Attributes
    ----------
    id : of the exercise
    verdict : ``PASS``, ``FAIL``, ``NOT DECIDED`` (the answer did not end), ``not answered``, or ``not reached`` (the
        notebook stopped before it handed in an answer)
    points : 0 without a PASS
    reply : in full; None where there was nothing to reply to
    """

    id: str
    verdict: str
    points: Fraction
    reply: Reply | None = None

    @property
    def misconception(self) -> str:
        return (self.reply and self.reply.misconception) or ""

    @property
    def counterexample(self) -> str:
        """The smallest input on which the answer is wrong, in words."""
        rows = dict(self.reply.rows) if self.reply and self.verdict == "FAIL" else {}
        return rows.get("input", "")

    def __str__(self) -> str:
        """The verdict in a line: ``FAIL at max_ratio([0, 1], [0, 1]): divides by 0``."""
        where = f" at {self.counterexample}" if self.counterexample else ""
        return f"{self.verdict}{where}{f': {self.misconception}' if self.misconception else ''}"


@dataclass(frozen=True)
class StudentMarks:
    """The marks of one notebook.

    Attributes
    ----------
    name : of the notebook
    marks : one for each exercise of the set; none if the notebook did not run
    points : their sum; None if the notebook did not run
    problem : why it did not run, or not to its end
    errors : what cells raised
    """

    name: str
    marks: tuple[Mark, ...]
    points: Fraction | None
    problem: str = ""
    errors: tuple[str, ...] = ()

    def __str__(self) -> str:
        points = "no points" if self.points is None else f"{shown_points(self.points)} point{'s' * (self.points != 1)}"
        said = [f"{self.name}: {points}"]
        said += [f"stopped: {self.problem}"] if self.problem else []
        said += [f"raised: {error}" for error in self.errors]
        for mark in self.marks:
            said.append(str(mark.reply) if mark.reply else f"{mark.verdict}  {mark.id}")
        return "\n\n".join(said)


@dataclass(frozen=True)
class ClassMarks:
    """The marks of all notebooks, in the order in which they were named."""

    chosen: ExerciseSet
    students: tuple[StudentMarks, ...]

    def table(self) -> list[tuple[str, ...]]:
        """A head, and a line a student: name, points, of how many, a verdict for each exercise, the problem."""
        head = ("notebook", "points", "of", *(item.id for item in self.chosen.items), "problem")
        of = shown_points(self.chosen.points)
        rows = [head]
        for student in self.students:
            points = "" if student.points is None else shown_points(student.points)
            verdicts = [str(mark) for mark in student.marks] or [NOT_RUN] * len(self.chosen.items)
            rows.append((student.name, points, of, *verdicts, student.problem))
        return rows

    def most_missed(self) -> list[tuple[str, int, int, int, tuple[tuple[str, int], ...]]]:
        """For each exercise, the most missed first: id, how many passed, failed, did not answer; misconceptions."""
        rows = []
        for at, item in enumerate(self.chosen.items):
            marks = [student.marks[at] for student in self.students if student.marks]
            passed = sum(mark.verdict == "PASS" for mark in marks)
            failed = sum(mark.verdict in ("FAIL", "NOT DECIDED") for mark in marks)
            names = Counter(mark.misconception for mark in marks if mark.misconception)
            rows.append((item.id, passed, failed, len(marks) - passed - failed, tuple(names.most_common())))
        return sorted(rows, key=lambda row: (-row[2], -row[3]))

    def to_dict(self) -> dict[str, Any]:
        """All of it as JSON can have it."""
        names = ("id", "passed", "failed", "not answered", "misconceptions")
        return {
            "title": self.chosen.title,
            "of": shown_points(self.chosen.points),
            "students": [_student(student) for student in self.students],
            "most missed": [dict(zip(names, row, strict=True)) for row in self.most_missed()],
        }


def _student(student: StudentMarks) -> dict[str, Any]:
    marks = [
        {
            "id": mark.id,
            "verdict": mark.verdict,
            "points": shown_points(mark.points),
            "counterexample": mark.counterexample,
            "misconception": mark.misconception,
        }
        for mark in student.marks
    ]
    points = None if student.points is None else shown_points(student.points)
    problems = {"problem": student.problem, "errors": list(student.errors)}
    return {"notebook": student.name, "points": points, **problems, "marks": marks}


def grade(
    notebooks: Iterable[Any],
    chosen: ExerciseSet,
    *,
    seconds: float = 60,
    memory: int = 4096,
    progress: Callable[[str], object] = lambda name: None,
) -> ClassMarks:
    """Run each notebook in a process of its own, and mark its answers.

    An answer is what a cell hands to ``check(id, answer)``. A notebook that cannot be read or started gets no points,
    not 0, and the reason; one that stops on its way has marks for what it handed in before.

    Parameters
    ----------
    notebooks : files, at least one
    chosen : the set
    seconds : for each notebook, greater than 0; a quarter of them is the most for an answer
    memory : in megabytes, at least 256, where the system keeps such a limit
    progress : is called with the name of each notebook, before it runs

    Raises
    ------
    ValueError
        If no notebook is named, or one of them twice.
    """
    require_solutions("grading")
    require_type(chosen, ExerciseSet, "chosen")
    require_callable(progress, "progress")
    paths = tuple(as_path(place) for place in as_list(notebooks, "notebooks"))
    if not paths:
        raise ValueError("notebooks must name at least one file")
    require_different(paths)
    names = names_of(paths)
    time = float(min(as_positive_fraction(seconds, "seconds"), Fraction(MOST_SECONDS)))
    most = as_integer(memory, "memory", minimum=LEAST_MEGABYTES, maximum=MOST_MEGABYTES) * 2**20
    limits = Limits(time, time * ANSWERS_SHARE, most)
    students = []
    for path, name in zip(paths, names, strict=True):
        progress(name)
        students.append(_graded(path, name, chosen, limits))
    return ClassMarks(chosen, tuple(students))


def _graded(path: Path, name: str, chosen: ExerciseSet, limits: Limits) -> StudentMarks:
    try:
        cells = read_notebook(path)
    except ValueError as error:
        return StudentMarks(name, (), None, str(error))
    ran = run_notebook(cells, {item.id: item.attempts for item in chosen.items}, limits)
    if not ran.started:
        return StudentMarks(name, (), None, ran.stopped)
    marks = tuple(mark_of(item, ran) for item in chosen.items)
    return StudentMarks(name, marks, sum((mark.points for mark in marks), Fraction(0)), ran.stopped, tuple(ran.errors))


def mark_of(item: Item, ran: Ran) -> Mark:
    """The mark for one exercise: of the answer that passes, or else of the last one that says something."""
    replies = [reply for reply in ran.replies if reply.id == item.id]
    if any(reply.passed for reply in replies):
        passed = next(reply for reply in replies if reply.passed)
        return Mark(item.id, "PASS", item.points, passed)
    tried = [reply for reply in replies if reply.verdict != "NOT ANSWERED YET"]
    if tried:
        return Mark(item.id, tried[-1].verdict, Fraction(0), tried[-1])
    return Mark(item.id, NOT_REACHED if ran.stopped and not replies else NOT_ANSWERED, Fraction(0))

"""Whatever a notebook does, its line has a mark that its values earned, or the reason why it has none."""

import threading
import time
from fractions import Fraction
from pathlib import Path

import pytest

from fdpedu.exercises import Reply
from fdpedu.teaching import answer_notebook, choose, grade, read_set
from fdpedu.teaching.grading import mark_of
from fdpedu.teaching.notebooks import names_of
from fdpedu.teaching.running import Limits, Ran, run_notebook
from tests.support.exercises import EXERCISES, check
from tests.support.notebooks import DIVIDES, FIRST, NEVER, PAIR, RATIO, SET, written

CHOSEN = read_set(SET)
EXIT = RATIO.replace("return max", "os._exit(0) or max")
FORGED = "for fd in range(3, 60):\n    try: os.write(fd, b'PASS\\n{\"end\": true}\\n')\n    except OSError: pass"
PATCHED = (
    "import fdpedu.exercises.checking as c, fdpedu.exercises.values as v, fdpedu.exercises.trial as t\n"
    "v.close = lambda *_: True\nt.Trial.run = lambda *_: None\nc.judge = lambda *_: 1 / 0"
)
DEEP = "x = []\nfor _ in range(10 ** 5): x = [x]\ncheck('privacy-sensitivity', x)"
HUGE = RATIO.replace("max(", "bytes(5 * 2 ** 30) and max(")  # more than it may have, and less than there is
MAGIC = "%pip install fdpedu\n!ls\nif True:\n    %matplotlib inline"
EVERY = {  # cells, the verdicts on both exercises, and a word of the reason
    "right": ([RATIO, PAIR], "PASS", "PASS", ""),
    "wrong": ([DIVIDES, PAIR.replace("5", "9")], "FAIL", "FAIL", ""),
    "empty": ([], "not answered", "not answered", ""),
    "stub": (["check('privacy-max-ratio', ...)", "check('privacy-sensitivity', None)"], *["not answered"] * 2, ""),
    "raises": (["1 / 0", "def (", RATIO, "raise SystemExit(0)", PAIR], "PASS", "PASS", ""),
    "endless": ([PAIR, "while True: pass", RATIO], "not reached", "PASS", "time was over (cell 3 of 4)"),
    "answer without end": ([NEVER, PAIR], "NOT DECIDED", "PASS", ""),
    "ends itself": ([EXIT, PAIR, "os._exit(0)", RATIO], "FAIL", "PASS", "ended its own process (cell 4"),
    "ends itself at once": (["os._exit(0)", RATIO], "not reached", "not reached", "ended its own process (cell 2"),
    "takes memory": (["x = bytes(5 * 2 ** 30)", HUGE, PAIR], "FAIL", "PASS", ""),
    "forges lines": ([FORGED, PAIR], "not reached", "not reached", "wrote nonsense"),
    "changes the checker": ([PATCHED, DIVIDES, PAIR.replace("5", "9")], "FAIL", "FAIL", ""),
    "floods": (["print('x' * 10 ** 7)", PAIR], "not answered", "PASS", ""),
    "hands in too much": (["check('privacy-sensitivity', 'x' * 10 ** 7)", RATIO], *["not reached"] * 2, "more than"),
    "nests": ([DEEP, RATIO], "PASS", "FAIL", ""),
    "magic": ([MAGIC, RATIO, "%%bash\nls"], "PASS", "not answered", ""),
    "unknown": (["check('privacy-max-rate', 3)", RATIO], "PASS", "not answered", ""),
}  # fmt: skip


@pytest.fixture(scope="module")
def marks(tmp_path_factory):
    """All of them graded; those that do not end in less time."""
    folder = tmp_path_factory.mktemp("class")
    books = {name: written(folder, name, *case[0]) for name, case in EVERY.items()}
    short = [books.pop(name) for name in ("endless", "answer without end")]
    graded = *grade(books.values(), CHOSEN).students, *grade(short, CHOSEN, seconds=6).students
    return {student.name: student for student in graded}


@pytest.mark.parametrize("name", EVERY)
def test_every_notebook_comes_back_with_marks_and_its_reason(marks, name):
    _, ratio, pair, reason = EVERY[name]
    found = marks[name]
    assert [mark.verdict for mark in found.marks] == [ratio, pair], str(found)
    assert found.points == Fraction(5, 2) * (ratio == "PASS") + (pair == "PASS")
    assert reason in found.problem and bool(reason) == bool(found.problem)


def test_a_wrong_answer_has_its_counterexample_and_its_misconception(marks):
    """The same reply as the library's, to the letter."""
    mark = marks["wrong"].marks[0]
    assert (mark.counterexample, mark.misconception) == ("max_ratio([0, 1], [0, 1])", "divides by 0")
    here = check("privacy-max-ratio", lambda p, q: max(a / b for a, b in zip(p, q, strict=True)))
    there, here = ([row for row in reply.rows if row[0] != "seen"] for reply in (mark.reply, here))
    assert there == here and "line 2: `return max(a / b" in dict(mark.reply.rows)["seen"]


def test_what_cells_raise_is_said(marks):
    assert [error.split(": ")[:2] for error in marks["raises"].errors] == [
        ["cell 2, line 1", "ZeroDivisionError"],
        ["cell 3, line 1", "SyntaxError"],
        ["cell 5, line 1", "SystemExit"],
    ]
    assert marks["unknown"].errors[0].startswith("cell 2, line 1: ValueError: id must be an exercise")


def test_what_was_not_run_has_no_points(tmp_path):
    """Not 0: none, and the reason names the file."""
    (tmp_path / "text.ipynb").write_text("hello", "utf8")
    books = [tmp_path / "text.ipynb", tmp_path / "missing.ipynb", written(tmp_path, "good", PAIR)]
    found = grade(books, CHOSEN)
    assert [student.points for student in found.students] == [None, None, 1]
    assert all(str(book) in student.problem for book, student in zip(books[:2], found.students, strict=False))
    assert [row[1:6] for row in found.table()[1:]] == [
        *[("", "3.5", "not run", "not run", student.problem) for student in found.students[:2]],
        ("1", "3.5", "not answered", "PASS", ""),
    ]


def test_a_process_that_does_not_start_is_not_run(tmp_path, monkeypatch):
    (tmp_path / "child.py").write_text("raise SystemExit(1)")
    monkeypatch.setattr("fdpedu.teaching.running.CHILD", tmp_path / "child.py")
    (student,) = grade([written(tmp_path, "good", PAIR)], CHOSEN).students
    assert student.points is None and "could not be started" in student.problem


WRONG = "check('privacy-sensitivity', (5, 5))"


@pytest.mark.parametrize(
    ("cells", "verdict"),
    [
        ([WRONG, PAIR], "PASS"),
        ([WRONG, WRONG, PAIR], "FAIL"),
        ([PAIR, WRONG], "PASS"),
        (["check('privacy-sensitivity', ...)"] * 3 + [PAIR], "PASS"),
    ],
)
def test_attempts(cells, verdict):
    """Of so many that a set allows one must pass; what is blank is none."""
    ran = run_notebook([FIRST, *cells], {"privacy-sensitivity": 2}, Limits())
    tried = [reply.verdict for reply in ran.replies if reply.verdict != "NOT ANSWERED YET"]
    assert len(tried) <= 2 and ("PASS" in tried) == (verdict == "PASS") and not ran.stopped


def test_the_notebook_sees_an_empty_environment_and_an_empty_folder(monkeypatch):
    """And no edition with solutions: it hands in what it sees."""
    monkeypatch.setenv("SECRET", "s")
    seen = (
        "from fdpedu.exercises import solution\n"
        "keep = {'HOME', 'TMPDIR', 'TEMP', 'LC_ALL', 'LC_CTYPE', 'PYTHONHASHSEED', 'FDPEDU_EDITION', 'MPLBACKEND'}\n"
        "more = [name for name in os.environ if name not in keep and not name.endswith('_NUM_THREADS')]\n"
        "has = bool(solution('privacy-sensitivity').code)\n"
        "check('privacy-sensitivity', (6, 5) if not more and not os.listdir() and not has else (0, 0))"
    )
    (reply,) = run_notebook([FIRST, seen], {"privacy-sensitivity": 1}, Limits()).replies
    assert reply.passed


def test_no_thread_and_no_process_is_left(marks):
    assert not [thread for thread in threading.enumerate() if thread.name == "fdpedu grade"]


def test_the_notebook_that_is_handed_out_runs_unanswered(tmp_path):
    chosen = choose(2, minutes=20)
    (tmp_path / "answers.ipynb").write_text(answer_notebook(chosen), "utf8")
    (student,) = grade([tmp_path / "answers.ipynb"], chosen).students
    assert {mark.verdict for mark in student.marks} == {"not answered"} and (student.points, student.problem) == (0, "")


def test_what_the_class_missed_most_comes_first(tmp_path):
    books = [written(tmp_path, f"s{k}", PAIR, DIVIDES) for k in range(2)] + [written(tmp_path, "s3", RATIO)]
    missed = grade(books, CHOSEN).most_missed()
    assert missed == [
        ("privacy-max-ratio", 1, 2, 0, (("divides by 0", 2),)),
        ("privacy-sensitivity", 2, 0, 1, ()),
    ]


@pytest.mark.parametrize(
    ("places", "names"),
    [
        (["x/ann", "x/bob"], ["ann", "bob"]),
        (["ann/answers", "bob/answers"], ["ann-answers", "bob-answers"]),
        (["ann/1/a", "bob/1/a", "bob/2/a"], ["ann-1-a", "bob-1-a", "bob-2-a"]),
        (["a/b-c", "a-b/c"], ["b-c", "c"]),
    ],
)
def test_notebooks_of_one_name_are_told_apart_by_their_folders(places, names):
    assert list(names_of(tuple(Path(f"/class/{place}.ipynb") for place in places))) == names


def test_a_notebook_that_is_named_twice_is_refused_by_whatever_names(tmp_path):
    book = written(tmp_path, "ann", PAIR)
    (tmp_path / "bob.ipynb").symlink_to(book)
    for other in (tmp_path / "bob.ipynb", tmp_path / "x" / ".." / "ann.ipynb"):
        with pytest.raises(ValueError, match=r"notebooks must be different files, and .*ann.ipynb and .* are one"):
            grade([book, other], CHOSEN)


def test_replies_are_those_of_check(request):
    """To the solution and to every known wrong answer, to the letter; in depth of all exercises."""
    for exercise in EXERCISES if request.config.getoption("--deep") else EXERCISES[5::100]:
        answers = "e.reference", *(f"e.wrong[{k}].answer" for k in range(len(exercise.wrong)))
        first = f"{FIRST}\nfrom fdpedu.exercises.catalogue import find\ne = find({exercise.id!r})"
        cells = [first, *(f"check(e.id, {answer})" for answer in answers)]
        ran = run_notebook(cells, {exercise.id: 99}, Limits(notebook=600, answer=60))
        given = exercise.reference, *(wrong.answer for wrong in exercise.wrong)
        assert ran.replies == [check(exercise.id, answer) for answer in given] and not ran.stopped, exercise.id


def test_what_a_notebook_started_ends_with_it(tmp_path):
    """A program that it left behind in its session is gone, and so is one that a killed notebook left."""
    start = "import subprocess\nleft = subprocess.Popen(['sleep', '600']).pid"
    said = f"open({str(tmp_path / 'pids')!r}, 'a').write(f'{{left}} ')"
    for more in ([], ["while True: pass"]):
        run_notebook([FIRST, start, said, *more], {}, Limits(notebook=4))
    pids = (tmp_path / "pids").read_text().split()
    until = time.monotonic() + 20  # the system needs a moment
    while any(map(is_running, pids)) and time.monotonic() < until:
        time.sleep(0.05)
    assert len(pids) == 2 and not any(map(is_running, pids))


def is_running(pid):
    """Not gone, and not merely waiting for somebody to ask how it ended."""
    status = Path(f"/proc/{pid}/stat")
    return status.exists() and status.read_text().rsplit(")", 1)[1].split()[0] != "Z"


def test_an_answer_that_is_stuck_while_its_fault_is_looked_for_costs_no_other_answer():
    """It is wrong on the first case, and does not end when it is called again, to be compared with wrong answers."""
    stuck = "n = 0\ndef max_ratio(p, q):\n    global n\n    n += 1\n    while n > 1: pass\n    return 7"
    cells = [FIRST, "1 / 0", WRONG, f"{stuck}\ncheck('privacy-max-ratio', max_ratio)", PAIR]
    attempts = {"privacy-max-ratio": 1, "privacy-sensitivity": 2}
    ran = run_notebook(cells, attempts, Limits(notebook=30, answer=1))
    found = [(reply.id.removeprefix("privacy-"), reply.verdict) for reply in ran.replies]
    assert found == [("sensitivity", "FAIL"), ("max-ratio", "FAIL"), ("sensitivity", "PASS")]
    assert len(ran.errors) == 1 and not ran.stopped  # it ran twice, and what came before is counted once


def test_files_of_one_folder_that_differ_in_their_ends_have_different_names():
    paths = (Path("/class/ann.ipynb"), Path("/class/ann.json"))
    assert names_of(paths) == ("class-ann.ipynb", "class-ann.json")


@pytest.mark.parametrize("verdicts", [("PASS", "FAIL"), ("FAIL", "PASS"), ("NOT DECIDED", "PASS", "NOT ANSWERED YET")])
def test_one_attempt_that_passes_is_enough(verdicts):
    item = CHOSEN.items[0]
    ran = Ran([Reply(item.id, "a title", verdict, ()) for verdict in verdicts], started=True)
    assert (mark_of(item, ran).verdict, mark_of(item, ran).points) == ("PASS", item.points)

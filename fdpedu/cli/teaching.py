"""``fdpedu exercise``, ``sheet``, ``quiz`` and ``grade``: for who learns from the book, and for who teaches from it."""

from __future__ import annotations

import argparse
import csv
import io
import itertools
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fdpedu.cli.parser import DONE, REFUSED, Commands, Refused, add_overwrite, as_json, print_json, wrapped
from fdpedu.files import PreparedFile, as_path, read_text, reason, write_text
from fdpedu.printable import one_line, printable
from fdpedu.showing import text_table

if TYPE_CHECKING:
    from fdpedu.exercises import Reply
    from fdpedu.teaching import ClassMarks, ExerciseSet

MOST_NAME = 40
_SET = (
    'A set is a file in TOML: title = "Sheet 2", and for each exercise a table [[exercise]] with id = "…", '
    "points = 2 and, if it is not 1, attempts = 3: how many answers to it a notebook may hand in. "
)
_NO_SANDBOX = (
    "This is not a sandbox. A notebook runs in a process of its own, in an empty folder, with an empty environment "
    "and limits of time, memory and output, and its verdicts are reached outside of it. But its code may read files, "
    "use the network and start programs as you may: grade as a user who owns nothing, or in a container. And the "
    "solutions are in the package: nobody sees from an answer who wrote it. "
)


def add(commands: Commands) -> None:
    _add_exercise(commands)
    _add_sheet(commands)
    _add_quiz(commands)
    _add_grade(commands)


def _add_exercise(commands: Commands) -> None:
    command = commands.add_parser(
        "exercise",
        help="one exercise in a terminal: its task, a file to edit, and the answer of check",
        description="Prints the task and writes a file to start from. Edit it and say the same again: the file is run, "
        "as Python runs it, and its answer is checked.",
        epilog="Exit status: 0 PASS, or the file was written; 1 no PASS; 2 there is no such exercise or file.",
    )
    command.add_argument("id", metavar="ID", help="of the exercise, as privacy-max-ratio")
    command.add_argument("--file", metavar="FILE", help="where the answer stands (default: ID.py)")
    command.add_argument("--hint", action="store_true", help="print the hint, too")
    command.add_argument("--json", action="store_true", help="print the reply as JSON")
    command.set_defaults(run=_exercise)


def _add_sheet(commands: Commands) -> None:
    command = commands.add_parser(
        "sheet",
        help="a hand-out of exercises: tasks only, with minutes and space to write",
        description="Prints a sheet in Markdown: of a chapter those exercises, in their order, that fit into the "
        "minutes (a warm-up is taken for 5, apply for 10, extend for 15), those that are named, or those of a set.",
        epilog=_SET + "With --out the folder gets the sheet as a page to print (sheet.html) and as text, the notebook "
        "that students hand in, and the set that `fdpedu grade` reads.",
    )
    _add_chapter(command, required=False)
    command.add_argument("--minutes", type=int, help="with --chapter: how long the sheet may take (default 45)")
    command.add_argument("--exercises", metavar="ID,ID", help="these exercises, in place of --chapter")
    command.add_argument("--set", metavar="FILE", help="the exercises of this set, in place of --chapter")
    command.add_argument("--out", metavar="FOLDER", help="write sheet.html, sheet.md, answers.ipynb and set.toml there")
    add_overwrite(command, "out")
    command.set_defaults(run=_sheet)


def _add_quiz(commands: Commands) -> None:
    command = commands.add_parser(
        "quiz", help="the quiz of a chapter for Moodle", description="Prints the quiz of a chapter's pages."
    )
    _add_chapter(command, required=True)
    command.add_argument("--format", default="moodle", choices=("moodle",), help="Moodle XML (the default)")
    command.add_argument("--out", metavar="FILE", help="write it there")
    add_overwrite(command, "out")
    command.set_defaults(run=_quiz)


def _add_chapter(command: argparse.ArgumentParser, *, required: bool) -> None:
    command.add_argument("--chapter", type=int, required=required, metavar="N", help="the number of the chapter")


def _add_grade(commands: Commands) -> None:
    command = commands.add_parser(
        "grade",
        help="marks for the notebooks of a class",
        description="Runs each notebook and marks what its cells hand to check(id, answer): PASS, FAIL with the "
        "smallest counterexample and the misconception's name, or not answered. A line a student, then what the class "
        "missed most. A notebook that could not be run gets no points and the reason, never 0.",
        epilog=_SET + _NO_SANDBOX + "Exit status: 0 all were run, 1 some were not, 2 nothing was.",
    )
    command.add_argument("notebooks", nargs="+", metavar="NOTEBOOK", help="a notebook that was handed in")
    command.add_argument("--set", required=True, metavar="FILE", help="the exercises, with points and attempts")
    command.add_argument("--seconds", default="60", help="for each notebook (default 60); an answer has a quarter")
    command.add_argument("--memory", type=int, default=4096, help="megabytes for each (default 4096)")
    command.add_argument("--out", metavar="FOLDER", help="write marks.csv and a text for each student there")
    add_overwrite(command, "out")
    form = command.add_mutually_exclusive_group()
    form.add_argument("--csv", action="store_true", help="print the table of marks as CSV, and nothing else")
    form.add_argument("--json", action="store_true", help="print all as JSON")
    command.set_defaults(run=_grade)


def _exercise(options: argparse.Namespace) -> int:
    from fdpedu.exercises import check
    from fdpedu.exercises.catalogue import find
    from fdpedu.teaching.texts import plain

    exercise = find(options.id)
    place = as_path(options.file or f"{exercise.id}.py")
    if not options.json:
        print(f"{exercise.title} ({exercise.level})\n\n{plain(exercise.task)}\n")
        if options.hint:
            print(f"Hint: {exercise.hint}\n")
    if not place.exists():
        write_text(place, f"# {exercise.id}: {exercise.title}\n\n{exercise.stub}\n")
        said = f"Written: {place}. Edit it, then say again: fdpedu exercise {exercise.id}"
        print_json({"id": exercise.id, "written": str(place)}) if options.json else print(said)
        return DONE
    name = exercise.reference.__name__ if exercise.asks_for_function else "answer"
    names = _names_of(place)
    if name not in names:
        raise Refused(f"{place} must define {name}, and does not")
    reply = check(exercise.id, names[name])
    print_json(_as_dict(reply)) if options.json else print(reply)
    return DONE if reply.passed else REFUSED


def _names_of(place: Path) -> dict[str, Any]:
    """What a file of Python defines; what it raises is refused, with its line."""
    import runpy
    import traceback

    read_text(place)  # refused if it is no text
    try:
        return runpy.run_path(str(place))
    except SyntaxError as error:
        at = f", line {error.lineno}" if error.lineno else ""
        raise Refused(f"{place}{at}: {error.msg}") from None
    except (Exception, SystemExit) as error:
        lines = [at for frame, at in traceback.walk_tb(error.__traceback__) if frame.f_code.co_filename == str(place)]
        at = f", line {lines[-1]}" if lines else ""
        raise Refused(f"{place}{at}: {type(error).__name__}: {error}") from None


def _as_dict(reply: Reply) -> dict[str, Any]:
    return {
        "id": reply.id,
        "verdict": reply.verdict,
        "misconception": reply.misconception,
        "tried": reply.tried,
        "rows": dict(reply.rows),
    }


def _sheet(options: argparse.Namespace) -> int:
    from fdpedu.teaching import answer_notebook, sheet_page, sheet_text

    chosen = _chosen(options)
    text = sheet_text(chosen)
    if options.out is None:
        print(text, end="")
        return DONE
    texts = {
        "sheet.html": sheet_page(chosen),
        "sheet.md": text,
        "answers.ipynb": answer_notebook(chosen),
        "set.toml": chosen.to_toml(),
    }
    with _folder(options.out, texts, options.overwrite) as places:
        for name, place in places.items():
            place.write(texts[name])
    print(f"Written: {', '.join(str(Path(options.out, name)) for name in texts)}")
    return DONE


def _chosen(options: argparse.Namespace) -> ExerciseSet:
    from fdpedu.teaching import choose, set_of

    given = [name for name in ("chapter", "exercises", "set") if getattr(options, name) is not None]
    if len(given) != 1:
        raise ValueError("one of --chapter, --exercises and --set must be given, and not more")
    if options.minutes is not None and options.chapter is None:
        raise ValueError(f"--minutes must be left out with --{given[0]}, which says what the sheet has")
    if options.exercises is not None:
        return set_of([id.strip() for id in options.exercises.split(",")])
    minutes = 45 if options.minutes is None else options.minutes
    return choose(options.chapter, minutes=minutes) if options.set is None else _read_set(options.set)


def _read_set(file: str) -> ExerciseSet:
    from fdpedu.teaching import read_set

    return read_set(read_text(file), file)


def _quiz(options: argparse.Namespace) -> int:
    from fdpedu.teaching import as_moodle

    text = as_moodle(options.chapter)
    if options.out is None:
        print(text, end="")
        return DONE
    write_text(options.out, text, overwrite=options.overwrite)
    print(f"Written: {options.out}")
    return DONE


@contextmanager
def _folder(name: str, files: Sequence[str] | dict[str, str], overwrite: bool) -> Iterator[dict[str, PreparedFile]]:
    """Places for files in a folder, all found writable before there is anything to write."""
    folder = as_path(name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ValueError(f"cannot write to {name}: {reason(error)}") from None
    with ExitStack() as stack:
        yield {file: stack.enter_context(PreparedFile(folder / file, overwrite=overwrite)) for file in files}


def _grade(options: argparse.Namespace) -> int:
    from fdpedu.teaching import grade
    from fdpedu.teaching.notebooks import names_of

    chosen = _read_set(options.set)
    names = names_of(tuple(map(as_path, options.notebooks)))
    files = ("marks.csv", *dict.fromkeys(f"{name}.txt" for name in names)) if options.out else ()
    with _folder(options.out, files, options.overwrite) if options.out else ExitStack() as places:
        marks = grade(
            options.notebooks, chosen, seconds=options.seconds, memory=options.memory, progress=_say_which(len(names))
        )
        if places and isinstance(places, dict):
            places["marks.csv"].write(f"\ufeff{_as_csv(marks.table())}")  # a spreadsheet then reads it as UTF-8
            for student in marks.students:
                places[f"{student.name}.txt"].write(f"{printable(student)}\n")
    if options.json:
        sys.stdout.write(as_json(marks.to_dict()))
    elif options.csv:
        sys.stdout.write(_as_csv(marks.table()))
    else:
        _print_marks(marks)
    return DONE if all(student.points is not None for student in marks.students) else REFUSED


def _say_which(number: int) -> Callable[[str], object]:
    """On a terminal, which of so many notebooks runs; what is printed for a file or a program is not mixed with it."""
    count = itertools.count(1)
    shown = sys.stderr is not None and sys.stderr.isatty()
    return lambda name: shown and print(f"{next(count)} of {number}: {one_line(name)} …", file=sys.stderr)


def _as_csv(rows: Sequence[Sequence[str]]) -> str:
    """A table for a spreadsheet, which takes none of the cells for a formula; each line of it is a line of the text."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([_no_formula(one_line(cell)) for cell in row] for row in rows)
    return text.getvalue()


def _no_formula(cell: str) -> str:
    return f"'{cell}" if cell.lstrip().startswith(("=", "+", "-", "@", "＝", "＋", "－", "＠")) else cell


def _print_marks(marks: ClassMarks) -> None:
    head = ("notebook", "points", "of", *map(str, range(1, len(marks.chosen.items) + 1)), "problem")
    rows = [_short(row) for row in marks.table()[1:]]
    print(text_table([head, *rows], right={1, 2}) + "\n")
    for at, item in enumerate(marks.chosen.items, start=1):
        print(f"{at}: {item.id}")
    wrong = [(student.name, mark) for student in marks.students for mark in student.marks if mark.verdict == "FAIL"]
    if wrong:
        print("\nWrong answers:")
    for name, mark in wrong:
        print(wrapped(f"{name}, {mark.id}: {mark}", indent=2))
    print("\nMissed most:")
    for id, passed, failed, unanswered, names in marks.most_missed():
        said = "; ".join(f"{name} ({count})" for name, count in names)
        counts = f"{id}: {failed} failed, {unanswered} not answered, {passed} passed"
        print(wrapped(f"{counts}. {said}" if said else counts, indent=2))


def _short(row: Sequence[str]) -> tuple[str, ...]:
    """A line of the table with its verdicts alone, and a name that leaves room for them: the rest is said below."""
    name, *cells, problem = row
    name = name if len(name) <= MOST_NAME else f"{name[: MOST_NAME - 1]}…"
    return (name, *("FAIL" if cell.startswith("FAIL") else cell for cell in cells), problem)

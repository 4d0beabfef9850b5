"""Copy what the package says from the pages where it is written: `make statements`.

A claim is written and read on its page, as a `{prf:…}` directive with a `:label:`: "title; source" behind its name, and
the statement as its body. The package carries them in `fdpedu/claims/<chapter>/statements.json`, because a wheel has no
pages. So it does with the title, level, task and stub of an exercise, in `fdpedu/exercises/<chapter>/texts.json`: a
heading with the level in brackets, the task, and a cell with the stub, whose last line asks for the check; and with the
questions of a quiz, in `fdpedu/exercises/<chapter>/quiz.json`. These files
are written here and nowhere else. The build of the book stops, and a test fails, where they are not what the pages say.
Only the standard library: this may run before there is an environment.
"""

import json
import re
import runpy
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "book" / "_ext"))

from myst_parts import Directive, parts_of  # noqa: E402 (the book's own, which knows how fences nest)

EXERCISE = re.compile(
    r"^### (?P<title>.*) \((?P<level>[\w-]+)\)\n\n(?P<task>(?:(?!#|```\{).*\n)+?)\n```\{code-cell\}.*\n(?::.*\n|\n)*"
    r"from fdpedu\.exercises import check\n+(?P<stub>[^`]*?)\n+(?:\w+ = )?check\(\"(?P<id>[\w-]+)\"",
    re.M,
)
QUIZ = re.compile(r"^## Quiz\n(.*?)(?=^## |\Z)", re.M | re.S)
OPTION = re.compile(r"[A-Z]\. (.+)")
REPLY = re.compile(r"\*\*(?P<verdict>Right|Not this one|Not quite)\.\*\* ")
VERBATIM = {"code-cell", "code-block", "literalinclude", "math", "raw"}  # no claim stands in these


def chapters(root=ROOT):
    """The list of chapters, without importing the package, which needs NumPy."""
    return runpy.run_path(str(root / "fdpedu" / "chapters.py"))["CHAPTERS"]


def statements(text):
    """(label, parts) for every labelled `{prf:…}` of a page, in its order, also of those inside other boxes.

    The statement is the directive's body as it stands there, without white space around it and at the ends of lines.
    """
    for part in parts_of(text):
        if isinstance(part, Directive) and part.name not in VERBATIM:
            if part.name.startswith("prf:") and "label" in part.options:
                title, _, source = part.argument.partition("; ")
                body = "\n".join(line.rstrip() for line in part.body.strip().split("\n"))
                yield part.options["label"], {"title": title, "source": source, "statement": body}
            yield from statements(part.body)


def exercises(text):
    """(id, texts) for every exercise of a page, in its order."""
    for found in EXERCISE.finditer(text):
        texts = {name: part.strip() for name, part in found.groupdict().items()}
        yield texts.pop("id"), texts


def quizzes(text):
    """(question, its options) for every question of a page's quiz, in its order; exactly one option is right."""
    question, options = "", []
    quiz = QUIZ.search(text)
    for part in [*parts_of(quiz[1] if quiz else ""), "**0.** "]:
        if isinstance(part, Directive):
            option, reply = OPTION.fullmatch(part.argument), REPLY.match(part.body)
            if not option or not reply:
                raise ValueError(
                    f"an option of a quiz is `A. words`, and its text begins by Right or Not: {part.argument}"
                )
            right = reply["verdict"] == "Right"
            options.append({"option": option[1], "right": right, "feedback": part.body.strip()})
        elif asked := re.search(r"^\*\*\d+\.\*\* (.*)", part, re.M | re.S):
            if question:
                if [option["right"] for option in options].count(True) != 1 or len(options) < 2:
                    raise ValueError(f"a question of a quiz has one right option of several: {question[:60]!r}")
                yield question, {"options": options}
            question, options = asked[1].strip(), []


def of_chapter(chapter, root=ROOT, parts=statements):
    """Label → what is copied, from all pages of a chapter; a label that stands there twice is an error."""
    found = {}
    for page in chapter.pages:
        for label, statement in parts((root / f"{page}.md").read_text("utf8")):
            if label in found or not all(statement.values()):
                raise ValueError(f"{page}.md: {label} {'stands there twice' if label in found else 'says nothing'}")
            found[label] = statement
    return found


def as_json(found):
    return json.dumps(found, ensure_ascii=False, indent=1) + "\n"


COPIES = {
    "claims/{}/statements.json": statements,
    "exercises/{}/texts.json": exercises,
    "exercises/{}/quiz.json": quizzes,
}


def files(root=ROOT):
    """Path → content of what belongs into the package: a file for each chapter whose pages have such parts."""
    return {
        root / "fdpedu" / name.format(chapter.name): as_json(found)
        for name, parts in COPIES.items()
        for chapter in chapters(root)
        if (found := of_chapter(chapter, root, parts))
    }


def stale(root=ROOT):
    """Path → content (None: no such file) of the files that are not what the pages say."""
    wanted = files(root)
    there = {path: path.read_text("utf8") for name in COPIES for path in (root / "fdpedu").glob(name.format("*"))}
    return {path: wanted.get(path) for path in sorted({*wanted, *there}) if wanted.get(path) != there.get(path)}


def main(root=ROOT):
    """Write the files that differ, and remove those of chapters without such parts."""
    for path, content in stale(root).items():
        if content is None:
            path.unlink()
        else:
            path.write_text(content, "utf8")
        print("removed" if content is None else "written", path.relative_to(root))


if __name__ == "__main__":
    try:
        main(Path(sys.argv[1]).resolve() if sys.argv[1:] else ROOT)
    except ValueError as error:
        sys.exit(str(error))

"""Copy the statements of the claims from the pages into the register: `make statements`.

A statement is written and read on its page, as the body of a `{prf:…}` directive with a `:label:`. The package carries
it in `fdpedu/claims/<chapter>/statements.json` (label → Markdown), because a wheel has no pages. These files are
written here and nowhere else. The build of the book stops, and a test fails, where they are not what the pages say.
Only the standard library: this may run before there is an environment.
"""

import json
import runpy
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "book" / "_ext"))

from myst_parts import Directive, parts_of  # noqa: E402 (the book's own, which knows how fences nest)

VERBATIM = {"code-cell", "code-block", "literalinclude", "math", "raw"}  # no claim stands in these


def chapters(root=ROOT):
    """The list of chapters, without importing the package, which needs NumPy."""
    return runpy.run_path(str(root / "fdpedu" / "chapters.py"))["CHAPTERS"]


def statements(text):
    """(label, statement) for every labelled `{prf:…}` of a page, in its order, also of those inside other boxes.

    The statement is the directive's body as it stands there, without white space around it and at the ends of lines.
    """
    for part in parts_of(text):
        if isinstance(part, Directive) and part.name not in VERBATIM:
            if part.name.startswith("prf:") and "label" in part.options:
                yield part.options["label"], "\n".join(line.rstrip() for line in part.body.strip().split("\n"))
            yield from statements(part.body)


def of_chapter(chapter, root=ROOT):
    """Label → statement, from all pages of a chapter; a label that stands there twice is an error."""
    found = {}
    for page in chapter.pages:
        for label, statement in statements((root / f"{page}.md").read_text("utf8")):
            if label in found or not statement:
                raise ValueError(f"{page}.md: {label} {'stands there twice' if label in found else 'says nothing'}")
            found[label] = statement
    return found


def as_json(found):
    return json.dumps(found, ensure_ascii=False, indent=1) + "\n"


def files(root=ROOT):
    """Path → content of what belongs into the package: a file for each chapter whose pages have statements."""
    return {
        root / "fdpedu" / "claims" / chapter.name / "statements.json": as_json(found)
        for chapter in chapters(root)
        if (found := of_chapter(chapter, root))
    }


def stale(root=ROOT):
    """Path → content (None: no such file) of the files that are not what the pages say."""
    wanted = files(root)
    there = {path: path.read_text("utf8") for path in (root / "fdpedu" / "claims").glob("*/statements.json")}
    return {path: wanted.get(path) for path in sorted({*wanted, *there}) if wanted.get(path) != there.get(path)}


def main(root=ROOT):
    """Write the files that differ, and remove those of chapters without statements."""
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

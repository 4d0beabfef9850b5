"""Start a chapter: `make chapter N=09 NAME=bounds`, or `python tools/chapter.py 09 bounds [FOLDER]`.

Writes the files of a chapter that are missing and changes none that is there. Every place that is to be filled carries
a pencil, ✎, and the chapter's own test is red until none is left. What five other files need is printed, not written,
because it wants a title and a sentence that only the author has. Only the standard library: this may run before there
is an environment.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
USAGE = "usage: make chapter N=09 NAME=bounds (a number from 1 to 99; a name of small letters, digits and underscores)"

PAGE = """\
---
jupytext:
  text_representation:
    extension: .md
    format_name: myst
kernelspec:
  name: python3
  display_name: Python 3
---

# ✎ {Name}: what one learns in this chapter

:::{card} The chapter on a card
:class-card: chapter-card

**You need first**
: ✎ what is really used

**Time**
: ✎ minutes of reading at 125 words a minute, proofs and code included; ✎ minutes of lecture,
  ✎ minutes for all exercises

**Module**
: `fdpedu.{name}`

**Links**
: [symbols and their names in the code](../notation.md)
:::

## After this chapter you can

- **✎ three to five verbs**, each tied to an exercise;

## ✎ A title that says what one learns from this puzzle or attack

✎ On data in at most ten lines. The reader guesses before running, and the answer is not in sight. Every title on the
page says what one learns below it, never what kind of section it is.

```{code-cell} python3
from fdpedu import {name}
```

## ✎ The definition, a picture, an interactive figure with a stated prediction

## ✎ The claims, each with two sentences on why it is true and the proof in a dropdown

## ✎ What the second lecture begins with: the code, and its use on data

## ✎ The property run live, its broken variant, the smallest counterexample

## ✎ What is assumed: conventions, neighbour relation, floating point

## Exercises

✎ At least six, on three levels, each with its check, its hint and its solution.

## Quiz

✎ Feedback for each wrong option.

## Summary

## Notes and references

:::{card} Claims and sources
:class-card: chapter-card

**Claims**
: ✎ by their titles: {prf:ref}`what it says <label>`

**Source**
: ✎ document and section
:::
"""

MODULE = '''\
"""Chapter {number}. {Name}: ✎ the question that this module answers.

✎ The objects defined here; against whom the guarantees hold, and in which arithmetic. Not guaranteed: ✎

Claims: ✎
"""

__all__: list[str] = []
'''

CLAIMS = '''\
"""The claims of chapter {number}, a file a topic: conditions and cases, then records, then broken variants."""

TOPICS = ("{name}",)  # in the order in which one reads them
'''

TOPIC = '''\
"""{Name}: ✎ the question of this topic, and what is claimed."""

from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Claim

# ✎ First the conditions, each a function of one case with a docstring that says what holds; then cases, smallest first.

CLAIMS: tuple[Claim, ...] = ()

TWINS: tuple[Broken, ...] = ()
'''

EXERCISES = '''\
"""The exercises of chapter {number}. ✎ One file an exercise; gather them here in the order of the page."""

from fdpedu.exercises.record import Exercise

EXERCISES: tuple[Exercise, ...] = ()
'''

TEST = '''\
"""Chapter {number}. {Name}: ✎ what is tested."""

from pathlib import Path

ROOT = next(folder for folder in Path(__file__).parents if (folder / "_toc.yml").is_file())
FILES = (
    "book/chapters/{page}*.md",
    "fdpedu/{name}.py",
    "fdpedu/{name}/**/*.py",
    "fdpedu/*/{name}/**/*.py",
    "tests/{name}/**/*.py",
)


def test_the_chapter_is_written():
    """Red as long as a file of the chapter has a pencil; the chapter's own tests take its place."""
    found = {path for pattern in FILES for path in ROOT.glob(pattern) if path.is_file()}
    unwritten = [path.relative_to(ROOT).as_posix() for path in found if chr(0x270E) in path.read_text("utf8")]
    assert not unwritten, "still to be written: " + ", ".join(sorted(unwritten))
'''

CLAIMS_PAGE = """\
# Claims of chapter {number}: {Name}

% Here the claims of the chapter follow, one section each.
"""

SKELETON = {
    "book/chapters/{page}.md": PAGE,
    "book/claims/{name}.md": CLAIMS_PAGE,
    "fdpedu/{name}.py": MODULE,
    "fdpedu/claims/{name}/__init__.py": CLAIMS,
    "fdpedu/claims/{name}/{name}.py": TOPIC,
    "fdpedu/exercises/{name}/__init__.py": EXERCISES,
    "tests/{name}/test_{name}.py": TEST,
}

REMAINING = """\
What is left to change by hand:
  fdpedu/chapters.py  Chapter({number}, "{name}", "its title", written=True, part="II"), and the module in its tier
  _toc.yml            - file: book/chapters/{page}, below its part, and below book/claims: - file: book/claims/{name}
  CHANGELOG.md        a line under Added
  book/index.md       its line in the table of chapters, below its part
  book/teaching.md    what it can be taught without"""


def fill(text, number, name):
    """The template with the chapter's names in it; other braces are the text's own."""
    title = name.replace("_", " ").capitalize()
    names = {"number": str(number), "name": name, "Name": title, "page": f"{number:02}_{name}"}
    return re.sub(r"\{(number|name|Name|page)\}", lambda found: names[found[1]], text)


def listed(root):
    """Number and name of the chapters that `fdpedu/chapters.py` lists."""
    text = (root / "fdpedu" / "chapters.py").read_text("utf8")
    return [(int(number), name) for number, name in re.findall(r'^ +Chapter\((\d+), "(\w+)"', text, re.M)]


def start(number, name, root=ROOT):
    """Write what is missing of the chapter; returns the paths that were written, and those that were there."""
    for other in listed(root):
        if (other[0] == number) != (other[1] == name):
            raise ValueError(f"chapter {other[0]} is {other[1]!r} already (fdpedu/chapters.py)")
    written, kept = [], []
    for template, text in SKELETON.items():
        path = root / fill(template, number, name)
        package = path.with_suffix("") / "__init__.py"  # a module may have grown into a package
        if path.exists() or package.exists():
            kept.append(path)
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(fill(text, number, name), "utf8")
        written.append(path)
    return written, kept


def main(number="", name="", root=ROOT):
    if not re.fullmatch(r"0*[1-9]\d?", number) or not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        sys.exit(USAGE)
    try:
        written, kept = start(int(number), name, Path(root))
    except ValueError as error:
        sys.exit(str(error))
    for path in written:
        print("written ", path.relative_to(root))
    for path in kept:
        print("there   ", path.relative_to(root))
    print(fill(REMAINING, int(number), name))


if __name__ == "__main__":
    main(*sys.argv[1:])

"""A hand-out: the tasks of a set, each with its minutes and space to write, and nothing of their solutions."""

from __future__ import annotations

from fdpedu.exact import require_type
from fdpedu.printable import escape
from fdpedu.teaching.formulas import mathml
from fdpedu.teaching.sets import ExerciseSet, Item, shown_points
from fdpedu.teaching.texts import as_html, plain

LINES_A_MINUTE = 1


_PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
@page {{ size: A4; margin: 18mm 20mm }}
:root {{ color-scheme: light }}
body {{ max-width: 170mm; margin: 2em auto; padding: 0 1em; background: #fff; color: #000;
  font: 11.5pt/1.5 Georgia, "Times New Roman", "DejaVu Serif", serif }}
h1 {{ font-size: 1.5em; line-height: 1.25; margin: 0 0 .3em }}
h2 {{ font-size: 1.15em; margin: 0 }}
header, section > div:first-child {{ break-inside: avoid; break-after: avoid }}
header {{ border-bottom: 1.5pt solid; padding-bottom: .8em; margin-bottom: 1.6em }}
.name {{ display: flex; gap: .5em; margin-top: 1.4em }}
.name::after {{ content: ""; flex: 1; border-bottom: .6pt solid #555 }}
.worth {{ margin: .1em 0 .6em; color: #444; font-size: .92em }}
p, ol, blockquote, pre {{ margin: 0 0 .6em; orphans: 3; widows: 3 }}
blockquote {{ margin-left: 1.2em }}
code, pre {{ font-family: "DejaVu Sans Mono", Consolas, Menlo, monospace; font-size: .86em }}
code {{ overflow-wrap: anywhere }}
pre {{ border-left: 2pt solid #999; padding-left: .8em; white-space: pre-wrap; line-height: 1.35; break-inside: avoid }}
pre code {{ font-size: 1em }}
math {{ font-family: "STIX Two Math", "Latin Modern Math", "Cambria Math", "DejaVu Math TeX Gyre", math;
  font-size: .95em }}
.space {{ margin: .4em 0 2em }}
.space div {{ height: 8mm; border-bottom: .5pt solid #aaa; break-inside: avoid }}
@media print {{ body {{ margin: 0; padding: 0; max-width: none }} }}
</style>
</head>
<body>
<header>
<h1>{title}</h1>
<div>{counted}</div>
<div class="name">Name:</div>
</header>
{tasks}
</body>
</html>
"""


def sheet_page(chosen: ExerciseSet) -> str:
    """The sheet as a page of HTML for A4, which needs no other file, no script and no network.

    >>> from fdpedu.teaching import choose
    >>> "<h2>1. The scaled impurity of a node</h2>" in sheet_page(choose(1, minutes=5))
    True
    """
    require_type(chosen, ExerciseSet, "chosen")
    tasks = "\n".join(_set_task(number, item) for number, item in enumerate(chosen.items, start=1))
    return _PAGE.format(title=escape(chosen.title), counted=_counted(chosen), tasks=tasks)


def _set_task(number: int, item: Item) -> str:
    head = f'<h2>{number}. {escape(item.exercise.title)}</h2>\n<p class="worth">{_worth(item)}</p>'
    lines = "<div></div>" * (item.minutes * LINES_A_MINUTE)
    task = as_html(plain(item.exercise.task), mathml)
    return f'<section>\n<div>{head}\n{task}</div>\n<div class="space">{lines}</div>\n</section>'


def sheet_text(chosen: ExerciseSet) -> str:
    """The sheet in Markdown.

    >>> from fdpedu.teaching import choose
    >>> print(sheet_text(choose(1, minutes=5)))
    # Chapter 1: CART: one good question after another
    <BLANKLINE>
    Exercises: 1. Minutes: 5. Points: 1. Name:
    <BLANKLINE>
    ## 1. The scaled impurity of a node
    <BLANKLINE>
    5 minutes, 1 point
    ...
    """
    require_type(chosen, ExerciseSet, "chosen")
    tasks = [_task(number, item) for number, item in enumerate(chosen.items, start=1)]
    return "\n\n".join([f"# {chosen.title}", f"{_counted(chosen)} Name:", *tasks]) + "\n"


def _counted(chosen: ExerciseSet) -> str:
    return f"Exercises: {len(chosen.items)}. Minutes: {chosen.minutes}. Points: {shown_points(chosen.points)}."


def heading(number: int, item: Item) -> str:
    return f"## {number}. {item.exercise.title}\n\n{_worth(item)}"


def _worth(item: Item) -> str:
    points = f"{shown_points(item.points)} point{'s' * (item.points != 1)}"
    return f"{item.minutes} minutes, {points}{f', {item.attempts} attempts' * (item.attempts > 1)}"


def _task(number: int, item: Item) -> str:
    space = "<br>" * (item.minutes * LINES_A_MINUTE)
    return f"{heading(number, item)}\n\n{plain(item.exercise.task)}\n\n{space}"

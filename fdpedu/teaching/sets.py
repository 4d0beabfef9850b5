"""Which exercises a class gets, for how many points and in how many attempts: a text in TOML.

::

    title = "Sheet 2"

    [[exercise]]
    id = "privacy-max-ratio"
    points = 2
    attempts = 1       # may be left out: 1
"""

from __future__ import annotations

import difflib
import json
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from fdpedu.chapters import CHAPTERS, Chapter
from fdpedu.exact import as_integer, as_list, require_type
from fdpedu.exercises import Exercise, catalogue
from fdpedu.exercises.catalogue import find
from fdpedu.files import FileRefused
from fdpedu.printable import require_printable

MINUTES = {"warm-up": 5, "apply": 10, "extend": 15}
"""How long an exercise takes, by its level: a rule of thumb."""
POINTS = {"warm-up": 1, "apply": 2, "extend": 3}
MOST_POINTS, MOST_ATTEMPTS, MOST_MINUTES = 1_000_000, 1_000, 100_000
_KEYS, _ITEM_KEYS = ("title", "exercise"), ("id", "points", "attempts")


@dataclass(frozen=True)
class Item:
    """One exercise of a set.

    Attributes
    ----------
    id : of the exercise
    points : for a PASS, greater than 0
    attempts : how many answers to it a notebook may hand in; what is blank is none
    """

    id: str
    points: Fraction
    attempts: int = 1

    @property
    def exercise(self) -> Exercise:
        return find(self.id)

    @property
    def minutes(self) -> int:
        return MINUTES[self.exercise.level]


@dataclass(frozen=True)
class ExerciseSet:
    """The exercises of a sheet, in its order."""

    title: str
    items: tuple[Item, ...]

    @property
    def points(self) -> Fraction:
        return sum((item.points for item in self.items), Fraction(0))

    @property
    def minutes(self) -> int:
        return sum(item.minutes for item in self.items)

    def to_toml(self) -> str:
        """The text that :func:`read_set` reads."""
        parts = [f"title = {json.dumps(self.title, ensure_ascii=False)}\n"]
        for item in self.items:
            points = shown_points(item.points)
            parts.append(f'[[exercise]]\nid = "{item.id}"\npoints = {points}\nattempts = {item.attempts}\n')
        return "\n".join(parts)


def shown_points(points: Fraction) -> str:
    """Points as a decimal number, which they are.

    >>> shown_points(Fraction(5, 2)), shown_points(Fraction(2))
    ('2.5', '2')
    """
    return str(points.numerator if points.denominator == 1 else Decimal(points.numerator) / Decimal(points.denominator))


def chapter_of(number: Any) -> Chapter:
    """The chapter with this number, if it has exercises."""
    last = max(entry.number for entry in CHAPTERS if entry.written)
    wanted = as_integer(number, "chapter", minimum=1, maximum=last)
    return next(entry for entry in CHAPTERS if entry.number == wanted)


def choose(chapter: int, *, minutes: int) -> ExerciseSet:
    """The exercises of a chapter that fit into so many minutes: each in its order, if it still fits.

    Parameters
    ----------
    chapter : its number
    minutes : enough for the shortest exercise
    """
    entry, left = chapter_of(chapter), as_integer(minutes, "minutes", minimum=1, maximum=MOST_MINUTES)
    title = f"Chapter {entry.number}: {entry.title}"
    items = []
    for exercise in catalogue(entry.name):
        if MINUTES[exercise.level] <= left:
            left -= MINUTES[exercise.level]
            items.append(Item(exercise.id, Fraction(POINTS[exercise.level])))
    if not items:
        shortest = min(MINUTES[exercise.level] for exercise in catalogue(entry.name))
        raise ValueError(f"minutes must be at least {shortest} for chapter {chapter}, got {minutes}")
    return ExerciseSet(title, tuple(items))


def set_of(ids: Iterable[str], *, title: str = "Exercises") -> ExerciseSet:
    """These exercises, in this order, each with the points of its level.

    Parameters
    ----------
    ids : at least one, and none twice
    title : at most 200 characters

    Examples
    --------
    >>> set_of(["privacy-sensitivity", "privacy-max-ratio"]).minutes
    15
    """
    found = [find(id) for id in as_list(ids, "ids")]
    return _of_items(_title(title), [Item(one.id, Fraction(POINTS[one.level])) for one in found])


def read_set(text: str, where: str = "the set") -> ExerciseSet:
    """Read a set from its text in TOML.

    Raises
    ------
    FileRefused
        If it is not TOML, or something in it is not as it must be; the message names it.
    """
    require_type(text, str, "text")
    try:
        content = tomllib.loads(text, parse_float=Decimal)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        raise FileRefused(f"{where}: it is not TOML: {str(error)[:200]}") from None
    try:
        return _set_of(content)
    except ValueError as error:
        raise FileRefused(f"{where}: {error}") from None


def _set_of(content: Mapping[str, Any]) -> ExerciseSet:
    _require_known(content, _KEYS, "the set")
    title = _title(content.get("title", "Exercises"))
    entries = content.get("exercise")
    if not isinstance(entries, list) or not entries:
        raise ValueError("it must have at least one table [[exercise]] with an id and points")
    return _of_items(title, [_item(entry, number) for number, entry in enumerate(entries, start=1)])


def _of_items(title: str, items: list[Item]) -> ExerciseSet:
    if not items:
        raise ValueError("a set must have at least one exercise")
    seen: set[str] = set()
    for item in items:
        if item.id in seen:
            raise ValueError(f"the exercise {item.id} stands there twice; keep one of them")
        seen.add(item.id)
    return ExerciseSet(title, tuple(items))


def _title(title: Any) -> str:
    require_printable(title, "title")
    if not isinstance(title, str) or not 0 < len(title) <= 200:
        raise ValueError(f"title must be a text of at most 200 characters, got {title!r:.60}")
    return title


def _require_known(table: Any, known: tuple[str, ...], what: str) -> None:
    if not isinstance(table, dict):
        raise ValueError(f"{what} must be a table, got {table!r:.60}")
    for name in table:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            meant = f"; did you mean {near[0]}?" if near else ""
            raise ValueError(f"{what} has {', '.join(known)}, and no {name!r:.60}{meant}")


def _item(table: Any, number: int) -> Item:
    what = f"exercise {number}"
    _require_known(table, _ITEM_KEYS, what)
    for name in ("id", "points"):
        if name not in table:
            raise ValueError(f"{what} needs {name}")
    try:
        id = find(table["id"]).id
    except ValueError as error:
        raise ValueError(f"{what}: {error}") from None
    points, attempts = table["points"], table.get("attempts", 1)
    number_given = isinstance(points, (int, Decimal)) and not isinstance(points, bool)
    if not number_given or not Decimal(points).is_finite() or not Decimal("1e-6") <= points <= MOST_POINTS:
        raise ValueError(f"{what} ({id}): points must be a number from 0.000001 to {MOST_POINTS:,}, got {points!s:.40}")
    if not isinstance(attempts, int) or isinstance(attempts, bool) or not 1 <= attempts <= MOST_ATTEMPTS:
        raise ValueError(
            f"{what} ({id}): attempts must be a whole number from 1 to {MOST_ATTEMPTS:,}, got {attempts!s:.40}"
        )
    return Item(id, Fraction(points), attempts)

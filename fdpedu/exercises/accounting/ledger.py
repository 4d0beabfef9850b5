"""Two exercises to predict: what a ledger has left, and what is a region at all."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from fdpedu.exact import as_fraction
from fdpedu.exercises.record import Exercise, Misconception
from fdpedu.exercises.values import Unreadable, close, kind, number, sequence, show

HALF, THIRD, QUARTER = Fraction(1, 2), Fraction(1, 3), Fraction(1, 4)
ROUNDS = (
    (("all", QUARTER), ("all", QUARTER)),
    (("young", HALF), ("old", THIRD)),
    (("old", Fraction(2)),),
    (("old", QUARTER),),
)
PLACES = ("the young", "the old", "everybody")


def _fraction(raw: Any) -> Any:
    """A number, or a text such as '11/12'."""
    if not isinstance(raw, str):
        return number(raw)
    try:
        return as_fraction(raw, "a number")
    except (ValueError, OverflowError) as problem:
        raise Unreadable(str(problem)) from None


LEDGER = Exercise(
    id="acc-ledger",
    kind="predict",
    hint="Follow one young patient through the four rounds and add up; then an old one. Who of them limits a query "
    "of all?",
    domain="the one ledger of the task",
    cases=lambda: ((ROUNDS,),),
    size=lambda rounds: 0,
    reference=(Fraction(1), Fraction(11, 12), Fraction(11, 12)),
    read=sequence(_fraction, 3),
    wanted=lambda case, expected: "2 minus what a patient of each group has paid",
    remark=lambda case, given, expected: " ".join(
        f"The number for {place} is {'right' if close(mine, right) else 'not right'}."
        for place, mine, right in zip(PLACES, given, expected, strict=True)
    ),
    praise=lambda value: "A query of everybody may cost what the patient with the least left can pay.",
    explanation=(
        "A young patient pays 1/4 + 1/4 + 1/2 = 1. An old one pays 1/4 + 1/4 + 1/3 + 1/4 = 13/12.\n"
        "The refused round charges nothing. A query of all patients is paid by each of them, so the old ones limit it: "
        "2 − 13/12 = 11/12."
    ),
    wrong=(
        Misconception(
            "adds the groups up",
            (Fraction(1), Fraction(11, 12), Fraction(5, 12)),
            "For everybody you subtract what the young and what the old have paid. No patient is both: each has paid "
            "only what was asked of one group.",
        ),
        Misconception(
            "counts the refused round",
            (Fraction(1), Fraction(-13, 12), Fraction(-13, 12)),
            "A refused round releases nothing and charges nothing: the ledger is as it was before.",
        ),
        Misconception(
            "takes two histograms for one",
            (Fraction(5, 4), Fraction(7, 6), Fraction(7, 6)),
            "Both histograms of round 1 look at every patient. They are two columns, not two regions: 1/4 + 1/4.",
        ),
        Misconception(
            "forgets what everybody paid",
            (Fraction(3, 2), Fraction(17, 12), Fraction(17, 12)),
            "Round 1 asked about all patients, so the young and the old paid for it too.",
        ),
        Misconception(
            "lets the richer group pay",
            (Fraction(1), Fraction(11, 12), Fraction(1)),
            "A query of everybody looks at the old too, and they have only 11/12 left. The smaller remainder counts.",
        ),
        Misconception(
            "gives what is spent",
            (Fraction(1), Fraction(13, 12), Fraction(13, 12)),
            "That is what was spent. What is left is 2 minus it.",
        ),
    ),
)

SITUATIONS = (
    "counts by age of the ill / counts by age of the well",
    "histogram of age / histogram of weight, both of all patients",
    "left side / right side of a split that was released before",
    "patients up to 50 years / patients up to 80 kg",
    "the first 100 rows of the table, which has an order / all other rows",
    "patients up to the median age of the data / older ones; the median itself is not released",
    "patients up to a noisy median that was released, and paid for, before / older ones",
)
_WHY = (
    "No record is ill and well: the two queries look at disjoint regions.",
    "Each record has an age and a weight, so it is counted in both histograms.",
    "A released split is public, and a record is on one side of it.",
    "A patient may be younger than 50 and lighter than 80 kg, and then both queries look.",
    "Where a row stands is no property of a record: one more row at the top moves all others down.",
    "The edge depends on the data: one more record can move others across it.",
    "The edge is a release, so it is the same for both neighbours, and a record is on one side of it.",
)


def _read(raw: Any) -> str:
    letters = raw if isinstance(raw, str) else "".join(sequence(_letter)(raw))
    word = "".join(letters.split()).upper()
    if len(word) != len(SITUATIONS) or set(word) - {"P", "S"}:
        raise Unreadable(f"{len(SITUATIONS)} letters were expected, each P or S, not {show(raw)}")
    return word


def _letter(part: Any) -> str:
    if not isinstance(part, str):
        raise Unreadable(f"the letters P and S were expected, not {kind(part)}")
    return part[:1]


REGIONS = Exercise(
    id="acc-regions",
    kind="predict",
    hint="Is there a record that both queries look at? And would each other record stay on its side if one were added?",
    domain="the seven situations of the task",
    cases=lambda: (("the seven of the task",),),
    size=lambda situations: 0,
    reference="PSPSSSP",
    read=_read,
    wanted=lambda case, expected: "P where both parts are regions of the record domain and disjoint, else S",
    remark=lambda case, given, expected: "At least one of the seven letters is wrong.",
    praise=lambda value: "Regions are parts of the record domain, fixed by what is public or was released before.",
    explanation="\n".join(
        f"{i}. {letter}: {why}" for i, (letter, why) in enumerate(zip("PSPSSSP", _WHY, strict=True), 1)
    ),
    wrong=(
        Misconception(
            "takes columns for regions",
            "PPPSSSP",
            "Age and weight are two columns of the same rows. One record has a value in both, so it is counted twice.",
        ),
        Misconception(
            "lets regions overlap",
            "PSPPSSP",
            "Different is not disjoint: a light young patient is in both parts, and pays for both.",
        ),
        Misconception(
            "splits by row number",
            "PSPSPSP",
            "When a record is added at the top, row 100 becomes row 101: then both parts change. Row numbers are no "
            "part of a record.",
        ),
        Misconception(
            "splits at an edge from the data",
            "PSPSSPP",
            "The median of the data moves when a record is added, and others change sides. An edge must be public, or "
            "released and paid for.",
        ),
        Misconception(
            "trusts no release",
            "PSPSSSS",
            "What was released before is common to both neighbours, so a region may depend on it. That is the filter "
            "lemma.",
        ),
        Misconception(
            "adds everything",
            "SSSSSSS",
            "That is safe and wasteful. Where no record can be in both parts, each record pays for one of them only.",
        ),
    ),
)

"""An exercise to break: the histograms of two features, composed in parallel."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

from fdpedu.exercises.counterexample import find_one
from fdpedu.exercises.noisy_cells import at_most, shown_by
from fdpedu.exercises.record import Misconception
from fdpedu.exercises.values import Unreadable, integer, optional, sequence

MAX_PATIENTS, MAX_COUNT = 20, 50
CELLS = ("young", "old", "ward A", "ward B")
Data = tuple[tuple[int, int], ...]
Event = list[int | None]
Submission = tuple[Data, Data, Event]


def _data(raw: Any) -> Data:
    patients = [tuple(sequence(integer, 2)(patient)) for patient in sequence(lambda part: part)(raw)]
    if len(patients) > MAX_PATIENTS or any(value not in (0, 1) for patient in patients for value in patient):
        raise Unreadable(f"up to {MAX_PATIENTS} patients were expected, each (age, ward) with 0 or 1 in both places")
    return tuple(sorted((age, ward) for age, ward in patients))


def _read(raw: Any) -> Submission:
    data, other, event = sequence(lambda part: part, 3)(raw)
    thresholds = sequence(optional(integer), 4)(event)
    if any(t is not None and abs(t) > MAX_COUNT for t in thresholds):
        raise Unreadable(f"thresholds lie between −{MAX_COUNT} and {MAX_COUNT}, or are None")
    return _data(data), _data(other), thresholds


def cells(data: Data) -> list[int]:
    """Both histograms: how many are young, old; in ward A, in ward B."""
    return [sum(patient[j] == code for patient in data) for j in (0, 1) for code in (0, 1)]


def probability(data: Data, event: Event) -> Fraction:
    """That no noisy cell exceeds its threshold."""
    found = Fraction(1)
    for count, t in zip(cells(data), event, strict=True):
        found *= 1 if t is None else at_most(t - count)
    return found


def compare(data: Data, other: Data, event: Event) -> tuple[str, str]:
    """What an event shows about two data sets, as a word and as a sentence."""
    more, fewer = Counter(data) - Counter(other), Counter(other) - Counter(data)
    if more.total() + fewer.total() != 1:
        return "no neighbours", "Neighbours differ by one patient who is added or removed, and by nothing else."
    return shown_by(probability(data, event), probability(other, event))


COLUMNS = find_one(
    id="acc-columns",
    chapter="accounting",
    level="apply",
    kind="break",
    title="Columns in parallel",
    task=(
        "Of each patient the age (0 young, 1 old) and the ward (0 or 1) are known. Two histograms are released, "
        "one of the ages and one of the wards; each of the four cells gets noise of its own, $\\Pr[k]=\\frac13"
        "(\\frac12)^{|k|}$, so each histogram has $e^\\varepsilon=2$. Somebody claims: they look at different columns, "
        "so both together have $e^\\varepsilon=2$ too. Break it as far as it goes: give the `answer` "
        "`(data, neighbour, event)`, where data sets are lists of pairs `(age, ward)`, and `event` is a list of four "
        "thresholds for the cells young, old, ward 0, ward 1, with None for no threshold. The event is that no noisy "
        "cell exceeds its threshold. Its probability under `data` must be $e^{2\\varepsilon}=4$ times that under "
        "`neighbour`."
    ),
    hint="One patient more raises one cell of each histogram by one. Which event becomes half as likely by each of "
    "them?",
    domain=f"two data sets of up to {MAX_PATIENTS} patients",
    reference=([], [(0, 0)], [0, None, 0, None]),
    read=_read,
    stub="answer = ...  # (data, neighbour, event)",
    judge=lambda value: compare(*value),
    sought="broken",
    wanted="neighbours, and an event that is four times as likely under the first",
    praise="With m columns it would be 2 to the power of m.",
    explanation=(
        "Nobody, and one patient who is young and in ward 0. Without her a noisy cell is at most 0 with probability "
        "2/3, with her with 1/3: a factor 2 for the cell young and another 2 for ward 0.\n"
        "A record has a value in every column, so columns are no regions, and m histograms cost m·ε."
    ),
    wrong=(
        Misconception(
            "looks at one column",
            ([], [(0, 0)], [0, None, None, None]),
            "A ratio of 2 at most is just what was claimed. One histogram gives no more: the patient moves a cell of "
            "the other one as well.",
        ),
        Misconception(
            "has thresholds too high",
            ([], [(0, 0)], [1, None, 0, None]),
            "It is broken, but it goes further. Noise up to 1 above the old value says less than noise up to 0: lower "
            "the threshold.",
        ),
        Misconception(
            "has it the other way round",
            ([(0, 0)], [], [0, None, 0, None]),
            "The event is good, but it is likelier without the patient. Exchange the data sets.",
        ),
        Misconception(
            "changes more than one patient",
            ([], [(0, 0), (0, 0)], [0, None, 0, None]),
            "These data sets differ by two patients, or by one who changes. Neighbours differ by one who is added or "
            "removed.",
        ),
    ),
)

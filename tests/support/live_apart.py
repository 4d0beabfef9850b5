"""What the live edition shows otherwise than the book, cell by cell, each with its reason. Nothing else may differ.

An entry that is no longer needed is an error as well.
"""

import re
from dataclasses import dataclass

from fdpedu.claims.zoo import ZOO


@dataclass(frozen=True)
class Apart:
    """Why, and what is left out on both sides before they are compared; `sometimes`: chance may make them equal."""

    why: str
    left_out: str
    sometimes: bool = False

    def rest(self, text):
        """What has to be equal all the same."""
        return re.sub(self.left_out, "", text)


SECONDS = Apart("how long it took", r"\bin \d+\.\d s|\d+(?:\.\d+)?\s?(?:ms|seconds|s)\b", sometimes=True)  # in any cell

_NAMES = "|".join(map(re.escape, sorted(ZOO, key=len, reverse=True)))
HYPOTHESIS = "Pyodide's Hypothesis is older: it draws other cases, and comes to another smallest one"
CASE_OF_A_VARIANT = Apart(HYPOTHESIS, rf"(?<=[.?!]”) .*?(?= (?:{_NAMES}): “|$)")
STAND_IN = "there is no `cryptography` for browsers: what is sealed by its stand-in is named a rehearsal"
IN_WORDS = Apart(STAND_IN, r"; the noise was a stand- ?in's: a rehearsal, not a release")
IN_JSON = Apart(STAND_IN, ', "rehearsal"')
NO_SEED = "nothing is seeded: keys, masks or noise are drawn anew in each run"
BYTES = Apart(NO_SEED, r"\b[0-9a-f]{2}\b(?: [0-9a-f]{2}\b)*")
NUMBERS = Apart(NO_SEED, r"[-+−]?\d+(?:\.\d+)?")
DRAWN = Apart(NO_SEED, rf"^.*(?=This (?:tree|ensemble) costs)|{IN_WORDS.left_out}")
COUNTED = Apart(NO_SEED, rf"{NUMBERS.left_out}|{IN_WORDS.left_out}")
NO_KEYS = "keys are kept in files by `cryptography` alone, and what needs such a file stops there"
NO_SOLVER = "there is no z3 for browsers: what only a solver proves is named as not run"


def _without_processes(checks, names):
    """So many checks, of these names, are not run."""
    not_run = "not runthis system cannot do what is needed: Function not implemented"
    rows = rf"(?:{names}) \(exact\) \d+ +(?:holds exactly|{not_run})"
    why = "a browser has one process: checks that end or copy one are named as not run"
    return Apart(why, rf"all as the register says|{checks} not run|{rows}")


# Page, and the place of a cell among those that the page shows, from 0 on
APART = {
    ("01_cart", 24): Apart(HYPOTHESIS, r"(?<=rows \(x, class\): ).*"),
    ("02_privacy", 16): Apart(HYPOTHESIS, r"(?<=random laws \(property\) )\d+"),
    ("04_accounting", 18): IN_JSON,
    ("04_accounting_checker", 5): Apart(
        "Python 3.12 looks for interrupts at other places than 3.11", r"(?<=after )\d+"
    ),
    ("05_secure_sum_federation", 0): BYTES,
    ("05_secure_sum_federation", 5): Apart(NO_SEED, r"(?<=their sum: )\[ *-?\d+ +-?\d+\]"),
    ("05_secure_sum_federation", 6): BYTES,
    ("05_secure_sum_federation", 7): _without_processes(1, "killed"),
    ("05_secure_sum_neighbours", 3): Apart(
        "Pyodide's Matplotlib is older: it writes other powers of ten beside an axis",
        r"(?<=parties)[01.⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+(?=probability)",
    ),
    ("07_histograms", 16): _without_processes(4, "killed|waits|racing|after a fork"),
    ("08_trees", 13): CASE_OF_A_VARIANT,
    ("08_trees_use", 10): Apart(NO_SEED, r"party \d", sometimes=True),
    ("09_bounds", 7): Apart(
        NO_SOLVER,
        r"all as the register says|2 not run|(?<=\(machine proof\) )[023] +(?:proved|not runthis needs z3-solver, "
        r"which a plain installation leaves out: pip install 'fdpedu\[verify\]')",
    ),
    ("11_better_trees", 16): CASE_OF_A_VARIANT,
    ("12_boosting_outcomes", 4): NUMBERS,
    ("12_boosting_outcomes", 5): NUMBERS,
    ("13_privatree", 14): CASE_OF_A_VARIANT,
    ("14_poisoning", 14): CASE_OF_A_VARIANT,
    ("15_secret_sharing", 14): CASE_OF_A_VARIANT,
    ("16_fedga", 19): CASE_OF_A_VARIANT,
    ("your_own_data", 4): Apart(NO_SEED, "^.*(?=In a leaf, of each class)"),
    ("your_own_data", 6): NUMBERS,
    ("your_own_data", 9): Apart(NO_KEYS, "^.*$"),
    ("your_own_data", 12): COUNTED,
    ("your_own_data", 16): Apart("when it ran", r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC"),
    ("your_own_data", 20): COUNTED,
    **{("your_own_data", place): DRAWN for place in (15, 17, 19, 21)},
    ("in_the_field", 4): Apart(NO_SEED + "; and integers of 64 bits say so", r"\d+(?=[,\]])|, dtype=int64"),
    ("in_the_field", 6): Apart(NO_KEYS, "^.*$"),
    ("in_the_field", 7): Apart(NO_KEYS, "^.*$"),
    ("in_the_field", 8): Apart("a table in Markdown is shown as it is written", "^.*$"),
    ("in_the_field", 9): Apart("a browser has neither processes nor sockets, of which the command is made", "^.*$"),
    ("index", 2): Apart(NO_SEED, r"^.*(?=Grown without a seed)|\d+ %"),
}

APART |= dict.fromkeys(
    [
        *(("04_accounting", place) for place in (16, 19, 25)),
        ("04_accounting_checker", 0),
        ("04_accounting_two_currencies", 2),
        ("08_trees_free", 5),
        *(("08_trees_use", place) for place in (3, 8)),
        ("12_boosting", 7),
        ("13_privatree", 10),
        ("index", 4),
        *(("your_own_data", place) for place in (5, 22)),
    ],
    IN_WORDS,
)

# Pages of which a cell cannot run, and what the bar of the last one then says
RAISES = {
    "your_own_data": "Done. A cell above this one raised ValueError: the live edition keeps no keys in files: install "
    "fdpedu for that",
    "in_the_field": "Done. A cell above this one raised JSONDecodeError: Expecting value: line 1 column 1 (char 0)",
}

# Exercise, and the name of a wrong answer
APART_ANSWERS = {
    ("acc-number", "shares δ among the releases"): Apart(
        "the last digits of a logarithm are the system's", r"(?<=\.\d{14})\d+"
    ),
}


def apart(page, place, built, shown):
    """What is wrong with what a cell shows, and the two texts; nothing if it is the book's but for its entry."""
    return _unlike(APART.get((page, place)), SECONDS.rest(built), SECONDS.rest(shown), f"{page}, cell {place}")


def answered_apart(exercise, answer, expected, shown):
    """Likewise for what is said of a wrong answer."""
    return _unlike(APART_ANSWERS.get((exercise, answer)), expected, shown, f"{exercise}, {answer}")


def _unlike(entry, one, other, where):
    if entry is None:
        return None if one == other else ("it differs", where, one, other)
    if one == other:
        return None if entry.sometimes else ("its entry is no longer needed", where)
    one, other = entry.rest(one), entry.rest(other)
    return None if one == other else ("it differs in more than its entry says", where, one, other)

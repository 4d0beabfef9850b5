"""An exercise to predict: what the records of an early leaf have paid."""

from __future__ import annotations

from fractions import Fraction

from fdpedu.exercises.record import Exercise, Misconception
from fdpedu.exercises.values import number, sequence

EPSILON, LEAF_SHARE, DEPTH, FEATURES = Fraction(2), Fraction(1, 4), 3, 4

PATH = Exercise(
    id="tree-path",
    kind="predict",
    hint="Write down all releases that count these records: how many levels of histograms, and what else?",
    domain="the one tree of the task",
    cases=lambda: ((EPSILON, LEAF_SHARE, DEPTH),),
    size=lambda epsilon, leaf_share, depth: 0,
    reference=(Fraction(3, 2), Fraction(1, 2)),
    read=sequence(number, 2),
    wanted=lambda case, expected: (
        "what was paid at the root, at the child and for the leaf's counts; and the rest of ε"
    ),
    praise=lambda value: "By the filter lemma the leaf may also spend the half that is left: then its records pay ε.",
    explanation=(
        "A level costs (3/4 · 2)/3 = 1/2, whatever the number of features that share it. The records were counted in "
        "the histograms of the root and of the child, at 1/2 each, and then in the leaf's counts, at 1/2.\n"
        "The child had to be asked before it could stop. So an early leaf on level 1 has paid for two levels of "
        "histograms. The cost of the third level is left."
    ),
    wrong=(
        Misconception(
            "forgets the histograms that stopped it",
            (1, 1),
            "The child was asked for its histograms before anybody knew that it has too few rows. They were released, "
            "so they cost something.",
        ),
        Misconception(
            "charges levels that were never asked",
            (2, 0),
            "This is what a path of three levels costs. Nobody asked for histograms below this leaf, and its counts "
            "cost a quarter of ε here, not all that is left.",
        ),
        Misconception(
            "divides by the levels with the leaves",
            (Fraction(5, 4), Fraction(3, 4)),
            "A tree of depth 3 has three levels of histograms, 0, 1 and 2. On level 3 there are only leaves, and "
            "their counts have a part of ε of their own.",
        ),
        Misconception(
            "lets each feature cost a whole level",
            (Fraction(9, 2), Fraction(-5, 2)),
            "The features of a node share what a level may cost: each histogram costs a quarter of 1/2. Nobody can "
            "pay more than ε.",
        ),
        Misconception(
            "forgets the leaf's counts",
            (1, Fraction(1, 2)),
            "Both levels are there. But the leaf's counts are also a release that counts these records. What is paid "
            "and what is left add up to ε.",
        ),
        Misconception(
            "gives the pair the other way round",
            (Fraction(1, 2), Fraction(3, 2)),
            "Both numbers are right. First what was paid, then what is left.",
        ),
    ),
)

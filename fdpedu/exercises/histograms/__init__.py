"""The exercises of chapter 7."""

from fdpedu.exercises.histograms.budget import BUDGET
from fdpedu.exercises.histograms.cell import CELL
from fdpedu.exercises.histograms.clipping import CLIPPING
from fdpedu.exercises.histograms.edges import EDGES
from fdpedu.exercises.histograms.impurity import IMPURITY
from fdpedu.exercises.histograms.reconcile import RECONCILE
from fdpedu.exercises.histograms.rounding import ROUNDING
from fdpedu.exercises.histograms.substitution import SUBSTITUTION

EXERCISES = (CELL, CLIPPING, BUDGET, IMPURITY, ROUNDING, RECONCILE, SUBSTITUTION, EDGES)

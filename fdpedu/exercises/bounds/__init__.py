"""The exercises of chapter 9."""

from fdpedu.exercises.bounds.blocks import ROOT
from fdpedu.exercises.bounds.cost import COST, LATTICE
from fdpedu.exercises.bounds.gap import BETWEEN
from fdpedu.exercises.bounds.local import LOCAL
from fdpedu.exercises.bounds.pairs import GINI, NEAR_ONE, REFUTE
from fdpedu.exercises.bounds.saved import SAVED
from fdpedu.exercises.bounds.scores import ENTROPY

EXERCISES = (LOCAL, NEAR_ONE, BETWEEN, GINI, LATTICE, COST, SAVED, REFUTE, ENTROPY, ROOT)

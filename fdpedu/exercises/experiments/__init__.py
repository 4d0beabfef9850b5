"""The exercises of chapter 10."""

from fdpedu.exercises.experiments.cost import PATH
from fdpedu.exercises.experiments.errors import PAIRED, RUNS
from fdpedu.exercises.experiments.lazy import LAZY
from fdpedu.exercises.experiments.mended import COUNTS, MOVED
from fdpedu.exercises.experiments.rows import AS_STATED, LEARNT

EXERCISES = (LEARNT, RUNS, COUNTS, PAIRED, PATH, LAZY, MOVED, AS_STATED)

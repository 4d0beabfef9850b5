"""The exercises of chapter 11."""

from fdpedu.exercises.better_trees.attack import ATTACK
from fdpedu.exercises.better_trees.candidates import CANDIDATES
from fdpedu.exercises.better_trees.empty import EMPTY
from fdpedu.exercises.better_trees.flip import FLIP
from fdpedu.exercises.better_trees.insiders import INSIDERS
from fdpedu.exercises.better_trees.levels import LEVELS
from fdpedu.exercises.better_trees.order import ORDER
from fdpedu.exercises.better_trees.shares import SHARES
from fdpedu.exercises.better_trees.slopes import SLOPES

EXERCISES = (SLOPES, LEVELS, FLIP, CANDIDATES, EMPTY, ORDER, ATTACK, INSIDERS, SHARES)

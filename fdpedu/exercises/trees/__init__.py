"""The exercises of chapter 8."""

from fdpedu.exercises.trees.empty import EMPTY
from fdpedu.exercises.trees.law import LAW
from fdpedu.exercises.trees.path import PATH
from fdpedu.exercises.trees.prune import PRUNE
from fdpedu.exercises.trees.replaced import REPLACED
from fdpedu.exercises.trees.rounds import ROUNDS
from fdpedu.exercises.trees.route import ROUTE
from fdpedu.exercises.trees.stop import STOP

EXERCISES = (PATH, ROUNDS, ROUTE, STOP, EMPTY, PRUNE, REPLACED, LAW)

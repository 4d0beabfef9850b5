"""The exercises of chapter 17."""

from fdpedu.exercises.audit.bound import BOUND
from fdpedu.exercises.audit.delta import DELTA
from fdpedu.exercises.audit.event import EVENT
from fdpedu.exercises.audit.guess import GUESS
from fdpedu.exercises.audit.stop import STOP
from fdpedu.exercises.audit.wealth import WEALTH

EXERCISES = (GUESS, WEALTH, EVENT, STOP, BOUND, DELTA)

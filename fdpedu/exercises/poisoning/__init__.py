"""The exercises of chapter 14."""

from fdpedu.exercises.poisoning.curve import CURVE
from fdpedu.exercises.poisoning.divide import DIVIDE
from fdpedu.exercises.poisoning.forge import FORGE
from fdpedu.exercises.poisoning.lead import LEAD
from fdpedu.exercises.poisoning.loose import LOOSE
from fdpedu.exercises.poisoning.lucky import LUCKY
from fdpedu.exercises.poisoning.rows import ROWS
from fdpedu.exercises.poisoning.votes import VOTES

EXERCISES = (FORGE, LOOSE, CURVE, ROWS, DIVIDE, LEAD, VOTES, LUCKY)

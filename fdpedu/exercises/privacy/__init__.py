"""The exercises of chapter 2."""

from fdpedu.exercises.privacy.belief import GROUP, POSTERIOR
from fdpedu.exercises.privacy.data import NEIGHBOURS, SENSITIVITY
from fdpedu.exercises.privacy.delta import DELTA
from fdpedu.exercises.privacy.laws import HOCKEY_STICK, MAX_RATIO
from fdpedu.exercises.privacy.response import RANDOMIZED_RESPONSE
from fdpedu.exercises.privacy.threshold import BREAK_THRESHOLD

EXERCISES = (
    RANDOMIZED_RESPONSE,
    SENSITIVITY,
    MAX_RATIO,
    HOCKEY_STICK,
    NEIGHBOURS,
    BREAK_THRESHOLD,
    GROUP,
    POSTERIOR,
    DELTA,
)

"""The exercises of chapter 3."""

from fdpedu.exercises.mechanisms.alias import ALIAS
from fdpedu.exercises.mechanisms.interval import INTERVAL
from fdpedu.exercises.mechanisms.leaf import LEAF
from fdpedu.exercises.mechanisms.noise import DIGITS, REACHABLE
from fdpedu.exercises.mechanisms.noisy_max import NOISY_MAX
from fdpedu.exercises.mechanisms.response import RESPONSE, UNBIASED
from fdpedu.exercises.mechanisms.selection import MONOTONE, PERMUTE_FLIP

EXERCISES = (
    RESPONSE,
    UNBIASED,
    INTERVAL,
    REACHABLE,
    MONOTONE,
    PERMUTE_FLIP,
    NOISY_MAX,
    DIGITS,
    ALIAS,
    LEAF,
)

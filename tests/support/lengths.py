"""How long a chapter may be, and how long one reads it: one rule for the pages as written and as built."""

import math

MAX_WORDS = 6000  # of a chapter's first page before its exercises, proofs included, code left out: two lectures
MAIN_LINE = 4000  # of these words, what is in sight: drop-downs apart
PER_MINUTE = 125  # words of prose, proofs and shown code that one reads in a minute


def minutes_for(words: int) -> int:
    """The minutes of reading that a card states, a multiple of five."""
    return 5 * math.ceil(words // PER_MINUTE / 5)

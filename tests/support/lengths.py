"""How long a chapter may be, and how long one reads it: one rule for the pages as written and as built."""

import math

MAX_WORDS = 6000  # of a chapter's first page before its exercises, proofs included, code left out: two lectures
STANDING_WORDS = 8500  # of the whole first page, for the ten chapters that were written before that rule
STANDING = frozenset("cart privacy mechanisms accounting secure_sum dlpa histograms trees bounds experiments".split())
MAIN_LINE = 4000  # of these words, what is in sight: drop-downs apart
PER_MINUTE = 125  # words of prose, proofs and shown code that one reads in a minute


def allowance(page: str) -> tuple[int, bool]:
    """The words that a chapter's first page may have, and whether its exercises and what follows count, too."""
    standing = page.rsplit("/", 1)[-1].partition("_")[2] in STANDING
    return (STANDING_WORDS, True) if standing else (MAX_WORDS, False)


def minutes_for(words: int) -> int:
    """The minutes of reading that a card states, a multiple of five."""
    return 5 * math.ceil(words // PER_MINUTE / 5)

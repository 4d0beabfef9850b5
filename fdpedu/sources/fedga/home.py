"""A party of FedGA-Tree: its rows and trees stay here, and what its methods return is what it tells the server.

Not guaranteed: any privacy but for the one noisy size, whose noise is void: beside it the party tells scores, and a
score is an exact count of its rows in disguise.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache

from fdpedu.cart.structures import to_string, to_structure
from fdpedu.mechanisms import laplace
from fdpedu.randomness import Source
from fdpedu.sources.fedga.local import Cell, LocalTree, errors_at, fit_cell, grown_structure
from fdpedu.sources.fedga.rows import Rows
from fdpedu.sources.fedga.validation import MAX_DEPTH, Votes, best_depth, fold_scores, train_and_validation, votes_of
from fdpedu.sources.raw_rows import Floats
from fdpedu.structures.genetic import String

SIZE_EPSILON = 1  # of the noisy size; the source's value is lost in our copy, so it is reconstructed
_decoded = lru_cache(4096)(to_structure)  # many parties are asked for the same strings


class Home:
    """One party.

    Parameters
    ----------
    rows : its own
    coins : its own: folds, the rows that are kept back, the noise of its size
    deepest : the depth to which its trees are validated
    """

    def __init__(self, rows: Rows, coins: Source, deepest: int = MAX_DEPTH) -> None:
        self._rows, self._coins, self._deepest = rows, coins, deepest
        self._whole = self._cell = Cell.of(rows)

    @cached_property
    def _folds(self) -> Floats:
        return fold_scores(self._rows, self._deepest, self._coins)

    def depth(self) -> int:
        """The depth at which its own tree does best in cross-validation."""
        return best_depth(self._folds[:MAX_DEPTH], self._rows.task)

    def noisy_size(self) -> float:
        """How many rows it has, with Laplace noise for a sensitivity of 1."""
        return float(laplace(float(len(self._rows)), SIZE_EPSILON, self._coins))

    def structure(self, depth: int) -> String:
        """That of its own CART down to the global depth."""
        return to_string(grown_structure(self._whole, depth), depth)

    def votes(self, depth: int) -> Votes:
        """Eq. (1) and (2)."""
        return votes_of(self._rows, self._folds, depth)

    def keep_back(self) -> None:
        """From now on structures are fitted on one part of the rows, and scored on the other."""
        self._cell = Cell.of(*train_and_validation(self._rows, self._coins))

    def score(self, string: String) -> float:
        """Of the tree that it fits at a structure: macro F1, or the mean squared error."""
        return errors_at(self._cell, _decoded(string)).score

    def choose(self, strings: Sequence[String]) -> LocalTree:
        """The tree, of all its rows, of the structure that does best here, of equals the first; nobody is told."""
        sign = 1 if self._rows.task == "classification" else -1
        scores = [sign * self.score(string) for string in strings]
        return fit_cell(self._whole, to_structure(strings[scores.index(max(scores))]))

"""What the parties of a round agree on before it: how many may be silent, how many may collude, and what is enough.

A party that falls silent takes its masks with it, and the sum is lost. So that the others can take them off again,
secrets of the round are shared out, any t shares of which open one (:mod:`fdpedu.secure_sum.shamir`). With m = K − t
parties that may be missing and c that collude with the aggregator:

- The aggregator is curious, but honest about who survived: c < t, or the colluders' shares alone open everything.
- It may lie, and tell some parties of one list of survivors and some of another: 2t > K + c. Of two lists that each
  t parties have signed, c of them on both, the honest signers would be 2(t − c) different parties, more than K − c.
- The noise: the sum must hold at least K − tolerate honest shares, so survivors − c ≥ K − tolerate. Hence tolerate ≥
  m + c: the same reserve serves a colluder or a missing party, not both.

So with K = 2 nothing is recovered against a liar; with K = 3 one missing party only if nobody colludes; with K = 5 one
missing and up to two colluders, or two missing and none.

Arithmetic: integers. Not guaranteed: that so many do survive; a round with too few is lost (:class:`RoundLost`).

Claims: lem-survivor-lists
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from fdpedu.exact import as_integer
from fdpedu.secure_sum.modular import MAX_PARTIES

STAGES = {
    "announce": "keys are announced",
    "share": "secrets are shared out",
    "mask": "masked numbers are collected",
    "agree": "the survivors are agreed on",
    "unmask": "masks are taken off",
}


class RoundLost(ValueError):
    """A round without a result: too few parties were left. What they had sent by then was sent, and stays charged."""


@dataclass(frozen=True)
class Rules:
    """The numbers of a round, which every party knows and checks itself.

    Claims: lem-survivor-lists

    Parameters
    ----------
    n_parties : K ≥ 2
    threshold : t ≤ K, how many shares open a secret, and how many parties must answer to the end
    colluders : c, how many parties may tell the aggregator all they know; less than t
    tolerate : as the noise was made for: any K − tolerate shares are enough; at least c and less than K
    liar : whether the aggregator may also lie about who survived; then 2t > K + c

    Examples
    --------
    >>> Rules(5, threshold=4, colluders=2, tolerate=3).least_survivors
    4
    >>> Rules(5, threshold=3, colluders=1, tolerate=3)
    Traceback (most recent call last):
    ValueError: against a lying aggregator twice the threshold must exceed n_parties + colluders, got 2·3 and 5 + 1
    """

    n_parties: int
    threshold: int
    colluders: int = 0
    tolerate: int = 0
    liar: bool = True

    def __post_init__(self) -> None:
        for name, least, most in (("n_parties", 2, MAX_PARTIES), ("threshold", 1, None), ("colluders", 0, None)):
            object.__setattr__(self, name, as_integer(getattr(self, name), name, minimum=least, maximum=most))
        n, t = self.n_parties, self.threshold
        # thm-dropout-view: c < t, or the colluders' shares alone would open a secret
        if not self.colluders < t <= n:
            raise ValueError(f"threshold must be above the colluders and at most n_parties, got {t} for {self}")
        object.__setattr__(self, "tolerate", as_integer(self.tolerate, "tolerate", minimum=0))
        if not self.colluders <= self.tolerate < n:
            raise ValueError(f"tolerate must be at least the colluders, and less than n_parties, got {self.tolerate}")
        # thm-one-list: 2t > K + c, or two lists could both get enough signatures
        if self.liar and not two_lists_impossible(n, t, self.colluders):
            raise ValueError(
                f"against a lying aggregator twice the threshold must exceed n_parties + colluders, "
                f"got 2·{t} and {n} + {self.colluders}"
            )

    @classmethod
    def for_missing(cls, n_parties: int, missing: int, colluders: int = 0, *, liar: bool = True) -> Rules:
        """The rules by which ``missing`` parties may fall silent: t = K − m, tolerate = m + c.

        >>> Rules.for_missing(5, 2)
        Rules(n_parties=5, threshold=3, colluders=0, tolerate=2, liar=True)
        """
        n_parties = as_integer(n_parties, "n_parties", minimum=2, maximum=MAX_PARTIES)
        missing, colluders = as_integer(missing, "missing", minimum=0), as_integer(colluders, "colluders", minimum=0)
        return cls(n_parties, n_parties - missing, colluders, missing + colluders, liar)

    @property
    def least_survivors(self) -> int:
        """The least number of parties that must send numbers: enough to open secrets, and enough honest noise."""
        # thm-dropout-sum: of the survivors c may hold no noise, and K − tolerate honest shares must remain
        return max(self.threshold, self.n_parties - self.tolerate + self.colluders)

    def require(self, needed: int, present: Collection[int], stage: str, number: int) -> None:
        """Refuse to go on with fewer than ``needed`` parties, and say who is missing.

        Parameters
        ----------
        needed : how many
        present : the indices of those who have answered
        stage : one of :data:`STAGES`
        number : of the round

        Raises
        ------
        RoundLost
            If there are too few.
        """
        if len(present) < needed:
            silent = [k for k in range(self.n_parties) if k not in present]
            raise RoundLost(
                f"round {number} is lost while {STAGES[stage]}: {needed} of {self.n_parties} parties are needed, "
                f"{len(present)} are there; not there: {', '.join(map(str, silent))}"
            )


def two_lists_impossible(n_parties: int, threshold: int, colluders: int) -> bool:
    """Whether no two lists can each be signed by ``threshold`` parties, if honest ones sign once: 2t > K + c.

    Claims: lem-survivor-lists

    Parameters
    ----------
    n_parties : K
    threshold : t
    colluders : c, who sign both
    """
    return 2 * threshold > n_parties + colluders

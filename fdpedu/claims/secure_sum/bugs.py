"""The zoo, chapter 5: plausible bugs in masks and sums."""

from __future__ import annotations

from fdpedu.claims.mutation import Broken

TWINS = (
    Broken(
        "masks reused",
        "fdpedu.secure_sum.Masks.draw",
        "(other, key, sum_number, digest)",
        "(other, key, 0, digest)",
        "A mask that cancelled once will cancel again.",
        "thm-private-sum",
        "fresh masks",
    ),
    Broken(
        "sum not lifted",
        "fdpedu.secure_sum.lift",
        "np.where(signed >= (modulus + 1) // 2, signed - modulus, signed)",
        "signed",
        "A sum of counts is not negative.",
        "thm-private-sum",
        "sums",
    ),
)

"""The zoo, chapter 5: plausible bugs in masks and sums."""

from __future__ import annotations

from fdpedu.claims.mutation import Broken

TWINS = (
    Broken(
        "masks reused",
        "fdpedu.secure_sum.Masks.draw",
        "_uniform_stream(key, sum_number, size, modulus)",
        "_uniform_stream(key, 0, size, modulus)",
        "A mask that cancelled once will cancel again.",
        "thm-private-sum",
        "fresh masks",
    ),
    Broken(
        "sum not lifted",
        "fdpedu.secure_sum.decode_sum",
        "np.where(signed >= (modulus + 1) // 2, signed - modulus, signed)",
        "signed",
        "A sum of counts is not negative.",
        "thm-private-sum",
        "sums",
    ),
)

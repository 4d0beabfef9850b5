"""Chapter 5. Secure sums: the aggregator learns the sum and nothing else.

The one way by which data leaves a party. :mod:`modular <fdpedu.secure_sum.modular>` says when a sum mod R is the sum;
:mod:`masks <fdpedu.secure_sum.masks>` hides each summand behind masks that cancel (the report's Algorithm 1, mended);

Claims: thm-private-sum
"""

from fdpedu.secure_sum.binding import Asked, Binding, canonical, hashed
from fdpedu.secure_sum.masks import (
    KeyPair,
    Masks,
    algorithm_1_as_printed,
    decode_sum,
    encode,
    exchange,
    key_for,
    pairwise_keys,
    private_sum,
)
from fdpedu.secure_sum.modular import WORD, check_modulus, lift, require_room, residues

__all__ = [
    "WORD",
    "Asked",
    "Binding",
    "KeyPair",
    "Masks",
    "algorithm_1_as_printed",
    "canonical",
    "check_modulus",
    "decode_sum",
    "encode",
    "exchange",
    "hashed",
    "key_for",
    "lift",
    "pairwise_keys",
    "private_sum",
    "require_room",
    "residues",
]

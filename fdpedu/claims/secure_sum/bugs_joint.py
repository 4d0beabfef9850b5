"""The zoo, chapter 5: keys and streams that are not fresh; masks cancel all the same."""

from __future__ import annotations

from fdpedu.claims.mutation import Broken

TWINS = (
    Broken(
        "one key pair for everybody",
        "fdpedu.secure_sum.KeyPair.__init__",
        "X25519PrivateKey.generate()",
        "X25519PrivateKey.from_private_bytes(bytes(31) + bytes([64]))",
        "A key is secret if it is never sent.",
        "asm-key-stream",
        "own keys",
    ),
    Broken(
        "the sum's number in a word",
        "fdpedu.secure_sum.Masks._of_this_sum",
        "sum_number, digest)",
        "sum_number % 2**32, digest)",
        "Nobody asks four thousand million questions.",
        "thm-private-sum",
        "fresh streams",
    ),
    Broken(
        "one word for all residues that were refused",
        "fdpedu.secure_sum.masks._uniform_stream",
        "words[refused] = draw(refused.size)",
        "words[refused] = draw(1)",
        "Both parties refuse the same words, so masks cancel whatever comes instead.",
        "thm-private-sum",
        "joint law",
    ),
)

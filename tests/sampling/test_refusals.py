"""What `sampling` refuses, sentence by sentence. Other tests name the parameter only."""

from fractions import Fraction

from fdpedu.exact import Rate
from fdpedu.randomness import ZeroWords
from fdpedu.sampling import finite_law, geometric, negative_binomial, two_sided_geometric
from fdpedu.sampling.blocks import BlockTable, Cells
from fdpedu.sampling.gaussians import discrete_gaussian_noise
from fdpedu.sampling.polya_weights import NegativeBinomialWeights
from tests.support.sentences import said_in_full

WEIGHTS = NegativeBinomialWeights(Rate.of(alpha="1/2"), 2)
TOO_SLOW = "epsilon/sensitivity must be at least 2**-40, so that the noise fits 64-bit integers"
VARIANCE = "variance must be greater than 0 and at most 2**60, so that the noise fits 64 bits"
SLOW = Rate.of(epsilon=Fraction(1, 2**41))

REFUSED = [
    (lambda: finite_law([1, -1]), "weights must be non-negative integers, at least one of them positive"),
    (lambda: geometric(SLOW, 1, ZeroWords()), TOO_SLOW),
    (lambda: two_sided_geometric(SLOW, 1, ZeroWords()), TOO_SLOW),
    (lambda: negative_binomial(SLOW, 2, 1, ZeroWords()), TOO_SLOW),
    (lambda: negative_binomial("1", 2, 1, ZeroWords()), "rate must be a Rate, got str"),
    (lambda: discrete_gaussian_noise(2.0, 1, ZeroWords()), "variance must be a Fraction, got float"),
    (lambda: discrete_gaussian_noise(Fraction(0), 1, ZeroWords()), f"{VARIANCE}, got 0"),
    (lambda: discrete_gaussian_noise(Fraction(2**60 + 1), 1, ZeroWords()), f"{VARIANCE}, got {2**60 + 1}"),
    (
        lambda: BlockTable.of(WEIGHTS, Cells.cut(WEIGHTS.decay), 4),
        "a source of 4-bit words is too short for so many cells, or for such blocks",
    ),
]


test_sentences_of_refusals = said_in_full(REFUSED)

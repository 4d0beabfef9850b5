"""What `randomness` refuses, sentence by sentence. Other tests name the parameter only."""

from fdpedu.randomness import SystemSource, ZeroWords, as_source
from tests.support.sentences import said_in_full


class Pretender(ZeroWords):
    kind = SystemSource.kind


SOURCE = "rng must be None (operating system), a numpy.random.Generator or a source, got"
REFUSED = [
    (lambda: as_source(0), f"{SOURCE} int"),
    (lambda: as_source("seed"), f"{SOURCE} str"),
    (
        lambda: as_source(Pretender()),
        "a source of kind 'operating system' must be the SystemSource, got Pretender",
    ),
]


test_sentences_of_refusals = said_in_full(REFUSED)

"""What `datasets` refuses, sentence by sentence."""

import numpy as np
import pytest

from fdpedu.datasets import (
    adult_domain,
    adult_like,
    card_domain,
    card_like,
    divide,
    informative,
    informative_domain,
    mixture,
    mixture_domain,
    strong_feature,
    strong_feature_domain,
    wisconsin,
    wisconsin_domain,
    wisconsin_features,
)

COLUMNS = f"the data has: {', '.join(wisconsin_features())}"
AT_LEAST_1 = "{} must be an integer ≥ 1, got {}"
RHO = "rho must lie between 0 and 1, got"
REFUSED = [
    (lambda rng: wisconsin(["height"]), f"unknown features ['height']; {COLUMNS}"),
    (lambda rng: wisconsin([]), f"unknown features []; {COLUMNS}"),
    (lambda rng: wisconsin("height"), "features must be a list of names, such as ['worst radius'], got 'height'"),
    (lambda rng: wisconsin_domain(7), "features must be a list of names, such as ['worst radius'], got 7"),
    (lambda rng: divide(10, 5, 10, rng), "test must be less than the number of rows (10), got 10"),
    (lambda rng: mixture(0, 10, 0.3, rng), AT_LEAST_1.format("n", 0)),
    (lambda rng: mixture(10, 0, 0.3, rng), AT_LEAST_1.format("p", 0)),
    (lambda rng: mixture(10, 2, 1.01, rng), f"{RHO} 1.01"),
    (lambda rng: mixture(10, 2, -0.01, rng), f"{RHO} -0.01"),
    (
        lambda rng: mixture(10, 2, float("nan"), rng),
        "rho must be a finite number (an int, a Fraction, a decimal, or text like '1/3'), got nan",
    ),
    (lambda rng: mixture(2.5, 2, 0.3, rng), AT_LEAST_1.format("n", 2.5)),
    (lambda rng: informative(0, rng), AT_LEAST_1.format("n", 0)),
    (lambda rng: strong_feature(0, rng), AT_LEAST_1.format("n", 0)),
    (lambda rng: strong_feature(10, rng, p=0), AT_LEAST_1.format("p", 0)),
    (lambda rng: adult_like(0, rng), AT_LEAST_1.format("n", 0)),
    (lambda rng: card_like(0, rng), AT_LEAST_1.format("n", 0)),
    (lambda rng: mixture_domain(0), AT_LEAST_1.format("p", 0)),
    (lambda rng: strong_feature_domain(0), AT_LEAST_1.format("p", 0)),
    (lambda rng: informative_domain(bins=1), "bins must be an integer ≥ 2, got 1"),
    (lambda rng: adult_domain(bins=257), "feature 'age' needs low < high and 2 to 256 bins"),
    (lambda rng: card_domain(bins=1), "bins must be an integer ≥ 2, got 1"),
]


@pytest.mark.parametrize(("ask", "sentence"), REFUSED, ids=range(len(REFUSED)))
def test_sentences_of_refusals(ask, sentence):
    with pytest.raises(ValueError) as caught:
        ask(np.random.default_rng(0))
    assert str(caught.value) == sentence

"""Which argument is refused in which words, and the largest that are not."""

import pytest

from fdpedu.bounds.scored import scored_rows

GOOD = {"codes": [[0, 1], [1, 0]], "labels": [0, 1], "sizes": [2, 2], "n_classes": 2, "score": "gini", "lattice": 1}
INTEGERS = "must be integers within ±2**62; got float64 (round real data before the noise)"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"sizes": 2}, "sizes must be a list, got 2"),
        ({"sizes": [1, 2]}, "sizes must be an integer ≥ 2, got 1"),
        ({"sizes": [2, 257]}, "sizes must be at most 256, got 257"),
        ({"n_classes": 1}, "n_classes must be an integer ≥ 2, got 1"),
        ({"n_classes": 1001}, "n_classes must be at most 1000, got 1001"),
        ({"lattice": 0}, "lattice must be an integer ≥ 1, got 0"),
        ({"lattice": 10**6 + 1}, "lattice must be at most 1000000, got 1000001"),
        ({"codes": [[0.5, 0], [0, 0]]}, f"codes {INTEGERS}"),
        ({"labels": [0.5, 0]}, f"labels {INTEGERS}"),
    ],
)
def test_refusals(change, message):
    with pytest.raises(ValueError) as refused:
        scored_rows(**{**GOOD, **change})
    assert str(refused.value) == message


def test_the_largest_of_each():
    """256 bins, 1000 classes and 10⁶ steps: 2/3 of a row is left by the first border, in the last class, too."""
    rows = scored_rows([[0], [0], [0], [255]], [0, 0, 999, 999], [256], 1000, "gini", 10**6)
    assert rows.losses() == [666_666] * 255 and len(rows.splits) == 255

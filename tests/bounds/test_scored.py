"""The rows that splits are scored on: the most of each."""

from fdpedu.bounds.scored import scored_rows


def test_the_largest_of_each():
    """256 bins, 1000 classes and 10⁶ steps: 2/3 of a row is left by the first border, in the last class, too."""
    rows = scored_rows([[0], [0], [0], [255]], [0, 0, 999, 999], [256], 1000, "gini", 10**6)
    assert rows.losses() == [666_666] * 255 and len(rows.splits) == 255

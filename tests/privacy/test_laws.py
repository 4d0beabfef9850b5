"""Laws of finitely many outcomes: what can happen is kept, and no more outcomes than are allowed."""

from fractions import Fraction

import numpy as np
import pytest

from fdpedu.privacy import as_law, mix, product_law, rational_law


def test_laws_keep_what_can_happen():
    assert rational_law({"a": 1, "b": 0, "c": "1/2"}) == {"a": Fraction(2, 3), "c": Fraction(1, 3)}
    assert as_law({"a": 1, "b": 0}) == {"a": 1} and as_law(np.array([0, 1])) == {1: 1}
    assert mix({"x": "1/3", "y": "2/3"}, {"y": [1], "x": ["1/2", "1/2"]}) == {0: Fraction(5, 6), 1: Fraction(1, 6)}
    assert product_law() == {(): 1} and product_law(["1/2", "1/2"], {"a": 1}) == {
        (0, "a"): Fraction(1, 2),
        (1, "a"): Fraction(1, 2),
    }


def test_a_joint_law_has_as_many_outcomes_as_are_allowed():
    one, other = [Fraction(1, 400)] * 400, [Fraction(1, 250)] * 250
    assert len(product_law(one, other)) == 100_000
    with pytest.raises(ValueError, match="100000"):
        product_law(one, [Fraction(1, 251)] * 251)

"""What a release adds to the counts is independent across cells, queries, parties and rounds."""

from fractions import Fraction

import pytest

from fdpedu.claims.histograms import laws_joint as joint


@pytest.mark.claim("thm-histogram")
def test_three_rounds_of_one_query():
    joint.noise_of_a_party(((Fraction(1, 2),), (Fraction(2),), (Fraction(1, 2),)), 4, 12)


@pytest.mark.claim("thm-histogram")
def test_each_cell_has_its_own_words():
    joint.own_words(4, 1, 77)


@pytest.mark.claim("thm-histogram")
@pytest.mark.parametrize("classes", [2, 85, 86])
def test_tables_of_any_width_hold_the_counts(classes):
    joint.wide_tables(classes, 4097)

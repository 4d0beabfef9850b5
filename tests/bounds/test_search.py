"""A search for data that one record moves by almost all."""

from fractions import Fraction

from fdpedu.bounds import largest_increment, search_near_one


def test_search():
    """The pairs it finds; the increments are 0, 1/2, 2/3, …; the shape of the tables is as asked."""
    data, neighbour, change = search_near_one("9/10", bins=3, classes=4)
    assert data.shape == (3, 4) and change == Fraction(9, 10) and data.sum() == 9 and neighbour.sum() == 10
    assert search_near_one(0)[2] == 0 and search_near_one(0)[0].sum() == 0
    assert search_near_one("1/2", bins=1)[0].tolist() == [[1, 0]]
    assert [largest_increment(n) for n in (0, 1, 2, 99)] == [0, Fraction(1, 2), Fraction(2, 3), Fraction(99, 100)]
    assert search_near_one("999/1000", bins=1)[0].sum() == 999


def test_a_search_is_among_two_bins_unless_said():
    assert [each.shape for each in search_near_one("1/2")[:2]] == [(2, 2), (2, 2)]

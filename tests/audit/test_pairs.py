"""Several pairs under one α, on short lists unless others are given."""

from fractions import Fraction

import pytest

from fdpedu.audit import PAIRS, audit_pairs
from fdpedu.cli import auditing
from tests.support.audits import noisy


def ended(*arguments, **options):
    return list({id(one): one for one in audit_pairs(*arguments, **options)}.values())


def test_the_pairs_are_neighbours():
    """Of lists of 0 and 1, of at most three: in the second there is one record more. The command names them."""
    for one, other in PAIRS:
        assert len(other) == len(one) + 1 <= 3 and {*one, *other} <= {0, 1}
        assert any(other[:i] + other[i + 1 :] == one for i in range(len(other)))
    assert "; ".join(f"{one} and {other}" for one, other in PAIRS) == auditing._PAIRS


def test_each_pair_has_its_part_of_alpha():
    """The errors of all together are at most α; half noise is refuted on each, and right noise on none."""
    half, right = ended(noisy(2), seed=1), ended(noisy(1), seed=1)
    assert [one.refuted for one in half] == [True] * 4 and [one.refuted for one in right] == [False] * 4
    assert {one.alpha for one in half} == {Fraction(1, 4 * 10**6)} and {one.runs for one in half} == {2000}
    assert [one.pair for one in half] == [(str(one), str(other)) for one, other in PAIRS]


def test_it_may_be_watched_and_stopped():
    """The first step comes when the event has been learnt, then one run, two, and so on, never more than there are."""
    runs = [one.runs for one in audit_pairs(noisy(1), [([], [1])], runs=400)]
    assert runs[:4] == [100, 101, 103, 107] and runs[-1] == 400 and runs == sorted(runs)
    seen = next(audit_pairs(noisy(1), runs=400))
    assert seen.runs == 100 and seen.counts == (0, 0, 0)


def test_a_slow_mechanism_is_shown_after_each_run(monkeypatch):
    """A step that takes longer than a moment is halved, down to one run."""
    clock = iter(range(10**6))
    monkeypatch.setattr("fdpedu.audit.pairs.monotonic", lambda: next(clock))
    assert [one.runs for one in audit_pairs(noisy(1), [([], [1])], runs=40)] == list(range(10, 41))


def test_a_step_that_was_too_long_is_halved(monkeypatch):
    """Of 1, 2 and 4 runs the last one takes long: then 2, then 4 again."""
    times = iter([0, 0, 0, 0, 0, 9, 9, 9, 9, 9, *[9] * 100])
    monkeypatch.setattr("fdpedu.audit.pairs.monotonic", lambda: next(times))
    runs = [one.runs for one in audit_pairs(noisy(1), [([], [1])], runs=80)]
    assert runs[:6] == [20, 21, 23, 27, 29, 33]


def test_a_mechanism_may_change_its_list():
    """It gets a copy; what is no list it gets as it is."""

    def emptied(data):
        data.clear()
        return 0

    assert not any(one.refuted or one.raised for one in ended(emptied, [([1], [1, 1])], runs=100))
    seen = []
    ended(lambda data: seen.append(type(data)), [((), (1,)), ("", "a")], runs=8)
    assert set(seen) == {tuple, str}


def test_pairs_may_have_names():
    (found,) = ended(len, [([], [1])], runs=8, names=[("a.csv", "b.csv")])
    assert found.pair == ("a.csv", "b.csv")


@pytest.mark.parametrize("name", ["runs", "pairs", "epsilon", "delta", "alpha"])
def test_what_makes_no_sense_is_refused(name):
    with pytest.raises(ValueError, match=name):
        ended(len, **{name: -1})

"""The mathematics that the exercises of chapter 10 rely on."""

from fractions import Fraction

import numpy as np
import pytest

from fdpedu.exercises.catalogue import find
from fdpedu.experiments import VARIANTS, Results, paired_difference
from fdpedu.sources.gubler import PRINTED, Faults, Setting, counting, draw_sample, path_cost
from tests.support.exercises import cases_of, check


def test_rows_learnt_from_are_the_sample_s():
    """As printed and doubled: what is drawn, what is for training, and what a party has."""
    for (n, K, doubled), rows in cases_of("experiments-learnt"):
        if K == 5:
            sample = draw_sample(Setting(3, n, 2, 1, 0), Faults(doubled_rows=doubled), np.random.default_rng(0))
            assert rows == [len(sample.y), len(sample.y), len(sample.of_party(0)[1])]


def test_paired_errors_are_the_library_s():
    setting = Setting(5, 100, 10, 5, "0.3")
    for (first, second), square in cases_of("experiments-paired")[::23]:
        counts = {("local", None): tuple(first), ("central", None): tuple(second)}
        found = Results(setting, VARIANTS["printed"], 1, counts, {})
        assert paired_difference(found, "local", "central", 1)[1] ** 2 == pytest.approx(float(square))


def test_paths_cost_what_the_library_s_cost():
    """With half of ε for the leaf, and so many levels that a node books what the exercise says."""
    for (asked, p, node, share), cost in cases_of("experiments-path"):
        setting = Setting(3, 250, p, len(asked), 0, "1/2", share)
        epsilon = 2 * len(asked) * node
        assert path_cost(asked, epsilon, setting, PRINTED) - epsilon / 2 == cost


def test_short_counts_are_the_published_ones():
    for (labels, classes), counts in cases_of("experiments-counts"):
        if classes == 2:
            exact = counting.class_counts(np.array(labels, dtype=int), np.zeros(len(labels), dtype=int), 1)
            assert counts == exact[0].tolist()
    assert counting.short_counts(np.array([[22.0, 0]])).tolist() == [[22, 22]]


def test_the_fewest_records_beside_a_short_list():
    """The loss of Laplace noise at ε = 1/2 on a count that goes from n to 1."""
    n = find("experiments-moved").reference
    assert (n - 1) * Fraction(1, 2) > 10 >= (n - 2) * Fraction(1, 2)


def test_new_nodes_are_those_of_a_tree_that_skips_empty_ones():
    def released(rows, depth):
        return {(t, row >> depth - t) for t in range(depth + 1) for row in rows}

    for (rows, z, depth), new in cases_of("experiments-lazy")[::7]:
        assert len(released([*rows, z], depth) - released(rows, depth)) == new


def test_the_published_study_is_found():
    """The check of the reference finds the rows of the published code, and passes the printed ones."""
    as_stated = find("experiments-as-stated").reference
    for doubled in (False, True):
        sample = draw_sample(Setting(3, 250, 2, 1, 0), Faults(doubled_rows=doubled), np.random.default_rng(0))
        owner = [None if party < 0 else party for party in sample.party.tolist()]
        assert as_stated(250, 5, owner, len(sample.y_test)) is not doubled


@pytest.mark.parametrize(
    ("exercise", "answer", "said"),
    [
        ("experiments-moved", 0, "no number of records"),
        ("experiments-moved", 22.0, "whole number"),
        ("experiments-as-stated", lambda n, K, owner, n_test: 1, "true or false"),
        ("experiments-learnt", lambda n, K, doubled: [n, n], "3"),
    ],
)
def test_the_reply_to_what_is_no_answer(exercise, answer, said):
    reply = check(exercise, answer)
    assert not reply.passed and said in " ".join(str(reply).split()).lower()

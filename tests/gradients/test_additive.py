"""Models that add up what trees say, held against a reading of the same, row by row."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.gradients import AdditiveModel, KnownSums, TreeShapes
from fdpedu.gradients.additive import (
    MAX_SCALE,
    MAX_TREES,
    MAX_WEIGHT,
    add_weights,
    goes_right,
    leaf_of_codes,
    packed,
    sums_of,
)
from fdpedu.gradients.packing import packed_trees

DOMAIN = Domain([Numeric.grid("x", 0, 5, bins=5, missing=True), Categorical("w", ("A", "B"))], ("a", "b"))
COLUMNS = np.array([[0, 1, 2, 3, 4, 5, 0, 5], [0, 1, 0, 1, 0, 1, 1, 0]], dtype=np.uint8)
EVERY = np.arange(8)

questions = st.one_of(st.tuples(st.just(0), st.integers(0, 63)), st.tuples(st.just(1), st.integers(0, 3)))
weights = st.integers(-MAX_WEIGHT, MAX_WEIGHT)


def trees(k):
    return st.tuples(st.tuples(*[questions] * k), st.tuples(*[weights] * 2**k))


models = st.builds(
    AdditiveModel,
    st.lists(st.integers(1, 6).flatmap(trees), max_size=12).map(tuple),
    weights,
    st.integers(16, MAX_SCALE),
)


def leaf(asked, row):
    found = 0
    for feature, mask in asked:
        found = 2 * found + (0 if mask >> int(COLUMNS[feature][row]) & 1 else 1)
    return found


def score(model, row):
    return sum(w[leaf(q, row)] for q, w in model.trees) * model.scale // 16 + model.intercept


@pytest.mark.claim("lem-one-leaf-a-tree")
@settings(max_examples=40)
@given(models, st.sets(st.integers(0, 7), min_size=1))
def test_a_score_is_what_leaves_add_up_to_enlarged_and_the_intercept(model, rows):
    """For some rows and for all; the second class where it is above 0."""
    for some in (np.array(sorted(rows)), EVERY):
        expected = [score(model, row) for row in some]
        assert model.scores(COLUMNS, some).tolist() == expected
        assert model.predict(COLUMNS, some).tolist() == [int(s > 0) for s in expected]
    model.check(DOMAIN)
    for written in (model, model.plain()):
        assert AdditiveModel.from_wire(written.to_wire()) == written
    assert model.plain() != model and model.plain().to_wire() == ("additive", *vars(model).values())[:4]


@given(st.integers(1, 6).flatmap(lambda k: st.lists(st.tuples(*[questions] * k), min_size=1, max_size=9)))
def test_leaves_are_answers_in_binary(shapes):
    found = TreeShapes(tuple(shapes))
    found.check(DOMAIN)
    assert found.n_leaves == 2 ** len(shapes[0]) and len(found) == len(shapes)
    for written in (found, replace(found, packed=False)):
        assert TreeShapes.from_wire(written.to_wire()) == written
    assert replace(found, packed=False).to_wire() == tuple(shapes)
    for rows in (np.array([1, 4, 6]), EVERY, np.array([], dtype=int)):
        assert found.leaves(COLUMNS, rows).tolist() == [[leaf(q, row) for row in rows] for q in shapes]


@pytest.mark.claim("lem-one-leaf-a-tree")
@settings(max_examples=25)
@given(st.lists(models, max_size=4), st.integers(0, 5))
def test_known_sums_are_those_of_the_model_that_is_asked_for(several, cut):
    """Models that begin alike, that are shorter, and that differ in one weight of the first tree."""
    known = KnownSums(COLUMNS)
    more = [replace(m, trees=m.trees[:cut]) for m in several]
    more += [replace(m, trees=tuple((q, (w[0] ^ 1, *w[1:])) for q, w in m.trees)) for m in several]
    for model in [*several, *more, *several]:
        assert known.of(model).tolist() == [score(model, row) for row in EVERY]
        assert known.of(model).tolist() == model.scores(COLUMNS, EVERY).tolist()


def test_scores_at_the_limits_are_exact():
    tree = ((0, 1),), (MAX_WEIGHT, -MAX_WEIGHT)
    model = AdditiveModel((tree,) * MAX_TREES, MAX_WEIGHT, MAX_SCALE)
    model.check(DOMAIN)
    high = MAX_WEIGHT * MAX_TREES * MAX_SCALE // 16
    assert model.scores(COLUMNS, EVERY[:2]).tolist() == [high + MAX_WEIGHT, MAX_WEIGHT - high]


def test_a_negative_sum_is_rounded_down_when_it_is_enlarged():
    model = AdditiveModel(((((1, 1),), (-1, 1)),), 0, 17)
    assert model.scores(COLUMNS, EVERY[:2]).tolist() == [-2, 1]
    assert model.predict(COLUMNS, EVERY[:2]).tolist() == [0, 1] and AdditiveModel().predict(COLUMNS, EVERY[:1]) == [0]


@pytest.mark.parametrize("k", range(1, 7))
def test_trees_are_packed_into_bytes_and_none_is_lost(k):
    leaves = np.array([np.arange(5) * (3 + i) % 2**k for i in range(11)], dtype=np.uint8)
    unpacked = []
    for which, code in packed(leaves, 2**k):
        several = which.stop - which.start
        assert several * k <= 12 and code.dtype == np.uint16
        unpacked += [(code >> k * (several - 1 - i) & 2**k - 1).tolist() for i in range(several)]
    assert unpacked == leaves.tolist()
    sums, each = np.zeros(5, dtype=np.int64), [tuple(100 * i + j for j in range(2**k)) for i in range(11)]
    add_weights(sums, leaves, each)
    assert sums.tolist() == [sum(w[leaf[row]] for w, leaf in zip(each, leaves, strict=True)) for row in range(5)]


def test_of_no_trees_the_sum_is_0():
    assert sums_of((), COLUMNS, EVERY).tolist() == [0] * 8


def test_sums_scores_and_classes_are_integers():
    model = AdditiveModel(((((0, 1),), (3, 4)),))
    for found in (sums_of(model.trees, COLUMNS, EVERY), model.scores(COLUMNS, EVERY), model.predict(COLUMNS, EVERY)):
        assert found.dtype == np.int64
    assert KnownSums(COLUMNS).of(model).dtype == np.int64


def test_codes_that_are_not_in_the_mask_go_right():
    assert goes_right(0b101)[:4].tolist() == [0, 1, 0, 1] and len(goes_right(0)) == 256
    assert goes_right(1 << 255)[254:].tolist() == [1, 0]


ONE = ((0, 1),)
BAD_SHAPES = {
    "no trees": (), "a list": [ONE], "a tree that is a list": ([(0, 1)],), "no question": ((),),
    "seven questions": (((0, 1),) * 7,), "not all alike": (ONE, ONE * 2), "too many": (ONE,) * (MAX_TREES + 1),
    "no such feature": (((2, 1),),), "below 0": (((-1, 1),),), "no such code": (((1, 4),),),
    "a mask below 0": (((0, -1),),), "a truth value": (((0, True),),), "three numbers": (((0, 1, 1),),),
    "a number of NumPy": (((np.int64(0), 1),),), "a question that is a list": (([0, 1],),), "a text": ("ab",),
}  # fmt: skip


@pytest.mark.parametrize("kind", BAD_SHAPES)
def test_what_are_no_trees_of_the_domain_is_refused(kind):
    with pytest.raises(ValueError, match=r"tree|question"):
        TreeShapes(BAD_SHAPES[kind]).check(DOMAIN)


TREE = (ONE, (1, 2))
BAD_MODELS = {
    "trees": [[TREE], (TREE,) * (MAX_TREES + 1), None, "ab"],
    "tree": [(ONE,), ((ONE, (1,)),), ((ONE, (1, 2, 3)),), ((ONE, [1, 2]),), ((((0, 1),) * 7, (0,) * 128),),
             (((), (1,)),), ((ONE, (1, MAX_WEIGHT + 1)),), ((ONE, (-MAX_WEIGHT - 1, 1)),), ((ONE, (1, True)),),
             ((((2, 1),), (1, 2)),), ((ONE, (1, 2), 3),), ((ONE, (1.0, 2)),), ([ONE, (1, 2)],)],
    "intercept": [MAX_WEIGHT + 1, -MAX_WEIGHT - 1, 1.0, True, None],
    "scale": [15, MAX_SCALE + 1, 16.0, True, None],
}  # fmt: skip


@pytest.mark.parametrize(("name", "value"), [(n, v) for n, values in BAD_MODELS.items() for v in values])
def test_what_is_no_model_of_the_domain_is_refused(name, value):
    with pytest.raises(ValueError, match=name):
        replace(AdditiveModel((TREE,)), **{"trees" if name == "tree" else name: value}).check(DOMAIN)


def test_limits_themselves_are_allowed():
    AdditiveModel(((ONE, (MAX_WEIGHT, -MAX_WEIGHT)),), -MAX_WEIGHT, MAX_SCALE).check(DOMAIN)
    AdditiveModel(((((0, 63),) * 6, (0,) * 64),), MAX_WEIGHT, 16).check(DOMAIN)
    TreeShapes((ONE,) * MAX_TREES).check(DOMAIN)
    TreeShapes((((0, 63), (1, 3), (0, 0), (1, 0), (0, 1), (0, 32)),)).check(DOMAIN)


@pytest.mark.parametrize(
    "found", [(), ("additive", (), 0), ("other", (), 0, 16), ["additive", (), 0, 16], None, "text", ("packed", (), 0)]
)
def test_what_is_not_written_as_a_model_is_refused(found):
    with pytest.raises(ValueError, match="additive model"):
        AdditiveModel.from_wire(found)


@pytest.mark.parametrize("blocks", [None, b"", (b"",), (None,), [b""]])
def test_what_is_not_packed_is_refused(blocks):
    with pytest.raises(ValueError, match="packed trees"):
        AdditiveModel.from_wire(("packed", blocks, 0, 16))
    with pytest.raises(ValueError, match="packed trees"):
        TreeShapes.from_wire(("packed", blocks))


def test_weights_stand_where_they_belong():
    blocks, without = packed_trees([TREE]), packed_trees([(ONE, ())])
    assert AdditiveModel.from_wire(("packed", blocks, 0, 16)).trees == (TREE,)
    assert TreeShapes.from_wire(("packed", *without)).trees == (ONE,)
    with pytest.raises(ValueError, match="a weight for each leaf"):
        AdditiveModel.from_wire(("packed", without, 0, 16))
    with pytest.raises(ValueError, match="these have weights"):
        TreeShapes.from_wire(("packed", *blocks))


def test_the_leaf_of_a_code_by_the_questions_of_its_feature():
    """Its answers in binary, the first question first."""
    assert leaf_of_codes(((1, 0b1100), (1, 0b0110)), 4).tolist() == [3, 2, 0, 1]
    assert leaf_of_codes((), 2).tolist() == [0, 0]

"""What a party keeps between questions: the same leaves and sums as if nothing were kept; and answers by comparison."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.gradients import AdditiveModel, KnownSums, TreeShapes
from fdpedu.gradients import known as module
from fdpedu.gradients.additive import MAX_ENDS, answers, goes_right

EVERY_CODE = np.arange(256, dtype=np.uint8)
COLUMNS = np.array([EVERY_CODE, EVERY_CODE[::-1], EVERY_CODE // 3])
FIRST = (((0, 2**7 - 1), (1, 2**200 - 2**90)), ((2, 0b1011), (0, 2**256 - 1)))
SECOND = (((2, 2**40 - 1), (2, 0)), ((1, 1), (0, 2**255)))


def weighted(shapes, start=1):
    return tuple((questions, tuple(start * (i + 1) + j for j in range(4))) for i, questions in enumerate(shapes))


@pytest.mark.claim("lem-one-leaf-a-tree")
@settings(max_examples=60)
@given(st.integers(0, 2**256 - 1) | st.lists(st.integers(0, 256), max_size=MAX_ENDS + 2))
def test_answers_are_those_of_the_table(some):
    """Sets of any codes, and sets that begin and end a few times: to both sides of what is compared with rows."""
    mask = some if isinstance(some, int) else 0
    for end in [] if isinstance(some, int) else some:
        mask ^= (1 << end) - 1
    found = answers(mask, EVERY_CODE)
    assert found.dtype == np.uint8 and found.tolist() == goes_right(mask).tolist()
    assert found.tolist() == [1 - (mask >> code & 1) for code in range(256)]


@pytest.mark.claim("lem-one-leaf-a-tree")
@pytest.mark.parametrize("most", [2**26, 512, 511])
def test_a_round_after_another(most, monkeypatch):
    """New trees are asked about, and then belong to the model; or others do."""
    monkeypatch.setattr(module, "MAX_KEPT", most)
    rows = np.arange(256)
    models = [
        AdditiveModel(),
        AdditiveModel(weighted(FIRST)),
        AdditiveModel(weighted(FIRST, 5), 3, 20),
        AdditiveModel(weighted(FIRST) + weighted(SECOND)),
        AdditiveModel(weighted(SECOND)),
        AdditiveModel(weighted(FIRST) + weighted(FIRST[:1])),
        AdditiveModel(),
    ]
    known = KnownSums(COLUMNS)
    for asked in (FIRST, SECOND, FIRST[::-1], FIRST):
        for model in models:
            shapes = TreeShapes(asked)
            assert known.of(model).tolist() == model.scores(COLUMNS, rows).tolist()
            assert known.leaves(shapes).tolist() == shapes.leaves(COLUMNS, rows).tolist()
            more = AdditiveModel(model.trees + weighted(asked, 7))
            assert known.of(more).tolist() == more.scores(COLUMNS, rows).tolist()


def test_leaves_are_computed_once_for_a_round(monkeypatch):
    """Those of the new trees of a question serve for the next question's model, in whichever form they are written."""
    times, shipped = [], TreeShapes.leaves
    monkeypatch.setattr(TreeShapes, "leaves", lambda *a: times.append(1) or shipped(*a))
    known = KnownSums(COLUMNS)
    known.leaves(TreeShapes(FIRST))
    known.leaves(TreeShapes(FIRST, packed=False))
    known.of(AdditiveModel(weighted(FIRST)))
    known.of(AdditiveModel(weighted(FIRST), 7))
    assert len(times) == 1
    known.of(AdditiveModel(weighted(FIRST, 2)))
    assert len(times) == 1  # begun anew, by the leaves that are known
    known.of(AdditiveModel(weighted(SECOND)))
    assert len(times) == 2
    monkeypatch.setattr(module, "MAX_KEPT", 511)
    known.leaves(TreeShapes(SECOND))
    known.of(AdditiveModel(weighted(SECOND, 2)))
    assert len(times) == 4

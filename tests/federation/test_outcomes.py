"""Right and wrong predictions of a model in a question: a tree, or trees that add up; one record moves one count."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.federation import ConfusionCounts, Model, OutcomeCounts, Party
from fdpedu.federation.queries import closed_set
from fdpedu.gradients import AdditiveModel
from fdpedu.gradients.packing import packed_trees
from fdpedu.secure_sum import canonical, hashed

DOMAIN = Domain([Numeric.grid("x", 0, 3, bins=3), Categorical("w", ("A", "B"))], ("well", "ill"))
THREE = Domain(DOMAIN.features, ("a", "b", "c"))
WHOLE, THIRD = DOMAIN.everything, Fraction(1, 3)
CELLS = list(product((0.5, 1.5, 2.5), "AB", DOMAIN.classes))
TREES = (((0, 0b001), (1, 0b01)), (-4096, 2048, -1000, 3000)), (((1, 0b10),), (-512, 700))
MODELS = {
    "nothing": AdditiveModel(),
    "intercept": AdditiveModel(intercept=1),
    "trees": AdditiveModel(TREES),
    "enlarged": AdditiveModel(TREES, intercept=-300, scale=40),
    "a tie": AdditiveModel(((((0, 0b011),), (0, -4096)),)),
    "a tree": Model(((0, 0b011), (0,), (1,))),
}


def counts(model, rows, region=WHOLE):
    party = Party([list(row) for row in rows], DOMAIN)
    records, query = party.records(), OutcomeCounts(region, THIRD, model)
    query.check(DOMAIN)
    (inside,) = records.within([region])
    return query.tally(records, inside, DOMAIN).reshape(2, 2)


@pytest.mark.parametrize("name", MODELS)
def test_one_record_moves_one_count_by_one(name):
    """For every record of the domain, whatever rows are there before; and nothing moves if it is outside the region."""
    model = MODELS[name]
    part = WHOLE.restrict(0, [0, 2]).restrict_class([1])
    for first, second in product(CELLS, repeat=2):
        before = counts(model, [first])
        moved = counts(model, [first, second]) - before
        assert sorted(moved.ravel().tolist()) == [0, 0, 0, 1]
        inside = second[0] != 1.5 and second[2] == "ill"
        assert np.abs(counts(model, [first, second], part) - counts(model, [first], part)).sum() == inside


@pytest.mark.parametrize("name", MODELS)
def test_what_is_counted_are_the_model_s_own_predictions(name):
    """Also when a party has been asked about another model before: what it keeps is no state."""
    party = Party([list(row) for row in CELLS], DOMAIN)
    records = party.records()
    every = records.within([WHOLE])[0]
    for other in (*MODELS.values(), MODELS[name]):
        found = OutcomeCounts(WHOLE, THIRD, other).tally(records, every, DOMAIN)
    predicted, labels = MODELS[name].predict(records.columns, every), records.labels
    expected = [[np.sum((predicted == k) & (labels == k)), np.sum((predicted == k) & (labels != k))] for k in (0, 1)]
    assert found.reshape(2, 2).tolist() == expected


@pytest.mark.parametrize("name", MODELS)
def test_a_confusion_has_a_row_for_each_predicted_class_and_a_column_for_each_true_one(name):
    """Its diagonal are the right predictions, and the rest of each row the wrong ones, of rows that are mostly well."""
    records = Party([list(row) for row in CELLS if row[0] < 1 or row[2] == "well"], DOMAIN).records()
    every = records.within([WHOLE])[0]
    found = ConfusionCounts(WHOLE, THIRD, MODELS[name]).tally(records, every, DOMAIN).reshape(2, 2)
    outcomes = OutcomeCounts(WHOLE, THIRD, MODELS[name]).tally(records, every, DOMAIN).reshape(2, 2)
    assert np.array_equal(found.diagonal(), outcomes[:, 0])
    assert np.array_equal(found.sum(axis=1), outcomes.sum(axis=1))
    assert found.sum(axis=0).tolist() == [np.sum(records.labels[every] == k) for k in (0, 1)]


@pytest.mark.parametrize("name", MODELS)
def test_it_is_written_in_one_form_and_read_as_it_was(name):
    """A tree by its nodes; an additive model by its name, its trees, packed or as before, its intercept and scale."""
    model = MODELS[name]
    wires = (
        {model: model.nodes}
        if isinstance(model, Model)
        else {
            model: ("packed", packed_trees(model.trees), model.intercept, model.scale),
            model.plain(): ("additive", model.trees, model.intercept, model.scale),
        }
    )
    for one, wire in wires.items():
        query = OutcomeCounts(WHOLE, THIRD, one)
        form = closed_set.write_queries([query], DOMAIN)
        assert form == canonical((("outcome-counts", (), THIRD, wire),))
        assert closed_set.read_queries(form, DOMAIN) == (query,)
        assert query.parameters == {"model": hashed(wire).hex()}
        assert (query.sensitivity, query.n_releases, query.l2_squared, query.shape(DOMAIN)) == (1, 1, 1, (2, 2))


ADDITIVE = ("additive", TREES, 0, 16)
REFUSED = {
    "a part too few": ("additive", TREES, 0),
    "a part too many": (*ADDITIVE, 1),
    "a name only": ("additive",),
    "another name": ("adding", TREES, 0, 16),
    "no trees": ("additive", 3, 0, 16),
    "a weight beyond the limit": ("additive", ((((0, 1),), (0, 2**20 + 1)),), 0, 16),
    "a weight too few": ("additive", ((((0, 1),), (0,)),), 0, 16),
    "no feature": ("additive", ((((2, 1),), (0, 1)),), 0, 16),
    "no code": ("additive", ((((1, 4),), (0, 1)),), 0, 16),
    "an intercept beyond the limit": ("additive", TREES, 2**20 + 1, 16),
    "a scale that makes it smaller": ("additive", TREES, 0, 15),
    "a text for a scale": ("additive", TREES, 0, "16"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_no_model_of_the_domain_is_refused(case):
    form = canonical((("outcome-counts", (), THIRD, REFUSED[case]),))
    with pytest.raises(ValueError, match=r"model|tree|intercept|scale"):
        closed_set.read_queries(form, DOMAIN)


def test_an_additive_model_is_for_two_classes():
    query = OutcomeCounts(THREE.everything, 1, MODELS["trees"])
    with pytest.raises(ValueError, match="two classes"):
        query.check(THREE)
    OutcomeCounts(THREE.everything, 1, Model(((2,),))).check(THREE)

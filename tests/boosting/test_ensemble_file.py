"""An ensemble in a file: read as it was written, and refused after any change that a file can show."""

import copy
import json

import numpy as np
import pytest

from fdpedu import files
from fdpedu.boosting import Ensemble, fit_federated_boosting
from fdpedu.boosting.ensemble_file import SCHEMA
from fdpedu.randomness import Rehearsal
from tests.boosting.test_growing import MIXED, PURE, RHO, THREE, federation, rows


def grown(budget, form, **options):
    options = {"nominal_size": 40, "rounds": 2, "trees_per_round": 2, "max_depth": 2, **options}
    f = federation([rows(400, k, ill=7) for k in range(2)], MIXED, budget, Rehearsal(1))
    return fit_federated_boosting(f, form=form, rng=Rehearsal(2), **options)


ENSEMBLES = {
    "trees": grown(PURE, "trees"),
    "curves": grown(RHO, "curves"),
    "weighted": grown(RHO, "trees", nominal_size=9000),
}
CONTENTS = {name: files.loads(ensemble.to_json(), SCHEMA, "x") for name, ensemble in ENSEMBLES.items()}
# What no file can show: the sums were not kept, and the last step of the intercept was never asked about again.
FREE = {"nominal_size", "intercept", "histograms", "n_parties", "domain", "derivation"}


def read(content):
    return Ensemble.from_json(files.dumps(SCHEMA, content))


def changed(content, path, value):
    whole = copy.deepcopy(content)
    part = whole
    for step in path[:-1]:
        part = part[step]
    part[path[-1]] = value
    return whole


def numbers(part, path=()):
    """Every number and truth value below, and where it stands."""
    if isinstance(part, (dict, list)):
        for step, inner in part.items() if isinstance(part, dict) else enumerate(part):
            yield from numbers(inner, (*path, step))
    elif not isinstance(part, str):
        yield path, part


@pytest.mark.parametrize("name", ENSEMBLES)
def test_what_is_read_is_what_was_written(name, tmp_path):
    ensemble, path = ENSEMBLES[name], tmp_path / "ensemble.json"
    ensemble.save(path)
    again = Ensemble.load(path)
    for part in ("domain", "model", "rules", "batches", "weights", "intercepts", "rounds", "n_parties", "tolerate"):
        assert getattr(again, part) == getattr(ensemble, part)
    assert (again.histograms == ensemble.histograms).all() and again.guarantee == ensemble.guarantee
    assert again.to_json() == ensemble.to_json() and again.classes == ("well", "ill")
    table = [r[:-1] for r in rows(30, 9)]
    assert (again.predict(table) == ensemble.predict(table)).all() and again.to_text() == ensemble.to_text()
    other = ENSEMBLES["curves" if name == "trees" else "trees"]
    with pytest.raises(ValueError, match="overwrite"):
        other.save(path)
    other.save(path, overwrite=True)
    assert Ensemble.load(path).model == other.model


@pytest.mark.parametrize("name", ENSEMBLES)
def test_a_changed_number_is_refused_although_the_digest_is_made_anew(name):
    """One more or one less, of every weight, code, intercept, rule and class weight; and every truth value."""
    content, tried = CONTENTS[name], 0
    for path, value in numbers({key: part for key, part in content.items() if key not in FREE}):
        for other in [not value] if isinstance(value, bool) else [value + 1, value - 1]:
            with pytest.raises(files.FileRefused):
                read(changed(content, path, other))
            tried += 1
    assert tried > 60


def test_without_another_digest_nothing_can_be_changed():
    text = ENSEMBLES["trees"].to_json()
    for path, value in numbers(CONTENTS["trees"]):
        document = json.loads(text)
        document = changed(document, path, value + 1) if not isinstance(value, bool) and path[0] in document else None
        if document is not None:
            with pytest.raises(files.FileRefused):
                Ensemble.from_json(json.dumps(document))


def test_trees_and_rounds_in_another_order_are_refused():
    content = CONTENTS["trees"]
    batches = content["batches"]
    others = [
        batches[::-1], batches[:1], [*batches, batches[1]], [],
        [{**batches[0], "trees": batches[0]["trees"][::-1]}, batches[1]],
        [{**batches[0], "trees": batches[1]["trees"]}, batches[1]],
        [{**batches[0], "trees": batches[0]["trees"] + batches[1]["trees"][:1]},
         {**batches[1], "trees": batches[1]["trees"][1:]}],
    ]  # fmt: skip
    for other in others:
        with pytest.raises(files.FileRefused):
            read({**content, "batches": other})
    questions = batches[0]["trees"][0]["questions"]
    with pytest.raises(files.FileRefused):
        read(changed(content, ("batches", 0, "trees", 0, "questions"), questions[::-1]))


def test_the_last_step_of_the_intercept_is_2_at_most():
    content = CONTENTS["trees"]
    last = content["intercepts"][1]
    assert read({**content, "intercept": last + 8192}).model.intercept == last + 8192
    for far in (last + 8193, last - 8193):
        with pytest.raises(files.FileRefused, match="intercept"):
            read({**content, "intercept": far})


def test_parts_of_another_ensemble_are_refused():
    one, other = CONTENTS["trees"], CONTENTS["curves"]
    for key in ("batches", "derivation", "scale", "intercepts"):
        if one[key] != other[key]:
            with pytest.raises(files.FileRefused):
                read({**one, key: other[key]})
    with pytest.raises(files.FileRefused):
        read({**one, "domain": THREE.to_spec()})


def test_a_class_that_weighs_otherwise_than_the_histograms_say_is_refused():
    content = CONTENTS["weighted"]
    assert min(content["weights"]) < 256
    histograms = [[a, b + 400] for a, b in content["histograms"]]
    with pytest.raises(files.FileRefused, match="weights"):
        read({**content, "histograms": histograms})


SIXTEEN = "histograms must have an integer for each code and class"
BAD = [
    ("form", "forest", "form must be 'trees' or 'curves'"), ("form", "curves", "ask about one feature"),
    ("weighted", 1, "weighted"), ("clip", 0, "clip"), ("clip", 65, "clip must be at most 64"),
    ("weights", [256], "unpack|values"), ("weights", [0, 256], "weights"), ("weights", [256, 257], "at most 256"),
    ("weights", None, "weights"), ("intercepts", [0], "intercept"), ("intercepts", 3, "intercepts"),
    ("intercepts", [0, 2**70], "intercepts"), ("step", "a", "step"), ("step", None, "step"),
    ("histograms", [], SIXTEEN), ("histograms", [[1, 2]], SIXTEEN), ("histograms", [[1.0, 2]] * 16, SIXTEEN),
    ("histograms", [[1, 2, 3]] * 16, SIXTEEN), ("histograms", [[2**62, 0]] * 16, SIXTEEN),
    ("histograms", [(1, True)] * 16, SIXTEEN), ("histograms", None, "histograms"),
    ("n_parties", 1, "n_parties"), ("n_parties", 2.5, "n_parties"), ("tolerate", 0, "tolerate"),
    ("tolerate", 2, "tolerate"), ("tolerate", True, "tolerate"), ("scale", 15, "scale"), ("scale", 65, "scale"),
    ("intercept", 1.5, "intercept"), ("rounds", 0, "rounds"), ("rounds", 3, "its rounds are not as many"),
    ("trees_per_round", 0, "trees_per_round"), ("trees_per_round", 3, "its rounds are not as many"),
    ("nominal_size", 0, "nominal_size"), ("quantiles", 0, "quantiles"), ("questions", 0, "questions"),
    ("questions", 3, "as many questions as its rules say"),
    ("n_rounds", [], "rounds must be"), ("n_rounds", 0, "rounds"), ("n_rounds", [1, 2, 3, 4, 6], "rounds must be"),
    ("n_rounds", [1, 2, 3, 4], "as many"), ("n_rounds", [2, 1, 3, 4, 5], "in ascending order"),
    ("quantiles", 9, "quantiles, step and weighting"), ("step", 9.5, "quantiles, step and weighting"),
]  # fmt: skip


@pytest.mark.parametrize(("key", "value", "named"), BAD, ids=[f"{key}={value}" for key, value, _ in BAD])
def test_what_no_ensemble_has_is_refused_by_its_name(key, value, named):
    with pytest.raises(files.FileRefused, match=named):
        read({**CONTENTS["trees"], key: value})


@pytest.mark.parametrize(
    ("questions", "named"),
    [(None, "questions"), ([["age", 3]], "codes"), ([["age", [-1]]], "a code"), ([["age", [256]]], "a code"),
     ([["height", [0]]], "height"), ([["age", [1.5]]], "a code"), ([["ward", [3]]], "question")],
)  # fmt: skip
def test_what_is_no_question_of_the_domain_is_refused_by_name(questions, named):
    for ensemble in CONTENTS.values():
        whole = changed(ensemble, ("batches", 0, "trees", 0, "questions"), questions and questions * 2)
        with pytest.raises(files.FileRefused, match=named):
            read(whole)


def test_other_keys_are_refused():
    content = CONTENTS["trees"]
    for other in ({**content, "more": 1}, {key: content[key] for key in content if key != "scale"}):
        with pytest.raises(files.FileRefused, match="keys"):
            read(other)


def test_a_forged_derivation_is_refused():
    """A cheaper release, one left out, one of another model."""
    content = CONTENTS["trees"]
    steps = content["derivation"]["proof"]["premises"][0]["premises"]
    for number in range(len(steps)):
        with pytest.raises(files.FileRefused):
            read(changed(content, ("derivation", "proof", "premises", 0, "premises", number, "epsilon"), "1/1000"))
        fewer = steps[:number] + steps[number + 1 :]
        with pytest.raises(files.FileRefused):
            read(changed(content, ("derivation", "proof", "premises", 0, "premises"), fewer))
    for number in range(1, len(steps)):
        path = ("derivation", "proof", "premises", 0, "premises", number, "parameters", "model")
        with pytest.raises(files.FileRefused, match="not the one it paid for"):
            read(changed(content, path, "0" * 64))


def test_a_file_has_nothing_that_was_not_released():
    """Its numbers are rules, released histograms and what follows from released sums."""
    assert set(CONTENTS["trees"]) == set(CONTENTS["curves"]) == set(CONTENTS["weighted"])
    assert np.array(CONTENTS["trees"]["histograms"]).shape == (MIXED.n_codes, 2)


def test_an_unfinished_ensemble_has_paid_for_one_round_more_than_it_has_at_most():
    """The first rounds of a whole one are no unfinished ensemble, as all rounds were paid and answered."""
    content = CONTENTS["trees"]
    first, paid = content["batches"][:1], content["n_rounds"]
    cut = {**content, "batches": first, "intercepts": [], "scale": 16, "intercept": first[0]["intercept"]}
    for n in (2, 3):
        assert read({**cut, "n_rounds": paid[:n]}).unfinished
    for n in (1, 4, len(paid)):
        with pytest.raises(files.FileRefused, match="rounds"):
            read({**cut, "n_rounds": paid[:n]})

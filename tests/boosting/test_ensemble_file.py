"""An ensemble in a file: read as it was written, and refused after any change that a file can show."""

import copy
import json

import numpy as np
import pytest

from fdpedu import files
from fdpedu.accounting import Ledger
from fdpedu.boosting import Ensemble, fit_federated_boosting
from fdpedu.boosting.ensemble_file import FIRST, OTHERS, SCHEMA
from fdpedu.domain import Domain
from fdpedu.federation import Curator, Party
from fdpedu.randomness import Rehearsal
from fdpedu.trees.shape import MAX_SIZE
from tests.boosting.test_growing import MIXED, PURE, RHO, THREE, federation, rows


def grown(budget, form, **options):
    options = {"nominal_size": 40, "rounds": 2, "trees_per_round": 2, "max_depth": 2, **options}
    f = federation([rows(400, k, ill=7) for k in range(2)], MIXED, budget, Rehearsal(1))
    return fit_federated_boosting(f, form=form, rng=Rehearsal(2), **options)


ENSEMBLES = {
    "trees": grown(PURE, "trees"),
    "curves": grown(RHO, "curves"),
    "bold": grown(RHO, "trees", nominal_size=9000, rounds=5),
}
CONTENTS = {name: files.loads(ensemble.to_json(), SCHEMA, "x") for name, ensemble in ENSEMBLES.items()}


def read(content):
    return Ensemble.from_json(files.dumps(SCHEMA, content))


def changed(content, path, value):
    whole = copy.deepcopy(content)
    part = whole
    for step in path[:-1]:
        part = part[step]
    part[path[-1]] = value
    return whole


def everything(part, path=()):
    """Every number and where it stands."""
    for step, inner in part.items() if isinstance(part, dict) else enumerate(part):
        if isinstance(inner, (dict, list)):
            yield from everything(inner, (*path, step))
        elif isinstance(inner, int):
            yield (*path, step), inner


@pytest.mark.parametrize("name", ENSEMBLES)
def test_what_is_read_is_what_was_written(name, tmp_path):
    ensemble, path = ENSEMBLES[name], tmp_path / "ensemble.json"
    ensemble.save(path)
    again = Ensemble.load(path)
    for part in ("domain", "model", "rules", "rule", "pairs", "intercepts", "rounds", "n_parties", "tolerate"):
        assert getattr(again, part) == getattr(ensemble, part)
    for one, other in zip(again.batches, ensemble.batches, strict=True):
        assert all(np.array_equal(a, b) for a, b in zip(vars(one).values(), vars(other).values(), strict=True))
    assert again.interactions() == ensemble.interactions()
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
def test_released_sums_that_lead_to_other_weights_are_refused(name):
    """Every sum of the trees, and every pair: far enough from what it was to move a weight by two units."""
    content, tried = CONTENTS[name], 0
    for path, value in everything({"batches": content["batches"], "pairs": content["pairs"]}):
        if path[0] == "pairs" or "sums" in path:
            share = ENSEMBLES[name].marginals.leaf_shares(ENSEMBLES[name].model.trees[0][0])
            if path[0] == "batches" and not share.all():
                continue
            with pytest.raises(files.FileRefused, match=r"follow from its sums|last sums lead to"):
                read(changed(content, path, value + 200_000))
            tried += 1
    assert tried >= 4


def test_histograms_that_lead_to_other_shares_are_refused():
    content = CONTENTS["bold"]
    for cell in range(len(content["histograms"])):
        with pytest.raises(files.FileRefused, match="follow from its sums"):
            read(changed(content, ("histograms", cell), content["histograms"][cell] + 3000))


def test_weights_may_differ_by_a_unit_where_nobody_was_asked_with_them():
    """Another processor may round otherwise: the last intercept, which no question has carried, may be one off."""
    content = CONTENTS["trees"]
    for off in (1, -1):
        assert read({**content, "intercept": content["intercept"] + off}).model.intercept == content["intercept"] + off


def test_without_another_digest_nothing_can_be_changed():
    text = ENSEMBLES["trees"].to_json()
    for path, value in everything(CONTENTS["trees"]):
        with pytest.raises(files.FileRefused):
            Ensemble.from_json(json.dumps(changed(json.loads(text), path, value + 1)))


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


def test_parts_of_another_ensemble_are_refused():
    one, other = CONTENTS["trees"], CONTENTS["curves"]
    for key in ("batches", "derivation", "scale", "intercepts"):
        if one[key] != other[key]:
            with pytest.raises(files.FileRefused):
                read({**one, key: other[key]})
    with pytest.raises(files.FileRefused):
        read({**one, "domain": THREE.to_spec()})


SIXTEEN = "histograms must have an integer for each group of codes"
BAD = [
    ("form", "forest", "form must be 'trees' or 'curves'"), ("form", "curves", "ask about one feature"),
    ("most_questions", 3, "rules are not those"), ("clip", 0, "clip"), ("clip", 65, "clip must be at most 64"),
    ("clip", 31, "rules are not those"),
    ("groups", 64, "not the one it paid for"), ("groups", 0, "groups"), ("groups", 257, "groups"),
    ("intercepts", [0], "must be as many|unfinished|not as many"), ("intercepts", 3, "intercepts"),
    ("intercepts", [0, 2**70], "intercepts"), ("step", "a", "step"), ("step", None, "step"), ("step", 0.5, "step"),
    ("histograms", [], SIXTEEN), ("histograms", [1], SIXTEEN), ("histograms", [1.0] * 16, "histograms"),
    ("histograms", [[1, 2]] * 16, "histograms"), ("histograms", [2**62 + 1] * 16, "histograms"),
    ("histograms", [True] * 16, "histograms"), ("histograms", None, "histograms"),
    ("pairs", [], "pairs and intercepts must be as many"), ("pairs", [[1, 2]] * 3, "pairs and intercepts must be as"),
    ("pairs", [[1]] * 2, "unpack|values"), ("pairs", [[1, None]] * 2, "pairs"), ("pairs", 3, "pairs"),
    ("n_parties", 0, "n_parties"), ("n_parties", 2.5, "n_parties"), ("tolerate", 0, "tolerate"),
    ("tolerate", 2, "tolerate"), ("tolerate", True, "tolerate"), ("scale", 15, "scale"), ("scale", 65, "scale"),
    ("intercept", 1.5, "intercept"), ("rounds", 0, "rounds"), ("rounds", 3, "its rounds are not as many"),
    ("trees_per_round", 0, "trees_per_round"), ("trees_per_round", 3, "its rounds are not as many"),
    ("nominal_size", 0, "nominal_size"), ("quantiles", 0, "quantiles"), ("questions", 0, "questions"),
    ("questions", 3, "rules are not those"), ("quantiles", 9, "rules are not those"),
    ("step", 9, "rules are not those"), ("nominal_size", 9 * 10**6, "rules are not those"),
    ("n_rounds", [], "rounds must be"), ("n_rounds", 0, "rounds"), ("n_rounds", [1, 2, 3, 4, 6], "rounds must be"),
    ("n_rounds", [1, 2, 3, 4], "as many"), ("n_rounds", [2, 1, 3, 4, 5], "in ascending order"),
]  # fmt: skip


@pytest.mark.parametrize(("key", "value", "named"), BAD, ids=[f"{key}={value}" for key, value, _ in BAD])
def test_what_no_ensemble_has_is_refused_by_its_name(key, value, named):
    with pytest.raises(files.FileRefused, match=rf"\b{named}\b" if named.isidentifier() else named):
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


@pytest.mark.parametrize("path", [("batches", 0), ("batches", 1, "trees", 0)])
def test_other_keys_further_below_are_refused(path):
    with pytest.raises(files.FileRefused, match="needs exactly the keys"):
        read(changed(CONTENTS["bold"], (*path, "note"), 1))


@pytest.mark.parametrize("intercept", [309.5, 10**400, "1", None, True])
def test_an_intercept_that_is_no_integer_is_refused_by_name(intercept):
    with pytest.raises(files.FileRefused, match="intercept must be"):
        read(changed(CONTENTS["bold"], ("batches", 4, "intercept"), intercept))


@pytest.mark.filterwarnings("ignore::fdpedu.trees.nominal.LargeDeltaWarning")
def test_what_was_grown_for_as_many_rows_as_may_be_is_read():
    largest = grown(RHO, "trees", nominal_size=MAX_SIZE)
    assert Ensemble.from_json(largest.to_json()).to_json() == largest.to_json()


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
    assert set(CONTENTS["trees"]) == set(CONTENTS["curves"]) == set(CONTENTS["bold"])
    assert np.array(CONTENTS["trees"]["histograms"]).shape == (MIXED.n_codes,)  # of so few codes each is a group
    assert set(CONTENTS["trees"]["batches"][0]) == {"trees", "intercept", "sums"}


def test_an_unfinished_ensemble_has_paid_for_one_round_more_than_it_has_at_most():
    """The first rounds of a whole one are no unfinished ensemble, as all rounds were paid and answered."""
    content = CONTENTS["trees"]
    first, paid = content["batches"][:1], content["n_rounds"]
    none = {"intercepts": [], "pairs": []}
    cut = {**content, "batches": first, **none, "scale": 16, "intercept": first[0]["intercept"]}
    for n in (2, 3):
        assert read({**cut, "n_rounds": paid[:n]}).unfinished
    for n in (1, 4, len(paid)):
        with pytest.raises(files.FileRefused, match="rounds"):
            read({**cut, "n_rounds": paid[:n]})


@pytest.mark.parametrize("sums", [None, [], [[1, 2]], [[1], [1, 2]], [[1.5] * 4] * 2, [[1] * 8] * 2, [[2**63] * 4] * 2])
def test_sums_that_no_round_releases_are_refused_by_name(sums):
    with pytest.raises(files.FileRefused, match="sums"):
        read(changed(CONTENTS["trees"], ("batches", 1, "sums"), sums))


def test_what_is_no_document_is_refused_with_its_place():
    with pytest.raises(files.FileRefused, match=r"^my\.json"):
        Ensemble.from_json("{", "my.json")
    with pytest.raises(files.FileRefused, match=r"^my\.json: it was changed"):
        Ensemble.from_json(ENSEMBLES["trees"].to_json().replace('"scale": ', '"scale": 1'), "my.json")


def test_a_derivation_of_its_own_has_no_numbers_of_rounds():
    """As older files have it: how many there were, and nothing else was paid."""
    assert read({**CONTENTS["trees"], "n_rounds": 5}).rounds == 5 == ENSEMBLES["trees"].rounds


def test_of_several_classes_a_file_has_the_numbers_of_its_rounds():
    """No older file has three classes, so a number in their place says nothing of what was paid for."""
    domain = Domain(MIXED.features, ("a", "b", "c"))
    curator = Curator(Party([], domain), Ledger(RHO), Rehearsal(1))
    found = fit_federated_boosting(curator, nominal_size=40, rounds=1, trees_per_round=2, rng=Rehearsal(2))
    content = files.loads(found.to_json(), OTHERS, "x")
    assert Ensemble.from_json(files.dumps(OTHERS, content)).rounds == 3
    with pytest.raises(files.FileRefused, match="its rounds are not as many"):
        Ensemble.from_json(files.dumps(OTHERS, {**content, "n_rounds": 7}))


def test_an_older_schema_with_newer_keys_is_refused_and_the_other_way_round():
    with pytest.raises(files.FileRefused, match="keys"):
        Ensemble.from_json(files.dumps(FIRST, CONTENTS["trees"]))
    with pytest.raises(files.FileRefused, match="keys"):
        Ensemble.from_json(files.dumps("fdpedu-ensemble/3", CONTENTS["trees"]))

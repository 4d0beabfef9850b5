"""What fails after a payment delivers the model so far, with all that it has cost, whatever way it is fitted."""

from contextlib import contextmanager
from functools import partial
from pathlib import Path
from unittest import mock

import pytest

from fdpedu.accounting import Ledger
from fdpedu.boosting import Ensemble
from fdpedu.bounds import fit_saving_tree
from fdpedu.domain import Domain
from fdpedu.federation import Curator, Federation, Party
from fdpedu.randomness import Rehearsal, ZeroWords
from fdpedu.secure_sum import RoundLost
from fdpedu.structures import Structures, fit_private_structures
from fdpedu.trees import DESIGNS, fit_federated_tree, fit_privatree
from fdpedu.trees.recursive import fit_recursively
from tests.house.test_after_payment import CLASSES, NUMBERS, WAYS, federation, table, use


def votes(domain):
    options = {"max_depth": 1, "population": 4, "generations": 4, "rng": Rehearsal(1)}
    return lambda: fit_private_structures(federation(domain), **options)


ALL = {**WAYS, "structures": votes(CLASSES), "structures of a number": votes(NUMBERS)}


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@contextmanager
def failing(round_number):
    """Whoever is asked in this round, or in a later one, falls silent once it is charged."""
    asked = []

    def silent(kind, release):
        def answered(self, queries, *rest, **options):
            answers = release(self, queries, *rest, **options)
            asked.append([(query, answer.tolist()) for query, answer in zip(queries, answers, strict=True)])
            if len(asked) >= round_number:
                raise RoundLost("nobody answers")
            return answers

        return mock.patch.object(kind, "release", answered)

    with silent(Federation, Federation.release), silent(Curator, Curator.release):
        yield asked


def used(model):
    if isinstance(model, Structures):
        model.save("model.json")
        again = Structures.load("model.json")
        assert (again.summary(), again.generations, again.cost) == (model.summary(), model.generations, model.cost)
        labels = [row % 2 for row in range(24)] if model.domain.target else ["no", "yes"] * 12
        assert "Unfinished" in model.summary() and len(again.fit_at_home(table(model.domain), labels).predict([])) == 0
    else:
        use(model)
    assert type(model).load("model.json").unfinished
    Path("model.json").unlink()


def rounds_of(way, asked, deep):
    """Of each way the first round and one more, which is another for the next way; ``--deep``: all."""
    some = {1, 2 + list(ALL).index(way) % max(1, len(asked) - 1), len(asked) if "structures" in way else 1}
    return range(1, len(asked) + 1) if deep else sorted(n for n in some if n <= len(asked))


@pytest.mark.parametrize("way", ALL)
def test_what_fails_in_any_round_delivers_the_model_so_far(way, capsys, request):
    """In a form that is used, saved and read as any; none where nothing was bought."""
    with failing(10**6) as asked:
        whole = ALL[way]()
    assert not whole.unfinished
    first = 3 if isinstance(whole, Ensemble) else 2  # histograms alone are no ensemble
    for number in rounds_of(way, asked, request.config.getoption("--deep")):
        with failing(number) as answered, pytest.raises(RoundLost, match=f"{number} round.* stays paid") as lost:
            ALL[way]()
        model, released = lost.value.model, lost.value.released
        known = [pair for answers in answered[:-1] for pair in answers]
        assert [(query, found.tolist()) for query, found in released] == known
        assert (model is None) == (number < first) == ("so far in 'model'" not in str(lost.value))
        if model is not None:
            spent = model.derivation.spent
            assert model.unfinished and len(model.paid_in) == number
            assert model.cost.value == getattr(spent, "value", spent) <= whole.cost.value
            used(model)


SIDES = {
    "default": {},
    "a feature a node": {"design": DESIGNS["default"].__class__(features_per_node=1)},
    "histograms for leaves": {"design": DESIGNS["default"].__class__(fresh_leaves=False)},
}
AGES = Domain.from_spec({"features": {"age": {"low": 0, "high": 4, "bins": 4}}, "classes": ["well", "ill"]})


@pytest.mark.parametrize(
    "fit",
    [*(partial(fit_federated_tree, **how) for how in SIDES.values()), fit_recursively, fit_saving_tree],
    ids=[*SIDES, "by recursion", "by bounds"],
)
def test_leaves_that_wait_predict_from_the_histograms_above_them(fit):
    """Without noise, and where one split says all, after the round of the split as in the end."""
    old, young = [[3.5, "ill"]] * 30, [[0.5, "well"]] * 20
    parts = [Party(old, AGES), Party(young, AGES)]
    asked_first = 3 if fit is fit_saving_tree else 2  # there bounds come before the histogram
    with failing(asked_first), pytest.raises(RoundLost) as lost:
        fit(Federation(parts, AGES, Ledger(1), rng=ZeroWords()), max_depth=2)
    model = lost.value.model
    assert [leaf.counts for leaf in model.leaves()] == [(20, 0), (0, 30)]
    assert model.predict([[0.5], [3.5]]).tolist() == ["well", "ill"]


@pytest.mark.parametrize("leaves", ["labels", "counts"])
def test_leaves_of_an_owner_who_was_asked_for_histograms_predict_from_these(leaves):
    old, young = [[3.5, "ill"]] * 30, [[0.5, "well"]] * 20
    with failing(2), pytest.raises(RoundLost) as lost:
        options = {"splits": "histograms", "leaves": leaves, "max_depth": 1}
        fit_privatree(Party(old + young, AGES), Ledger(1), rng=ZeroWords(), **options)
    assert lost.value.model.predict([[0.5], [3.5]]).tolist() == ["well", "ill"]


@pytest.mark.parametrize("domain", [CLASSES, NUMBERS], ids=["classes", "a number"])
def test_structures_so_far_are_the_first_generations_of_whole_ones(domain):
    whole = votes(domain)()
    for number in range(2, 5):
        with failing(number), pytest.raises(RoundLost) as lost:
            votes(domain)()
        assert lost.value.model.generations == whole.generations[: number - 1]


def test_structures_that_wait_for_nobody_s_answer_are_whole():
    """What fails when all was answered, here the progress that is shown, leaves nothing to be voted on."""

    def shown(done, of):
        if done == of == 1:
            raise OSError("no terminal")

    with pytest.raises(OSError, match="no terminal") as failed:
        fit_private_structures(federation(), max_depth=1, population=4, progress=shown, rng=Rehearsal(1))
    assert not failed.value.model.unfinished and len(failed.value.model.generations) == 3

"""Odd arguments: whatever stands in one position of an otherwise valid call, there is an answer or a ValueError.

What is called: everything callable that a package offers, but for `RECORDS`, which only carry what was computed, and
`INNER`, which are called with what the packages have read: 4,000 calls, the same in every run; with ``--deep`` 150,000.
"""

import importlib
import random
import shutil
import warnings
from collections import Counter
from contextlib import contextmanager
from itertools import islice

import pytest

from fdpedu.federation import Curator, Federation
from fdpedu.randomness import Rehearsal, SeededSource, SystemSource, ZeroWords
from fdpedu.teaching import answer_notebook
from tests.support.extreme_values import EXTREME
from tests.support.odd_calls import (
    CALLS,
    DOMAIN,
    ENSEMBLE,
    EVERY,
    FIXED,
    TREE,
    TREE_OF,
    Fresh,
    function_of,
)
from tests.support.odd_calls_boosting import TOSSING
from tests.support.odd_calls_teaching import CHOSEN
from tests.support.odd_names import INNER, MODULES, RECORDS
from tests.support.odd_values import ODD as ODD_ONES

ODD = [*ODD_ONES, *EXTREME]


def offered(package):
    module = importlib.import_module(f"fdpedu.{package}")
    own = [name for name, found in vars(module).items() if getattr(found, "__module__", "") == module.__name__]
    names = getattr(module, "__all__", [name for name in own if not name.startswith("_")])
    return {f"{package}.{name}" for name in names if callable(getattr(module, name))}


@pytest.mark.parametrize("package", MODULES)
def test_everything_that_a_package_offers_is_called(package):
    listed = {name for name in {*CALLS, *RECORDS, *INNER} if name.rpartition(".")[0] == package}
    assert offered(package) == listed


def called(name, arguments):
    """The answer, or the ValueError; another exception comes through, and so does a warning."""
    function = function_of(name)
    given = {key: value.make() if isinstance(value, Fresh) else value for key, value in arguments.items()}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message="A column-vector y was passed")  # scikit-learn's own words for it
        try:
            answer = function(**given, **FIXED.get(name, {}))
            return list(islice(answer, 100)) if hasattr(answer, "__next__") else answer
        except ValueError as error:
            return error


def calls(deep):
    """Every place with a tenth of the odd arguments; in depth with all of them, and 100,000 calls with two."""
    choose = random.Random(11)
    for name, arguments in EVERY.items():
        for key in sorted(arguments.keys() - {"self"}):
            for odd in ODD if deep else choose.sample(ODD, len(ODD) // 10):
                yield name, {key: odd}
    several = [name for name, arguments in EVERY.items() if len(arguments.keys() - {"self"}) > 1]
    for _ in range(100_000 * deep):
        name = choose.choice(several)
        yield name, {key: choose.choice(ODD) for key in choose.sample(sorted(EVERY[name].keys() - {"self"}), 2)}


@pytest.fixture(scope="session")
def written(tmp_path_factory):
    """A file of each kind that is read."""
    where = tmp_path_factory.mktemp("written")
    DOMAIN.save(where / "domain.json")
    TREE.save(where / "tree.json")
    TREE.derivation.save(where / "derivation.json")
    ENSEMBLE.save(where / "ensemble.json")
    TREE_OF.manifest.save(where / "manifest.json")
    (where / "answers.ipynb").write_text(answer_notebook(CHOSEN), "utf8")
    (where / "data.csv").write_text("age,ward,state\n63,A,ill\n", "utf8")
    return where


@pytest.fixture
def folder(written, tmp_path, monkeypatch):
    """A working folder with copies of them: each file is made and synchronised once."""
    shutil.copytree(written, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)


def test_odd_arguments_are_refused_or_answered(request, folder):
    """No TypeError, no OverflowError, no warning: what cannot be read raises a ValueError that says something."""
    wrong, refused, tried = [], 0, 0
    for name, odd in calls(request.config.getoption("--deep")):
        tried += 1
        try:
            answer = called(name, {**EVERY[name], **odd})
        except Exception as error:
            wrong.append(f"{name}({odd}): {type(error).__name__}: {error}")
        else:
            refused += isinstance(answer, ValueError)
            if isinstance(answer, ValueError) and not str(answer).strip():
                wrong.append(f"{name}({odd}) is refused without a word")
    assert not wrong, "\n".join(wrong[:20])
    assert tried > 4_000 and refused > tried / 2


@pytest.mark.parametrize("name", EVERY)
def test_the_call_itself_is_valid(name, folder):
    """Else its refusal would hide what an odd argument does."""
    answer = called(name, EVERY[name])
    assert not isinstance(answer, ValueError), answer


# --- Charged before it is drawn, whoever asks ----------------------------------------------------------------------

FEDERATED = [
    name
    for name, arguments in EVERY.items()
    if name.startswith("estimators.")
    or any(isinstance(value, Fresh) and isinstance(value.make(), Federation) for value in arguments.values())
]


@contextmanager
def watched(seen):
    """Within a round nothing is drawn before its ledger has it; outside of rounds only public coins are."""
    rounds = []

    def watching(release):
        def releasing(self, *given, **named):
            rounds.append((self.ledger, self.ledger.rounds))
            try:
                return release(self, *given, **named)
            finally:
                seen["rounds"] += 1
                rounds.pop()

        return releasing

    with pytest.MonkeyPatch.context() as patch:
        for asker in (Federation, Curator):
            patch.setattr(asker, "release", watching(asker.release))
        for source in (Rehearsal, SeededSource, SystemSource, ZeroWords):

            def drawing(self, size, own=source.words):
                if rounds:
                    ledger, before = rounds[-1]
                    assert ledger.rounds == before + 1, "noise is drawn before the round is charged"
                    seen["drawn"] += 1
                else:
                    seen["outside"] += 1
                return own(self, size)

            patch.setattr(source, "words", drawing)
        yield


@pytest.mark.claim("thm-round")
@pytest.mark.parametrize("name", FEDERATED)
def test_noise_is_drawn_after_its_charge_whoever_asks(folder, name):
    seen = Counter()
    with watched(seen):
        called(name, EVERY[name])
    assert (seen["drawn"] > 0) == (seen["rounds"] > 0) and bool(seen["outside"]) == (name in TOSSING)
    assert seen["rounds"] or name.startswith("estimators.")

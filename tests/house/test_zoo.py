"""Every broken variant is caught by the check that it names, and nothing of it is left behind."""

import importlib
import subprocess
import sys

import hypothesis
import pytest
from hypothesis import Phase, settings

from fdpedu.cart import candidates
from fdpedu.chapters import collect, folders, topics
from fdpedu.claims import REGISTER, zoo
from fdpedu.claims.privacy.definition import only_the_broken_fails
from fdpedu.claims.records import VERDICTS
from fdpedu.claims.small_zoo import SMALL_ZOO
from fdpedu.claims.verify import FAILED, Result
from fdpedu.claims.zoo import ZOO, Broken, check_twin
from fdpedu.domain import Domain
from fdpedu.privacy import check_dp, datasets, distance


@pytest.fixture
def first_found(monkeypatch):
    """Any counterexample will do here; to look for the simplest one takes hypothesis ten times as long."""

    def first(**given):
        return settings(**{**given, "phases": [Phase.generate]})

    first.default = settings.default  # hypothesis asks for it when it reports what was found
    monkeypatch.setattr(hypothesis, "settings", first)


@pytest.mark.evidence
@pytest.mark.parametrize("name", ZOO)
def test_a_broken_twin_is_caught_by_its_check(name, first_found):
    """With the bug in the shipped code the check that it names fails, with a counterexample; then nothing is left."""
    twin = ZOO[name]
    shipped = function(twin.target).__code__
    with twin.applied():
        result = check_twin(twin)
        assert function(twin.target).__code__ is not shipped
    assert function(twin.target).__code__ is shipped
    assert result.verdict == FAILED and not result.ok and result.counterexample
    assert "TypeError" not in result.counterexample and "NameError" not in result.counterexample  # a bug, not a typo
    assert twin.misconception.endswith(".")
    assert result.shows == REGISTER[twin.claim].check(twin.check).described()  # a quick check was enough


def test_what_few_random_cases_do_not_catch_many_may(monkeypatch):
    """Another version of Hypothesis draws other cases; where all cases are tried, they were."""
    tried = []
    found_nothing = Result("", "", "", "property", "", 1, 0.0, VERDICTS["property"])
    monkeypatch.setattr(zoo, "run_check", lambda claim, check, deep=False: tried.append(deep) or found_nothing)
    for kind in ("property", "exhaustive"):
        check_twin(next(twin for twin in ZOO.values() if REGISTER[twin.claim].check(twin.check).kind == kind))
    assert tried == [False, True, False]


def test_every_small_twin_is_tried_by_a_check():
    """The register tells each broken one from its sound one, once."""
    checks = [
        check for claim in REGISTER.values() for check in claim.checks if check.condition is only_the_broken_fails
    ]
    assert sorted(both.name for check in checks for (both,) in check.cases(0)) == sorted(SMALL_ZOO)


@pytest.mark.claim("def-dp")
@pytest.mark.parametrize("name", SMALL_ZOO)
def test_small_twins_are_laws_and_the_broken_one_exceeds_what_it_claims(name):
    """On all data sets up to the stated size probabilities add up to 1; and the verdict says by how much it exceeds."""
    both = SMALL_ZOO[name]
    small = list(datasets(both.universe, both.max_size))
    assert all(sum(law.values()) == 1 for data in small for law in (both.sound(data), both.broken(data)))
    verdict = both.verdict("broken")
    assert verdict.excess == verdict.p_event - both.exp_epsilon * verdict.q_event > 0
    assert len(str(verdict)) < 300 and both.misconception.endswith(".")


@pytest.mark.parametrize("name", SMALL_ZOO)
def test_no_smaller_pair_refutes_a_small_twin(name):
    """By trying all pairs at distance 1 without the check's order: none with fewer records fails."""
    both = SMALL_ZOO[name]
    small = list(datasets(both.universe, both.max_size))[::-1]
    failing = [
        len(a) + len(b)
        for a in small
        for b in small
        if distance(a, b, both.relation) == 1 and not check_dp(both.broken(a), both.broken(b), both.exp_epsilon)
    ]
    assert min(failing) == sum(map(len, both.pair))


@pytest.mark.parametrize(("name", "mapping"), [("TWINS", ZOO), ("SMALL_PAIRS", SMALL_ZOO)])
def test_no_two_twins_have_one_name(name, mapping):
    """The second would be lost silently."""
    twins = [twin.name for twin in collect("fdpedu.claims", name)]
    assert sorted(twins) == sorted(set(mapping)) and len(twins) == len(mapping) > 0


def test_a_twin_is_seen_below_what_is_remembered_and_is_not_remembered_itself():
    """Two categories would be two splits; asked before, under the twin, and after it."""
    domain = Domain.from_spec({"features": {"sex": ["A", "B"]}, "classes": ["ill", "well"]})
    path, only = "fdpedu.cart.candidates._of_feature", "present if len(present) > 2 else present[:1]"
    twin = Broken("both", path, only, "present if len(present) > 1 else present[:1]", "Two are two.", "", "")
    assert len(candidates(domain, domain.everything)) == 1
    with twin.applied():
        assert len(candidates(domain, domain.everything)) == 2
    assert len(candidates(domain, domain.everything)) == 1


def test_every_proved_claim_has_a_broken_twin():
    """A proof of a statement says nothing of code: that the checks see a bug in it is shown by one."""
    proved = {label for label, claim in REGISTER.items() if claim.status == "proved+checked"}
    assert proved - {twin.claim for twin in ZOO.values()} == set()


def test_a_twin_stands_in_the_file_of_the_claim_whose_check_catches_it():
    for folder in folders("fdpedu.claims"):
        for topic in topics(folder):
            module = importlib.import_module(f"{folder.__name__}.{topic}")
            labels = {claim.label for claim in getattr(module, "CLAIMS", ())}
            assert {twin.claim for twin in getattr(module, "TWINS", ())} <= labels, topic


def test_a_twin_is_found_without_the_chapters_after_its_own():
    code = "import sys; from fdpedu.claims.zoo import ZOO; ZOO['mean of means']; print(*sys.modules)"
    loaded = subprocess.check_output([sys.executable, "-c", code], text=True).split()
    assert "fdpedu.claims.cart.splits" in loaded and "fdpedu.claims.privacy.definition" not in loaded
    with pytest.raises(KeyError):
        ZOO["no such name"]


def function(path):
    parts, found = path.split("."), None
    for i, name in enumerate(parts, 1):
        try:  # a module first: a package may hold a function of the same name
            found = importlib.import_module(".".join(parts[:i]))
        except ModuleNotFoundError:
            found = getattr(found, name)
    return getattr(found, "fget", None) or found


def test_a_twin_is_taken_back_when_something_raises():
    twin = ZOO["masks reused"]
    shipped = function(twin.target).__code__
    with pytest.raises(KeyError), twin.applied():
        raise KeyError
    assert function(twin.target).__code__ is shipped


@pytest.mark.parametrize(
    ("target", "shipped", "message"),
    [
        ("fdpedu.secure_sum.Masks.draw", "no such line", "exactly once"),
        ("fdpedu.secure_sum.Masks.draw", "e", "exactly once"),
        ("fdpedu.secure_sum.WORD", "64", "no function"),
        ("no.such.module", "x", "there is no"),
        ("fdpedu.federation.queries.ClassHistogram.check", "super().check(domain)", "closes over"),
    ],
)
def test_a_twin_that_does_not_fit_is_refused(target, shipped, message):
    """A twin cannot outlive the line that it breaks."""
    with pytest.raises(ValueError, match=message), Broken("x", target, shipped, "pass", "", "", "").applied():
        pass

"""The account in words has the lines of the derivation, its ends first."""

import re
from fractions import Fraction

import pytest

from fdpedu.accounting import Derivation
from fdpedu.demo import account_in_words, run_demo
from fdpedu.randomness import SeededReleaseWarning

pytestmark = pytest.mark.filterwarnings(f"ignore::{SeededReleaseWarning.__module__}.SeededReleaseWarning")


@pytest.fixture(scope="module")
def counted():
    return run_demo(seed=3, repeats=1, parties=3, design="default", max_depth=2).tree.derivation


@pytest.fixture(scope="module")
def chosen():
    return run_demo(seed=3, repeats=1, parties=3, max_depth=3).tree.derivation


@pytest.fixture(params=["counted", "chosen"])
def derivation(request):
    """Of tables of counts, and of questions that practices choose in turn."""
    return request.getfixturevalue(request.param)


def costs(html):
    return re.findall(r"<strong>ε = ([\d/]+)</strong>", html)


def test_the_ends_stand_before_all_lines(derivation):
    """First the budget, then the last question; between them nothing, and all lines from the top on demand."""
    ends, between = account_in_words(derivation).split("<details>")
    lines = costs(between)
    assert costs(ends) == [lines[0], lines[-1]] and lines[0] == "1"
    assert f"All {len(lines)} lines" in between and len(lines) == len(derivation.render().splitlines())


def test_no_line_has_a_word_that_is_not_explained(derivation):
    """Terms of the derivation for those who know it do not stand there; every line has its reason."""
    words = account_in_words(derivation)
    assert not re.search("class × bin|filter lemma|in sequence|disjoint|adaptive", words)
    assert re.findall(r"</strong>: \.", words) == []


def test_every_sum_is_right(derivation):
    """Where a line adds up costs, or takes the largest, that is its own cost."""
    for cost, why in re.findall(r"<strong>ε = ([\d/]+)</strong>: ([^<]*)", account_in_words(derivation)):
        if added := re.match(r"([\d/]+(?: \+ [\d/]+)+),", why):
            assert sum(map(Fraction, added[1].split(" + "))) == Fraction(cost)
        if largest := re.match(r"the largest of ([\d/, ]+), as", why):
            assert max(map(Fraction, largest[1].split(", "))) == Fraction(cost)
        if tables := re.search(r"\((\d+) × ([\d/]+)\)", why):
            assert int(tables[1]) * Fraction(tables[2]) == Fraction(cost)


def test_a_choice_is_of_the_patients_of_one_practice(chosen):
    """Each line of a choice names its practice; one line says why their costs do not add up."""
    words = account_in_words(chosen)
    lines = re.findall(r"told by the practice whose turn it is.*?\.</li>", words)
    assert len(lines) >= 3 and all(re.search(r"among patients of practice [123]\b", line) for line in lines)
    assert "as each patient is a patient of one practice, and on one side of a split only" in words


def test_an_unknown_question_has_no_words(derivation):
    """It is refused, not passed over."""
    content = derivation.content
    root = content["proof"]
    while root["rule"] != "release":
        root = root["premises"][0]
    other = {**content, "proof": {**root, "type": "another"}}
    with pytest.raises(ValueError, match="derivation"):
        account_in_words(Derivation(other, derivation.domain))

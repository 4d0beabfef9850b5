"""A guarantee before the run: the formula, every level, every small tree, and what is printed of it."""

import math
from fractions import Fraction

import pytest

from fdpedu.accounting import Guarantee, Ledger, compose_optimal
from fdpedu.claims.federations import AGE, federate
from fdpedu.cli import main
from fdpedu.demo import run_demo
from fdpedu.dlpa import LevelCost, insider_epsilon, tree_guarantee
from fdpedu.dlpa.guarantee import at_most, insider_cost, promised
from fdpedu.domain import Domain, Numeric
from fdpedu.exact import Enclosure
from fdpedu.federation import ClassCounts, Federation, NodeHistograms, Party
from fdpedu.randomness import ZeroWords
from tests.support.both_ends import both_ends
from tests.support.truths import insider

FIVE = {"n_parties": 5, "colluders": 1, "tolerate": 0}


@pytest.mark.claim("thm-tree-before-the-run")
@pytest.mark.parametrize(
    ("p", "d", "polya", "gamma"), [(10, 5, 3.068, 3.945), (25, 5, 4.066, 5.262), (50, 10, 6.497, 8.462)]
)
def test_anchors(p, d, polya, gamma):
    for noise, stated in (("polya", polya), ("gamma", gamma)):
        found = tree_guarantee(1, n_features=p, max_depth=d, noise=noise, **FIVE)
        assert round(float(found.insider), 3) == stated and found.outsider == Enclosure.exactly(Fraction(1))
        assert found.worst == d and set(found.levels) == set(range(1, d + 1)) and found.delta == 0
        assert found.levels[d] == found.insider


@pytest.mark.claim("thm-tree-before-the-run")
def test_shares_that_are_made_for_it_cost_nothing_more():
    for noise in ("polya", "gamma"):
        for colluders, tolerate in ((0, 0), (1, 1), (2, 3)):
            found = tree_guarantee(
                "1/3", n_features=7, max_depth=4, n_parties=5, colluders=colluders, tolerate=tolerate, noise=noise
            )
            assert found.insider.lower == found.insider.upper == found.outsider.upper == Fraction(1, 3)


def test_one_is_tolerated_and_half_is_kept_for_the_leaf_unless_said_otherwise():
    rules = {"n_features": 2, "max_depth": 2, "n_parties": 4}
    assert (
        tree_guarantee(1, colluders=1, **rules).insider.upper
        == 1
        < tree_guarantee(1, colluders=2, **rules).insider.upper
    )
    assert tree_guarantee(1, colluders=2, **rules) == tree_guarantee(
        1, colluders=2, leaf_share="1/2", tolerate=1, unspent_to_leaf=True, noise="polya", delta=0, **rules
    )


def test_what_is_not_spent_stays_or_goes_to_the_leaf():
    """Without it each number of levels has the same leaf; with it the leaf gets the rest; a bare root gets all."""
    e = {rate: insider_epsilon(rate, 5, 1) for rate in ("1/16", "1/2", "3/4", "5/8", "2")}
    rules = {"n_features": 2, "max_depth": 4, **FIVE}
    to_leaf, kept = tree_guarantee(1, **rules), tree_guarantee(1, unspent_to_leaf=False, **rules)
    assert to_leaf.levels[2] == e["3/4"] + e["1/16"] * 4 and kept.levels[2] == e["1/2"] + e["1/16"] * 4
    assert to_leaf.levels[4] == kept.levels[4] == kept.insider and kept.worst == 4
    root = tree_guarantee(2, **{**rules, "max_depth": 0})
    assert root.levels == {0: e["2"]} and root.insider == e["2"] and root.path == "leaf counts at 2"


def test_gamma_shares_of_two_parties_protect_nobody():
    found = tree_guarantee(1, n_features=2, max_depth=2, n_parties=2, colluders=1, tolerate=0, noise="gamma")
    assert found.insider == math.inf and set(found.levels.values()) == {math.inf}
    assert found.rows()[1] == ("one curious party of 2, shares made for 0", "ε = ∞: no ε holds")
    allowed = {"delta": "1/10", "unspent_to_leaf": False}
    with_delta = tree_guarantee(
        1, n_features=2, max_depth=2, n_parties=2, colluders=1, tolerate=0, noise="gamma", **allowed
    )
    assert with_delta.insider == math.inf and with_delta.outsider.upper < 1


@pytest.mark.claim("thm-tree-before-the-run")
def test_with_a_small_delta():
    """d·p releases of h, or of e(h), by optimal composition, and the leaf counts; never more than the sum."""
    rules = {"n_features": 10, "max_depth": 5, "unspent_to_leaf": False, **FIVE}
    found = tree_guarantee(1, delta="1e-6", **rules)
    assert found.delta == Fraction(1, 10**6) and found.outsider.lower == found.insider.lower == 0
    assert found.outsider.upper == compose_optimal("1/100", 50, "1e-6").upper + Fraction(1, 2)
    e, leaf = insider_epsilon("1/100", 5, 1), insider_epsilon("1/2", 5, 1)
    loose = compose_optimal(Fraction(math.ceil(e.upper * 10**9), 10**9), 50, "1e-6").upper + leaf.upper
    assert loose - Fraction(1, 10**5) < found.insider.upper <= loose < tree_guarantee(1, **rules).insider.lower
    few = {"n_features": 1, "max_depth": 1, "unspent_to_leaf": False, "delta": "1e-300", **FIVE}
    assert tree_guarantee(1, **few).outsider.upper <= 1
    bare = tree_guarantee(1, **{**rules, "max_depth": 0}, delta="1e-6")
    assert bare.outsider == Enclosure.exactly(Fraction(1)) and bare.insider == insider_epsilon(1, 5, 1)
    assert [loss for _, loss in found.rows()] == ["ε ≤ 0.7675, δ = 1/1000000", "ε ≤ 2.103, δ = 1/1000000"]


def test_it_shows_itself():
    found = tree_guarantee(1, n_features=10, max_depth=1, n_parties=5, colluders=3, tolerate=2)
    assert found.path == "1 level of 10 × 1/20, then leaf counts at 1/2"
    text, page = found.render(), found._repr_html_()
    assert text.splitlines()[0] == "Every tree of these parameters, before it is grown:"
    for who, loss in found.rows():
        assert f"  {who:<41}  {loss}" in text and f'<tr><th scope="row">{who}</th><td>{loss}</td></tr>' in page
    assert found.rows()[1][0] == "3 curious parties of 5, shares made for 2"
    assert "<caption>Every tree" in page and text.endswith(f"Worst path: {found.path}") and page.endswith("</table>")
    assert f"Worst path: {found.path}</caption>" in page


@pytest.mark.parametrize(
    ("loss", "text"),
    [
        (Enclosure.exactly(Fraction(2, 3)), "= 2/3"),
        (Enclosure(Fraction(1), Fraction("1.00001")), "≤ 1.001"),
        (Enclosure(Fraction(0), Fraction("0.00012341")), "≤ 0.0001235"),
        (Enclosure(Fraction(0), Fraction(12)), "≤ 12"),
        (Enclosure(Fraction(0), Fraction(123456)), "≤ 1.235e+5"),
        (math.inf, "= ∞: no ε holds"),
    ],
)
def test_losses_for_people_are_rounded_up(loss, text):
    assert at_most(loss) == text


def test_what_a_derivation_proves_side_by_side():
    def of(colluders):
        return promised(Guarantee("pure", Fraction(1, 2), Fraction(0), colluders, Fraction(1, 3), True, ()))

    outsider = "  an outsider, the aggregator included  ε = 1/2"
    assert of(1) == f"{outsider}\n  one curious party                     ε = 1/2"
    assert of(3) == f"{outsider}\n  up to 3 curious parties               ε = 1/2"
    assert of(0).splitlines()[1].startswith("  one curious party                     ε > 1/2: ")


def test_the_cost_of_one_run():
    """Releases of two rates, on the whole and on disjoint parts; as many colluders as one likes."""
    domain = Domain([Numeric.grid(name, 0, 1, bins=2) for name in "ab"], ("no", "yes"))
    federation = federate([[]] * 4, domain, 9, ZeroWords(), tolerate=0)
    federation.release([NodeHistograms(domain.everything, Fraction(1, 2))])
    left, right = (domain.everything.restrict(0, {code}) for code in (0, 1))
    federation.release([ClassCounts(left, Fraction(1)), ClassCounts(right, Fraction(3))])
    derivation = federation.ledger.derivation()
    for colluders in (1, 3):
        e = {rate: insider_epsilon(rate, 4, colluders) for rate in ("1/4", "3")}
        found, stated = insider_cost(derivation, 4, 0, colluders), e["1/4"] * 2 + e["3"]
        assert max(abs(found.lower - stated.lower), abs(found.upper - stated.upper)) < Fraction(1, 10**30)
    assert insider_cost(derivation, 4, 0) == insider_cost(derivation, 4, 0, 1)


@pytest.mark.parametrize(
    ("design", "stated"),
    [
        ("default", {"n_features": 3, "max_depth": 2}),
        ("rotating", {"levels": [LevelCost("4/5", shared=False)], "leaf": "1/5"}),
    ],
)
def test_the_demo_states_what_holds_for_every_tree(design, stated):
    demo = run_demo(tolerate=0, repeats=1, max_depth=2, parties=7, design=design)
    stated = tree_guarantee(1, **stated, n_parties=7, colluders=1, tolerate=0)
    assert demo.promise == stated and demo.insider == stated.insider
    assert insider_cost(demo.tree.derivation, 7, 0).lower <= demo.insider.upper
    text = demo.to_text()
    assert f"one curious practice                  ε {at_most(stated.insider)}" in text and "this tree alone" in text
    assert "an outsider, the aggregator included  ε = 1\n" in text and "known before the tree was grown" in text
    assert "this tree alone" not in run_demo(repeats=1, max_depth=1).to_text()


def test_the_command_line_shows_both_sides(tmp_path, capsys):
    tree = run_demo(repeats=1, max_depth=1).tree
    tree.save(tmp_path / "tree.json")
    tree.derivation.save(tmp_path / "derivation.json")
    for name in ("tree.json", "derivation.json"):
        assert main(["show", str(tmp_path / name)]) == 0
        out = capsys.readouterr().out
        assert "  an outsider, the aggregator included  ε = 1\n  one curious party                     ε = 1\n" in out


@pytest.mark.parametrize(("tolerate", "who"), [(0, "one curious"), (1, "one curious"), (2, "up to 2"), (3, "up to 3")])
def test_whom_a_derivation_speaks_of(tolerate, who):
    f = Federation([Party([], AGE) for _ in range(4)], AGE, Ledger(1), tolerate=tolerate)
    f.release([ClassCounts(AGE.everything, 1)])
    text = promised(f.ledger.derivation().guarantee)
    assert who in text and ("ε > 1" in text) == (tolerate == 0)


def test_what_a_guarantee_shows():
    one, two = (tree_guarantee(1, n_features=3, max_depth=d, n_parties=3, colluders=1, tolerate=0) for d in (1, 2))
    assert "1 level of 3 × " in one.path and "2 levels of 3 × " in two.path
    assert "</tr><tr>" in two._repr_html_() and two._repr_html_().count("<tr>") == 2
    assert all(two.levels[two.worst].upper >= loss.upper for loss in two.levels.values())


def test_an_insider_of_a_round():
    """What one learns from 2 histograms of rate 1/4 and counts of rate 1/2, among three parties."""
    domain = Domain([Numeric.grid(name, 0, 1, bins=2) for name in "ab"], (0, 1))
    f = Federation([Party([], domain) for _ in range(3)], domain, Ledger(9), rng=ZeroWords(), tolerate=0)
    f.release([NodeHistograms(domain.everything, "1/2"), ClassCounts(domain.everything, "1/2")])
    both_ends(
        lambda: insider_cost(f.ledger.derivation(), 3, 0),
        lambda: 2 * insider("1/4", 3, 1, 0) + insider("1/2", 3, 1, 0),
        33,
    )


def test_levels_may_cost_different_amounts():
    """Of a screened tree: all features' histograms at the root, of four features below; each number of levels."""
    levels = [LevelCost("2/5", 25), LevelCost("1/5", 4), LevelCost("1/5", 4)]
    found = tree_guarantee(1, levels=levels, leaf="1/5", **FIVE)
    e = {rate: insider_epsilon(rate, 5, 1) for rate in ("2/125", "1/20", "1/5")}
    first = e["1/5"] + e["2/125"] * 25
    assert found.levels == {1: first, 2: first + e["1/20"] * 4, 3: first + e["1/20"] * 4 + e["1/20"] * 4}
    assert found.insider == found.levels[3] and found.worst == 3 and found.outsider == Enclosure.exactly(Fraction(1))
    assert found.path == "1 level of 25 × 2/125, then 2 levels of 4 × 1/20, then leaf counts at 1/5"
    assert "Choices" not in found.render() and found.chosen == 0
    early = tree_guarantee(1, levels=levels, leaf="1/5", unspent_to_leaf=True, **FIVE)
    assert early.levels[1] == insider_epsilon("3/5", 5, 1) + e["2/125"] * 25 and early.levels[3] == found.levels[3]


@pytest.mark.parametrize("unspent", [True, False])
@pytest.mark.parametrize(("p", "d", "share"), [(10, 5, "1/2"), (3, 2, "1/5"), (4, 0, "1/3")])
def test_equal_levels_are_those_of_an_even_tree(p, d, share, unspent):
    even = tree_guarantee(2, n_features=p, max_depth=d, leaf_share=share, unspent_to_leaf=unspent, **FIVE)
    for_leaf = 2 * Fraction(share) if d else 2
    levels = [LevelCost((2 - for_leaf) / d, p) for _ in range(d)]
    found = tree_guarantee(2, levels=levels, leaf=for_leaf, unspent_to_leaf=unspent, **FIVE)
    assert (found.worst, found.path, found.outsider, found.rows()) == (
        even.worst,
        even.path,
        even.outsider,
        even.rows(),
    )
    for s, loss in even.levels.items():
        assert abs(found.levels[s].upper - loss.upper) < Fraction(1, 10**30)


@pytest.mark.parametrize(("colluders", "tolerate"), [(1, 0), (4, 0), (1, 1), (4, 1), (4, 4)])
@pytest.mark.parametrize("m", [1, 2, 4])
def test_choices_cost_insiders_no_more_than_anybody(m, colluders, tolerate):
    """A party's own choices at (1−s)ε, then leaves at sε: an outsider ε, insiders (1−s)ε + e(sε)."""
    levels = [LevelCost(Fraction(8, 5) / m, shared=False)] * m
    rules = {"n_parties": 5, "colluders": colluders, "tolerate": tolerate}
    found = tree_guarantee(2, levels=levels, leaf="2/5", **rules)
    e = insider_epsilon("2/5", 5, colluders, tolerate=tolerate)
    assert found.insider.upper - e.upper == Fraction(8, 5) == found.insider.lower - e.lower == found.chosen
    assert (
        found.outsider == Enclosure.exactly(Fraction(2)) and found.worst == m and set(found.levels) == {*range(m + 1)}
    )
    assert found.levels[0] == e and (colluders > tolerate or found.insider == found.outsider)
    words = (
        f"{m} level{'s' * (m > 1)} of choices that a party draws alone at {Fraction(8, 5) / m}, then leaf counts at 2/5"
    )
    note = "Choices: ε = 8/5 of both, as a party draws them alone, without the noise of others"
    assert (
        found.render().endswith(f"Worst path: {words}\n{note}") and f"{words}. {note}</caption>" in found._repr_html_()
    )


def test_a_leaf_that_gets_what_choices_did_not_use_may_be_the_dearest():
    """Insiders see through leaf counts and not through choices, so a bare root is the worst path then."""
    rules = {"levels": [LevelCost("4/5", shared=False)], "leaf": "1/5", "n_parties": 5, "colluders": 4, "tolerate": 0}
    found = tree_guarantee(1, unspent_to_leaf=True, **rules)
    assert found.levels[0] == insider_epsilon(1, 5, 4) == found.insider and found.worst == 0 and found.chosen == 0
    assert found.path == "leaf counts at 1" and "Choices" not in found.render()
    assert tree_guarantee(1, **rules).insider.upper < found.insider.lower


def test_a_tree_without_levels_is_its_leaf():
    found = tree_guarantee(1, levels=[], leaf=1, **FIVE)
    assert found.levels == {0: insider_epsilon(1, 5, 1)} and found.path == "leaf counts at 1"


LEVELS = [LevelCost("1/2", 4)]


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (
            {"levels": LEVELS, "leaf": "1/2", "n_features": 3},
            "levels and leaf say what a tree costs, without n_features",
        ),
        ({"levels": LEVELS, "leaf": "1/2", "max_depth": 1, "leaf_share": "1/2"}, "without max_depth and leaf_share"),
        ({"levels": LEVELS, "leaf": "1/2", "delta": "1/9"}, "without delta"),
        ({"levels": LEVELS}, "both levels and leaf"),
        ({"leaf": 1}, "both levels and leaf"),
        ({"levels": LEVELS, "leaf": "1/3"}, "cost 5/6 together, and epsilon is 1"),
        ({"levels": LEVELS, "leaf": 0}, "leaf"),
        ({"levels": ["1/2"], "leaf": "1/2"}, "a list of at most 64 LevelCost"),
        ({"levels": [LevelCost("1/130")] * 65, "leaf": "1/2"}, "a list of at most 64 LevelCost"),
        ({"levels": 3, "leaf": "1/2"}, "levels"),
        ({"n_features": 3}, "give n_features and max_depth, or what each of the levels costs"),
        ({}, "give n_features and max_depth, or what each of the levels costs"),
    ],
)
def test_levels_that_say_nothing_certain_are_refused(wrong, words):
    with pytest.raises(ValueError, match=words):
        tree_guarantee(1, **wrong, **FIVE)


@pytest.mark.parametrize(
    ("level", "words"),
    [
        ((0,), "epsilon"),
        (("x",), "epsilon"),
        ((1, 0), "releases must be an integer ≥ 1"),
        ((1, 4097), "releases must be at most 4096"),
        ((1, True), "releases"),
        ((1, 1, 1), "shared must be"),
    ],
)
def test_a_level_that_is_none_is_refused(level, words):
    with pytest.raises(ValueError, match=words):
        LevelCost(*level)

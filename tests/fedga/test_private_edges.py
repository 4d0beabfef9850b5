"""Votes for structures where planted faults had survived: at their limits, in many codes, over all generations."""

import json
from collections import Counter
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from fdpedu import derivation_checker as checker
from fdpedu import files
from fdpedu.accounting import Ledger
from fdpedu.cart import Structure, count_structures, least_loss, to_string, to_structure
from fdpedu.cart.least_loss import grow_at, leaf_losses, least_losses
from fdpedu.claims.fedga.structures import by_trees
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.federation import Federation, Party, Population, StructureVote
from fdpedu.federation.records import Records
from fdpedu.fedga import Structures, choose_structure, fit_private_structures, score_rate
from fdpedu.fedga import private as shipped
from fdpedu.fedga.at_home import fit_at_home
from fdpedu.fedga.private import first_generation, next_generation
from fdpedu.fedga.structures_file import Generation
from fdpedu.files import FileRefused
from fdpedu.randomness import Rehearsal, ZeroWords
from tests.fedga.test_structure_votes import AGES, ROWS, STAYED, STAYS, changed, federation, voted

LEAF = -1
ALL = AGES.everything


def grid(*bins, classes=("x", "y")):
    return Domain([Numeric.grid(f"f{k}", 0, n, bins=n) for k, n in enumerate(bins)], classes)


# --- the least loss ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("loss", ["errors", "squared"])
def test_the_number_of_codes_does_not_matter_where_rows_have_the_same_order(loss):
    """Codes 0, 1, 2 of three and 0, 30, 59 of sixty are divided alike, also where a path has 2^17 cells and more."""
    rng = np.random.default_rng(7)
    codes, labels = rng.integers(0, 3, (40, 3)), rng.integers(0, 2, 40)
    wide = np.array([0, 30, 59])[codes]
    for string in ((0, 1, 2, LEAF, LEAF, LEAF, LEAF), (2, 1, 0, 0, LEAF, LEAF, LEAF), (1, 1, 0, 2, 2, 0, 1)):
        few = least_loss(codes, labels, string, grid(3, 3, 3), loss, lattice=1024)
        assert least_loss(wide, labels, string, grid(60, 60, 60), loss, lattice=1024) == few > 0


def test_squares_of_levels_are_added_up_at_many_rows():
    """70,000 rows at either end of 256 levels: the sum of squares is past 2^32."""
    domain = Domain.from_spec({"features": {"a": [0, 2, 2]}, "target": [0, 255, 256]})
    labels = np.repeat(np.array([0, 255], dtype=np.uint8), 70_000)
    columns = np.zeros((1, 140_000), dtype=np.uint8)
    assert least_losses(columns, labels, [Structure()], domain, "squared", 1).tolist() == [35_000]
    assert least_losses(columns, labels, [Structure(0)], domain, "squared", 8).tolist() == [280_000]


def test_of_equal_splits_a_tree_at_home_takes_the_first_and_of_equal_structures_the_first():
    domain = grid(4, 4)
    columns, labels = np.array([[0, 3], [0, 3]], dtype=np.uint8), np.array([0, 1], dtype=np.uint8)
    assert grow_at(columns, labels, Structure(0), domain, "errors", 1).split.left == frozenset({0})
    X, y = [[0.5, 0.5], [3.5, 3.5]], ["x", "y"]
    for strings in (((0,), (1,)), ((1,), (0,)), ((LEAF,), (1,), (0,))):
        tree = fit_at_home(X, y, strings, domain, "errors")
        first = next(string for string in strings if string != (LEAF,))
        assert tree.structure == to_structure(first) and tree.root.split.feature == first[0]


def test_fine_steps_decide_at_home_where_whole_ones_do_not():
    """Feature 1 divides levels without any loss; feature 0 leaves less than a step of 1."""
    domain = Domain.from_spec({"features": {"a": [0, 2, 2], "b": [0, 2, 2]}, "target": [0, 3, 4]})
    X, y = [[0.5, 0.5], [0.5, 1.5], [1.5, 0.5], [1.5, 1.5]], [0.1, 1.1, 0.1, 1.1]
    tree = fit_at_home(X, y, ((0,), (1,)), domain, "squared")
    assert tree.structure == Structure(1) and sorted(tree.predict(X)) == [0.375, 0.375, 1.125, 1.125]


DEEP = ((0, 1, 2, LEAF, 2, 1, 0), (2, 2, LEAF, 2, 1, 0, 1), (1, 0, 2, 2, 2, 0, 2), (0, 0, 0, 0, 1, 1, 1))


@pytest.mark.parametrize("string", DEEP)
@pytest.mark.parametrize("loss", ["errors", "squared"])
def test_three_questions_on_a_path_have_the_least_loss_of_all_trees_with_missing_values_and_categories(string, loss):
    """Against all trees, record by record; and the tree at home has it, as a sum over its own leaves."""
    features = [
        Numeric.grid("a", 0, 3, bins=3, missing=True),
        Categorical("w", tuple("ABC")),
        Numeric.grid("b", 0, 2, bins=2),
    ]
    domain = Domain(features, ("x", "y", "z"))
    rng = np.random.default_rng(sum(string))
    data = tuple((*map(int, rng.integers(0, (4, 3, 2))), int(rng.integers(0, 3))) for _ in range(25))
    table, structure = np.array(data, dtype=np.uint8), to_structure(string)
    columns, labels = np.ascontiguousarray(table[:, :-1].T), table[:, -1]
    least = by_trees(domain, data, structure, loss, 1024)
    assert least_loss(table[:, :-1], labels, structure, domain, loss, lattice=1024) == least > 0
    root = grow_at(columns, labels, structure, domain, loss, 1024)
    assert sum(int(leaf_losses(np.array([leaf]), loss, 1024)[0]) for leaf in leaves(root)) == least


def leaves(node):
    return [node.counts] if node.is_leaf else [*leaves(node.left), *leaves(node.right)]


def test_missing_values_go_to_the_side_where_they_are_best():
    """Labels say alone whether a value is missing or low: so the tree at home makes no errors, on either side."""
    domain = Domain([Numeric.grid("a", 0, 3, bins=3, missing=True)], ("x", "y"))
    X = [[None], [0.5], [1.5], [2.5]]
    for y in ("xxyy", "yxxy", "xyyx", "yyyx", "xyyy"):
        tree = fit_at_home(X, list(y), ((0,),), domain, "errors")
        lost = least_loss(domain.encode(X), domain.encode_labels(list(y)), (0,), domain, "errors")
        assert sum(tree.predict(X) != np.array(list(y))) == lost
    assert fit_at_home(X, list("xxyy"), ((0,),), domain, "errors").predict(X).tolist() == list("xxyy")


def test_a_tree_at_home_is_chosen_and_grown_by_the_loss_of_the_vote():
    """On random rows of four levels: the first structure of least loss, and its loss; where the other loss differs."""
    domain = Domain.from_spec({"features": {"a": [0, 3, 3], "b": [0, 3, 3]}, "target": [0, 3, 4]})
    strings, differ = ((0, 1, LEAF), (1, 0, LEAF), (0, 0, 1), (1, 1, 0)), set()
    for seed in range(20):
        rng = np.random.default_rng(seed)
        codes, levels = rng.integers(0, 3, (12, 2)), rng.integers(0, 4, 12)
        found = {}
        for loss in ("errors", "squared"):
            losses = [least_loss(codes, levels, string, domain, loss, lattice=1024) for string in strings]
            tree = fit_at_home(codes + 0.5, levels * 0.75 + 0.375, strings, domain, loss)
            found[loss] = (to_structure(strings[losses.index(min(losses))]), leaves(tree.root))
            assert tree.structure == found[loss][0]
            assert sum(int(leaf_losses(np.array([leaf]), loss, 1024)[0]) for leaf in found[loss][1]) == min(losses)
        differ |= {at for at in (0, 1) if found["errors"][at] != found["squared"][at]}
    assert differ == {0, 1}


# --- refusals ---------------------------------------------------------------------------------------------------------

STRING = (0, 1, 1)


def least(codes=((0, 0),), labels=(0,), structure=STRING, domain=AGES, loss="errors", **options):
    return least_loss(codes, labels, structure, domain, loss, **options)


def vote(strings=((0,), (1,)), **options):
    return StructureVote(ALL, 1, strings, **options)


def fit(**options):
    return fit_private_structures(federation(), rng=Rehearsal(1), **options)


CODES = "codes and labels must be codes of the domain"
SHAPES = "codes must have shape"
REFUSALS = [
    (lambda: least(domain=3), "domain must be a Domain, got int"),
    (lambda: least(structure=(2,)), "structure must ask for features from 0 to 1 only, got 2"),
    (lambda: least(loss="gini"), "loss must be one of errors, squared; got 'gini'"),
    (lambda: least(loss=["errors"]), "loss must be one of errors, squared"),
    (lambda: least(codes=[[3, 0]]), CODES),
    (lambda: least(codes=[[256, 0]]), CODES),
    (lambda: least(codes=[[0, -1]]), CODES),
    (lambda: least(labels=[2]), CODES),
    (lambda: least(labels=[-1]), CODES),
    (lambda: least(labels=[0, 1]), SHAPES),
    (lambda: least(codes=[[0]]), SHAPES),
    (lambda: least(codes=[], labels=[0]), SHAPES),
    (lambda: least(lattice=0), "lattice must be an integer ≥ 1, got 0"),
    (lambda: least(lattice=2**16 + 1), "lattice must be at most 65536, got 65537"),
    (lambda: to_structure((0,) * 511), "string must have 2^d − 1 entries, for d from 0 to 8, got 511"),
    (lambda: Structure(None, Structure(0)), "left and right must be left out of a leaf"),
    (lambda: Structure(None, None, Structure()), "left and right must be left out of a leaf"),
    (lambda: Structure(-1), "feature must be an integer ≥ 0, got -1"),
    (lambda: Structure(0, 1), "left must be a Structure, got int"),
    (lambda: to_string(Structure(0, Structure(1)), 1), "depth must be at least that of the tree, 2, got 1"),
    (lambda: to_string((0, 1), 2), "tree must be a Structure, got tuple"),
    (lambda: Population([(0,)]), "structures must be from 2 to 64 strings to choose among, got 1"),
    (lambda: Population([(0,)] * 65), "structures must be from 2 to 64 strings to choose among, got 65"),
    (lambda: Population([(0,), STRING]), "structures must be strings of one length"),
    (lambda: Population([(0,) * 15] * 2), "structures must be strings of 2^d − 1 entries, for d from 1 to 3, got 15"),
    (lambda: Population([(0,) * 5] * 2), "structures must be strings of 2^d − 1 entries, for d from 1 to 3, got 5"),
    (lambda: Population([()] * 2), "structures must be strings of 2^d − 1 entries, for d from 1 to 3, got 0"),
    (lambda: Population([(0,), (-2,)]), "structures must be an integer ≥ -1, got -2"),
    (lambda: vote(loss="gini"), "loss must be one of errors, squared; got 'gini'"),
    (lambda: vote(lattice=0), "lattice must be an integer ≥ 1, got 0"),
    (lambda: vote(lattice=2**16 + 1), "lattice must be at most 65536, got 65537"),
    (lambda: vote([(0,), (2,)]).check(AGES), "structures must ask for features from 0 to 1 only, got 2"),
    (lambda: vote(loss="squared").check(AGES), "loss must be of the domain's kind, and 'squared' is not"),
    (lambda: vote().check(STAYS), "loss must be of the domain's kind, and 'errors' is not"),
    (lambda: vote().check(grid(2, 2, 2)), "the query's region does not belong to the federation's domain"),
    (lambda: fit_private_structures(3), "federation must be a Federation, got int"),
    (lambda: fit(max_depth=0), "max_depth must be an integer ≥ 1, got 0"),
    (lambda: fit(max_depth=4), "max_depth must be at most 3, got 4"),
    (lambda: fit(population=1), "population must be an integer ≥ 2, got 1"),
    (lambda: fit(population=65), "population must be at most 64, got 65"),
    (lambda: fit(generations=0), "generations must be an integer ≥ 1, got 0"),
    (lambda: fit(generations=101), "generations must be at most 100, got 101"),
    (lambda: fit(loss="gini"), "loss must be one of errors, squared; got 'gini'"),
    (lambda: fit(loss="squared"), "loss must be of the domain's kind, and 'squared' is not"),
    (lambda: fit_at_home([], [], [(0,)], AGES, "errors"), "X and y must have as many rows, at least 1; got 0 and 0"),
    (
        lambda: fit_at_home([row[:2] for row in ROWS], ["ill"], [(0,)], AGES, "errors"),
        "X and y must have as many rows, at least 1; got 5 and 1",
    ),
    (lambda: choose_structure([], "votes"), "losses must have shape (parties, structures), both at least 1"),
    (lambda: choose_structure([[], []], "votes"), "losses must have shape (parties, structures), both at least 1"),
    (lambda: choose_structure([1, 2], "votes"), "losses must have shape (parties, structures), both at least 1"),
    (lambda: choose_structure([[1, 2]], "best"), "way must be one of random, scores, votes, trusted; got 'best'"),
    (lambda: choose_structure([[1, 2]], ["votes"]), "way must be one of random, scores, votes, trusted"),
    (lambda: score_rate(1, 0), "n_structures must be an integer ≥ 1, got 0"),
    (lambda: score_rate(1, 2**16 + 1), "n_structures must be at most 65536, got 65537"),
]


@pytest.mark.parametrize(("call", "words"), REFUSALS, ids=[str(k) for k in range(len(REFUSALS))])
def test_what_is_refused_and_in_which_words(call, words):
    with pytest.raises(ValueError) as refusal:
        call()
    assert str(refusal.value).startswith(words)


def test_what_is_at_the_edge_is_not_refused():
    assert least(lattice=2**16, codes=[[2, 3]], labels=[1]) == 0
    assert to_structure((0,) * 255).depth == 8 and len(Population([(0,)] * 64)) == 64
    assert len(Population([(0,) * 7, (LEAF,) * 7])) == 2
    assert len(fit(population=64, generations=1, max_depth=3).strings) == 64
    assert len(fit_private_structures(federation(), population=2, generations=100).generations) == 100


def test_tables_of_counts_have_2_to_the_22_cells_at_most_in_whichever_structure():
    """Two features of 128 codes and 64 levels are just that; a level more is refused, wherever the structure is."""
    for levels, fits in ((64, True), (65, False)):
        domain = Domain.from_spec({"features": {"a": [0, 1, 128], "b": [0, 1, 128]}, "target": [0, 1, levels]})
        for strings in ([STRING, (LEAF,) * 3], [(LEAF,) * 3, STRING]):
            query = StructureVote(domain.everything, 1, strings, "squared")
            if fits:
                query.check(domain)
            else:
                with pytest.raises(ValueError, match=r"at most 4194304 cells .*, got 4259840"):
                    query.check(domain)


def test_structures_that_could_not_be_counted_later_are_refused_before_anything_is_charged():
    """Only the feature of most codes twice on a path is too large, and random structures need not have it at first."""
    spec = {"features": {"a": [0, 1, 255], **{f"b{k}": [0, 1, 2] for k in range(40)}}, "target": [0, 1, 64]}
    domain = Domain.from_spec(spec)
    ours = Federation([Party([], domain), Party([], domain)], domain, Ledger(1), rng=Rehearsal(1))
    with pytest.raises(ValueError, match="structures must have tables of counts"):
        fit_private_structures(ours, population=2, generations=2, rng=Rehearsal(1))
    assert ours.ledger.spent == 0 and ours.rounds == 0


@pytest.mark.parametrize(("name", "limits"), [("steps", range(2, 26, 2)), ("letters", range(100, 3000, 300))])
def test_all_generations_have_room_in_the_derivation_or_nothing_is_charged(monkeypatch, name, limits):
    """Of short and long derivations that a checker accepts: a run is never broken off in its midst."""
    refused = []
    for most in limits:
        monkeypatch.setitem(checker.MAX_COUNTS, name, most)
        ours = federation()
        try:
            fit_private_structures(ours, generations=4, population=3, rng=Rehearsal(1))
        except ValueError:
            assert ours.ledger.spent == 0 and ours.rounds == 0
            refused.append(most)
        else:
            assert ours.ledger.spent == 1 and ours.rounds == 4
    assert refused and refused == [most for most in limits if most <= refused[-1]] != [*limits]


def test_a_ledger_of_rho_is_refused_in_words():
    ours = Federation([Party(ROWS, AGES), Party(ROWS, AGES)], AGES, Ledger(rho=1), rng=Rehearsal(1))
    with pytest.raises(ValueError, match="epsilon must be ε, as a vote for structures is a choice"):
        fit_private_structures(ours, rng=Rehearsal(1))
    assert ours.rounds == 0


# --- the question -----------------------------------------------------------------------------------------------------


def test_a_vote_in_a_region_is_that_of_parties_that_have_the_region_s_rows_only():
    """Exactly, without noise: and there the best structure is another one than everywhere."""
    young = ALL.restrict(0, [0])
    rows = [[10, 0.5, "ill"], [10, 3.5, "well"], *[[50, 0.5, "well"], [80, 3.5, "ill"]] * 3]
    assert AGES.encode([row[:2] for row in rows])[:, 0].tolist()[:2] == [0, 0]
    answers = []
    for region, part in ((young, rows), (ALL, rows[:2]), (ALL, rows)):
        ours = federation(parts=[part, part], rng=ZeroWords())
        answers.append(ours.release([StructureVote(region, 1, [(0,), (1,)])])[0].tolist())
    assert answers == [[0, 2], [0, 2], [2, 0]]


@pytest.mark.parametrize("lattice", [1, 9, 1024])
@pytest.mark.parametrize(("domain", "loss"), [(AGES, "errors"), (STAYS, "squared")], ids=["classes", "target"])
def test_a_party_votes_by_the_loss_and_in_the_steps_of_the_question(domain, loss, lattice):
    rows = ROWS if domain is AGES else STAYED
    codes, labels = domain.encode([row[:2] for row in rows]), domain.encode_labels([row[2] for row in rows])
    own = Records(codes, labels, domain)
    query = StructureVote(domain.everything, 1, [(LEAF,), (0,), (1,)], loss, lattice)
    wanted = [least_loss(codes, labels, string, domain, loss, lattice=lattice) for string in ((LEAF,), (0,), (1,))]
    assert query.tally(own, own.within([domain.everything])[0], domain).tolist() == wanted


# --- generations ------------------------------------------------------------------------------------------------------


def test_each_generation_is_made_of_the_votes_of_all_before_it(monkeypatch):
    """The shipped loop hands on every generation so far, the number of features, the population, and the same coins."""
    seen = []

    def watched(before, n_features, size, coins):
        seen.append((tuple(before), n_features, size, coins))
        return next_generation(before, n_features, size, coins)

    monkeypatch.setattr(shipped, "next_generation", watched)
    coins = Rehearsal(2)
    found = fit_private_structures(federation(), population=6, generations=4, rng=coins)
    assert [call[0] for call in seen] == [found.generations[:k] for k in (1, 2, 3)]
    assert {call[1:3] for call in seen} == {(2, 6)} and all(call[3] is coins for call in seen)


def test_all_features_are_asked_for_and_structures_change_from_generation_to_generation():
    domain = grid(2, 2, 2, 2)
    ours = Federation([Party([], domain) for _ in range(3)], domain, Ledger(1), rng=Rehearsal(1))
    found = fit_private_structures(ours, population=40, generations=3, rng=Rehearsal(1))
    for generation in found.generations:
        assert {entry for string in generation.strings for entry in string} - {LEAF} == {0, 1, 2, 3}
        assert len(set(generation.strings)) >= 35  # others are tried for so many times
    assert not any(LEAF in string for string in found.generations[0].strings)
    assert len({generation.strings for generation in found.generations}) == 3


def test_at_most_half_stay_and_the_fittest_have_the_most_offspring():
    """Of 40 with votes 20 stay, in the order of their votes; what has many votes is copied more often."""
    strings = tuple((a, b, c) for a in range(4) for b in range(4) for c in range(4))[:40]
    after = next_generation([Generation(strings, tuple(range(1, 41)))], 4, 40, Rehearsal(1))
    assert after[:20] == strings[:19:-1] and after[20] != strings[19] and len(set(after)) == 40
    many, few = (0,) * 7, (1,) * 7
    made = Counter()
    for seed in range(60):
        after = next_generation([Generation((many, few), (9, 1))], 2, 4, Rehearsal(seed))
        assert after[:2] == (many, few)
        made.update(Counter(entry for string in after[2:] for entry in string))
    assert made[0] > 5 / 4 * made[1]
    for seed in range(20):  # of a population of 2 the better one alone has offspring, in which one place is flipped
        after = next_generation([Generation((many, few), (9, 1))], 2, 2, Rehearsal(seed))
        assert after[0] == many and after[1].count(1) <= 1


def test_without_any_votes_the_structures_of_the_last_generation_are_parents():
    """Not those of the first: those of the last ask for feature 1 alone, and so do most of their offspring."""
    first, last = (((k,) * 7, (k, *[k] * 5, LEAF)) for k in (0, 1))
    after = next_generation([Generation(first, (0, -3)), Generation(last, (-1, 0))], 2, 8, Rehearsal(1))
    letters = Counter(entry for string in after for entry in string)
    assert letters[1] > 4 * letters[0]


def test_two_runs_in_one_ledger_are_charged_one_after_the_other_in_accounts_of_their_own():
    ours = federation(budget=3)
    accounts, asked = [], []
    release = ours.release

    def watched(queries, account="", **options):
        accounts.append(account)
        asked.extend(queries)
        return release(queries, account, **options)

    ours.release = watched
    for spent in (1, 2):
        fit_private_structures(ours, epsilon=1, generations=2, population=4, rng=Rehearsal(1))
        assert ours.ledger.spent == spent
    assert accounts[0] == accounts[1] != accounts[2] == accounts[3]
    # and each is asked of all records, in the same steps, at the same cost
    assert {(each.region, each.epsilon, each.lattice) for each in asked} == {(ALL, Fraction(1, 2), 1024)}
    assert all(release["region"] == {} for _, release in ours.ledger.derivation().releases())


def test_progress_counts_the_answers_of_all_generations_to_the_end():
    said = []
    fit(generations=3, population=4, progress=lambda done, of: said.append((done, of)))
    *answers, last = said
    assert last == (1, 1) and {of for _, of in answers} == {answers[-1][1]}
    shares = [Fraction(done, of) for done, of in answers]
    assert shares == sorted(shares) and shares[-1] == 1 and len(set(shares)) == len(shares)
    assert shares[0] <= Fraction(1, 3)


def test_what_is_kept_of_the_parties_is_what_the_session_has():
    ours = federation(parts=[ROWS, ROWS[:2], ROWS[1:], []], tolerate=2)
    found = fit_private_structures(ours, population=4, rng=Rehearsal(1))
    assert (found.n_parties, found.tolerate, found.loss, found.lattice) == (4, 2, "errors", 1024)


# --- what was voted on ------------------------------------------------------------------------------------------------


def test_of_several_with_most_votes_the_first_is_best_and_the_table_begins_with_it():
    found = voted()
    last = Generation(((0, 1, 0), (1, 0, LEAF), (0, 0, 1), (1, 1, 1)), (0, 1, 2, 2))
    some = replace(found, generations=(found.generations[0], last))
    assert some.best == (0, 0, 1)
    assert [line.split()[0] for line in some.summary().splitlines()[1:4]] == ["2", "2", "1"]
    assert "2 votes among 4 structures" in some.summary()
    assert "One vote among" in replace(found, generations=(last,)).summary()
    for text in ("age (age; dose)", "dose (dose; dose)", "dose (age; leaf)"):
        assert text in some._repr_html_() and text in some.summary()
    assert "age (dose; age)" not in some.summary() + some._repr_html_()  # nobody drew it


def test_at_home_the_last_generation_is_tried_with_the_loss_of_the_vote(monkeypatch):
    asked = []
    monkeypatch.setattr("fdpedu.fedga.structures.fit_at_home", lambda *given: asked.append(given[2:]))
    for found in (voted(generations=2), voted(STAYS, generations=2)):
        found.fit_at_home([], [])
        assert asked.pop() == (found.generations[1].strings, found.domain, found.loss)
    X, y = [row[:2] for row in STAYED], [row[2] for row in STAYED]
    least = [
        least_loss(STAYS.encode(X), STAYS.encode_labels(y), s, STAYS, "squared", lattice=1024) for s in found.strings
    ]
    tree = fit_at_home(X, y, found.strings, STAYS, found.loss)
    assert tree.structure == to_structure(found.strings[least.index(min(least))])


# --- the file ---------------------------------------------------------------------------------------------------------

MORE_CHANGES = {
    "votes for more structures": lambda c: c["generations"][0]["votes"].append(0),
    "votes that are too large": lambda c: c["generations"][0]["votes"].__setitem__(0, 10**60),
    "another price": lambda c: c["derivation"]["proof"].__setitem__("epsilon", "1/2"),
    "another claim of what was proved": lambda c: c["derivation"]["guarantee"].__setitem__("value", "1/2"),
    "as many tolerated as there are": lambda c: c.__setitem__("tolerate", c["n_parties"]),
    "fewer tolerated than none": lambda c: c.__setitem__("tolerate", -1),
    "a loss that the domain has not": lambda c: c.__setitem__("loss", "gini"),
}


@pytest.mark.parametrize("name", MORE_CHANGES)
def test_a_changed_file_is_refused(name):
    with pytest.raises(FileRefused):
        Structures.from_json(changed(MORE_CHANGES[name]))


def test_a_file_of_another_domain_is_refused_though_it_has_the_same_structures():
    """Names and codes are those of the derivation's own domain."""
    for change in (
        lambda c: c["domain"]["classes"].append("dead"),
        lambda c: c["domain"]["features"].__setitem__("age", [0, 90, 4]),
    ):
        with pytest.raises(FileRefused, match="its derivation is of another domain"):
            Structures.from_json(changed(change))


def test_a_file_of_one_party_is_refused_and_one_of_a_target_that_became_classes():
    """Where nothing else is wrong: nobody was to be tolerated; as many classes as there were levels."""
    found = fit_private_structures(federation(tolerate=0), population=4, rng=Rehearsal(1))
    for one, change in (
        (found, lambda c: c.__setitem__("n_parties", 1)),
        (voted(STAYS), lambda c: c["domain"].__setitem__("classes", [*"abcd"]) or c["domain"].pop("target")),
    ):
        content = json.loads(one.to_json())
        content.pop("schema"), content.pop("digest")
        Structures.from_json(files.dumps("fdpedu-structures/1", content))
        change(content)
        with pytest.raises(FileRefused):
            Structures.from_json(files.dumps("fdpedu-structures/1", content))


def test_a_file_tolerates_no_fewer_than_its_charges_withstand():
    found = fit_private_structures(federation(tolerate=1), population=4, rng=Rehearsal(1))
    colluders = found.guarantee.colluders
    content = json.loads(found.to_json())
    content.pop("schema"), content.pop("digest")
    content["tolerate"] = colluders - 1
    with pytest.raises(FileRefused):
        Structures.from_json(files.dumps("fdpedu-structures/1", content))


# --- choosing ---------------------------------------------------------------------------------------------------------


def test_ties_of_votes_and_random_choices_may_fall_on_every_structure():
    losses = [[0, 900, 900], [900, 0, 900], [900, 900, 0]]
    for way in ("random", "votes"):
        source = Rehearsal(1)
        found = {choose_structure(losses, way, epsilon=10**6, lattice=1, rng=source) for _ in range(60)}
        assert found == {0, 1, 2}


@pytest.mark.parametrize("way", ["votes", "trusted", "scores"])
def test_a_choice_has_all_of_epsilon_in_steps_of_the_lattice_and_a_score_its_share(monkeypatch, way):
    """The rates that the draws are given: ε at sensitivity m, with no factor 2, of each party; ε/(P·m) of scores."""
    drawn = []

    def flipped(scores, epsilon, source, *, sensitivity, monotone):
        drawn.append((tuple(scores), epsilon, sensitivity, monotone))
        return 0

    def noise(values, rate, source):
        drawn.append((tuple(values), rate))
        return values

    monkeypatch.setattr("fdpedu.fedga.choosing.permute_and_flip", flipped)
    monkeypatch.setattr("fdpedu.fedga.choosing.discrete_laplace", noise)
    choose_structure([[1, 2], [5, 3]], way, epsilon="3/2", lattice=7, rng=Rehearsal(1))
    half = Fraction(3, 2)
    assert (
        drawn
        == {
            "votes": [((-1, -2), half, 7, True), ((-5, -3), half, 7, True)],
            "trusted": [((-6, -5), half, 7, True)],
            "scores": [((6, 5), half / 14)],
        }[way]
    )


def test_where_there_are_no_more_structures_than_are_asked_for_all_are_there():
    """Also where they are as many, and where the strings are many more."""
    for p, depth, size, all_there in ((2, 1, 3, 3), (2, 2, 19, 19), (1, 3, 40, 26), (1, 3, 26, 26)):
        found = first_generation(p, depth, size, Rehearsal(1))
        assert len(set(found)) == len(found) == all_there == count_structures(p, depth)
    assert first_generation(2, 2, 19, Rehearsal(1)) != first_generation(2, 2, 19, Rehearsal(2))  # in another order


def test_names_of_parameters_and_columns_are_those_of_the_reader():
    found = voted()
    with pytest.raises(ValueError, match=r"^string must ask for features from 0 to 1 only, got 7"):
        found.describe((7,))
    with pytest.raises(ValueError, match="lattice must be at most 65536"):
        choose_structure([[1, 2]], "votes", lattice=2**16 + 1)
    assert choose_structure([[1, 2]], "trusted", epsilon=10**6, lattice=2**16, rng=Rehearsal(1)) == 0
    assert "<th" in found._repr_html_() and ">votes<" in found._repr_html_() and ">structure<" in found._repr_html_()

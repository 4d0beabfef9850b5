"""Votes for structures where planted faults had survived: at their limits, in many codes, over all generations."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction

import pytest

from fdpedu.accounting import Ledger
from fdpedu.cart import Structure, count_structures, least_loss, to_string, to_structure
from fdpedu.domain import Domain, Numeric
from fdpedu.federation import Federation, Party, Population, StructureVote
from fdpedu.federation.records import Records
from fdpedu.randomness import Rehearsal, ZeroWords
from fdpedu.sources.fedga import choose_structure, score_rate
from fdpedu.structures import fit_private_structures
from fdpedu.structures import voting as shipped
from fdpedu.structures.at_home import fit_at_home
from fdpedu.structures.released_file import Generation
from fdpedu.structures.voting import first_generation, next_generation
from tests.fedga.test_structure_votes import AGES, ROWS, STAYED, STAYS, federation, voted

LEAF = -1
ALL = AGES.everything


def grid(*bins, classes=("x", "y")):
    return Domain([Numeric.grid(f"f{k}", 0, n, bins=n) for k, n in enumerate(bins)], classes)


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
    (
        lambda: fit_at_home([row[:2] for row in ROWS], ["ill"], [(0,)], AGES, "errors"),
        "X and y must have as many rows, got 5 and 1",
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
        domain = Domain.from_spec({"features": {"a": [0, 128, 128], "b": [0, 128, 128]}, "target": [0, 1, levels]})
        for strings in ([STRING, (LEAF,) * 3], [(LEAF,) * 3, STRING]):
            query = StructureVote(domain.everything, 1, strings, "squared")
            if fits:
                query.check(domain)
            else:
                with pytest.raises(ValueError, match=r"at most 4194304 cells .*, got 4259840"):
                    query.check(domain)


def test_structures_that_could_not_be_counted_later_are_refused_before_anything_is_charged():
    """Only the feature of most codes twice on a path is too large, and random structures need not have it at first."""
    spec = {"features": {"a": [0, 255, 255], **{f"b{k}": [0, 2, 2] for k in range(40)}}, "target": [0, 1, 64]}
    domain = Domain.from_spec(spec)
    ours = Federation([Party([], domain), Party([], domain)], domain, Ledger(1), rng=Rehearsal(1))
    with pytest.raises(ValueError, match="structures must have tables of counts"):
        fit_private_structures(ours, population=2, generations=2, rng=Rehearsal(1))
    assert ours.ledger.spent == 0 and ours.rounds == 0


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
    monkeypatch.setattr("fdpedu.structures.released.fit_at_home", lambda *given: asked.append(given[2:]))
    for found in (voted(generations=2), voted(STAYS, generations=2)):
        found.fit_at_home([], [])
        assert asked.pop() == (found.generations[1].strings, found.domain, found.loss)
    X, y = [row[:2] for row in STAYED], [row[2] for row in STAYED]
    least = [
        least_loss(STAYS.encode(X), STAYS.encode_labels(y), s, STAYS, "squared", lattice=1024) for s in found.strings
    ]
    tree = fit_at_home(X, y, found.strings, STAYS, found.loss)
    assert tree.structure == to_structure(found.strings[least.index(min(least))])


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

    monkeypatch.setattr("fdpedu.sources.fedga.choosing.permute_and_flip", flipped)
    monkeypatch.setattr("fdpedu.sources.fedga.choosing.discrete_laplace", noise)
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

"""Votes for structures: the question, generations, what is kept in a file, and a party's own tree."""

import json
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from fdpedu.accounting import BudgetExceeded, Ledger, check_derivation
from fdpedu.cart import Tree, least_loss
from fdpedu.cart.structures import LEAF, to_structure
from fdpedu.datasets import mixture, mixture_domain
from fdpedu.domain import Domain
from fdpedu.federation import Federation, Limits, Party, Population, StructureVote
from fdpedu.federation.queries import read_queries, write_queries
from fdpedu.files import FileRefused
from fdpedu.randomness import Rehearsal, ZeroWords
from fdpedu.sources.fedga import choose_structure
from fdpedu.structures import Structures, fit_private_structures
from fdpedu.structures.released_file import Generation
from fdpedu.structures.voting import connected, first_generation, next_generation
from fdpedu.trees import fit_federated_tree

AGES = Domain.from_spec({"features": {"age": [0, 90, 3], "dose": [0, 4, 4]}, "classes": ["ill", "well"]})
STAYS = Domain.from_spec({"features": {"age": [0, 90, 3], "dose": [0, 4, 4]}, "target": [0, 30, 4]})
ROWS = [[10, 1, "ill"], [20, 3, "well"], [50, 1, "well"], [70, 3, "ill"], [80, 1, "well"]]
STAYED = [[10, 1, 2], [20, 3, 12], [50, 1, 29], [70, 3, 8], [80, 1, 30]]


def federation(domain=AGES, parts=None, budget=1, rng=None, **options):
    rows = (ROWS if domain.target is None else STAYED) if parts is None else None
    members = [Party(part, domain) for part in (parts or [rows, rows[:3], rows[2:]])]
    return Federation(members, domain, Ledger(budget), rng=rng or Rehearsal(1), **options)


def voted(domain=AGES, **options):
    return fit_private_structures(federation(domain), **{"population": 6, "rng": Rehearsal(2), **options})


def test_a_question_reads_as_it_was_written_and_other_structures_are_another_question():
    one = StructureVote(AGES.everything, "1/2", [(0, 1, LEAF), (1, 0, 0)], lattice=3)
    assert read_queries(write_queries([one], AGES), AGES) == (one,)
    others = [
        replace(one, structures=Population([(1, 0, 0), (0, 1, LEAF)])),
        replace(one, structures=Population([(0, 1, LEAF), (1, 0, 1)])),
        replace(one, lattice=4),
    ]
    forms = {write_queries([query], AGES) for query in (one, *others)}
    assert len(forms) == 4 and len({str(dict(query.parameters)) for query in (one, *others)}) == 4


def test_a_party_that_does_not_allow_the_question_refuses_it():
    parties = [
        Party(ROWS, AGES, limits=Limits(members="anybody", tolerate=0, queries=[StructureVote])),
        Party(ROWS, AGES),
    ]
    assert fit_private_structures(Federation(parties, AGES, Ledger(1), rng=Rehearsal(1)), rng=Rehearsal(1)).votes


@pytest.mark.parametrize("domain", [AGES, STAYS], ids=["classes", "target"])
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_every_party_votes_once_a_generation_and_the_price_is_exact(domain, depth):
    ours = federation(domain, budget=2)
    found = fit_private_structures(ours, max_depth=depth, population=5, generations=4, epsilon="3/2", rng=Rehearsal(3))
    assert [sum(generation.votes) for generation in found.generations] == [3] * 4
    assert all(len(s) == 2**depth - 1 for generation in found.generations for s in generation.strings)
    assert ours.ledger.spent == Fraction(3, 2) and found.guarantee.value == 2  # what a ledger allows is what it says
    assert found.derivation.guarantee.spent == Fraction(3, 2)
    assert check_derivation(found.derivation.to_json(), ours.manifest.to_json()).spent == Fraction(3, 2)


def test_without_noise_each_party_votes_for_its_best():
    """In every generation, the first of the structures of least loss on its own rows."""
    parts = [ROWS, ROWS[:3], []]
    found = fit_private_structures(federation(parts=parts, rng=ZeroWords()), population=7, rng=Rehearsal(4))
    for strings, votes in found.generations:
        expected = Counter()
        for rows in parts:
            codes = AGES.encode([row[:2] for row in rows]) if rows else np.zeros((0, 2), int)
            labels = AGES.encode_labels([row[2] for row in rows]) if rows else np.zeros(0, int)
            losses = [least_loss(codes, labels, s, AGES, "errors", lattice=1024) for s in strings]
            expected[losses.index(min(losses))] += 1
        assert list(votes) == [expected[at] for at in range(7)]


def test_the_first_generation_is_public_coins_alone_and_has_no_two_alike_if_there_are_enough():
    assert first_generation(5, 2, 30, Rehearsal(1)) == first_generation(5, 2, 30, Rehearsal(1))
    assert len(set(first_generation(5, 2, 30, Rehearsal(1)))) == 30
    assert sorted(first_generation(1, 1, 40, Rehearsal(1))) == [(LEAF,), (0,)]  # all there are
    assert (
        len(set(first_generation(2, 2, 18, Rehearsal(1)))) == 18 and len(first_generation(2, 2, 40, Rehearsal(1))) == 19
    )


def test_structures_with_votes_come_first_and_stay_and_others_descend_from_them():
    first = ((0, 1, 2), (3, 3, 3), (2, 2, 0), (1, 0, 1))
    after = next_generation([Generation(first, (0, 2, 0, 1))], 4, 4, Rehearsal(5))
    assert after[:2] == ((3, 3, 3), (1, 0, 1)) and len(after) == 4 and len(set(after)) == 4
    again = next_generation([Generation(first, (0, 2, 0, 1)), Generation(after, (0, 0, 3, 0))], 4, 4, Rehearsal(5))
    assert again[:2] == (after[2], (3, 3, 3))  # votes of all generations count


def test_votes_that_a_liar_made_negative_are_no_votes_and_without_any_all_are_parents():
    first = ((0, 1, 2), (3, 3, 3))
    after = next_generation([Generation(first, (-5, 1))], 4, 2, Rehearsal(6))
    assert after[0] == (3, 3, 3)
    none = next_generation([Generation(first, (-1, 0))], 4, 4, Rehearsal(6))
    assert len(none) == 4 and all(len(string) == 3 for string in none)


def test_offspring_have_no_detached_subtrees():
    """And no two are one structure, also where there are hardly more structures than are asked for."""
    for p, depth, size in ((3, 3, 40), (2, 2, 18), (1, 2, 4), (3, 1, 3)):
        first = first_generation(p, depth, size, Rehearsal(1))
        after = next_generation([Generation(first, (1,) * len(first))], p, size, Rehearsal(2))
        again = next_generation([Generation(first, (1, *[0] * (len(first) - 1)))], p, size, Rehearsal(2))
        for strings in (first, after, again):
            assert all(connected(string) == string for string in strings) and len(set(strings)) == size


def test_a_run_is_the_same_again_by_its_seeds_and_parties_have_coins_of_their_own():
    one, again = (voted().to_json() for _ in range(2))
    assert json.loads(one)["generations"] == json.loads(again)["generations"]
    assert voted(rng=Rehearsal(3)).generations[0].strings != voted().generations[0].strings
    twins = fit_private_structures(
        federation(parts=[[], [], [], [], [], []]), population=30, generations=5, rng=Rehearsal(1)
    )
    assert any(max(generation.votes) < 6 for generation in twins.generations)  # not all draw alike


# --- the file ---------------------------------------------------------------------------------------------------------


def test_what_is_saved_is_read_and_is_not_overwritten_unless_one_says_so(tmp_path):
    found = voted()
    found.save(tmp_path / "structures.json")
    again = Structures.load(tmp_path / "structures.json")
    assert again.to_json() == found.to_json() and (again.strings, again.votes) == (found.strings, found.votes)
    with pytest.raises(ValueError, match="a file of structures is there"):
        voted(rng=Rehearsal(9)).save(tmp_path / "structures.json")
    found.save(tmp_path / "structures.json", overwrite=True)


def changed(change, domain=AGES):
    """The text of a file in which something was changed, with a digest that fits."""
    from fdpedu import files

    content = json.loads(voted(domain).to_json())
    content.pop("schema"), content.pop("digest")
    change(content)
    return files.dumps("fdpedu-structures/1", content)


CHANGES = {
    "another structure": lambda c: c["generations"][-1]["structures"].__setitem__(0, [LEAF, LEAF, LEAF]),
    "another order": lambda c: c["generations"][0]["structures"].reverse(),
    "the last generation left out": lambda c: c["generations"].pop(),
    "generations in another order": lambda c: c["generations"].reverse(),
    "another loss": lambda c: c.__setitem__("loss", "squared"),
    "another lattice": lambda c: c.__setitem__("lattice", 1000),
    "fewer votes": lambda c: c["generations"][0]["votes"].pop(),
    "a vote that is no number": lambda c: c["generations"][0]["votes"].__setitem__(0, 0.5),
    "one party": lambda c: c.__setitem__("n_parties", 1),
    "more tolerated than there are": lambda c: c.__setitem__("tolerate", 3),
    "no generations": lambda c: c.__setitem__("generations", []),
    "a generation twice": lambda c: c["generations"].append(c["generations"][0]),
    "a key more": lambda c: c.__setitem__("more", 1),
    "a word more in a generation": lambda c: c["generations"][0].__setitem__("more", 1),
    "another domain": lambda c: c["domain"]["classes"].reverse() or c["domain"]["features"].__setitem__("x", [0, 1, 2]),
    "a derivation of less": lambda c: c["derivation"].__setitem__("proof", {"rule": "none"}),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_changed_file_is_refused(name):
    with pytest.raises(FileRefused):
        Structures.from_json(changed(CHANGES[name]))


@pytest.mark.parametrize("second", ["a vote at another cost", "a vote on a part of the records", "a tree afterwards"])
def test_only_the_last_votes_on_all_records_at_one_cost_are_read(second):
    """In one ledger with other releases."""
    ours = federation(budget=3)
    found = fit_private_structures(ours, population=4, epsilon=1, generations=1, rng=Rehearsal(1))
    strings = found.strings
    part = AGES.everything.restrict(0, {0})
    if second == "a tree afterwards":
        fit_federated_tree(ours, max_depth=1, epsilon=1)
    else:
        ours.release([StructureVote(*((AGES.everything, "1/3") if "cost" in second else (part, 1)), strings)])
    later = replace(
        found, derivation=ours.ledger.derivation(), generations=found.generations * (1 + ("tree" not in second))
    )
    if second == "a tree afterwards":
        assert Structures.from_json(later.to_json()).votes == found.votes and "ε = 1," in later.summary()
    else:
        with pytest.raises(FileRefused):
            Structures.from_json(later.to_json())


def test_an_unchanged_file_is_read_and_one_without_its_digest_is_not():
    assert Structures.from_json(changed(lambda content: None)).votes == voted().votes
    with pytest.raises(FileRefused):
        Structures.from_json(voted().to_json().replace('"lattice"', '"Lattice"'))


# --- at home ----------------------------------------------------------------------------------------------------------


def test_the_tree_at_home_has_the_least_loss_of_all_structures():
    found = voted()
    X, y = [row[:2] for row in ROWS], [row[2] for row in ROWS]
    tree = found.fit_at_home(X, y)
    losses = [least_loss(AGES.encode(X), AGES.encode_labels(y), s, AGES, "errors") for s in found.strings]
    assert sum(tree.predict(X) != np.array(y)) == min(losses)
    assert losses[[to_structure(s) for s in found.strings].index(tree.structure)] == min(losses)
    assert "not private" in repr(tree) and isinstance(tree, Tree)
    assert not hasattr(tree, "save") and not hasattr(tree, "derivation")


def test_a_tree_at_home_of_numbers_answers_with_the_means_of_its_leaves():
    """Each of the rows that are there, by the middles of their levels; and says so, without classes."""
    X, y = [row[:2] for row in STAYED] * 2, [row[2] for row in STAYED] + [4, 29, 16, 23, 5]
    tree = voted(STAYS).fit_at_home(X, y)
    middles = np.array(STAYS.classes)[STAYS.encode_labels(y)]
    leaves = tree.apply(X)
    for leaf in set(leaves.tolist()):
        assert tree.predict(X)[leaves == leaf] == pytest.approx(middles[leaves == leaf].mean())
    assert len(set(tree.predict(X).tolist())) > 1
    for shown in (tree.to_text(), tree.to_sklearn_text(), tree.to_graphviz()):
        assert "class:" not in shown and "%" not in shown
    assert "means" in repr(tree) and "<svg" in tree._repr_html_()
    for refused in (
        lambda: tree.score(X, y),
        lambda: tree.predict_proba(X),
        lambda: tree.to_sklearn_text(show_weights=True),
    ):
        with pytest.raises(ValueError, match="numeric target"):
            refused()


def test_what_is_shown_names_features_and_says_what_it_cost():
    found = voted()
    assert "age" in found.summary() or "dose" in found.summary()
    assert "ε = 1" in str(found) and "ε = 1" in found._repr_html_() and "3 generations" in repr(found)
    assert found.describe((LEAF, LEAF, LEAF)) == "leaf" and found.describe((0, 1, LEAF)) == "age (dose; leaf)"
    assert found.votes[found.strings.index(found.best)] == max(found.votes)


# --- at their sizes ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "parties"), [(250, 2), (2000, 30)])
def test_structures_are_found_at_any_size(n, parties):
    X, y = mixture(n, 6, "0.3", np.random.default_rng(1))
    domain = mixture_domain(6)
    members = [Party(X[k::parties], domain, labels=y[k::parties]) for k in range(parties)]
    ours = Federation(members, domain, Ledger(1), rng=Rehearsal(1))
    found = fit_private_structures(ours, generations=2, rng=Rehearsal(1))
    assert sum(found.votes) == parties and ours.ledger.spent == 1
    assert found.fit_at_home(X[::parties], y[::parties]).score(X, y) > 0.6


def test_a_budget_that_is_not_there_is_refused_and_nothing_is_spent():
    ours = federation(budget="1/2")
    with pytest.raises(BudgetExceeded):
        fit_private_structures(ours, epsilon=1)
    assert ours.ledger.spent == 0 and ours.rounds == 0


def test_the_best_is_found_by_whoever_may_look_and_scores_get_worse_with_their_number():
    """Exact losses of two parties: at a large ε each way finds the least sum; at ε = 1 of 64 scores few do."""
    losses = [[100 * k % 64 + (k > 0) * 20 for k in range(64)]] * 2
    for way in ("scores", "votes", "trusted"):
        assert choose_structure(losses, way, epsilon=1000, lattice=1, rng=Rehearsal(1)) == 0
    source = Rehearsal(2)
    found = {
        way: sum(choose_structure(losses, way, epsilon=1, lattice=1, rng=source) == 0 for _ in range(60))
        for way in ("random", "scores", "votes", "trusted")
    }
    assert found["scores"] < 20 < found["votes"] <= found["trusted"] and found["random"] < 10


def test_a_file_of_the_first_version_is_read():
    """It was written when the version was new, and must be readable as long as the version is listed."""
    found = Structures.load(Path(__file__).parent / "data" / "structures-1.json")
    assert (found.loss, found.lattice, len(found.generations), sum(found.votes)) == ("errors", 1024, 3, 3)
    assert found.guarantee.value == 1

"""What a budget's file has paid for is there to be checked, whoever asked for it and however that ended."""

import json
import os
import signal
from fractions import Fraction
from itertools import product
from threading import Thread

import pytest

from fdpedu import files
from fdpedu.accounting import Ledger
from fdpedu.claims.accounting.composition import charge
from fdpedu.claims.forks import in_child
from fdpedu.derivation_checker import DerivationRefused, check_derivation
from fdpedu.domain import Domain
from fdpedu.estimators import noisy_score
from fdpedu.federation import ClassCounts, Curator, DesignedSplit, Federation, InProcess, NodeHistograms, Party
from fdpedu.federation.evidence import Evidence, last_round
from fdpedu.randomness import Rehearsal, ZeroWords
from fdpedu.secure_sum import RoundLost
from fdpedu.trees import fit_federated_tree, fit_owner_tree
from tests.support.budget_files import sql
from tests.support.federations import BELIEVING

DOMAIN = Domain.from_spec({"features": {"x": [0, 4, 4], "w": ["p", "q"]}, "classes": ["a", "b"]})
ALL = DOMAIN.everything
ROWS = [[[0.5, "p", "a"], [3.5, "q", "b"]] * 9, [[1.5, "q", "a"]] * 5]
PARTIES = [Party(rows, DOMAIN, name=name) for rows, name in zip(ROWS, ("north", "south"), strict=True)]
OWNER = Party([*ROWS[0], *ROWS[1]], DOMAIN, name="all")
TREE = fit_federated_tree(Federation(PARTIES, DOMAIN, Ledger(1), rng=ZeroWords()), max_depth=1, min_samples_split=2)


class Dying(InProcess):
    """Its process is killed when the second answer of a round is due."""

    def gather(self, number, names, request, endpoints):
        return super().gather(number, names, request, [endpoints[0], lambda _: os.kill(os.getpid(), signal.SIGKILL)])


class Refusing(InProcess):
    """The second party is silent."""

    def gather(self, number, names, request, endpoints):
        def away(_):
            raise ConnectionError

        return super().gather(number, names, request, [endpoints[0], away])


def together(ledger, **options):
    return Federation(PARTIES, DOMAIN, ledger, tolerate=0, rng=Rehearsal(1), **options)


def lost(ledger):
    with pytest.raises(RoundLost):
        together(ledger, transport=Refusing()).release([ClassCounts(ALL, "1/9")])


def killed(ledger):
    path = ledger.path
    assert in_child(lambda _: fit_federated_tree(together(Ledger.open(path), transport=Dying())))[1] == -signal.SIGKILL


def of_a_party(ledger):
    """The ledger is a party's own; the federation's is another. What others are asked alone is not in it."""
    members = [PARTIES[0], Party(ROWS[1], DOMAIN, ledger=ledger, limits=BELIEVING)]
    f = Federation(members, DOMAIN, Ledger(9), tolerate=0, rng=Rehearsal(3))
    fit_federated_tree(f, epsilon=1, max_depth=2, design="rotating")
    f.release([DesignedSplit(ALL, "1/9", 0), ClassCounts(ALL, "1/9"), DesignedSplit(ALL, "1/9", 1)])


WAYS = {
    "counts": lambda ledger: together(ledger).release([ClassCounts(ALL, "1/9"), NodeHistograms(ALL, "1/9")], "mine"),
    "rotating": lambda ledger: fit_federated_tree(together(ledger), epsilon=1, max_depth=2, design="rotating"),
    "algorithm 5": lambda ledger: fit_federated_tree(together(ledger), epsilon=1, max_depth=2, design="default"),
    "score": lambda ledger: noisy_score(TREE, PARTIES, "1/4", tolerate=0, budget=ledger, rng=Rehearsal(2)),
    "owner's tree": lambda ledger: fit_owner_tree(OWNER, ledger, epsilon=1, nominal_size=30, rng=Rehearsal(1)),
    "owner's score": lambda ledger: noisy_score(TREE, OWNER, "1/4", budget=ledger, rng=Rehearsal(2)),
    "curator": lambda ledger: Curator(OWNER, ledger, Rehearsal(1)).release([ClassCounts(ALL, "1/9")]),
    "a party's own": of_a_party,
    "lost": lost,
    "killed": killed,
}


def opened(folder):
    """A new budget; of no colluders, as an owner's is."""
    return Ledger.open(folder / f"{len(os.listdir(folder))}.db", 100, domain=DOMAIN, colluders=0)


def require_checked(evidence, derivation):
    """The checker takes them together, and the verdict is that of the derivation alone."""
    text = derivation.to_json()
    assert check_derivation(text, evidence.manifest(derivation).to_json()) == check_derivation(text)


@pytest.mark.claim("thm-manifest-complete")
@pytest.mark.parametrize("ways", [sorted(WAYS), sorted(WAYS, reverse=True), [*WAYS]])
def test_whoever_is_paid_by_a_file_leaves_evidence_in_it(tmp_path, ways):
    """In whatever order, also if a process was killed: for each state of the budget, and as a copy for others."""
    with opened(tmp_path) as ledger:
        states = []
        for way in ways:
            WAYS[way](ledger)
            states.append(ledger.derivation())
        evidence = Evidence.of(ledger)
        assert evidence.known == len(evidence.rounds) == ledger.rounds == last_round(states[-1])
        copy = Evidence.from_json(evidence.to_json())
        for derivation in states:
            require_checked(evidence, derivation)
            require_checked(copy, derivation)


@pytest.mark.parametrize("way", sorted(WAYS))
def test_evidence_without_one_of_its_queries_is_refused(tmp_path, way):
    """Whatever it is: so each is compared with its release."""
    with opened(tmp_path) as ledger:
        WAYS[way](ledger)
        text, manifest = ledger.derivation().to_json(), Evidence.of(ledger).manifest(ledger.derivation())
        for entry in manifest.rounds:
            kept = entry["queries"]
            for k in range(len(kept)):
                entry["queries"] = kept[:k] + kept[k + 1 :]
                with pytest.raises(DerivationRefused):
                    check_derivation(text, manifest.to_json())
            entry["queries"] = kept


def test_what_is_kept_is_the_same_whatever_the_rows_and_the_noise_are(tmp_path):
    """It holds what was asked, and nothing of what came of it."""
    kept = []
    for rows, source in product((ROWS, [[], []]), (ZeroWords(), Rehearsal(5))):
        with opened(tmp_path) as ledger:
            members = [Party(part, DOMAIN) for part in rows]
            f = Federation(members, DOMAIN, ledger, tolerate=0, rng=source)
            f.release([ClassCounts(ALL, 1), NodeHistograms(ALL.restrict(0, [1]), 1)], "mine")
            Curator(Party(rows[0], DOMAIN), ledger, source).release([ClassCounts(ALL, 1)])
            entries = [{**one.asked, "session": ""} for one in ledger.evidence()]
            kept.append(json.dumps(entries))
    assert len(set(kept)) == 1


def test_two_at_once_leave_the_evidence_of_both(tmp_path):
    with opened(tmp_path) as ledger:
        path = ledger.path

    def ask():
        with Ledger.open(path) as own:
            f = together(own)
            for _ in range(5):
                f.release([ClassCounts(ALL, "1/4")], f"of {id(own)}")

    both = [Thread(target=ask) for _ in range(2)]
    for one in both:
        one.start()
    for one in both:
        one.join()
    with Ledger.open(path) as ledger:
        assert ledger.rounds == Evidence.of(ledger).known == 10
        require_checked(Evidence.of(ledger), ledger.derivation())
        assert all(one.asked["answers"] == ["north 1", "south 2"] for one in ledger.evidence())


def test_a_round_of_which_nobody_said_what_was_asked_is_named(tmp_path):
    """Models before it are checked all the same."""
    with opened(tmp_path) as ledger:
        WAYS["counts"](ledger)
        before = ledger.derivation()
        ledger.charge([charge(ALL, Fraction(1, 7))], "by hand")
        WAYS["counts"](ledger)
        evidence = Evidence.of(ledger)
        assert evidence.known == 2
        require_checked(evidence, before)
        with pytest.raises(DerivationRefused, match=r"^round 2: .*account 'by hand'"):
            evidence.manifest(ledger.derivation())


def test_a_derivation_of_later_rounds_than_there_are_is_of_another_budget(tmp_path):
    with opened(tmp_path) as ledger, opened(tmp_path) as other:
        WAYS["counts"](ledger)
        WAYS["rotating"](other)
        with pytest.raises(DerivationRefused, match=r"^round 3: .* 1 rounds? only"):
            Evidence.of(ledger).manifest(other.derivation())


@pytest.mark.parametrize("text", ["", "[]", '{"round": 2}', '{"queries": []}', "{"])
def test_evidence_of_another_round_is_damage(tmp_path, text):
    with opened(tmp_path) as ledger:
        WAYS["counts"](ledger)
        sql(ledger.path, f"UPDATE manifest SET text = '{text}'")
        with pytest.raises(ValueError, match="it is damaged"):
            ledger.evidence()


def test_a_copy_for_others_is_refused_if_it_was_changed_or_lacks_something(tmp_path):
    with opened(tmp_path) as ledger:
        WAYS["counts"](ledger)
        evidence = Evidence.of(ledger)
    text = evidence.to_json()
    assert text == Evidence.from_json(text).to_json() == Evidence.of_budget(tmp_path / "0.db").to_json()
    with pytest.raises(files.FileRefused, match="digest"):
        Evidence.from_json(text.replace('"mine"', '"yours"'))
    for rounds in (None, {}, [None], [{}], [{**evidence.rounds[0], "number": 2}], [{**evidence.rounds[0], "more": 1}]):
        content = {"derivation": evidence.derivation.content, "rounds": rounds}
        with pytest.raises(files.FileRefused, match=r"^e\.json"):
            Evidence.from_json(files.dumps("fdpedu-evidence/1", content), "e.json")


def test_a_ledger_in_memory_keeps_none_and_its_asker_has_the_manifest():
    ledger = Ledger(100, colluders=0)
    curator = Curator(OWNER, ledger, Rehearsal(1))
    curator.release([ClassCounts(ALL, 1)])
    curator.release([ClassCounts(ALL, 2), NodeHistograms(ALL, 1)])
    assert ledger.evidence() == () and [entry["receivers"] for entry in curator.manifest.rounds] == [["all"]] * 2
    text = ledger.derivation().to_json()
    assert check_derivation(text, curator.manifest.to_json()) == check_derivation(text)

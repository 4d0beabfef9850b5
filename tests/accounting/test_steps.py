"""What is done in one step stands together or not at all; what a session has charged is stepped over."""

import os
from functools import partial

import pytest

from fdpedu.accounting import BudgetExceeded, Ledger
from fdpedu.claims.forks import in_child
from fdpedu.federation import ClassCounts, Federation, Limits, Party
from fdpedu.secure_sum import RoundLost
from tests.support.budget_files import ALL, charge
from tests.support.faults import every_failure
from tests.support.federations import DOMAIN

IN = ["memory", "file"]


@pytest.fixture(params=IN)
def ledger(request, tmp_path):
    if request.param == "memory":
        return Ledger(1, domain=DOMAIN)
    return Ledger.open(tmp_path / "budget.db", 1, domain=DOMAIN)


def draws(*answers):
    """Answers that are drawn one after the other; and what was drawn so far."""
    drawn, left = [], iter(answers)

    def answer():
        drawn.append(next(left))
        return drawn[-1]

    return answer, drawn


def test_what_stands_under_a_key_is_neither_charged_nor_drawn_again(ledger):
    answer, drawn = draws(b"17", b"12")
    numbers = [ledger.charge([charge()], key=key, answer=answer) for key in ("monday", "monday", "tuesday", "monday")]
    assert numbers == [1, 0, 2, 0] and drawn == [b"17", b"12"]
    assert (ledger.kept("monday"), ledger.kept("tuesday"), ledger.kept("")) == (b"17", b"12", None)
    assert ledger.spent == 2 * charge().epsilon


def test_while_an_answer_is_made_its_charge_is_admitted_and_another_ledger_waits_for_it(ledger):
    """Whoever counts sees the round as booked; nothing is counted for a round that is too much."""
    seen = []

    def answer():
        seen.append((ledger.rounds, ledger.spent, ledger.accounts, ledger.kept("a")))
        return b""

    ledger.charge([charge("3/4")], "one", key="a", answer=answer)
    with pytest.raises(BudgetExceeded):
        ledger.charge([charge("1/2")], "two", key="b", answer=answer)
    assert seen == [(1, charge("3/4").epsilon, ("one",), None)]
    assert (ledger.rounds, ledger.kept("a"), ledger.kept("b")) == (1, b"", None)


@pytest.mark.parametrize("wrong", [KeyboardInterrupt, ValueError, OSError])
def test_an_answer_that_fails_charges_nothing(ledger, wrong):
    def answer():
        ledger.keep("half", b"way")
        raise wrong("no")

    ledger.charge([charge()], "before")
    with pytest.raises((wrong, ValueError)):
        ledger.charge([charge()], "a", key="a", answer=answer)
    assert (ledger.rounds, ledger.accounts, ledger.kept("a"), ledger.kept("half")) == (1, ("before",), None, None)
    assert ledger.charge([charge()], "a", key="a", answer=lambda: b"17") == 2 and ledger.kept("a") == b"17"


def test_an_answer_that_is_no_bytes_charges_nothing(ledger):
    with pytest.raises(ValueError, match="answer must be a bytes, got str"):
        ledger.charge([charge()], key="a", answer=lambda: "17")
    with pytest.raises(ValueError, match="key must come with an answer"):
        ledger.charge([charge()], key="a")
    assert ledger.rounds == 0


def test_a_step_is_whole(ledger):
    """A part that fails is taken back alone; if the step fails, all of it is."""
    with ledger.step():
        ledger.keep("a", b"1")
        ledger.charge([charge("3/4")], answer=bytes)
        with pytest.raises(BudgetExceeded):
            ledger.charge([charge("1/2")], "two", answer=bytes)
        with pytest.raises(RuntimeError), ledger.step():
            ledger.keep("a", b"2")
            raise RuntimeError
    assert (ledger.kept("a"), ledger.rounds, ledger.accounts) == (b"1", 1, ("",))
    with pytest.raises(RuntimeError), ledger.step():
        ledger.charge([charge("1/8")], "three", answer=bytes)
        ledger.keep("a", b"3")
        ledger.forget("a")
        assert ledger.kept("a") is None and ledger.rounds == 2
        raise RuntimeError
    assert (ledger.kept("a"), ledger.rounds, ledger.accounts) == (b"1", 1, ("",))


def test_after_a_part_that_fails_its_step_and_its_ledger_go_on(ledger):
    """Whatever of the step had been written by then."""

    def fails():
        raise ArithmeticError

    for n in (1, 2):
        with ledger.step():
            for attempt in range(2):
                with pytest.raises(ArithmeticError):
                    ledger.charge([charge("1/8")], answer=fails)
                ledger.keep(f"{n} {attempt}", b"1")
        assert ledger.rounds == n - 1 and ledger.kept(f"{n} 1") == b"1"
        assert ledger.charge([charge("1/8")]) == n


@pytest.mark.claim("thm-round")
def test_nothing_is_released_on_a_charge_that_may_be_taken_back(ledger):
    """Within a step, whose end nobody knows, there is no charge on which somebody draws."""
    parties = [Party([[1, "A", "ill"]], DOMAIN) for _ in range(2)]
    federation = Federation(parties, DOMAIN, ledger)
    drawn = []

    def asking():
        drawn.append(federation.release([ClassCounts(ALL, "1/4")]))
        return b""

    with pytest.raises(ValueError, match="within a step of its ledger"), ledger.step():
        asking()
    with pytest.raises(ValueError, match="within a step of its ledger"):
        ledger.charge([charge("1/4")], answer=asking)
    assert not drawn and ledger.rounds == 0
    asking()
    assert ledger.rounds == 1


@pytest.mark.claim("thm-party-ledger")
def test_no_party_answers_on_a_charge_that_may_be_taken_back(ledger):
    own = {"ledger": ledger, "limits": Limits(members="anybody", tolerate=0)}
    parties = [Party([[1, "A", "ill"]], DOMAIN, **own), Party([[2, "B", "well"]], DOMAIN)]
    federation = Federation(parties, DOMAIN, Ledger(1))
    with ledger.step(), pytest.raises(RoundLost, match="not allowed"):
        federation.release([ClassCounts(ALL, "1/4")])
    assert ledger.rounds == 0


def test_what_is_forgotten_begins_so(ledger):
    for key in ("a", "a: b", "ab", "b", "%", "A: b"):
        ledger.keep(key, key.encode())
    ledger.forget("a: ")
    ledger.forget("%")
    assert [ledger.kept(key) for key in ("a", "a: b", "ab", "b", "%", "A: b")] == [
        b"a",
        None,
        b"ab",
        b"b",
        None,
        b"A: b",
    ]


@pytest.mark.claim("thm-round")
def test_wherever_the_disk_fails_a_charge_and_its_answer_stand_together_or_not_at_all(tmp_path):
    """What has failed is asked again under its key; what is there is drawn once."""
    path = tmp_path / "budget.db"
    for k, failing in enumerate(every_failure()):
        if not k % 4:
            path.unlink(missing_ok=True)
        ledger = Ledger.open(path, 1)
        before, key = ledger.rounds, f"round {k}"
        with failing as disk:
            try:
                done = ledger.charge([charge("1/4")], key=key, answer=lambda: b"17") > 0
            except ValueError:
                done = False
        assert done != disk.failed
        added = ledger.rounds - before
        assert (added, ledger.kept(key)) in ((0, None), (1, b"17")) and added >= done
        again = Ledger.open(path)
        assert (again.rounds, again.kept(key)) == (ledger.rounds, ledger.kept(key))
        assert again.charge([charge("1/4")], key=key, answer=lambda: b"12") == (0 if added else before + 1)
        assert again.rounds == before + 1


# --- rounds that are stepped over -------------------------------------------------------------------------------------


def entry(session):
    return lambda: {"session": session, "queries": []}


def fit(ledger, session, rounds=3):
    """A computation that looks at what is left, opens an account, and charges; what it has seen."""
    seen = [ledger.remaining(), ledger.rounds]
    account = ledger.new_account("tree")
    for k in range(rounds):
        number = ledger.charge([charge("1/16", query=f"count {k}")], account, asked=entry(session))
        seen += [account, number, ledger.remaining(ALL, account)]
    return seen


@pytest.mark.parametrize("done", range(4))
def test_a_computation_that_is_started_again_sees_what_it_saw_and_is_charged_once(tmp_path, done):
    """Whatever others have charged between: its rounds have the numbers that they had, and the rest is charged."""
    path = tmp_path / "budget.db"
    ledger = Ledger.open(path, 1, domain=DOMAIN)
    ledger.charge([charge("1/16")], "before")
    first = fit(ledger, "a", done)
    other = Ledger.open(path)
    other.charge([charge("1/8")], other.new_account("tree"), asked=entry("b"))
    spent = other.spent
    again = Ledger.open(path)
    again.replay(1, "a")
    seen = fit(again, "a")
    assert seen[: max(0, len(first) - 1)] == first[:-1] or done == 0
    assert (seen[:2] == first[:2]) == (done > 0) and [number for number in seen if type(number) is int][1:] == [
        *range(2, 2 + done),
        *range(3 + done, 6),
    ]
    assert again.rounds == 5 and again.spent == spent + charge("1/16").epsilon * (3 - done)
    assert Ledger.open(path).derivation().to_json() == again.derivation().to_json()
    assert again.charge([charge("1/16")], "after") == 6, "it is as it is now"


def test_what_differs_from_what_was_charged_is_refused(tmp_path):
    path = tmp_path / "budget.db"
    account = fit(Ledger.open(path, 1, domain=DOMAIN), "a")[2]
    for batch, named in (
        ([charge("1/16", query="another count")], account),
        ([charge("1/8", query="count 0")], account),
        ([charge("1/16", query="count 0")] * 2, account),
        ([charge("1/16", query="count 0")], "another"),
    ):
        again = Ledger.open(path)
        again.replay(0, "a")
        with pytest.raises(ValueError, match="round 1 was charged by another computation"):
            again.charge(batch, named, asked=entry("a"))
        assert again.rounds == 0 and Ledger.open(path).rounds == 3


def test_a_budget_that_is_just_enough_is_enough_for_what_is_stepped_over(tmp_path):
    path = tmp_path / "budget.db"
    fit(Ledger.open(path, "3/16", domain=DOMAIN), "a")
    again = Ledger.open(path)
    again.replay(0, "a")
    assert fit(again, "a")[0] == charge("3/16").epsilon and again.remaining() == 0
    with pytest.raises(BudgetExceeded):
        fit(again, "a", 1)


def test_only_a_number_of_rounds_that_a_ledger_had_is_gone_back_to(ledger):
    ledger.replay(0, "a")
    with pytest.raises(ValueError, match="got 1, and there are 0"):
        ledger.replay(1, "a")
    in_memory = Ledger(1)
    in_memory.charge([charge()])
    with pytest.raises(ValueError, match="in memory"):
        in_memory.replay(0, "a")


# --- accounts ---------------------------------------------------------------------------------------------------------


def test_two_processes_that_begin_at_once_have_two_accounts(tmp_path):
    """On one file, and whether or not they charge; else the regions of one tree would be looked for in the other's."""
    path = tmp_path / "budget.db"
    one, other = Ledger.open(path, 1), Ledger.open(path)
    names = [one.new_account("tree"), other.new_account("tree")]
    names += in_child(lambda say: say(Ledger.open(path).new_account("tree")))[0]
    names += [one.new_account("tree"), one.new_account("forest")]
    assert len(set(names)) == 5 and names[0] == "tree that begins after round 0"
    one.charge([charge()], "tree that begins after round 1")
    assert other.new_account("tree") == "tree that begins after round 1 (2)"


def test_what_is_kept_is_seen_by_all_and_stays(tmp_path):
    path = tmp_path / "budget.db"
    one, other = Ledger.open(path, 1), Ledger.open(path)
    one.keep("a", bytes(5000))
    assert other.kept("a") == bytes(5000)
    other.keep("a", b"1")
    one.close()
    assert Ledger.open(path).kept("a") == b"1" and bytes(5000) not in path.read_bytes()
    for use in (partial(one.kept, "a"), partial(one.keep, "a", b""), partial(one.forget, "a")):
        with pytest.raises(ValueError, match="closed"):
            use()


def test_what_is_replaced_or_forgotten_is_overwritten(tmp_path):
    path, ledger = tmp_path / "budget.db", Ledger.open(tmp_path / "budget.db", 1)
    pieces = [os.urandom(50_000) for _ in range(3)]
    for piece in pieces[:2]:
        ledger.keep("a", piece)
    ledger.keep("b", pieces[2])
    assert [piece[100:150] in path.read_bytes() for piece in pieces] == [False, True, True]
    ledger.forget("")
    assert not any(piece[at : at + 50] in path.read_bytes() for piece in pieces for at in range(0, 50_000, 50))


@pytest.mark.parametrize("kept", [False, True])
def test_a_step_that_an_interrupt_left_open_is_no_step_of_the_next_one(tmp_path, kept):
    """Books of a step that nobody is in, as a signal can leave them: the lock was free, so the step has ended."""
    ledger = Ledger.open(tmp_path / "budget.db", 1) if kept else Ledger(1)
    with ledger._books() as left:
        pass
    ledger._in_use = left
    assert ledger.charge([charge()]) == 1 and ledger.rounds == 1
    with ledger.step(), pytest.raises(ValueError, match="within a step"):
        ledger.charge([charge()])

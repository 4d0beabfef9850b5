"""The solver's proofs: what they prove, that they can fail, and what is said without a solver."""

import sys

import pytest

from fdpedu.claims import REGISTER
from fdpedu.claims.bounds import local as topic
from fdpedu.claims.checking import Refuted
from fdpedu.claims.verify import NOT_RUN, run_check


def test_without_the_solver_it_is_said_which_proof_was_not_run(monkeypatch):
    monkeypatch.setitem(sys.modules, "z3", None)
    claim = REGISTER["lem-local-bound"]
    results = [run_check(claim, check) for check in claim.checks if check.name in ("all families", "all counts")]
    said = "this needs z3-solver, which a plain installation leaves out: pip install 'fdpedu[verify]'"
    assert [(result.verdict, result.counterexample, result.cases) for result in results] == [(NOT_RUN, said, 0)] * 2


def test_the_two_facts_are_proved():
    pytest.importorskip("z3")
    topic.one_side(5)
    for strictly in (True, False):
        topic.all_splits(strictly)


def test_what_does_not_follow_is_not_proved():
    """A constant below 1: the solver shows counts. Assumptions that contradict each other prove nothing."""
    z3 = pytest.importorskip("z3")
    a, b = z3.Reals("a b")
    given = [a >= 0, b >= 0, a + b > 0]
    rise = topic.formula([a + 1, b]) - topic.formula([a, b])
    with pytest.raises(Refuted, match=r"says sat, wanted is unsat; its counterexample is \["):
        topic.proved(z3, given, rise < z3.Q(99, 100))
    with pytest.raises(Refuted, match=r"says unsat, wanted is sat$"):
        topic.proved(z3, [*given, a + b < 0], rise < 1)


def test_an_empty_side():
    topic.empty_side(2)

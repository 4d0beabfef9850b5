"""Sites and an aggregator that are killed and started again at any time, without sockets: what is answered and charged.

The rows have no noise, so that every sum is known. What the machine holds the program to: a round has one sum, however
often it is asked for; each ledger has charged each round once; a budget is never exceeded; and nobody who has not been
agreed on is heard.
"""

import tempfile
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from fdpedu.federation import ClassCounts, ClassHistogram
from fdpedu.secure_sum import Identity, RoundLost
from tests.support.afield import DOMAIN, Field

ALL = DOMAIN.everything
COST = Fraction(1, 8)
YOUNG = ALL.restrict(0, [0, 1])
ROUNDS = [[ClassCounts(ALL, COST)], [ClassHistogram(ALL, COST, 1)], [ClassCounts(YOUNG, COST)]]


class Killed(BaseException):
    """The aggregator's process ends here."""


class Site:
    """A site of the machine: it may lose an answer, be dead, or have its aggregator die before or after it answers."""

    def __init__(self, field, name):
        self.field, self.name, self.alive = field, name, field.site(name)
        self.faults, self.seen, self.said = [], [], {}

    def respond(self, message):
        fault = self.faults.pop() if self.faults else ""
        if self.alive is None:
            raise ConnectionRefusedError
        if fault == "killed before":
            raise Killed
        if fault == "restarted":
            self.restart()
        answer = self.alive.respond(message)
        self.seen.append(message)
        assert self.said.setdefault(message, answer) == answer, "the same question has got other bytes"
        if fault == "killed after":
            raise Killed
        if fault == "lost":
            raise ConnectionResetError
        return answer

    def restart(self):
        self.alive = self.field.site(self.name)


class Afield(RuleBasedStateMachine):
    def __init__(self):
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.field = Field(Path(self.folder.name), 3)
        self.sites = {name: Site(self.field, name) for name in self.field.own}
        self.script, self.sums, self.federation, self.open = [], [], None, False
        whole = self.field.in_process()
        self.right = [[part.tolist() for part in whole.release(queries)] for queries in ROUNDS]

    def teardown(self):
        if self.federation is not None:
            self.federation.journal.close()
        self.folder.cleanup()

    names = st.sampled_from(["north", "south", "east"])
    faults = st.sampled_from(["lost", "killed before", "killed after", "restarted", ""])

    @rule(name=names, faults=st.lists(faults, max_size=4))
    def misfortune(self, name, faults):
        """What will become of the next messages to a site."""
        self.sites[name].faults = faults

    @rule(name=names, alive=st.booleans())
    def restart(self, name, alive):
        self.sites[name].restart() if alive else setattr(self.sites[name], "alive", None)

    @rule()
    def aggregator_is_killed(self):
        if self.federation is not None:
            self.federation.journal.close()
        self.federation, self.sums = None, []

    @precondition(lambda self: len(self.script) < 6)
    @rule(which=st.integers(0, 2))
    def another_round(self, which):
        if not self.open:
            self.script.append(which)
        self.go_on()

    @rule()
    def go_on(self):
        """The same program from its beginning, or from where it is."""
        try:
            if self.federation is None:
                self.federation = self.field.near(self.sites)
            for which in self.script[len(self.sums) :]:
                self.open = which is self.script[-1]
                self.sums.append([part.tolist() for part in self.federation.release(ROUNDS[which])])
                assert self.sums[-1] == self.right[which]
            self.open = False
        except (Killed, RoundLost):
            self.aggregator_is_killed()

    @precondition(lambda self: any(site.seen for site in self.sites.values()))
    @rule(name=names, other=names, at=st.integers(0, 50), bit=st.integers(0, 10_000))
    def a_carrier_repeats_what_it_has_seen(self, name, other, at, bit):
        """To whom it was sent, or to another site, at any time; or with one bit changed."""
        site, seen = self.sites[name], self.sites[other].seen
        if site.alive is None or not seen:
            return
        message = seen[-1 - at % len(seen)]
        if bit < 5000:
            place = bit % len(message)
            message = message[:place] + bytes([message[place] ^ 4]) + message[place + 1 :]
        before = self.field.charged(name)
        try:
            answer = site.alive.respond(message)
        except OSError:
            answer = None
        if bit < 5000:
            assert self.field.charged(name) == before and answer in (None, b""), "what nobody has signed was heard"

    @rule(name=names)
    def a_stranger_asks(self, name):
        if self.sites[name].alive is None:
            return
        with pytest.raises(RoundLost):
            self.field.near(
                {each: site.alive or site for each, site in self.sites.items()},
                identity=Identity.create(),
                journal=False,
            )

    @invariant()
    def each_round_is_paid_once(self):
        done = len(self.sums)
        for name in self.field.own:
            rounds, spent = self.field.charged(name)
            assert done <= rounds <= len(self.script) and spent == rounds * COST, (name, rounds, self.script)
        rounds, spent = self.field.charged("aggregator")
        assert done <= rounds <= len(self.script) and spent == rounds * COST


Afield.TestCase.settings = settings(max_examples=5, stateful_step_count=15, deadline=None)
TestAfield = Afield.TestCase

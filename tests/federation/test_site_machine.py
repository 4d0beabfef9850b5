"""Two processes of one site under random messages: old, repeated, changed, of other sessions; killed and restarted.

The model knows of each session what was answered last, and nothing of how the site keeps it.
"""

import tempfile
from fractions import Fraction
from types import SimpleNamespace

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from fdpedu.accounting import Ledger
from fdpedu.claims.secure_sum.messages import AGE, ALL, request
from fdpedu.claims.sites import Field
from fdpedu.federation import ClassCounts, messages
from fdpedu.federation.messages import Answer, Farewell, Left, Refusal, Request, name_of, write
from fdpedu.federation.queries import read_queries
from fdpedu.federation.signed import SIGNATURE_BYTES

BUDGET = Fraction(5, 4)
COSTS = [Fraction(1, 4), Fraction(1, 2)]
POINTS = {  # where a process ends: a name of the library, and whether it had been run
    "asked": ("fdpedu.federation.endpoint.Endpoint._charges", False),
    "charged": ("fdpedu.accounting.budget_file.Transaction.append", True),
    "drawn": ("fdpedu.federation.endpoint.Endpoint._noisy", True),
    "kept": ("fdpedu.federation.site.Site._keep", True),
    "committed": ("fdpedu.accounting.budget_file.Transaction.commit", True),
}


class Killed(BaseException):
    """The process ends here; what it had in memory is gone."""


class Sites(RuleBasedStateMachine):
    @initialize()
    def first(self):
        self.folder = tempfile.TemporaryDirectory()
        self.field = Field(self.folder.name, budget=BUDGET)
        self.processes = [self.field.site(0) for _ in range(2)]
        self.seen, self.said, self.answered, self.names = [], {}, {}, []
        self.session, self.last, self.turn = None, 0, 0
        self.spent = Fraction(0)
        self.field.sites[0] = SimpleNamespace(identity=self.processes[0].identity, respond=self.carry)
        self.begin()

    def teardown(self):
        self.folder.cleanup()

    def carry(self, carried):
        """Either process may be reached; whatever it says is the same that was ever said to this question."""
        reply = self.processes[self.turn].respond(carried)
        self.seen.append(carried)
        if name_of(reply) != "refusal":
            assert self.said.setdefault(carried, reply) == reply, "other bytes for the same question"
        return reply

    which, cost = st.integers(0, 1), st.sampled_from(COSTS)

    @rule()
    def begin(self):
        self.session, self.last, self.open = self.field.begin(), 0, True
        self.names.append(self.session.name)

    @rule(k=which)
    def reach(self, k):
        self.turn = k

    @rule(k=which)
    def restart(self, k):
        self.processes[k] = self.field.site(0)

    @rule(ahead=st.integers(-1, 2), cost=cost)
    def ask(self, ahead, cost):
        self.asked(self.question(ahead, cost))

    def question(self, ahead, cost):
        number = max(1, self.last + ahead)
        return self.field.carried(write(request(self.session, number, ClassCounts(ALL, cost))))

    def asked(self, carried):
        """What the model says of a request, of whatever session."""
        message = messages.read(carried[SIGNATURE_BYTES:], Request)
        (query,) = read_queries(message.queries, AGE)
        cost = query.epsilon
        got = messages.read(self.carry(carried), Answer, Refusal)
        current = self.open and message.session == self.session.nonce
        if current and message.number > self.last and self.spent + cost <= BUDGET:
            assert type(got) is Answer
            self.last, self.spent = message.number, self.spent + cost
            assert self.answered.setdefault((message.session, message.number), carried) == carried
        elif current and self.answered.get((message.session, self.last)) == carried:
            assert type(got) is Answer
        else:
            assert type(got) is Refusal
            assert not current or got.name == ("over budget" if message.number > self.last else "replayed")

    @rule(point=st.sampled_from(sorted(POINTS)), cost=cost)
    def killed(self, point, cost):
        """In the midst of a question, which is asked again: of the process that is started, or of the other one."""
        carried, (name, afterwards) = self.question(1, cost), POINTS[point]
        with pytest.MonkeyPatch.context() as patch:
            place, _, method = name.rpartition(".")
            module, _, owner = place.rpartition(".")
            real = getattr(getattr(__import__(module, fromlist=["_"]), owner), method)

            def killing(*arguments, **options):
                found = real(*arguments, **options) if afterwards else None
                if point != "committed" or arguments[0]._connection.total_changes:
                    raise Killed
                return found

            patch.setattr(name, killing)
            try:
                reply = self.processes[self.turn].respond(carried)
                assert name_of(reply) == "refusal"  # it did not come so far
            except Killed:
                self.processes[self.turn] = self.field.site(0)
        self.asked(carried)

    @precondition(lambda self: self.seen)
    @rule(at=st.integers(0, 60))
    def repeat(self, at):
        """Any message that there ever was."""
        carried = self.seen[-1 - at % len(self.seen)]
        kind = name_of(carried[SIGNATURE_BYTES:])
        if kind == "queries":
            self.asked(carried)
        elif kind == "farewell":
            self.leave(self.names.index(messages.read(carried[SIGNATURE_BYTES:], Farewell).name))
        else:
            self.carry(carried)

    @rule(at=st.integers(0, 10))
    def leave(self, at):
        name = self.names[at % len(self.names)]
        got = messages.read(self.carry(self.field.carried(Farewell(name))), Left)
        self.open = self.open and got.name != self.session.name

    @precondition(lambda self: self.seen)
    @rule(at=st.integers(0, 60), bit=st.integers(0, 10**6))
    def forge(self, at, bit):
        carried = bytearray(self.seen[-1 - at % len(self.seen)])
        carried[bit // 8 % len(carried)] ^= 1 << bit % 8
        with pytest.raises(ConnectionRefusedError):
            self.processes[self.turn].respond(bytes(carried))

    @invariant()
    def what_was_answered_is_paid_once(self):
        with Ledger.open(self.field.path(0)) as ledger:
            assert (ledger.rounds, ledger.spent) == (len(self.answered), self.spent)
            assert self.spent <= BUDGET


Sites.TestCase.settings = settings(
    max_examples=max(6, settings().max_examples // 10), stateful_step_count=20, deadline=None
)
TestSites = pytest.mark.claim("thm-site")(Sites.TestCase)

"""Small federations without noise; and watched ones: who draws what, when something is sent, what goes wrong."""

from collections import defaultdict
from fractions import Fraction

import numpy as np

from fdpedu.accounting import Ledger
from fdpedu.claims.secure_sum.messages import AGE, ROWS
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.federation import ClassCounts, ClassHistogram, Federation, InProcess, Limits, NodeHistograms, Party
from fdpedu.federation.messages import Answer, Refusal, name_of, read
from fdpedu.randomness import SeededSource, ZeroWords

DOMAIN = Domain([Numeric.grid("x", 0, 3, bins=3), Categorical("w", ("A", "B"))], ("well", "ill"))
OTHER = Domain([Numeric.grid("x", 0, 3, bins=4), Categorical("w", ("A", "B"))], ("well", "ill"))
BUDGET = Fraction(3)
BELIEVING = Limits(members="anybody", tolerate=0)  # of an owner who believes the list of members


def parties(n=3, **own):
    """Parties whose rows the laws of chapter 5 know."""
    return [Party(ROWS[k % 3], AGE, **own) for k in range(n)]


def federation(n=3, budget=1, members=None, **options):
    return Federation(members or parties(n), AGE, Ledger(budget), rng=ZeroWords(), **options)


class Recording:
    """A source of zeros that writes down who drew from it; each of its children is a stream of its own."""

    kind, word_bits = SeededSource.kind, 64

    def __init__(self, log):
        self.log = log

    def words(self, size):
        self.log.drawn(self, size)
        return np.zeros(size, dtype=np.uint64)

    def spawn(self, n):
        return [Recording(self.log) for _ in range(n)]


class Watched(InProcess):
    """A transport that writes down what it sends and gets, and can fail in several ways."""

    def __init__(self, log):
        super().__init__()
        self.log, self.fault, self.answers, self.last = log, None, {}, None

    def gather(self, number, names, request, endpoints):
        self.log.sent()

        def watched(name, k, respond):
            def answer(request):
                if self.fault == "before" and k == 0:
                    raise ConnectionError
                self.log.party = (id(self), name)
                reply = respond(request)
                self.answers[number, k] = np.frombuffer(read(reply, Answer).words, dtype=np.uint64)
                if self.fault == "midway" or (self.fault == "after" and k == len(names) - 1):
                    raise ConnectionError
                return reply

            return answer

        asked = [watched(name, k, respond) for k, (name, respond) in enumerate(zip(names, endpoints, strict=True))]
        answers = super().gather(number, names, request, asked)
        self.log.before = self.log.before[0], number  # before anything else is drawn, the next round is charged
        return {
            "one less": answers[1:],
            "one more": [*answers, answers[0]],
            "short": [answers[0] and answers[0][:-8], *answers[1:]],
            "long": [*answers[:-1], answers[-1] and answers[-1] + bytes(8)],
            "in another order": answers[::-1],
            "twice the same": [answers[0]] * len(answers),
            "of a round before": [*answers[:-1], self.last],
        }.get(self.fault, self.keep(answers))

    def keep(self, answers):
        """The last answer, to be given again in a later round."""
        self.last = answers[-1]
        return answers


class Noting(Watched):
    """It also notes which rounds a party's own ledger refused, and what that ledger held; then the party is silent."""

    def __init__(self, log):
        super().__init__(log)
        self.refused = {}

    def gather(self, number, names, request, endpoints):
        def noted(respond):
            def answer(request):
                reply = respond(request)
                if name_of(reply) == "refusal":
                    own = respond.__self__.ledger
                    self.refused[number] = read(reply, Refusal).name, own.rounds, own.spent
                    raise ConnectionError
                return reply

            return answer

        return super().gather(number, names, request, [noted(respond) for respond in endpoints])


FAULTS = [
    *("before", "midway", "after", "one less", "one more", "short", "long"),
    *("in another order", "twice the same", "of a round before"),
]


class Log:
    """What happens while a round runs; nothing may be drawn or sent before the round is charged."""

    def __init__(self):
        self.events, self.party, self.users, self.before = 0, None, defaultdict(set), None

    def drawn(self, source, size):
        assert size > 0
        self.users[source].add(self.party)
        self.charged()

    def sent(self):
        self.charged()

    def charged(self):
        self.events += 1
        ledger, rounds = self.before
        assert ledger.rounds > rounds, "something is drawn or sent before it is charged"


def subclass(query):
    return type("Cheap", (type(query),), {"n_releases": property(lambda query: 1000)})(*query.__dict__.values())


def look_alike(query):
    names = ("n_releases", "rate", "claim", "sensitivity", "shape", "tally", "describe", "size", "charge", "to_json")
    return type(type(query).__name__, (), {name: getattr(query, name) for name in (*query.__dict__, *names, "check")})()


def swapped_region(query):
    """A region that is changed after the query checked it: it claims to be apart from all others."""
    apart = type("Apart", (type(query.region),), {"is_disjoint": lambda self, other: True, "__hash__": lambda self: 0})
    object.__setattr__(query, "region", apart(query.region.features, query.region.classes))
    return query


SPOILT = {
    "none": lambda query: [],
    "subclass": lambda query: [query, subclass(query)],
    "look-alike": lambda query: [look_alike(query), query],
    "region of another class": lambda query: [swapped_region(ClassCounts(query.region, query.epsilon))],
    "region of another domain": lambda query: [query, ClassCounts(OTHER.everything, query.epsilon)],
    "no such feature": lambda query: [query, ClassHistogram(query.region, query.epsilon, 2)],
    "feature by a bool": lambda query: [ClassHistogram(query.region, query.epsilon, True)],
    "noise beyond 64 bits": lambda query: [query, ClassCounts(query.region, Fraction(1, 2**41))],
    "noise beyond 64 bits in shares": lambda query: [NodeHistograms(query.region, Fraction(1, 2**40))],
    "no query": lambda query: [query, query.region],
}

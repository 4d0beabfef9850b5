"""Federations under random sequences of rounds, failures among them: what is charged, drawn, sent and masked, and when.

A source that records, of zero words, makes every answer exact. A transport that records sees which party draws what. So
the mask of an answer is the answer less the counts of its party.
"""

import json
import threading
from collections import defaultdict
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from fdpedu.accounting import BudgetExceeded, Ledger, check_derivation
from fdpedu.claims.bounds.query_noise import by_hand
from fdpedu.claims.strategies import regions, tables
from fdpedu.federation import ClassCounts, ClassHistogram, Federation, NodeBounds, NodeHistograms, Party
from fdpedu.secure_sum import RoundLost
from fdpedu.trees import fit_federated_tree
from tests.support.federations import BUDGET, DOMAIN, FAULTS, SPOILT, Log, Noting, Recording
from tests.support.records import count_by_hand

costs = st.fractions(Fraction(1, 12), Fraction(2, 3), max_denominator=12)

queries = st.one_of(
    st.builds(ClassCounts, regions(DOMAIN), costs),
    st.builds(NodeHistograms, regions(DOMAIN), costs),
    st.builds(ClassHistogram, regions(DOMAIN), costs, st.integers(0, 1)),
    st.builds(NodeBounds, regions(DOMAIN), costs, st.integers(1, 50)),
)


def exact(query, parts):
    """What these parties' rows answer together: counts of all rows, or the sum of their own bounds."""
    if isinstance(query, NodeBounds):
        return np.sum([by_hand(query, rows, DOMAIN) for rows in parts], axis=0)
    return count_by_hand(query, [row for rows in parts for row in rows], DOMAIN)


class Federations(RuleBasedStateMachine):
    def __init__(self):
        super().__init__()
        self.log, self.federations, self.rows, self.masks, self.numbers = Log(), [], [], [], defaultdict(list)
        self.root = Recording(self.log)

    @initialize(data=st.data(), shared=st.booleans())
    def first(self, data, shared):
        """Two from the start, so that what is true of one is soon asked of the other."""
        self.found(data, Ledger(BUDGET, colluders=0))
        self.another(data, shared)

    @precondition(lambda self: len(self.federations) < 3)
    @rule(data=st.data(), shared=st.booleans())
    def another(self, data, shared):
        self.found(data, self.federations[0].ledger if shared else Ledger(BUDGET))

    def found(self, data, ledger):
        parts = [data.draw(tables(DOMAIN, most=4)) for _ in range(data.draw(st.integers(2, 3), label="parties"))]
        tolerate = data.draw(st.integers(0, len(parts) - 1), label="tolerate")
        parties = [Party(rows, DOMAIN) for rows in parts]
        transport = Noting(self.log)
        federation = Federation(parties, DOMAIN, ledger, transport=transport, tolerate=tolerate, rng=self.root)
        assert federation.transport is transport
        self.federations.append(federation)
        self.rows.append(parts)

    def pick(self, data):
        k = data.draw(st.integers(0, len(self.federations) - 1), label="federation")
        return self.federations[k], self.rows[k]

    def state(self, federation):
        """All that a refused round must leave as it was."""
        ledger, transport = federation.ledger, federation.transport
        derived = ledger.derivation().to_json() if ledger.rounds else None
        return derived, federation.rounds, len(transport.manifest), list(transport.requests), self.log.events

    def run(self, federation, asked, **options):
        self.log.before = federation.ledger, federation.ledger.rounds
        return federation.release(asked, **options)

    @rule(data=st.data(), asked=st.lists(queries, min_size=1, max_size=4), account=st.sampled_from(["", "other"]))
    def release(self, data, asked, account):
        """The counts of all parties' rows, charged as the ledger would charge them; or nothing at all."""
        federation, rows = self.pick(data)
        before, spent = self.state(federation), federation.ledger.spent
        try:
            answers = self.run(federation, asked, account=account)
        except BudgetExceeded:
            assert self.state(federation) == before and spent + sum(query.epsilon for query in asked) > BUDGET
            return
        except RoundLost:
            self.excuse(federation, asked)
            self.note(federation, rows, asked)
            return
        for query, answer in zip(asked, answers, strict=True):
            assert answer.tolist() == exact(query, rows).tolist()
        self.note(federation, rows, asked)

    def excuse(self, federation, asked):
        """A party refuses a round only by its own ledger, and only if that lacks rounds that the analyst's has: of
        regions that overlap, what a ledger finds depends on all that it has seen, and fewer rounds may cost more.
        """
        name, rounds, spent = federation.transport.refused[federation.ledger.rounds]
        assert name == "over budget" and rounds < federation.ledger.rounds - 1
        assert spent + sum(query.epsilon for query in asked) > BUDGET

    def note(self, federation, rows, asked):
        """The number of the round, and the masks of its answers."""
        number = federation.ledger.rounds
        self.numbers[id(federation.ledger)].append(number)
        for k, part in enumerate(rows):
            answer = federation.transport.answers.get((number, k))
            if answer is not None and (len(rows) > 2 or k == 0):  # of two parties the second has the first's, negated
                counts = np.concatenate([exact(query, [part]).ravel() for query in asked])
                self.masks += (answer - counts.astype(np.uint64)).tolist()

    @rule(data=st.data(), query=queries, kind=st.sampled_from(sorted(SPOILT)))
    def spoilt(self, data, query, kind):
        """A round with a query that is none of the closed set, or cannot be answered, leaves no trace."""
        federation, _ = self.pick(data)
        before = self.state(federation)
        with pytest.raises(ValueError):
            self.run(federation, SPOILT[kind](query))
        assert self.state(federation) == before

    @rule(data=st.data(), query=queries)
    def beyond(self, data, query):
        """So does one that costs more than what is left, however little."""
        federation, _ = self.pick(data)
        before = self.state(federation)
        cost = federation.ledger.remaining(query.region, "") + Fraction(1, 10**9)
        with pytest.raises(BudgetExceeded):
            self.run(federation, [query, ClassCounts(query.region, cost)])
        assert self.state(federation) == before

    @rule(data=st.data(), asked=st.lists(queries, min_size=1, max_size=2), fault=st.sampled_from(FAULTS))
    def failed_send(self, data, asked, fault):
        """Where sending fails the round stays charged, with its number used up; and no wrong sum comes out."""
        federation, rows = self.pick(data)
        transport, rounds, before = federation.transport, federation.rounds, self.state(federation)
        transport.fault = fault
        try:
            with pytest.raises((RoundLost, BudgetExceeded)) as raised:
                self.run(federation, asked)
        finally:
            transport.fault = None
        if raised.type is BudgetExceeded:
            assert self.state(federation) == before
        else:
            assert federation.rounds == rounds + 1
            self.note(federation, rows, asked)

    @rule(data=st.data(), depth=st.integers(0, 2), epsilon=costs)
    def tree(self, data, depth, epsilon):
        """A tree costs at most what it may, in rounds that are charged before they are drawn."""
        federation, rows = self.pick(data)
        ledger, before, spent = federation.ledger, self.state(federation), federation.ledger.spent
        self.log.before = ledger, ledger.rounds
        options = {"max_depth": depth, "min_samples_split": 2, "epsilon": epsilon}
        if epsilon > ledger.remaining():
            with pytest.raises(BudgetExceeded):
                fit_federated_tree(federation, **options)
            assert self.state(federation) == before
            return
        accounts, rounds = ledger.accounts, federation.rounds
        try:
            tree = fit_federated_tree(federation, **options)
        except RoundLost:
            self.excuse(federation, [ClassCounts(DOMAIN.everything, epsilon)])  # each record pays at most this
            self.numbers[id(ledger)] += range(ledger.rounds - (federation.rounds - rounds) + 1, ledger.rounds + 1)
            return
        assert spent < ledger.spent <= spent + epsilon and tree.derivation.spent == ledger.spent
        assert len(ledger.accounts) == len(accounts) + 1, "a tree has an account of its own"
        assert sum(sum(leaf.counts) for leaf in tree.leaves()) == sum(map(len, rows))
        self.numbers[id(ledger)] += range(ledger.rounds - (federation.rounds - rounds) + 1, ledger.rounds + 1)

    @rule(data=st.data(), query=queries)
    def at_once(self, data, query):
        """Two threads on one federation: each gets its exact counts, as far as the budget goes."""
        federation, rows = self.pick(data)
        rounds, results = federation.ledger.rounds, []
        self.log.before = federation.ledger, rounds
        start = threading.Barrier(2)

        def ask():
            start.wait()
            try:
                results.append(federation.release([query])[0].tolist())
            except Exception as error:
                results.append(type(error))

        team = [threading.Thread(target=ask) for _ in range(2)]
        for thread in team:
            thread.start()
        for thread in team:
            thread.join()
        right = exact(query, rows).tolist()
        assert all(result in (right, BudgetExceeded, RoundLost) for result in results) and len(results) == 2
        if RoundLost in results:
            self.excuse(federation, [query])
        self.numbers[id(federation.ledger)] += range(rounds + 1, federation.ledger.rounds + 1)

    @invariant()
    def numbers_never_repeat(self):
        for federation in self.federations:
            ledger = federation.ledger
            assert self.numbers[id(ledger)] == list(range(1, ledger.rounds + 1))
            shared = [f for f in self.federations if f.ledger is ledger]
            assert sum(f.rounds for f in shared) == ledger.rounds
            sent = [number for f in shared for number in f.transport.requests]
            assert sorted(sent) == self.numbers[id(ledger)]
            assert ledger.spent <= ledger.budget == BUDGET

    @invariant()
    def every_stream_is_one_party_s(self):
        """No two parties, of one federation or of two, draw noise from one source; no source serves two parties."""
        parties = [party for users in self.log.users.values() for party in users]
        assert all(len(users) == 1 for users in self.log.users.values()) and len(set(parties)) == len(parties)

    @invariant()
    def no_mask_twice(self):
        """Of all rounds, parties and federations; neither the mask nor its negative."""
        assert len({min(mask, 2**64 - mask) for mask in self.masks}) == len(self.masks)

    def teardown(self):
        """The manifests of all federations of a ledger, together, are its derivation's."""
        for ledger in {id(f.ledger): f.ledger for f in self.federations}.values():
            shared = [f for f in self.federations if f.ledger is ledger]
            manifest = json.loads(shared[0].manifest.to_json())
            for other in shared[1:]:
                manifest["rounds"] += json.loads(other.manifest.to_json())["rounds"]
            if ledger.rounds:
                proved = check_derivation(ledger.derivation().to_json(), json.dumps(manifest))
                assert proved.spent == ledger.spent and proved.value == BUDGET
                assert proved.colluders == (0 if shared[0] is self.federations[0] else shared[0].tolerate)


Federations.TestCase.settings = settings(
    max_examples=max(10, settings().max_examples // 2), stateful_step_count=15, deadline=None
)

TestFederations = Federations.TestCase

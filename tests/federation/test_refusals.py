"""Every sentence in which the federation refuses, in one table: elsewhere a test names the parameter, or the refusal.

What must stay as it was when something is refused is looked at by the helpers, before they raise what was said.
"""

# Longer than 400 lines because all sentences of the module stand in one table.

import copy
import pickle
import re
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from fdpedu.accounting import Ledger
from fdpedu.claims.secure_sum.messages import AGE, ALL, ROWS
from fdpedu.domain import Categorical, Domain, Numeric, Region
from fdpedu.federation import (
    ClassCounts,
    ClassHistogram,
    Federation,
    GradientSums,
    GroupCounts,
    InProcess,
    InterceptSums,
    Limits,
    Model,
    NodeBounds,
    NodeHistograms,
    OutcomeCounts,
    Party,
    ResidualSums,
    SquareSums,
    TargetCounts,
    deal,
    messages,
    parties_from_frame,
)
from fdpedu.federation.manifest import Manifest
from fdpedu.federation.messages import (
    VERSION,
    Answer,
    Contributions,
    Passed,
    Refused,
    Request,
    Seated,
    SignedKey,
    SignedKeys,
)
from fdpedu.federation.queries import Query
from fdpedu.federation.stages import Seat, read_said, rules_of
from fdpedu.gradients import AdditiveModel, TreeShapes
from fdpedu.gradients.packing import packed_trees
from fdpedu.process import Process
from fdpedu.secure_sum import Identity, Occasion, Rules, canonical
from tests.support import desks
from tests.support.desks import Desk, refusal
from tests.support.federations import BELIEVING, federation, parties

QUARTER = ClassCounts(ALL, Fraction(1, 4))
OTHER = Domain([Numeric.grid("age", 0, 100, bins=4)], ("well", "ill"))
WARDS = Domain([Numeric.grid("age", 0, 100, bins=4), Categorical("ward", ("A", "B"))], ("well", "ill"))
THREE = Domain(AGE.features, ("a", "b", "c"))
LEVELS = Domain(AGE.features, target=Numeric.grid("stay", 0, 9, 4))
ONE = TreeShapes((((0, 1),),))
KEYS = [bytes([k]) * 32 for k in range(4)]
STRANGER = bytes(range(32))
MAX_FIELD = 10**40
TABLE = {"ward": ["A", "B", "B"], "id": [7, 8, 9], "class": ["ill", "well", "ill"], "age": [63, 17, 99]}
LINES = [[63, "A", "ill"], [17, "B", "well"], [99, "B", "ill"]]
FEATURES, CLASSES = [line[:2] for line in LINES], [line[2] for line in LINES]


# --- what is refused by a party: by which name, and what stays as it was ----------------------------------------------


def refused(name, said):
    """Raise the reason of a refusal of this name."""
    got, reason = said
    assert got == name
    raise ValueError(reason)


def invited(changed, n=2, **own):
    """The party goes on waiting for an invitation that it may accept."""
    desk = Desk(n, **own)
    said = refusal(desk, desk.invite(**(changed(desk) if callable(changed) else changed)))
    name, reason = refusal(desk, desk.say(Contributions(())))
    assert name == "out of order" and "invitation" in reason
    refused("not allowed", said)


def contributed(change):
    """The party goes on waiting for all nonces."""
    desk = Desk()
    desk.invite()
    said = refusal(desk, desk.say(Contributions(tuple(change(desk.nonces)))))
    assert type(desk.contribute()) is SignedKey
    refused("another session", said)


def seated(name, change):
    """The party goes on waiting for all keys."""
    desk = Desk(3)
    desk.invite()
    desk.contribute()
    right = list(desk.keys)
    change(desk)
    said = refusal(desk, desk.say(SignedKeys(tuple(desk.keys))))
    desk.keys = right
    assert type(desk.take_seat()) is Seated
    refused(name, said)


def with_key(k, key):
    def change(desk):
        desk.keys[k] = desk.announced(k, key)

    return change


def forged(k):
    def change(desk):
        desk.keys[k] = (desk.keys[k][0], bytes(64))

    return change


def swapped(desk):
    desk.keys[1:] = desk.keys[:0:-1]


def asked(name, make):
    """Nothing is charged then, the number is not used, and the next request is answered."""
    ledger = Ledger(3)
    desk = Desk(
        ledger=ledger,
        limits=Limits(members="anybody", tolerate=0, queries=[ClassCounts, ClassHistogram], least_epsilon="1/100"),
    ).begin()
    assert type(desk.ask(4, ClassCounts(ALL, Fraction(1, 2)))) is Answer
    said = refusal(desk, desk.say(make(desk)))
    assert ledger.spent == Fraction(1, 2)
    assert type(desk.ask(5, QUARTER)) is Answer and ledger.spent == Fraction(3, 4)
    refused(name, said)


def written(*queries):
    """A request for queries that are written by hand."""
    return lambda desk: Request(desk.session, 5, "", canonical(queries))


PACKED = packed_trees([(((0, 1),), ())])


def pulls(model, trees):
    """A request for sums of pulls, of a model and new trees that are packed by hand."""
    whole = ("packed", model, 0, 16)
    return written(("gradient-sums", (), Fraction(1), 64, whole, 32, 256, 256, ("packed", *trees)))


def passed(name, stage, content=(), **changed):
    """What is passed on to a party that has announced its key for round 3."""
    desk = Desk(4).begin(missing=1)
    desk.ask(3, QUARTER)
    refused(name, refusal(desk, desk.say(Passed(stage, desk.session, 3, content)._replace(**changed))))


def with_few_numbers():
    desk = Desk().begin()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("fdpedu.federation.endpoint.MAX_NUMBERS", 4)
        refused("oversized", refusal(desk, desk.ask(1, QUARTER, ClassHistogram(ALL, 1, 0))))


def with_closed_ledger(path):
    ledger = Ledger.open(path, 1)
    desk = Desk(ledger=ledger).begin()
    ledger.close()
    refused("not allowed", refusal(desk, desk.ask(1, QUARTER)))


# --- by the aggregator, and by whoever reads --------------------------------------------------------------------------


def read(name, message, largest=2**28):
    with pytest.raises(Refused) as caught:
        messages.read(message, SignedKeys, Seated, largest=largest)
    refused(name, (caught.value.name, caught.value.reason))


def form(*content):
    return canonical(content)


def said(name, stage, *content):
    with pytest.raises(Refused) as caught:
        read_said(stage, content, 0, Occasion(bytes(32), 1, bytes(32), (bytes(32), bytes(32)), 2))
    refused(name, (caught.value.name, caught.value.reason))


def in_session(kind, change, k=1, **options):
    desks.ask(*desks.begin(instead=[(k, kind, change)], **options))


def released(*arguments, **options):
    """Nothing is charged, and nothing is sent; and the next round is answered."""
    f = federation(2)
    sent = len(f.transport.manifest)
    try:
        f.release(*arguments, **options)
    finally:
        assert (f.ledger.spent, f.rounds, len(f.transport.manifest)) == (0, 0, sent)
        f.release([QUARTER], "x" * 1000)
        assert f.ledger.accounts == ("x" * 1000,)


def with_groups(groups):
    query = GroupCounts(ALL, 1, 2)
    object.__setattr__(query, "groups", groups)
    query.check(AGE)


def with_lattice(lattice):
    """Of a query that is changed after it was made."""
    query = NodeBounds(ALL, 1, 4)
    object.__setattr__(query, "lattice", lattice)
    query.check(AGE)


def within_a_round():
    """What was charged before is charged, and the next round goes on."""
    f, inner = federation(), []

    def again(done, of):
        with pytest.raises(ValueError) as caught:
            f.release([QUARTER])
        inner.append(caught.value)

    (first,), (second,) = f.release([QUARTER], answered=again), f.release([QUARTER])
    assert first.tolist() == second.tolist() == [2, 4] and len(inner) == 3
    assert f.ledger.rounds == f.rounds == 2 and f.ledger.spent == Fraction(1, 2)
    raise inner[0]


def made(members=None, domain=AGE, ledger=None, **options):
    """A federation that is refused does not bind its ledger."""
    ledger = Ledger(1) if ledger is None else ledger
    try:
        Federation(parties(2) if members is None else members, domain, ledger, **options)
    finally:
        assert not isinstance(ledger, Ledger) or ledger.domain is None


def copies():
    party = Party([], AGE)
    return party, copy.copy(party)


def with_own(ledger):
    made([*parties(1), Party([], AGE, ledger=ledger, limits=BELIEVING)], ledger=ledger)


def federation_forked():
    f = federation()
    f._made_in = Process(0, None)
    try:
        f.release([QUARTER])
    finally:
        assert f.ledger.spent == 0


def endpoint_forked():
    endpoint = Desk().endpoint
    endpoint._made_in = Process(0, None)
    endpoint.respond(b"")


def sites(names, frame=TABLE, **options):
    return parties_from_frame({**frame, "site": names}, WARDS, **{"label": "class", "by": "site", **options})


LOST = "'two' does not answer in round 5, which is lost (what was answered stays charged): "
CALLS = {  # the sentence: whatever is refused in it
    # a party, of what is said to it
    "the session is about another public domain": [lambda: invited({"domain": bytes(32)})],
    "each member stands on the list once, this party among them": [
        lambda: invited(lambda d: {"members": (STRANGER, d.members[1])}),
        lambda: invited(lambda d: {"members": (d.members[0],) * 2}),
        lambda: invited(lambda d: {"members": (*d.members, d.members[1])}),
    ],
    "this party's ledger promises to withstand 2 colluders": [
        lambda: invited({"tolerate": 2, "missing": 1}, 5, ledger=Ledger(1, colluders=2))
    ],
    "this party's ledger takes no charge; its owner can see why": [
        lambda: invited({}, ledger=Ledger(1, domain=OTHER)),
        with_closed_ledger,
    ],
    "2 members are too few: this party wants 3": [
        lambda: invited({}, limits=Limits(members="anybody", tolerate=0, minimum=3)),
        lambda: Limits(members="anybody", tolerate=0, minimum=3).check_members(KEYS[:2], 0),
    ],
    "4 members are too many: this party wants 3 at most": [
        lambda: invited({}, 4, limits=Limits(members="anybody", tolerate=0, maximum=3)),
        lambda: Limits(members="anybody", tolerate=0, maximum=3).check_members(KEYS, 0),
    ],
    "somebody is on the list whom this party's owner has not pinned": [
        lambda: invited({}, limits=Limits(tolerate=0, members=[STRANGER])),
        lambda: Limits(tolerate=0, members=KEYS[:2]).check_members(KEYS[1:3], 0),
        lambda: Limits(tolerate=0, members=KEYS[:2]).check_members(KEYS[:3], 0),
    ],
    "the noise withstands 1 colluders: this party wants 2 or more": [
        lambda: invited({"tolerate": 2, "missing": 1}, 5, limits=Limits(members="anybody", tolerate=2)),
        lambda: Limits(members="anybody", tolerate=2).check_members(KEYS, 1),
    ],
    "what this party has contributed is not in its place": [
        lambda: contributed(lambda nonces: nonces[::-1]),
        lambda: contributed(lambda nonces: nonces[:1]),
        lambda: contributed(lambda nonces: [*nonces, bytes(32)]),
        lambda: contributed(lambda nonces: [bytes(32), nonces[1]]),
        lambda: contributed(lambda nonces: []),
    ],
    "3 members need as many keys, got 2": [lambda: seated("another session", lambda desk: desk.keys.pop())],
    "the request is not of this session": [
        lambda: asked("another session", lambda d: d.request(5, QUARTER)._replace(session=bytes(32)))
    ],
    "round 4 does not come after round 4": [lambda: asked("replayed", lambda d: d.request(4, QUARTER))],
    # packed trees
    "these bytes are no block of packed trees": [
        lambda: asked("malformed", pulls((b"",), PACKED)),
        lambda: asked("malformed", pulls((PACKED[0][:-1],), PACKED)),
        lambda: asked("malformed", pulls((PACKED[0] + bytes(1),), PACKED)),
        lambda: asked("malformed", pulls((), (PACKED[0][:3],))),
    ],
    "packed trees are blocks of bytes": [
        lambda: asked("malformed", pulls((1,), PACKED)),
        lambda: asked("malformed", pulls(PACKED[0], PACKED)),
        lambda: asked("malformed", pulls((), ("x",))),
    ],
    "packed trees stand in blocks of 32, and these are divided otherwise": [
        lambda: asked("malformed", pulls((), PACKED * 2)),
    ],
    "each question must be a feature of the domain and a mask of its codes": [
        lambda: asked("malformed", pulls((), packed_trees([(((1, 1),), ())]))),
        lambda: asked("malformed", pulls((), packed_trees([(((0, 1 << AGE.features[0].n_codes),), ())]))),
    ],
    "each tree of a model must have 1 to 6 questions of the domain, and a weight for each leaf, an integer of at most "
    "1048576": [
        lambda: asked("malformed", pulls(packed_trees([(((1, 1),), (0, 1))]), PACKED)),
        lambda: asked("malformed", pulls(packed_trees([(((0, 1),), (0, 2**20 + 1))]), PACKED)),
    ],
    "each tree of a model must have a weight for each leaf": [lambda: asked("malformed", pulls(PACKED, PACKED))],
    "trees must be TreeShapes, and these have weights": [
        lambda: asked("malformed", pulls((), packed_trees([(((0, 1),), (0, 1))]))),
    ],
    "trees must be a tuple of 1 to 4096 trees, each a tuple of questions": [lambda: asked("malformed", pulls((), ()))],
    "a request has at least one query": [lambda: asked("malformed", lambda d: d.request(5))],
    "no query of the closed set is written so: a party answers node-histograms, class-histogram, class-counts, "
    "node-bounds, outcome-counts, designed-split, split-vote, structure-vote, "
    "group-counts, gradient-sums, intercept-sums, pull-vectors, target-counts, residual-sums, square-sums, "
    "confusion-counts, each in the one form that it has": [
        lambda: asked("malformed", written(("rows", (), Fraction(1)))),
        lambda: asked("malformed", written(("node-bounds", (), Fraction(1)))),
        lambda: asked("malformed", written(("class-counts", (), 1))),
    ],
    "this party does not answer node-histograms": [
        lambda: asked("not allowed", lambda d: d.request(5, QUARTER, NodeHistograms(ALL, 1))),
        lambda: Limits(members="anybody", tolerate=0, queries=[ClassCounts]).check_query(NodeHistograms(ALL, 1)),
    ],
    "this party answers at ε = 1/100 or more for a query": [
        lambda: asked("not allowed", lambda d: d.request(5, QUARTER, ClassCounts(ALL, Fraction(1, 101))))
    ],
    "a request has at most 4096 queries, this one has 4097": [
        lambda: asked("oversized", lambda d: d.request(5, *[QUARTER] * 4097))
    ],
    "an answer has at most 4 numbers, this one would have 6": [with_few_numbers],
    "what was passed on is not of round 3 of this session": [
        lambda: passed("another session", "announce", session=bytes(32)),
        lambda: passed("another session", "announce", number=2),
        lambda: passed("another session", "announce", number=4),
    ],
    "what was passed on does not have the form of this stage": [
        lambda: passed("malformed", "announce", ((0,),)),
        lambda: passed("malformed", "unmask"),
    ],
    "each stage comes once and in order; ended has announce": [lambda: passed("out of order", "share")],
    "the noise of a missing party is missing: tolerate must be at least missing, got 1 and 2": [
        lambda: rules_of(4, 1, 2),
        lambda: made(parties(4), tolerate=1, missing=2),
    ],
    # whoever reads a message
    "a message is bytes, got str": [
        lambda: read("malformed", "abc"),
        lambda: asked("malformed", lambda d: "abc"),
    ],
    "a message has at most 20 bytes, got 21": [lambda: read("oversized", bytes(21), 20)],
    "a message has at most 262144 fields, and numbers of 512 digits": [
        lambda: messages.require_readable(canonical((Fraction(1, 16**512),))),
        lambda: read("oversized", canonical(16**512)),
        lambda: read("oversized", form(*[()] * 2**18)),
    ],
    "a message names its version and its kind": [
        lambda: read("malformed", canonical(7)),
        lambda: read("malformed", canonical(VERSION)),
        lambda: read("malformed", canonical({"a": 1, "b": 2})),
        lambda: read("malformed", form()),
        lambda: read("malformed", form(VERSION)),
        lambda: read("malformed", form(7)),
        lambda: read("malformed", form(1, 2)),
        lambda: read("malformed", form(7, "nonces", ())),
        lambda: read("malformed", form(VERSION, 7, ())),
        lambda: read("malformed", form(b"v", b"k", "nonces")),
    ],
    "expected 'fdpedu federation, version 6', got another text of 6 characters": [
        lambda: read("another version", form("fdpedu", "nonces", ())),
        lambda: read("another version", form("nonces", VERSION, ())),
    ],
    "no kind of message has these fields": [
        lambda: read("malformed", form(VERSION, "gossip")),
        lambda: read("malformed", form(VERSION, "gossip", ())),
        lambda: read("malformed", form(VERSION, "gossip", "nonces", ())),
        lambda: read("malformed", form(VERSION, "nonces")),
        lambda: read("malformed", form(VERSION, "nonces", (), ())),
        lambda: read("malformed", form(VERSION, "nonces", 7)),
    ],
    "what may come now is signed keys or seated, got nonces": [
        lambda: read("out of order", form(VERSION, "nonces", ()))
    ],
    "a party says one thing for itself at the stage 'agree'": [
        lambda: said("malformed", "agree", (1, bytes(64))),
        lambda: said("malformed", "agree", (0, bytes(63))),
        lambda: said("malformed", "agree", (0, bytes(64)), (0, bytes(64))),
        lambda: said("malformed", "agree"),
        lambda: said("malformed", "agree", 7),
    ],
    "2 masked numbers have 8 bytes each, got 8 bytes": [lambda: said("malformed", "mask", (0, bytes(8)))],
    "the key is not signed for this round": [
        lambda: said("not signed", "announce", (0, bytes(32), bytes(32), bytes(64)))
    ],
    # the aggregator, of what parties answer
    f"{LOST}it is silent": [lambda: in_session(Request, desks.silent)],
    "'two' takes no part: its answer is not signed: the message is not signed by the party that it should come from": [
        lambda: in_session(SignedKeys, desks.unsigned),
        lambda: in_session(SignedKeys, desks.of_another),
    ],
    f"{LOST}it refuses, no\\u001bt: be\\u0007cause\\u000a ä": [lambda: in_session(Request, desks.refusing)],
    f"{LOST}its answer is out of order: what may come now is masked sums or refusal, got says": [
        lambda: in_session(Request, desks.saying)
    ],
    "'two' takes no part: it has its seat in another session": [
        lambda: in_session(SignedKeys, lambda answer, puppet: Seated(bytes(32)))
    ],
    f"{LOST}its answer is to another request": [
        lambda: in_session(Request, desks.changed(session=bytes(32))),
        lambda: in_session(Request, desks.changed(number=6)),
        lambda: in_session(Request, desks.changed(digest=bytes(32))),
    ],
    f"{LOST}2 numbers are due, its answer has 17 bytes": [lambda: in_session(Request, desks.changed(words=bytes(17)))],
    "round 5 is lost: 2 answers are due, 1 have come": [
        lambda: desks.ask(*desks.begin(transport=desks.Short("queries")))
    ],
    "round 5 is lost: 4 answers are due, 3 have come": [
        lambda: desks.ask(*desks.begin(4, missing=1, transport=desks.Short("passed on, share")))
    ],
    # limits
    "queries must be types of the closed set, NodeHistograms, ClassHistogram, ClassCounts, NodeBounds, OutcomeCounts, "
    "DesignedSplit, SplitVote, StructureVote, GroupCounts, GradientSums, InterceptSums, PullVectors, TargetCounts, "
    "ResidualSums, SquareSums, ConfusionCounts": [
        lambda: Limits(members="anybody", tolerate=0, queries=[]),
        lambda: Limits(members="anybody", tolerate=0, queries=[ClassCounts, int]),
        lambda: Limits(members="anybody", tolerate=0, queries=[ClassCounts(ALL, 1)]),
    ],
    "members must be a set or a list of identities, 32 bytes each, that the owner has compared; or 'anybody'": [
        lambda: Limits(tolerate=0, members=[KEYS[0], bytes(31)]),
        lambda: Limits(tolerate=0, members=[bytes(33)]),
        lambda: Limits(tolerate=0, members=[b"short"]),
        lambda: Limits(tolerate=0, members=7),
    ],
    # queries
    "ask one of the closed set of queries": [
        lambda: Query(ALL, 1).shape(AGE),
        lambda: Query(ALL, 1).size(AGE),
        lambda: Query(ALL, 1).describe(AGE),
        lambda: Query(ALL, 1).tally(None, np.arange(2), AGE),
    ],
    "region must be a Region, got str": [lambda: ClassCounts("everything", 1)],
    "model must be a Model, an AdditiveModel or a VectorModel, got int": [lambda: OutcomeCounts(ALL, 1, 3)],
    "an additive model is for two classes, and the domain has 3": [
        lambda: OutcomeCounts(THREE.everything, 1, AdditiveModel()).check(THREE)
    ],
    "an additive model is written as its name, its trees, its intercept and its scale": [
        lambda: OutcomeCounts(ALL, 1, ("additive", (), 0))
    ],
    "scores are for two classes, and the domain has 3": [
        lambda: InterceptSums(THREE.everything, 1, 64, AdditiveModel()).check(THREE)
    ],
    "model must be AdditiveModel, got Model": [lambda: InterceptSums(ALL, 1, 64, Model(((0,),)))],
    "steps must be an integer ≥ 2, got 0": [lambda: InterceptSums(ALL, 1, 0, AdditiveModel())],
    "steps must be even, as half of them stands for the probability 1/2, got 3": [
        lambda: InterceptSums(ALL, 1, 3, AdditiveModel()).check(AGE)
    ],
    "trees must be TreeShapes, got int": [lambda: GradientSums(ALL, 1, 64, AdditiveModel(), 32, 256, 256, 3)],
    "clip must be at most 64, got 65": [
        lambda: GradientSums(ALL, 1, 64, AdditiveModel(), 65, 256, 256, TreeShapes((((0, 1),),)))
    ],
    "first must be at most 256, got 257": [
        lambda: GradientSums(ALL, 1, 64, AdditiveModel(), 32, 257, 256, TreeShapes((((0, 1),),)))
    ],
    "the query's region must be of all parties: rows do not say where they lie, ledgers do": [
        lambda: ClassCounts(WARDS.everything.of_party({0}, "0" * 64), 1).check(WARDS),
        lambda: NodeBounds(WARDS.everything.of_party(range(255), "0" * 64), 1, 4).check(WARDS),
        lambda: released([QUARTER, ClassCounts(ALL.of_party({1}, "0" * 64), 1)]),
    ],
    "the query's region does not belong to the federation's domain": [
        lambda: ClassCounts(Region((7,), 7), 1).check(WARDS),
        lambda: ClassCounts(Region((15, 3, 1), 3), 1).check(WARDS),
        lambda: ClassCounts(Region((31, 3), 3), 1).check(WARDS),
        lambda: ClassCounts(Region((15, 3), 7), 1).check(WARDS),
        lambda: ClassHistogram(Region((15, 4), 3), 1, 0).check(WARDS),
        lambda: NodeBounds(Region((15, 3, 1), 3), 1, 4).check(WARDS),
        lambda: released([QUARTER, ClassCounts(OTHER.everything, 1)]),
        lambda: asked("malformed", written(("class-counts", ((0, 8),), Fraction(1)))),
    ],
    "epsilon of each release must be a fraction of numbers of at most 40 digits, as ledgers add costs exactly: "
    "take a budget, and shares of it, of fewer digits": [
        lambda: ClassCounts(ALL, MAX_FIELD).check(AGE),
        lambda: ClassCounts(ALL, Fraction(MAX_FIELD, 3)).check(AGE),
        lambda: ClassCounts(ALL, Fraction(MAX_FIELD - 1, MAX_FIELD)).check(AGE),
        lambda: ClassCounts(ALL, Fraction(MAX_FIELD + 1, MAX_FIELD - 1)).check(AGE),
    ],
    "groups must be an integer ≥ 2, got 1": [lambda: GroupCounts(ALL, 1, 1)],
    "groups must be at most 256, got 257": [lambda: GroupCounts(ALL, 1, 257)],
    "groups must be an integer ≥ 2, got 0": [lambda: TargetCounts(ALL, 1, 0)],
    "spread must be an integer ≥ 1, got 0": [lambda: ResidualSums(ALL, 1, 64, AdditiveModel(), 0, ONE)],
    "spread must be at most 512, got 513": [
        lambda: ResidualSums(ALL, 1, 64, AdditiveModel(), 513, ONE),
        lambda: SquareSums(ALL, 1, 513, AdditiveModel()),
    ],
    "trees must be TreeShapes, got str": [lambda: ResidualSums(ALL, 1, 64, AdditiveModel(), 1, "none")],
    "spread must be 0 of a tree, and at least 1 of an additive model, whose scores have a unit": [
        lambda: SquareSums(LEVELS.everything, 1, 0, AdditiveModel()).check(LEVELS),
        lambda: SquareSums(LEVELS.everything, 1, 7, Model(((0,),))).check(LEVELS),
    ],
    "model must have 1 to 16384 nodes, of this domain's features, codes and classes": [
        lambda: SquareSums(LEVELS.everything, 1, 0, Model(((4097,),))).check(LEVELS)
    ],
    **{
        f'{what} is for a numeric target, and the domain has classes: write "target": [low, high] in place of them': [
            ask
        ]
        for what, ask in {
            "a count of levels": lambda: TargetCounts(ALL, 1, 9).check(AGE),
            "a sum of residuals": lambda: ResidualSums(ALL, 1, 64, AdditiveModel(), 1, ONE).check(AGE),
            "a sum of squares": lambda: SquareSums(ALL, 1, 1, AdditiveModel()).check(AGE),
        }.items()
    },
    "groups must be an integer from 2 to 256": [lambda: with_groups(True), lambda: with_groups(1)],
    "lattice must be an integer from 1 to 65536": [lambda: with_lattice(True), lambda: with_lattice(2**16 + 1)],
    "feature must be a position from 0 to 1": [
        lambda: ClassHistogram(WARDS.everything, 1, 2).check(WARDS),
        lambda: ClassHistogram(WARDS.everything, 1, -1).check(WARDS),
        lambda: ClassHistogram(WARDS.everything, 1, True).check(WARDS),
        lambda: ClassHistogram(WARDS.everything, 1, 0.0).check(WARDS),
    ],
    # a federation
    "a federation needs at least 2 parties, a Domain and a Ledger, in this order; got parties: "
    "tuple of 3 (list, Party), domain: Domain, ledger: Ledger. Rows become a party by Party(rows, domain)": [
        lambda: made((ROWS[0], *parties(1), ROWS[1]))
    ],
    "all parties must share the federation's domain": [
        lambda: made(domain=OTHER),
        lambda: made([*parties(2), Party([], OTHER)]),
    ],
    "a party takes part once: its records would be counted twice": [
        lambda: made(parties(1) * 2),
        lambda: made([*parties(1), *copies()]),
    ],
    "a party's own ledger and the federation's are two: each round is charged to both": [
        lambda: with_own(Ledger(1)),
        lambda path: made(
            [*parties(1), Party([], AGE, ledger=Ledger.open(path, 1), limits=BELIEVING)], ledger=Ledger.open(path, 1)
        ),
    ],
    "the ledger promises to withstand 1 colluders, more than tolerate = 0; "
    "make it with Ledger(…, colluders=0), or raise tolerate": [lambda: made(ledger=Ledger(1, colluders=1), tolerate=0)],
    "the ledger promises to withstand 2 colluders, more than tolerate = 2 less missing = 1; "
    "make it with Ledger(…, colluders=1), or raise tolerate": [
        lambda: made(parties(5), ledger=Ledger(1, colluders=2), tolerate=2, missing=1)
    ],
    "this transport serves another federation already: give each its own": [
        lambda: made(transport=federation().transport)
    ],
    "round 1 has been sent by this transport: give each ledger its own": [
        lambda: [transport.gather(1, [], b"", []) for transport in [InProcess()] * 2]
    ],
    "a round needs at least one query, of the closed set of types": [
        lambda: released([]),
        lambda: released([QUARTER, "counts"]),
        lambda: released([QUARTER, Query(ALL, Fraction(1))]),
    ],
    "account must be a text of at most 1,000 characters": [
        lambda: released([QUARTER], "x" * 1001),
        lambda: released([QUARTER], None),
        lambda: released([QUARTER], type("Text", (str,), {})("x")),
    ],
    "a round has at most 4096 queries and 33553408 numbers, got 4097 and 8194: ask in two rounds": [
        lambda: released([QUARTER] * 4097)
    ],
    "a request has at most 4186112 bytes, this one has 4186113": [
        lambda: messages.require_readable(canonical(("a" * (2**22 - 2**13 - 17),)))
    ],
    "this thread is in the midst of a round of this federation: begin another after it": [within_a_round],
    "a federation is neither copied nor pickled: the copy would use the same masks again": [
        lambda: pickle.dumps(federation())
    ],
    "an endpoint is neither copied nor pickled: the copy would use the same masks again": [
        lambda: pickle.dumps(Desk().endpoint)
    ],
    "this federation was made before this process was forked, and the other one may use it: "
    "make one here, from the parties": [federation_forked],
    "this endpoint was made before this process was forked, and the other one may use it: join a session here": [
        endpoint_forked
    ],
    # manifests
    "the text: expected a manifest with the schema 'fdpedu-manifest/5', it is 'fdpedu-manifest/0': an early "
    "fdpedu 0.1.0 wrote it, and reads it": [
        lambda: Manifest.from_json('{"schema": "fdpedu-manifest/0", "rounds": []}')
    ],
    "the text: expected a manifest with the schema 'fdpedu-manifest/5', it has none": [
        lambda: Manifest.from_json('{"rounds": []}'),
        lambda: Manifest.from_json("{}"),
    ],
    "the text: expected a manifest with the schema 'fdpedu-manifest/5' and its rounds": [
        lambda: Manifest.from_json('{"schema": "fdpedu-manifest/5"}'),
        lambda: Manifest.from_json('{"schema": "fdpedu-manifest/5", "rounds": {}}'),
    ],
    # a party, and one table for many
    "domain must be a Domain, got str": [
        lambda: Party([], "ages"),
        lambda: Party.from_csv("none.csv", "ages", label="class"),
        lambda: parties_from_frame(TABLE, "ages", label="class", by="id"),
    ],
    "limits must be given where a party has a ledger of its own: Limits(members=…, tolerate=1) pins whom its owner has "
    "compared, Limits(members='anybody', tolerate=0) believes any list of members": [
        lambda: Party([], WARDS, ledger=Ledger(1)),
        lambda: Party([], WARDS, ledger=Ledger(1), identity=Identity.create()),
    ],
    "ledger must be a Ledger, got int": [lambda: Party([], WARDS, ledger=1)],
    "p: there must be as many labels as rows": [lambda: Party(FEATURES, WARDS, labels=["ill"] * 4, name="p")],
    "p: labels has another index than the rows; order both alike, then reset_index()": [
        lambda: Party(pd.DataFrame(TABLE), WARDS, labels=pd.Series(CLASSES, index=[2, 1, 0]), name="p")
    ],
    "p: give label, the name of a column, or labels, the classes themselves; not both": [
        lambda: Party(TABLE, WARDS, label="class", labels=CLASSES, name="p")
    ],
    "p: give label=, the name of the column of classes, or of the target, or labels=, the classes or the numbers": [
        lambda: Party(TABLE, WARDS, name="p")
    ],
    "p: the rows have no names, so no column 'class'; give labels=, or the class last": [
        lambda: Party(LINES, WARDS, label="class", name="p")
    ],
    "p row 1: expected 2 feature values and the class": [
        lambda: Party([LINES[0], LINES[1][:2]], WARDS, name="p"),
    ],
    "p row 0: expected 2 feature values": [lambda: Party(LINES, WARDS, labels=CLASSES, name="p")],
    "frame must be a table with names, such as a data frame or a dictionary of columns": [
        lambda: parties_from_frame([[63, "A", "ill"]], WARDS, label="class", by="id")
    ],
    "label and by must be names of columns, got 7 and 'site'": [lambda: sites(["s"] * 3, label=7)],
    "by must be the column of the site, got 'class', which is a feature or the class": [
        lambda: sites(["s"] * 3, by="class")
    ],
    "the frame row 1, column 'site': expected the name of a site: a whole number, or text without blanks around it": [
        lambda: sites(["s", "", "s"]),
        lambda: sites(["s", " n", "s"]),
        lambda: sites(["s", "n ", "s"]),
        lambda: sites(["s", "n\x07n", "s"]),
        lambda: sites(np.array([1, True, 1], dtype=object)),
        lambda: sites([1, 2.5, 1]),
        lambda: sites([1, float("inf"), 1]),
    ],
    "the frame row 1, column 'site': expected the name of a site; a missing value must be filled in or its row "
    "left out beforehand": [
        lambda: sites(["s", None, "s"]),
        lambda: sites([1, float("nan"), 2]),
        lambda: sites(np.ma.array([1, 1, 2], mask=[0, 1, 0])),
    ],
    "the frame: sites are named by numbers, and by text that reads as the same numbers": [
        lambda: sites([1, "1", 2]),
        lambda: sites([1.0, "1", 2]),
    ],
    "the frame row 2, column 'site': expected one of the 2 parties that were given": [
        lambda: sites(["s", "n", "w"], parties=["n", "s"])
    ],
    "parties must be a list of the values of the column, got str": [lambda: sites(["s"] * 3, parties="sn")],
    "parties must be different names of sites, each text or an integer": [
        lambda: sites(["s"] * 3, parties=["s", "n", "s"]),
        lambda: sites(["s"] * 3, parties=["s", " n"]),
        lambda: sites(["s"] * 3, parties=["s", None]),
        lambda: sites(["s"] * 3, parties=[1, "1"]),
    ],
    "column 'site' has 11 values in 12 rows: does it name sites, or persons?": [
        lambda: sites([*range(11), 0], {"age": [50] * 12, "ward": ["A"] * 12, "class": ["ill"] * 12})
    ],
}


@pytest.mark.parametrize(
    ("sentence", "call"), [(sentence, call) for sentence, calls in CALLS.items() for call in calls]
)
def test_what_is_refused_is_said_in_this_sentence(sentence, call, tmp_path):
    """The sentence is the reason of a refusal that has a name."""
    with pytest.raises((ValueError, TypeError)) as caught:
        call(tmp_path / "own.db") if call.__code__.co_argcount else call()
    assert getattr(caught.value, "reason", str(caught.value)) == sentence


NAMED = [  # what is refused by another module, in its sentence: what the sentence names
    ("-1 colluders", lambda: invited({"missing": 2}, 4)),
    ("3 members", lambda: seated("another session", lambda desk: desk.keys.append(desk.keys[0]))),
    ("round 3", lambda: asked("replayed", lambda d: d.request(3, QUARTER))),
    ("feature", lambda: asked("malformed", written(("class-histogram", (), Fraction(1), 1)))),
    ("ended has the round", lambda: Seat(0, Rules.for_missing(4, 1), Identity.create(), {}).go_on("mask", (), None)),
    ("stage 'share", lambda: said("malformed", "share", (0, 1, b""), (1, 0, b""))),
    ("stage 'share", lambda: said("malformed", "share", (1, 0, b""))),
    ("got 18 bytes", lambda: said("malformed", "mask", (0, bytes(18)))),
    ("got 0 bytes", lambda: said("malformed", "mask", (0, b""))),
    ("'two' takes no part", lambda: in_session(Contributions, desks.silent)),
    ("region", lambda: ClassCounts(None, 1)),
    ("tolerate", lambda: invited({"tolerate": 2})),
    ("threshold", lambda: invited({"missing": 1})),
    ("epsilon", lambda: asked("malformed", written(("class-counts", (), Fraction(1, 2**60))))),
    ("lattice", lambda: asked("malformed", written(("node-bounds", (), Fraction(1), 0)))),
    ("budget 3", lambda: asked("over budget", lambda d: d.request(5, QUARTER, ClassCounts(ALL, Fraction(5, 2))))),
    ("queries, got passed on", lambda: asked("out of order", lambda d: Passed("announce", d.session, 4, ()))),
    ("the members that this party has signed for", lambda: seated("not allowed", forged(0))),
    ("announcement 3 of 3", lambda: seated("not allowed", forged(2))),
    ("announcement 2 of 3", lambda: seated("not allowed", swapped)),
    ("public key", lambda: seated("not allowed", with_key(1, bytes(32)))),
    ("public key", lambda: seated("not allowed", with_key(2, bytes(32)))),
    ("a key stands twice", lambda: seated("not allowed", lambda desk: with_key(2, desk.keys[1][0])(desk))),
    ("3 bytes", lambda: read("malformed", b"abc")),
    ("0 bytes", lambda: read("malformed", b"")),
    ("tolerate", lambda: rules_of(3, 3, 0)),
    ("tolerate", lambda: rules_of(3, -1, 0)),
    ("missing", lambda: rules_of(3, 1, -1)),
    ("queries", lambda: Limits(members="anybody", tolerate=0, queries=7)),
    ("queries", lambda: Limits(members="anybody", tolerate=0, queries="class-counts")),
    ("identities", lambda: Limits(tolerate=0, members=7)),
    ("identities", lambda: Limits(tolerate=0, members="all")),
    ("minimum", lambda: Limits(members="anybody", tolerate=0, minimum=1)),
    ("minimum", lambda: Limits(members="anybody", tolerate=0, minimum=True)),
    ("minimum", lambda: Limits(members="anybody", tolerate=0, minimum="two")),
    ("maximum", lambda: Limits(members="anybody", tolerate=0, minimum=5, maximum=4)),
    ("maximum", lambda: Limits(members="anybody", tolerate=0, maximum="many")),
    ("tolerate", lambda: Limits(members="anybody", tolerate=-1)),
    ("tolerate", lambda: Limits(members="anybody", tolerate=0.5)),
    ("tolerate", lambda: Limits(members="anybody", tolerate="two")),
    ("least_epsilon", lambda: Limits(members="anybody", tolerate=0, least_epsilon="little")),
    ("epsilon", lambda: ClassCounts(ALL, 0)),
    ("epsilon", lambda: ClassCounts(ALL, "little")),
    ("epsilon", lambda: ClassCounts(ALL, Fraction(1, 2**40 + 1)).check(AGE)),
    ("epsilon", lambda: NodeHistograms(WARDS.everything, Fraction(1, 2**40)).check(WARDS)),
    *[("lattice", lambda m=m: NodeBounds(ALL, 1, m)) for m in (0, -4, True, 4.0, Fraction(4), "4", None, 2**16 + 1)],
    ("list of 1 \\(Party\\), domain: Domain, ledger: Ledger", lambda: made(parties(1))),
    ("list, domain: Domain, ledger: Ledger", lambda: made([])),
    ("int, domain: Domain, ledger: Ledger", lambda: made(7)),
    ("list of 2 \\(Party, NoneType\\), domain: Domain", lambda: made([*parties(1), None])),
    ("list of 3 \\(int, str\\), domain: Domain", lambda: made([7, "a", 8])),
    ("list of 2 \\(Party\\), domain: Ledger, ledger: Domain", lambda: made(None, Ledger(1), AGE)),
    ("Ledger, domain: list, ledger: Domain", lambda: Federation(Ledger(1), parties(2), AGE)),
    ("list of 2 \\(Party\\), domain: Domain, ledger: int", lambda: made(ledger=1)),
    ("list of 2 \\(Party\\), domain: str, ledger: Ledger", lambda: made(domain="age")),
    ("tolerate", lambda: made(tolerate=-1)),
    ("tolerate", lambda: made(tolerate=2)),
    ("missing", lambda: made(missing=-1)),
    ("threshold", lambda: made(parties(3), tolerate=2, missing=2)),
    ("transport", lambda: made(transport="post")),
    ("ledger", lambda: Federation(parties(2), AGE, Ledger(1, domain=OTHER))),
    ("queries", lambda: released(7)),
    ("queries", lambda: released("counts")),
    ("answered", lambda: released([QUARTER], answered=7)),
    ("budget 1", lambda: released([ClassCounts(ALL, 2)])),
    ("the text", lambda: Manifest.from_json("[]")),
    ("the manifest: it lacks 'receivers'", lambda: Manifest({"rounds": [{"round": 1, "queries": []}]}).render()),
    ("name", lambda: Party([], WARDS, name="\ud800")),
    ("p", lambda: Party("rows", WARDS, name="p")),
    ("party", lambda: Party(7, WARDS)),
    ("limits must", lambda: Party([], WARDS, limits={})),
    ("identity must", lambda: Party([], WARDS, identity=b"")),
    ("'class' and None", lambda: sites(["s"] * 3, by=None)),
    ("8 and 7", lambda: sites(["s"] * 3, by=7, label=8)),
    ("by must .* 'ward'", lambda: sites(["s"] * 3, by="ward")),
    ("row 0, column 'site'", lambda: sites(["s", "n", "w"], parties=[])),
    *[
        (f"parties must .* {type(fixed).__name__}", lambda fixed=fixed: sites(["s"] * 3, parties=fixed))
        for fixed in (b"sn", {"s", "n"}, {"s": 1}, 2)
    ],
    ("label", lambda: Party(TABLE, WARDS, label=7)),
    ("label", lambda: Party(TABLE, WARDS, label="ward")),
    ("label", lambda: Party.from_csv("none.csv", WARDS, label=7)),
    ("label", lambda: Party.from_csv("none.csv", WARDS, label="age")),
    ("p: .*'ward'", lambda: Party({"age": [], "class": []}, WARDS, label="class", name="p")),
    ("p: .*'class'", lambda: Party({"age": [], "ward": []}, WARDS, label="class", name="p")),
    ("p row 0", lambda: Party(FEATURES, WARDS, name="p")),
    ("p: .* and the class", lambda: Party(np.zeros((3, 2)), WARDS, name="p")),
    ("p: .*2 feature values", lambda: Party(np.zeros((3, 3)), WARDS, labels=CLASSES, name="p")),
    ("p row 1, column 'ward'", lambda: Party([LINES[0], [1, "C", "ill"]], WARDS, name="p")),
    ("p row 1, the class", lambda: Party([LINES[0], [1, "A", "dead"]], WARDS, name="p")),
    ("p row 1, the class", lambda: Party(FEATURES, WARDS, labels=["ill", "dead", "ill"], name="p")),
    ("n_rows must be an integer ≥ 0, got -1", lambda: deal(-1, 2)),
    ("n_parties must be an integer ≥ 1, got 0", lambda: deal(2, 0)),
    ("the frame", lambda: parties_from_frame("rows", WARDS, label="class", by="id")),
    ("the frame: .*'house'", lambda: sites(["s"] * 3, by="house")),
    ("the frame: .*'ending'", lambda: sites(["s"] * 3, label="ending")),
    ("the frame: .*'site'", lambda: sites(["s"] * 2)),
    ("s row 2, column 'ward'", lambda: sites(["s", "n", "s"], {**TABLE, "ward": ["A", "B", "C"]})),
    ("s row 2, the class", lambda: sites(["s", "n", "s"], {**TABLE, "class": ["ill", "well", "dead"]})),
]


@pytest.mark.parametrize(("name", "call"), NAMED)
def test_what_is_refused_is_named(name, call):
    with pytest.raises(ValueError) as caught:
        call()
    assert re.search(rf"(^|\W){name}(\W|$)", str(caught.value)), str(caught.value)

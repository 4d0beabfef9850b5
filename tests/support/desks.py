"""Either end of a session in the test's hands: a desk at which one party sits, and puppets for an aggregator.

All that is said to the party at a desk is written by the test, and all it says is read there. The other members are
keys, so what the party masks can be taken off, and what it signs be checked field by field, without any code of the
aggregator's side. Puppets hear what an aggregator says and answer as is due. They follow chapter 5 with its own parts,
and use no code of a party's side: what an aggregator says wrongly, they do not understand.
"""

from fractions import Fraction

import numpy as np

from fdpedu.claims.secure_sum.messages import AGE, NAMES, ROWS
from fdpedu.federation import ClassCounts, InProcess, Party, messages
from fdpedu.federation.messages import (
    NO_SESSION,
    Answer,
    Contribution,
    Contributions,
    Invitation,
    Passed,
    Refusal,
    Request,
    Said,
    Seated,
    SignedKey,
    SignedKeys,
)
from fdpedu.federation.queries import write_queries
from fdpedu.federation.session import Session
from fdpedu.randomness import ZeroWords
from fdpedu.secure_sum import (
    Box,
    Consent,
    Hello,
    Identity,
    KeyPair,
    Masks,
    Member,
    Occasion,
    Rules,
    encode,
    hashed,
    joint_nonce,
    key_for,
)
from fdpedu.secure_sum.binding import Binding
from tests.support.federations import BELIEVING

ANSWERS = (Answer, Contribution, Refusal, Said, Seated, SignedKey)


NAME = b"n" * 32  # of a session


class Desk:
    """A party among ``n`` members at place ``index``, and whatever is to be said to it, stage by stage."""

    def __init__(self, n=2, index=0, domain=AGE, rows=ROWS[0], source=None, **own):
        self.domain, self.index, self.others = domain, index, [k for k in range(n) if k != index]
        self.identities = [Identity.create() for _ in range(n)]
        self.pairs = {k: KeyPair() for k in self.others}
        self.party = Party(rows, domain, identity=self.identities[index], **{"limits": BELIEVING, **own})
        self.endpoint = self.party.endpoint(ZeroWords() if source is None else source)
        self.members = tuple(identity.public for identity in self.identities)
        self.nonces = [bytes([k + 1]) * 32 for k in range(n)]

    def say(self, message):
        """What the party answers to a message, or to bytes, and has signed."""
        form = message if isinstance(message, (bytes, str)) else messages.write(message)
        return messages.read_signed(self.endpoint.respond(form), self.members[self.index], *ANSWERS)

    def invitation(self, **changed):
        offer = Invitation(NAME, hashed(self.domain.to_json()), self.members, 1, 0, Fraction(100))
        return offer._replace(**changed)

    def invite(self, **changed):
        self.invited = self.invitation(**changed)
        got = self.say(self.invited)
        if type(got) is Contribution:
            self.nonces[self.index] = got.nonce
        return got

    def contribute(self):
        """All nonces; then the session has its name, and the party a key."""
        got = self.say(Contributions(tuple(self.nonces)))
        self.session = joint_nonce((self.invited.name, *self.nonces))
        self.keys = [
            (got.key, got.announced) if k == self.index else self.announced(k) for k in range(len(self.members))
        ]
        return got

    def announced(self, k, key=None):
        """What member k has announced: its key, signed for this session."""
        own = self.identities[k].announce(self.session, self.pairs[k].public if key is None else key, self.members)
        return own.key, own.signature

    def take_seat(self):
        got = self.say(SignedKeys(tuple(self.keys)))
        pairs = zip(self.members, self.keys, strict=True)
        self.binding = Binding(self.session, tuple((one, key) for one, (key, _) in pairs))
        self.shared = {k: self.pairs[k].shared_key(self.keys[self.index][0]) for k in self.others}
        return got

    def begin(self, **changed):
        """From the invitation to the seat."""
        self.invite(**changed)
        self.contribute()
        self.take_seat()
        return self

    def request(self, number, *queries, account=""):
        return Request(self.session, number, account, write_queries(queries, self.domain))

    def ask(self, number, *queries, account=""):
        return self.say(self.request(number, *queries, account=account))

    def digest(self, request):
        """Of what is executed, field by field as the book has it."""
        executed = {
            "domain": hashed(self.domain.to_json()),
            "modulus": 2**64,
            "tolerate": self.invited.tolerate,
            "missing": self.invited.missing,
            "account": request.account,
            "queries": request.queries,
        }
        return self.binding.digest(request.number, executed)

    def counts(self, request, answer):
        """The numbers of an answer, with the masks taken off that each of the others would add."""
        total = np.frombuffer(answer.words, dtype="<u8").copy()
        for k in self.others:
            masks = Masks(k, {self.index: self.shared[k]}, session=self.session, identities=self.members)
            total += masks.draw(request.number, total.size, 2**64, self.digest(request))
        return total.astype(np.int64).tolist()


def refusal(desk, said):
    """The name and the words of a refusal, after what was public about it is looked at."""
    assert type(said) is Refusal and said.name in NAMES
    assert (said.session, said.number) == (getattr(desk, "session", NO_SESSION), desk.endpoint._last)
    return said.name, said.reason


class Puppet:
    """Member ``index``, with its numbers; ``instead`` maps a kind of message, or a stage, to a change of its answer.

    A change gets the answer, unsigned, and the puppet; it gives another one, or bytes to be sent as they are.
    """

    def __init__(self, index, values):
        self.index, self.values, self.instead = index, np.array(values), {}
        self.signer, self.pair, self.nonce = Identity.create(), KeyPair(), bytes([index + 1]) * 32
        self.identity, self.heard = self.signer.public, []

    def respond(self, form):
        got = messages.read(form, Invitation, Contributions, SignedKeys, Request, Passed)
        self.heard.append(got)
        answer = getattr(self, type(got).__name__.lower())(got)
        change = self.instead.get(answer.stage if type(answer) is Said else type(got))
        answer = change(answer, self) if change else answer
        return answer if isinstance(answer, bytes) else messages.write_signed(answer, self.signer)

    def invitation(self, got):
        self.invited = got
        return Contribution(self.nonce)

    def contributions(self, got):
        self.session = joint_nonce((self.invited.name, *got.nonces))
        own = self.signer.announce(self.session, self.pair.public, self.invited.members)
        return SignedKey(own.key, own.signature)

    def signedkeys(self, got):
        others = [(k, key) for k, (key, _) in enumerate(got.keys) if k != self.index]
        self.shared = {k: self.pair.shared_key(key) for k, key in others}
        pairs = zip(self.invited.members, got.keys, strict=True)
        self.binding = Binding(self.session, tuple((one, key) for one, (key, _) in pairs))
        return Seated(self.session)

    def request(self, got):
        offer = self.invited
        executed = {
            "domain": hashed(AGE.to_json()),
            "modulus": 2**64,
            "tolerate": offer.tolerate,
            "missing": offer.missing,
            "account": got.account,
            "queries": got.queries,
        }
        digest, size = self.binding.digest(got.number, executed), len(self.values)
        if not offer.missing:
            masks = Masks(self.index, self.shared, session=self.session, identities=offer.members)
            words = encode(self.values, masks.draw(got.number, size, 2**64, digest))
            return Answer(self.session, got.number, digest, words.tobytes())
        n = len(offer.members)
        rules = Rules(n, n - offer.missing, offer.tolerate - offer.missing, offer.tolerate)
        occasion = Occasion(self.session, got.number, digest, offer.members, size)
        channels = {k: key_for(key, "channel", self.session) for k, key in self.shared.items()}
        self.member, self.number = Member(self.index, rules, occasion, self.signer, channels), got.number
        return Said("announce", self.session, self.number, (tuple(self.member.announce()),))

    def passed(self, got):
        stage, said = {
            "announce": lambda: ("share", self.member.share([Hello(*one) for one in got.content])),
            "share": lambda: ("mask", [self.member.mask(self.values, [Box(*one) for one in got.content])]),
            "mask": lambda: ("agree", [self.member.agree(got.content)]),
            "agree": lambda: ("unmask", [self.member.unmask([Consent(*one) for one in got.content])]),
        }[got.stage]()
        content = tuple(tuple(part.tobytes() if isinstance(part, np.ndarray) else part for part in one) for one in said)
        return Said(stage, self.session, self.number, content)


MEMBERS = ["one", "two", "three", "four"]
NUMBERS = [[1, -10], [2, 20], [3, 2**40], [4, -40]]
WRITTEN = write_queries([ClassCounts(AGE.everything, Fraction(1, 4))], AGE)


def begin(n=2, missing=0, transport=None, instead=(), tolerate=1):
    """A session of ``n`` puppets, each with two numbers; ``instead`` has (place, kind, change) of their answers."""
    puppets = [Puppet(k, NUMBERS[k]) for k in range(n)]
    for k, kind, change in instead:
        puppets[k].instead[kind] = change
    transport = InProcess() if transport is None else transport
    options = {"tolerate": tolerate, "missing": missing, "budget": Fraction(7, 2)}
    return Session(transport, MEMBERS[:n], puppets, AGE, **options), puppets


def ask(session, puppets, number=5):
    """The sum of what the puppets answer to one query."""
    return session.ask(number, "a tree", WRITTEN, 2, [puppet.respond for puppet in puppets])[0]


# What a puppet may answer instead


def silent(answer, puppet):
    raise TimeoutError


def unsigned(answer, puppet):
    return messages.write(answer._replace(signature=bytes(64)))


def of_another(answer, puppet):
    return messages.write_signed(answer, Identity.create())


def refusing(answer, puppet):
    return Refusal(bytes(32), 9, "no\x1bt", "be\x07cause\n ä")


def unreadable(answer, puppet):
    return b"gossip"


def saying(answer, puppet):
    """What comes in the midst of a round in stages."""
    return Said("mask", bytes(32), 5, ())


def changed(**fields):
    return lambda answer, puppet: answer._replace(**fields)


class Short(InProcess):
    """Loses an answer on the way, of the party that is last."""

    def __init__(self, kind):
        super().__init__()
        self.kind = kind

    def deliver(self, number, names, contents, endpoints):
        replies = super().deliver(number, names, contents, endpoints)
        return replies[:-1] if messages.name_of(contents[0]) == self.kind else replies

    def gather(self, *arguments):
        replies = super().gather(*arguments)
        return replies[:-1] if self.kind == "queries" else replies

"""One party of a federation at a desk: all that is said to it is written by the test, and all it says is read there.

The other members are keys in the test's hands. So what the party masks can be taken off, and what it signs be checked
field by field, without any code of the aggregator's side.
"""

from fractions import Fraction

import numpy as np

from fdpedu.claims.secure_sum.laws_federation import AGE, NAMES, ROWS
from fdpedu.federation import Party, messages
from fdpedu.federation.messages import (
    NO_SESSION,
    Answer,
    Contribution,
    Contributions,
    Invitation,
    Refusal,
    Request,
    Said,
    Seated,
    SignedKey,
    SignedKeys,
)
from fdpedu.federation.queries import to_wire
from fdpedu.randomness import ZeroWords
from fdpedu.secure_sum import Identity, KeyPair, Masks, hashed, joint_nonce
from fdpedu.secure_sum.binding import Binding

ANSWERS = (Answer, Contribution, Refusal, Said, Seated, SignedKey)


class Desk:
    """A party among ``n`` members at place ``index``, and whatever is to be said to it, stage by stage."""

    def __init__(self, n=2, index=0, domain=AGE, rows=ROWS[0], source=None, **own):
        self.domain, self.index, self.others = domain, index, [k for k in range(n) if k != index]
        self.identities = [Identity.create() for _ in range(n)]
        self.pairs = {k: KeyPair() for k in self.others}
        self.party = Party(rows, domain, identity=self.identities[index], **own)
        self.endpoint = self.party.endpoint(ZeroWords() if source is None else source)
        self.members = tuple(identity.public for identity in self.identities)
        self.nonces = [bytes([k + 1]) * 32 for k in range(n)]

    def say(self, message):
        """What the party answers to a message, or to bytes, and has signed."""
        form = message if isinstance(message, (bytes, str)) else messages.write(message)
        return messages.read_signed(self.endpoint.respond(form), self.members[self.index], *ANSWERS)

    def invitation(self, **changed):
        offer = Invitation(hashed(self.domain.to_json()), self.members, 1, 0, Fraction(100))
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
        self.session = joint_nonce(self.nonces)
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
        return Request(self.session, number, account, tuple(to_wire(query, self.domain) for query in queries))

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

"""Members of a session whose every word the test can change: they hear what an aggregator says, and answer as is due.

They follow chapter 5 with its own parts, and use no code of a party's side: what an aggregator says wrongly, they do
not understand.
"""

import numpy as np

from fdpedu.claims.secure_sum.laws_federation import AGE
from fdpedu.federation import messages
from fdpedu.federation.messages import (
    Answer,
    Contribution,
    Contributions,
    Invitation,
    Passed,
    Request,
    Said,
    Seated,
    SignedKey,
    SignedKeys,
)
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
        self.session = joint_nonce(got.nonces)
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

"""A sum that survives parties that fall silent, after Bonawitz et al. (2017): the parties' side.

Five stages, one message a party in each, all through the aggregator:

1. *announce*: a new key pair for this round only, and a seed b_k for a mask of one's own; the public key and the seed's
   hash are sent, signed together with session, round and digest.
2. *share*: both secrets are shared out among all (:mod:`fdpedu.secure_sum.shamir`), each share sealed for its receiver
   under the keys of the session, which are never revealed.
3. *mask*: x_k + PRG(b_k) + Σ_j ±PRG(s_kj) is sent, over all j whose shares have come.
4. *agree*: each party signs one list of survivors, those whose numbers have come. One list a round, ever.
5. *unmask*: if enough have signed the very same list, the party reveals for each j *either* its share of b_j (j
   survived) *or* its share of j's key of this round (it did not), and never both.

Why a mask of one's own? A number may be late: declared missing, its pairwise masks revealed, and then it arrives. It is
hidden by nothing else. Why secrets of this round only? What is revealed must not open another round, or the same
masks bound to another digest.

Each object goes through its stages once, in order, and does no input or output: messages go in and come out.

Threat model: :class:`fdpedu.secure_sum.rules.Rules` says how many may collude and whether the aggregator may lie about
who survived; honest parties follow the protocol. Guarantee: what the aggregator and the colluders see depends on the
other survivors' numbers through their sum only (computational: keys, seals, signatures, PRG as good as ideal).
Arithmetic: integers mod R. Not guaranteed: that the round has a result.

Claims: thm-dropout-sum, thm-dropout-view, thm-one-list
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from fdpedu.exact import Integers
from fdpedu.process import require_same_process, this_process
from fdpedu.randomness import Rng, as_source
from fdpedu.secure_sum.binding import Canonical, hashed
from fdpedu.secure_sum.keys import key_for
from fdpedu.secure_sum.masks import encode
from fdpedu.secure_sum.messages import Box, Consent, Hello, Masked, Occasion, Primitives, Reveal, Signer
from fdpedu.secure_sum.modular import add
from fdpedu.secure_sum.rules import STAGES, Rules
from fdpedu.secure_sum.shamir import SEED_PRIME, share_secret

_Y = 66  # bytes of a share: the prime has 521 bits


class Member:
    """One party in one round.

    Parameters
    ----------
    index : its place among the identities, from 0
    rules : what it has agreed to
    occasion : the sum, with the digest that it has computed itself
    identity : what it signs with
    channels : for each other party, the key of the session that the two share
    primitives : X25519 and Ed25519, unless given
    rng : for the shares; None for the operating system
    """

    def __init__(
        self,
        index: int,
        rules: Rules,
        occasion: Occasion,
        identity: Signer,
        channels: Mapping[int, bytes],
        *,
        primitives: Primitives | None = None,
        rng: Rng = None,
    ) -> None:
        self.index, self.rules, self.occasion = index, rules, occasion
        self._identity, self._channels, self._source = identity, dict(channels), as_source(rng)
        self._primitives = Primitives() if primitives is None else primitives
        # thm-dropout-view: both secrets are of this round only, because one of them will be opened
        self._key, self._seed = self._primitives.fresh(), self._primitives.fresh()
        self._made_in = this_process()  # both sides of a fork could sign a list
        self._coming = list(STAGES)  # the stages that are still to come
        self._hellos: dict[int, Hello] = {}
        self._shares: dict[int, tuple[bytes, bytes]] = {}  # by owner: of the seed, of the key
        self._sharers: tuple[int, ...] = ()
        self._survivors: tuple[int, ...] = ()

    def __repr__(self) -> str:
        return f"Member({self.index}, round {self.occasion.number}, to come: {', '.join(self._coming) or 'nothing'})"

    def __reduce__(self) -> Any:
        raise TypeError("a member of a round is neither copied nor pickled: the copy could sign another list")

    def announce(self) -> Hello:
        """Stage 1."""
        self._enter("announce")
        public, commitment = self._primitives.public(self._key), hashed(self._seed)
        return Hello(self.index, public, commitment, self._sign("round key", self.index, public, commitment))

    def share(self, hellos: Iterable[Hello]) -> tuple[Box, ...]:
        """Stage 2: one box for each other party that has announced itself.

        Claims: thm-dropout-view
        """
        self._enter("share")
        self._hellos = {hello.party: hello for hello in hellos if self._accepts(hello)}
        self.rules.require(self.rules.least_survivors, self._hellos, "announce", self.occasion.number)
        if self.index not in self._hellos:
            raise ValueError(f"the announcements do not hold that of party {self.index} itself: it takes no part")
        of_seed, of_key = (self._deal(secret) for secret in (self._seed, self._key))
        dealt = {k: (of_seed[k], of_key[k]) for k in self._hellos}
        self._shares[self.index] = dealt[self.index]
        return tuple(
            Box(self.index, k, self._seal(k).encrypt(bytes(12), b"".join(both), None))
            for k, both in dealt.items()
            if k != self.index
        )

    def mask(self, values: Integers, boxes: Iterable[Box]) -> Masked:
        """Stage 3: the numbers, masked for those whose boxes have come.

        Claims: thm-dropout-sum
        """
        if values.shape != (self.occasion.size,):
            raise ValueError(f"values must have shape ({self.occasion.size},), got {values.shape}")
        self._enter("mask")
        for box in boxes:
            self._shares[box.sender] = self._open(box)
        self._sharers = tuple(sorted(self._shares))
        self.rules.require(self.rules.least_survivors, self._sharers, "share", self.occasion.number)
        others = [k for k in self._sharers if k != self.index]
        agreed = {k: self._primitives.agree(self._key, self._hellos[k].public) for k in others}
        modulus = self.occasion.modulus
        mask = add(self.occasion.pairwise(self.index, agreed), self.occasion.self_mask(self._seed), modulus)
        return Masked(self.index, encode(values, mask, modulus))

    def agree(self, survivors: Sequence[int]) -> Consent:
        """Stage 4: sign the one list of survivors.

        Claims: thm-one-list
        """
        self._enter("agree")
        listed = tuple(sorted(set(survivors)))
        if listed != tuple(survivors) or self.index not in listed or not set(listed) <= set(self._sharers):
            raise ValueError(f"survivors must be in order, this party among them, and have shared: got {survivors}")
        self.rules.require(self.rules.least_survivors, listed, "mask", self.occasion.number)
        self._survivors = listed
        return Consent(self.index, self._sign("survivors", self._sharers, listed))

    def unmask(self, consents: Iterable[Consent]) -> Reveal:
        """Stage 5: one share of each party, of the one secret or of the other.

        Claims: thm-one-list
        """
        self._enter("unmask")
        signed = {one.party for one in consents if self._agrees(one)}
        # thm-one-list: t parties have signed this very list
        self.rules.require(self.rules.threshold, signed, "agree", self.occasion.number)
        alive = set(self._survivors)
        # thm-one-list: for each party one of the two secrets, never both
        of_seeds = tuple((k, self._shares[k][0]) for k in self._sharers if k in alive)
        of_keys = tuple((k, self._shares[k][1]) for k in self._sharers if k not in alive)
        return Reveal(self.index, of_seeds, of_keys)

    def _enter(self, stage: str) -> None:
        require_same_process(self._made_in, "this member of a round", "begin another round here")
        # lem-survivor-lists: an honest party signs at most one list a round, so no stage is repeated
        if not self._coming or self._coming[0] != stage:
            coming = self._coming[0] if self._coming else "over"
            raise ValueError(
                f"round {self.occasion.number}: each stage comes once and in order; asked for {stage}, next is {coming}"
            )
        del self._coming[0]

    def _sign(self, purpose: str, *fields: Canonical) -> bytes:
        return self._identity.sign(purpose, self.occasion.binding, *fields)

    def _signed_by(self, index: int, signature: bytes, purpose: str, *fields: Canonical) -> bool:
        known = 0 <= index < self.rules.n_parties
        identity = self.occasion.identities[index] if known else b""
        return known and self._primitives.is_signed(identity, signature, purpose, self.occasion.binding, *fields)

    def _accepts(self, hello: Hello) -> bool:
        return self._signed_by(hello.party, hello.signature, "round key", *hello[:3])

    def _agrees(self, consent: Consent) -> bool:
        listed = consent.party in self._survivors
        return listed and self._signed_by(consent.party, consent.signature, "survivors", self._sharers, self._survivors)

    def _deal(self, secret: bytes) -> list[bytes]:
        number = int.from_bytes(secret, "big")
        shares = share_secret(number, self.rules.threshold, self.rules.n_parties, SEED_PRIME, self._source)
        return [one.y.to_bytes(_Y, "big") for one in shares]

    def _seal(self, other: int, *, outward: bool = True) -> ChaCha20Poly1305:
        """The seal of one box: its key is for one round, one pair and one direction, so it is used once."""
        ends = (self.index, other) if outward else (other, self.index)
        return ChaCha20Poly1305(key_for(self._channels[other], "box", self.occasion.binding, *ends))

    def _open(self, box: Box) -> tuple[bytes, bytes]:
        if box.receiver != self.index or box.sender not in self._hellos or box.sender in self._shares:
            raise ValueError(
                f"a box from {box.sender} for {box.receiver} is not for party {self.index}, or comes twice"
            )
        try:
            content = self._seal(box.sender, outward=False).decrypt(bytes(12), box.sealed, None)
        except InvalidTag:
            raise ValueError(f"the box from party {box.sender} was not sealed by it for this round") from None
        return content[:_Y], content[_Y:]

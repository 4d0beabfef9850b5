"""A sum that survives parties that fall silent: the aggregator's side, and a whole round in one process.

The collector carries the parties' messages from stage to stage. In the end it has the survivors' masked numbers, and
takes off what does not cancel: each survivor's own mask, from shares of its seed, and the masks between survivors and
parties that fell silent after sharing, from shares of their keys. A recovered seed must have the hash, and a recovered
key the public key, that their owner has signed: a false share is noticed.

Guarantee: the result is the sum of the numbers of those who sent one, or the round is lost with an error that says at
which stage and who is missing (:class:`fdpedu.secure_sum.rules.RoundLost`); if parties and collector follow the
protocol. Arithmetic: integers mod R, lifted. Not guaranteed: that the collector does what it should. It can always
drop parties, or publish another sum than it found.

Claims: thm-dropout-sum
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

from fdpedu.exact import Integers, as_integer, as_integers, as_list, require_callable, require_type
from fdpedu.randomness import Words
from fdpedu.secure_sum.binding import hashed
from fdpedu.secure_sum.dropouts import Member
from fdpedu.secure_sum.keys import key_for
from fdpedu.secure_sum.messages import Box, Consent, Hello, Masked, Occasion, Primitives, Reveal
from fdpedu.secure_sum.modular import WORD, add, add_up, check_modulus, lift, subtract
from fdpedu.secure_sum.rules import STAGES, Rules
from fdpedu.secure_sum.shamir import Share, recover_secret

Watch = Callable[[str, int, object], None]  # stage, sender, message


class Collector:
    """The aggregator in one round.

    Parameters
    ----------
    rules : the same as the parties'
    occasion : the sum
    primitives : the same as the parties'
    """

    def __init__(self, rules: Rules, occasion: Occasion, primitives: Primitives | None = None) -> None:
        self.rules, self.occasion = rules, occasion
        self._primitives = Primitives() if primitives is None else primitives
        self._hellos: dict[int, Hello] = {}
        self._sharers: tuple[int, ...] = ()
        self._masked: dict[int, Words] = {}

    def hellos(self, received: Iterable[Hello]) -> tuple[Hello, ...]:
        """Stage 1: the announcements, to be sent to every party that has made one."""
        self._hellos = {hello.party: hello for hello in received}
        self._require(self.rules.least_survivors, self._hellos, "announce")
        return tuple(self._hellos[k] for k in sorted(self._hellos))

    def boxes(self, received: Iterable[Box]) -> dict[int, tuple[Box, ...]]:
        """Stage 2: the boxes for each receiver, from those parties only that have sent one to each of the others."""
        sent = list(received)
        by_sender = {k: {box.receiver for box in sent if box.sender == k} for k in self._hellos}
        self._sharers = tuple(sorted(k for k, to in by_sender.items() if to == set(self._hellos) - {k}))
        self._require(self.rules.least_survivors, self._sharers, "share")
        return {
            k: tuple(box for box in sent if box.receiver == k and box.sender in self._sharers) for k in self._sharers
        }

    def survivors(self, received: Iterable[Masked]) -> tuple[int, ...]:
        """Stage 3: the list of those whose numbers have come, to be signed by all of them."""
        for index, words in received:
            if index not in self._sharers or index in self._masked or words.shape != (self.occasion.size,):
                raise ValueError(
                    f"one answer of {self.occasion.size} numbers is due from each sharer, got one of {index}"
                )
            self._masked[index] = words
        self._require(self.rules.least_survivors, self._masked, "mask")
        return tuple(sorted(self._masked))

    def consents(self, received: Iterable[Consent]) -> tuple[Consent, ...]:
        """Stage 4: the signatures under that list, to be sent to every party that has signed."""
        signed = {consent.party: consent for consent in received}
        self._require(self.rules.threshold, signed, "agree")
        return tuple(signed[k] for k in sorted(signed))

    def total(self, received: Iterable[Reveal]) -> Integers:
        """Stage 5: the sum over the survivors, lifted.

        Claims: thm-dropout-sum
        """
        reveals = {reveal.party: reveal for reveal in received}
        self._require(self.rules.threshold, reveals, "unmask")
        of_seeds = _by_owner({k: reveal.of_seeds for k, reveal in reveals.items()})
        of_keys = _by_owner({k: reveal.of_keys for k, reveal in reveals.items()})
        modulus = self.occasion.modulus
        total = add_up(list(self._masked.values()), modulus)
        for k in self._masked:
            # thm-dropout-sum: survivors' own masks; pairwise ones cancel
            total = subtract(total, self.occasion.self_mask(self._seed(k, of_seeds[k])), modulus)
        # thm-dropout-sum: what was shared with k does not cancel
        for k in set(self._sharers) - set(self._masked):
            total = add(total, self._left_over(k, self._key(k, of_keys[k])), modulus)
        return lift(total, modulus)

    def _require(self, needed: int, present: Collection[int], stage: str) -> None:
        self.rules.require(needed, present, stage, self.occasion.number)

    def _seed(self, k: int, shares: Sequence[Share]) -> bytes:
        seed = self._recovered(k, shares)
        if hashed(seed) != self._hellos[k].commitment:
            raise ValueError(f"the seed of party {k} is not the one that it has signed for: a share of it is false")
        return seed

    def _key(self, k: int, shares: Sequence[Share]) -> bytes:
        key = self._recovered(k, shares)
        if self._primitives.public(key) != self._hellos[k].public:
            raise ValueError(f"the key of party {k} is not the one that it has signed for: a share of it is false")
        return key

    def _recovered(self, k: int, shares: Sequence[Share]) -> bytes:
        number = recover_secret(shares, self.rules.threshold)
        if number >= 2**256:
            raise ValueError(f"the secret of party {k} has more than 32 bytes: a share of it is false")
        return number.to_bytes(32, "big")

    def _left_over(self, k: int, key: bytes) -> Words:
        """Party k's masks with the survivors: what is missing for theirs with it to cancel."""
        agreed = {j: self._primitives.agree(key, self._hellos[j].public) for j in self._masked}
        return self.occasion.pairwise(k, agreed)


def _by_owner(revealed: Mapping[int, Sequence[tuple[int, bytes]]]) -> dict[int, list[Share]]:
    """The shares of each owner's secret, at the places of those who held them."""
    found: dict[int, list[Share]] = {}
    for holder, shares in revealed.items():
        for owner, y in shares:
            found.setdefault(owner, []).append(Share(holder + 1, int.from_bytes(y, "big")))
    return found


def seat(
    rules: Rules, size: int, modulus: int = WORD, *, number: int = 1, primitives: Primitives | None = None
) -> tuple[list[Member], Collector]:
    """All parties of a round in one process, with identities and keys of a session, and their collector.

    Parameters
    ----------
    rules : for all of them
    size : how many numbers are summed
    modulus : R
    number : of the round
    primitives : X25519 and Ed25519, unless given
    """
    tools = Primitives() if primitives is None else primitives
    if not isinstance(tools, Primitives):
        raise ValueError(f"primitives must be Primitives, got {type(tools).__name__}")
    modulus = check_modulus(modulus)
    identities = [tools.identity() for _ in range(rules.n_parties)]
    names = tuple(identity.public for identity in identities)
    occasion = Occasion(os.urandom(32), number, hashed(("a demonstration", number, names)), names, size, modulus)
    own = [tools.fresh() for _ in identities]
    channels: list[dict[int, bytes]] = [{} for _ in identities]
    for k, j in combinations(range(rules.n_parties), 2):
        shared = tools.agree(own[k], tools.public(own[j]))
        channels[k][j] = channels[j][k] = key_for(shared, "channel", occasion.session)
    members = [
        Member(k, rules, occasion, identity, channels[k], primitives=tools) for k, identity in enumerate(identities)
    ]
    return members, Collector(rules, occasion, tools)


def sum_with_dropouts(
    values: Any,
    rules: Rules,
    completes: Sequence[int] | None = None,
    modulus: int = WORD,
    *,
    primitives: Primitives | None = None,
    watch: Watch | None = None,
) -> Integers:
    """A whole round in one process: the sum over those who have sent their numbers.

    Claims: thm-dropout-sum

    Parameters
    ----------
    values : integers, shape (K, n): one row a party
    rules : what all have agreed to
    completes : for each party, how many of the five stages it completes before it falls silent; 5 when left out
    modulus : R
    primitives : X25519 and Ed25519, unless given
    watch : called with the stage, the sender and the message, for every message that a party sends

    Raises
    ------
    RoundLost
        If too few are left at some stage.

    Examples
    --------
    >>> rules = Rules.for_missing(4, 1)
    >>> sum_with_dropouts([[1], [10], [100], [-1000]], rules, completes=[5, 5, 2, 5]).tolist()  # the third falls silent
    [-989]
    """
    require_type(rules, Rules, "rules")
    table = as_integers(values, "values")
    if table.ndim != 2 or len(table) != rules.n_parties:
        raise ValueError(f"values must have shape (parties, numbers) for {rules.n_parties} parties, got {table.shape}")
    last = [len(STAGES)] * rules.n_parties if completes is None else as_list(completes, "completes")
    last = [as_integer(done, "completes", minimum=0, maximum=len(STAGES)) for done in last]
    if len(last) != rules.n_parties:
        raise ValueError(f"completes must have a number for each of {rules.n_parties} parties, got {len(last)}")
    if watch is not None:
        require_callable(watch, "watch")
    members, collector = seat(rules, table.shape[1], modulus, primitives=primitives)

    def said(stage: int, say: Callable[[Member], Any]) -> list[Any]:
        """What comes from those who complete the stage."""
        answers = [(member.index, say(member)) for member in members if last[member.index] > stage]
        for sender, answer in answers:
            for message in answer if type(answer) is tuple else [answer]:
                if watch is not None:
                    watch(list(STAGES)[stage], sender, message)
        return [answer for _, answer in answers]

    hellos = collector.hellos(said(0, Member.announce))
    boxes = collector.boxes(box for dealt in said(1, lambda m: m.share(hellos)) for box in dealt)
    listed = collector.survivors(said(2, lambda m: m.mask(table[m.index], boxes[m.index])))
    consents = collector.consents(said(3, lambda m: m.agree(listed)))
    return collector.total(said(4, lambda m: m.unmask(consents)))

"""The zoo, chapter 5: parties that believe the aggregator, and an aggregator that believes the network."""

from __future__ import annotations

from fdpedu.claims.mutation import Broken

ENDPOINT, SESSION = "fdpedu.federation.endpoint.Endpoint", "fdpedu.federation.session.Session"

TWINS = (
    Broken(
        "refused round answered all the same",
        f"{ENDPOINT}._ask_ledger",
        'raise Refused("over budget", str(refusal)) from None',
        "return None",
        "The aggregator's ledger has accepted the round, so the party's own is only a record.",
        "thm-party-ledger",
        "own ledger",
    ),
    Broken(
        "charge after counting",
        f"{ENDPOINT}._asked",
        "self._charge(queries, got.account)",
        "_ = self._counts(queries), self._charge(queries, got.account)",
        "As long as nothing is sent, the order does not matter.",
        "thm-party-ledger",
        "own ledger",
    ),
    Broken(
        "round numbers used again",
        f"{ENDPOINT}._asked",
        "got.number <= self._last",
        "got.number < self._last",
        "The aggregator counts the rounds.",
        "thm-messages",
        "altered messages",
    ),
    Broken(
        "request of any session",
        f"{ENDPOINT}._asked",
        "got.session != self._session",
        "len(got.session) != 32",
        "The connection is the session.",
        "thm-messages",
        "old sessions",
    ),
    Broken(
        "own nonce not looked for",
        f"{ENDPOINT}._announce",
        "or got.nonces[self._index] != self._nonce",
        "",
        "The aggregator has no reason to leave a party's bytes out of the nonce.",
        "thm-messages",
        "old sessions",
    ),
    Broken(
        "pinned list not looked at",
        "fdpedu.federation.limits.Limits.check_members",
        "not set(members) <= set(self.members)",
        "not set(members) & set(self.members)",
        "If one of the members is known, the others will be, too.",
        "thm-party-ledger",
        "limits",
    ),
    Broken(
        "any type of query",
        "fdpedu.federation.limits.Limits.check_query",
        "type(query) not in self.queries",
        "not self.queries",
        "What the domain knows may be asked.",
        "thm-party-ledger",
        "limits",
    ),
    Broken(
        "digest without the queries",
        "fdpedu.federation.endpoint.digest_of",
        '"queries": request.queries,',
        "",
        "All parties are sent the same request.",
        "thm-party-ledger",
        "asked otherwise",
    ),
    Broken(
        "answer to another request added",
        f"{SESSION}._words",
        "(got.session, got.number, got.digest) != (self.nonce, number, digest)",
        "got.session != self.nonce",
        "What a party of this session has signed can be added.",
        "thm-answers-checked",
        "wrong answers",
    ),
    Broken(
        "unsigned answer added",
        "fdpedu.federation.messages.read_signed",
        'not is_signed(identity, got.signature, "message", _signed(got))',
        "not got.signature",
        "Nobody would send masked numbers in another's name.",
        "thm-answers-checked",
        "wrong answers",
    ),
    Broken(
        "broadcast answer",
        f"{SESSION}._words",
        "len(got.words) != 8 * size",
        "len(got.words) % 8",
        "NumPy will complain if lengths differ.",
        "thm-answers-checked",
        "wrong answers",
    ),
)

"""Who takes part in a federation: parties of this process, and members that are reached by bytes only."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from fdpedu.accounting import Ledger
from fdpedu.domain import Domain
from fdpedu.federation.journal import Journal
from fdpedu.federation.party import Party
from fdpedu.federation.signed import signed
from fdpedu.federation.transport import Member, Reached, RemoteParty, Respond
from fdpedu.files import Location
from fdpedu.randomness import Source
from fdpedu.secure_sum import Identity


def members_of(parties: Sequence[Party | Member], domain: Domain, ledger: Ledger) -> list[Party | Member]:
    """The members, each once and of this domain; arguments of other types are all named, as they are easily swapped."""
    members = list(parties) if isinstance(parties, Iterable) else []
    sound = all(map(_is_member, members)) and type(domain) is Domain and type(ledger) is Ledger
    if len(members) < 2 or not sound:
        kinds = ", ".join(dict.fromkeys(type(party).__name__ for party in members)) or "nothing"
        given = f"{type(parties).__name__} of {len(members)} ({kinds})" if members else type(parties).__name__
        raise ValueError(
            "a federation needs at least 2 parties, a Domain and a Ledger, in this order; got parties: "
            f"{given}, domain: {type(domain).__name__}, ledger: {type(ledger).__name__}. "
            "Rows become a party by Party(rows, domain)"
        )
    here = [party for party in members if isinstance(party, Party)]
    if any(party.domain != domain for party in here):
        raise ValueError("all parties must share the federation's domain")
    _require_one_unit([domain, *(party.domain for party in here)])
    tokens = [party._token for party in here]  # a copy of a party has its rows
    others = [id(member) for member in members if not isinstance(member, Party)]
    if len({*tokens, *others}) != len(members):
        raise ValueError("a party takes part once: its records would be counted twice")
    if any(party.ledger is not None and is_same_account(party.ledger, ledger) for party in here):
        raise ValueError("a party's own ledger and the federation's are two: each round is charged to both")
    return members


def require_signer(members: Sequence[Party | Member], identity: Identity | None) -> None:
    """A party elsewhere reads nothing that nobody has signed."""
    if identity is not None and type(identity) is not Identity:
        raise ValueError(f"identity must be an Identity, got {type(identity).__name__}")
    if identity is None and any(isinstance(party, RemoteParty) for party in members):
        raise ValueError("identity must be given with a RemoteParty: it reads only what its aggregator has signed")


def unused(transport: Any) -> Any:
    """The transport, if it can carry messages and serves no other federation."""
    if not callable(getattr(transport, "gather", None)) or not callable(getattr(transport, "deliver", None)):
        raise ValueError(f"transport must carry messages, as InProcess does, got {type(transport).__name__}")
    if transport.manifest:
        raise ValueError("this transport serves another federation already: give each its own")
    return transport


def journal_of(members: Sequence[Party | Member], path: Location, ledger: Ledger) -> Journal:
    """The journal, and the ledger as it was when that began.

    Claims: lem-journal
    """
    if any(isinstance(party, Party) for party in members):
        raise ValueError(
            "journal must be left out where a party lives in this process: it would not outlive it. A party elsewhere "
            "is a RemoteParty"
        )
    journal = Journal(path, ledger.rounds)
    try:
        ledger.replay(journal.after, journal.session.hex())
    except ValueError:
        journal.close()
        raise
    return journal


def _require_one_unit(domains: Sequence[Domain]) -> None:
    """Numbers in different units are no numbers of one feature; a domain that says none is no other."""
    columns = [(*domain.features, *([] if domain.target is None else [domain.target])) for domain in domains]
    for same in zip(*columns, strict=True):  # the domains are equal, so they have the same columns
        if len(units := dict.fromkeys(column.unit for column in same if column.unit)) > 1:
            named = " and ".join(map(repr, units))
            raise ValueError(f"all parties must have {same[0].name!r} in one unit; their domains say {named}")


def _is_member(party: Any) -> bool:
    """A party of this process, and none of a class of its own, which could answer otherwise; or a member elsewhere."""
    if isinstance(party, Party):
        return type(party) is Party
    return type(getattr(party, "identity", None)) is bytes and callable(getattr(party, "respond", None))


def reached(members: Sequence[Party | Member], sources: Sequence[Source], identity: Identity | None) -> list[Reached]:
    """Each member by the way on which it is reached; what is for one elsewhere is signed by the aggregator.

    Parameters
    ----------
    members : in order
    sources : of noise, one for each, for those that have none of their own
    identity : the aggregator's
    """
    seated = [
        party.endpoint(own) if isinstance(party, Party) else party for party, own in zip(members, sources, strict=True)
    ]
    return [
        Reached(
            member.identity,
            _signing(member.respond, identity) if identity and isinstance(member, RemoteParty) else member.respond,
        )
        for member in seated
    ]


def _signing(respond: Respond, identity: Identity) -> Respond:
    return lambda message: respond(signed(message, identity))


def is_same_account(one: Ledger, other: Ledger) -> bool:
    """Whether both charge the same account: one object, or one file."""
    return one is other or (one.path is not None and one.path == other.path)

"""Structures as a document, and what is checked when one is read.

Each round's question carries its structures, and the derivation keeps a hash of them. So what is read is held against
its derivation: these structures, in this order and judged by this loss, are the last that were voted on, on all records
and at equal costs. How many votes each had, and of how many parties, no derivation says: the digest binds these against
accidents alone. Unfinished ones may have paid for one vote more, which nobody answered.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from fdpedu import files
from fdpedu.accounting import Derivation
from fdpedu.derivation_checker import MAX_INTEGER
from fdpedu.domain import Domain, Region
from fdpedu.domain.spec import WRITTEN
from fdpedu.exact import as_integer, as_list, require_type
from fdpedu.federation import Population, StructureVote
from fdpedu.trees.tree_paid import read_rounds, require_adaptive, require_by_parties

SCHEMA = "fdpedu-structures/1"
_KEYS = ("loss", "lattice", "generations", "n_parties", "tolerate", "unfinished", "domain", "rounds", "derivation")
_OPTIONAL = {"rounds", "unfinished"}  # older files have no rounds: theirs are the last


class Generation(NamedTuple):
    """One round: the structures as strings, and how many parties drew each."""

    strings: tuple[tuple[int, ...], ...]
    votes: tuple[int, ...]


def to_document(structures: Mapping[str, Any], indent: int | None = 1) -> str:
    """The text of a document, from what structures keep, by its names."""
    generations = [
        {"structures": [list(string) for string in strings], "votes": list(votes)}
        for strings, votes in structures["generations"]
    ]
    content = {
        **structures,
        "generations": generations,
        "domain": structures["domain"].to_spec(),
        "rounds": list(structures["paid_in"]),
        "derivation": structures["derivation"].content,
    }
    kept = [name for name in _KEYS if name != "unfinished" or structures[name]]
    return files.dumps(SCHEMA, {name: content[name] for name in kept}, indent)


def from_document(text: str, where: str = "the text") -> dict[str, Any]:
    """What :func:`to_document` kept, by its names; a ``FileRefused`` if the document does not hold together."""
    content = files.loads(text, SCHEMA, where)
    return files.understood(where, lambda: _read(content))


def _read(content: Mapping[str, Any]) -> dict[str, Any]:
    if set(content) | _OPTIONAL != set(_KEYS):
        raise ValueError(f"structures need exactly the keys {', '.join(_KEYS)}, of which unfinished may be left out")
    unfinished = content.get("unfinished", False)
    require_type(unfinished, bool, "unfinished")
    if unfinished and "rounds" not in content:
        raise ValueError("structures that are unfinished name their rounds")
    domain = Domain.from_spec({"schema": WRITTEN, **content["domain"]})
    derivation = Derivation(content["derivation"], domain)
    guarantee = derivation.guarantee  # the checker accepts it, or raises
    require_adaptive(guarantee)
    if not derivation.is_of(domain):
        raise ValueError("its derivation is of another domain")
    n_parties = as_integer(content["n_parties"], "n_parties", minimum=2, maximum=MAX_INTEGER)
    generations = tuple(_generation(each) for each in as_list(content["generations"], "generations"))
    last = [vote.round for vote in votes_paid(derivation)[-len(generations) :]]
    found = {
        "domain": domain,
        "loss": content["loss"],
        "lattice": content["lattice"],
        "generations": generations,
        "derivation": derivation,
        "n_parties": n_parties,
        "tolerate": as_integer(content["tolerate"], "tolerate", minimum=guarantee.colluders, maximum=n_parties - 1),
        "paid_in": read_rounds(content.get("rounds", last), derivation),
        "unfinished": unfinished,
    }
    require_by_parties(derivation, found["paid_in"], n_parties, found["tolerate"])
    _require_paid(found)
    return found


def _generation(found: Mapping[str, Any]) -> Generation:
    if set(found) != {"structures", "votes"}:
        raise ValueError("a generation has structures and votes, and nothing else")
    votes = tuple(
        as_integer(n, "votes", minimum=-MAX_INTEGER, maximum=MAX_INTEGER) for n in as_list(found["votes"], "votes")
    )
    strings = Population(found["structures"]).strings
    if len(votes) != len(strings):
        raise ValueError(f"votes must have a number for each of {len(strings)} structures, got {len(votes)}")
    return Generation(strings, votes)


def _require_paid(found: Mapping[str, Any]) -> None:
    """Refuse generations that are not the votes of their rounds, in their order, at one cost.

    Of an unfinished document the last vote may have failed after it was charged: then nobody knows of its structures.
    """
    if not found["generations"]:
        raise ValueError("generations must not be empty")
    domain, everything = found["domain"], found["domain"].everything
    asked = []
    for strings, _ in found["generations"]:
        query = StructureVote(everything, Fraction(1), Population(strings), found["loss"], found["lattice"])
        query.check(domain)
        asked.append((everything, tuple(sorted(query.parameters.items()))))
    paid = votes_paid(found["derivation"], found["paid_in"])
    known = paid[: len(asked)] if found["unfinished"] and len(paid) == len(asked) + 1 else paid
    if [(vote.region, vote.parameters) for vote in known] != asked or len({vote.epsilon for vote in paid}) > 1:
        raise ValueError(
            "its structures are not those that were voted on in its rounds of the derivation, in their order, by its "
            "loss and lattice, on all records, each at one cost"
        )


class Vote(NamedTuple):
    """A vote for structures that was paid."""

    round: int
    region: Region
    parameters: tuple[tuple[str, Any], ...]
    epsilon: Fraction


def votes_paid(derivation: Derivation, rounds: Collection[int] = ()) -> list[Vote]:
    """The votes for structures of these rounds of a derivation, in their order; of all, if no rounds are named."""
    steps = [(at, step) for at, step in derivation.releases(rounds) if step["type"] == StructureVote.type]
    steps.sort(key=lambda found: (found[1]["round"], found[1]["index"]))
    return [
        Vote(step["round"], at, tuple(sorted(step["parameters"].items())), Fraction(step["epsilon"]))
        for at, step in steps
    ]

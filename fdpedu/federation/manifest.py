"""What crossed the transport, round by round: the text that shows whether a derivation leaves anything out."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fdpedu import files
from fdpedu.derivation_checker import MANIFEST_SCHEMA, READ
from fdpedu.files import PROGRAM
from fdpedu.showing import html_table, text_table

if TYPE_CHECKING:
    from fdpedu.domain import Domain
    from fdpedu.federation.queries import Query

_HEAD = ("round", "queries", "asked", "answered", "what, and at which rate or variance of noise")


_OLDER = READ[MANIFEST_SCHEMA][1]


def _older(entry: Mapping[str, Any]) -> dict[str, Any]:
    """An entry as fdpedu 0.1.0 wrote it: of its session, its shares, and what they cost, nothing is known."""
    queries = [{key: value for key, value in query.items() if key != "xi"} for query in entry["queries"]]
    kept = {key: value for key, value in entry.items() if key not in ("session", "shares", "missing")}
    return {**kept, "queries": queries}


def entry_of(
    queries: Sequence[Query],
    domain: Domain,
    receivers: Sequence[str],
    *,
    session: str,
    shares: int,
    missing: int = 0,
    own: bool = False,
) -> dict[str, Any]:
    """What was asked in a round, of whom, and that nobody is known to have answered; no answer is ever in it.

    A ledger in a file keeps it beside the charges, and gives it the number of its round; ``own`` is a party's ledger.
    """
    asked = [query.to_json(domain, None if own else session, shares) for query in queries]
    who: dict[str, Any] = {"receivers": list(receivers), "answers": []}
    return {"session": session, "queries": asked, **who, "shares": shares, "missing": missing}


@dataclass(frozen=True)
class Manifest:
    """Each round's queries as a party reads them, who was asked, and whose answers the sum holds; no answer is in it.

    ``to_json()`` is for ``check_derivation(derivation, manifest)``, ``render()`` for people.
    """

    content: dict[str, Any]

    @classmethod
    def of(cls, rounds: Iterable[Mapping[str, Any]]) -> Manifest:
        """That of these rounds, each with its number."""
        return cls({"schema": MANIFEST_SCHEMA, "program": PROGRAM, "rounds": list(rounds)})

    @property
    def rounds(self) -> Sequence[dict[str, Any]]:
        return tuple(self.content["rounds"])

    def to_json(self, indent: int | None = None) -> str:
        """The text that the checker reads."""
        return json.dumps(self.content, ensure_ascii=False, indent=indent)

    @classmethod
    def from_json(cls, text: str, where: str = "the text") -> Manifest:
        """A manifest from its text; what it says is checked together with a derivation."""
        content = files.read_object(text, where)
        expected = f"{where}: expected a manifest with the schema {MANIFEST_SCHEMA!r}"
        if content.get("schema") not in READ[MANIFEST_SCHEMA]:
            raise files.FileRefused(f"{expected}, {files.other_schema(content, MANIFEST_SCHEMA)}")
        if not isinstance(content.get("rounds"), list):
            raise files.FileRefused(f"{expected} and its rounds")
        return cls(content)

    @classmethod
    def joined(cls, manifests: Sequence[Manifest]) -> Manifest:
        """One manifest of all rounds, where a budget paid for several models, each of which has a manifest of its own.

        A ledger numbers its rounds through all of them; the checker refuses a round that stands in two. Each keeps its
        session and its receivers. Beside a manifest of fdpedu 0.1.0, which knows no sessions and shares, all of it is
        written as that one is.
        """
        every = [entry for one in manifests for entry in one.rounds]
        if all(one.content.get("schema") == MANIFEST_SCHEMA for one in manifests):
            return cls.of(every)
        return files.understood("the manifest", lambda: cls({**cls.of(map(_older, every)).content, "schema": _OLDER}))

    def save(self, path: files.Location, *, overwrite: bool = False) -> None:
        """Write the text that ``fdpedu check-derivation --manifest`` reads."""
        files.write_text(path, self.to_json(indent=1) + "\n", overwrite=overwrite)

    @classmethod
    def load(cls, path: files.Location) -> Manifest:
        """A manifest from its file."""
        return cls.from_json(files.read_text(path), str(path))

    def render(self) -> str:
        """A line a round and kind of query, aligned."""
        return text_table([_HEAD, *self._rows()], right=range(4))

    def _repr_html_(self) -> str:
        caption = f"What crossed the transport in {len(self.rounds)} rounds"
        return html_table(_HEAD, self._rows(), caption=caption)

    def _rows(self) -> list[tuple[str, ...]]:
        def row(entry: dict[str, Any]) -> tuple[str, ...]:
            asked = dict[tuple[str, str], int]()
            for query in entry["queries"]:
                noise = query["rate"] if "rate" in query else f"variance {query['variance']}"
                kind = (query["query"], noise)
                asked[kind] = asked.get(kind, 0) + 1
            what = "; ".join(f"{n} × {query} at {noise}" for (query, noise), n in asked.items())
            numbers = (entry["round"], len(entry["queries"]), len(entry["receivers"]), len(entry["answers"]))
            return (*map(str, numbers), what)

        return files.understood("the manifest", lambda: [row(entry) for entry in self.rounds])

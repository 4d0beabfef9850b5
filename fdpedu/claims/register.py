"""The register: every claim under its label, in the order of the chapters, and what rests on what.

Title, source and statement of a claim that stands on a page of the book are the text of the page. `make statements`
copies them into ``fdpedu/claims/<chapter>/statements.json``, from which they are read here. The same files tell which
chapter a label belongs to, so that asking for one claim loads the topics of its own chapter, and of others what these
use.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from types import ModuleType
from typing import Any

from fdpedu.chapters import collect_from, folders
from fdpedu.claims.records import Claim


def from_page(folder: ModuleType) -> Mapping[str, Mapping[str, Any]]:
    """Label → title, source, statement, of the claims on the pages of a chapter; empty until the chapter is written."""
    file = Path(next(iter(folder.__path__)), "statements.json")
    statements: dict[str, dict[str, Any]] = json.loads(file.read_text("utf8")) if file.is_file() else {}
    return statements


def stated(claims: Iterable[Claim], on_page: Mapping[str, Mapping[str, Any]], chapter: str) -> Iterator[Claim]:
    """The claims of a chapter, each with its one title, source and statement: from its page, or else from its record.

    Raises
    ------
    ValueError
        If a claim has no statement, or one on a page and another in its record.
    """
    for claim in claims:
        if claim.label in on_page and claim.statement:
            raise ValueError(f"{claim.label} is stated on its page: its record has no statement of its own")
        if not claim.statement and claim.label not in on_page:
            raise ValueError(f"{claim.label} has no statement: write it on its page, then `make statements`")
        yield replace(claim, chapter=chapter, **on_page.get(claim.label, {}))


class Register(Mapping[str, Claim]):
    """Label → claim. A chapter's records are loaded when a claim of the chapter is first asked for."""

    def __init__(self) -> None:
        self._folders = {folder.__name__: folder for folder in folders("fdpedu.claims")}
        self._on_page = {name: from_page(folder) for name, folder in self._folders.items()}
        self._loaded: dict[str, dict[str, Claim]] = {}

    def __getitem__(self, label: str) -> Claim:
        for name in self._where(label):
            if label in (claims := self._claims(name)):
                return claims[label]
        raise KeyError(label)

    def __iter__(self) -> Iterator[str]:
        return (label for name in self._folders for label in self._claims(name))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _where(self, label: str) -> list[str]:
        """The folder whose pages state the claim, or else those of all chapters that have no page yet."""
        stating = [name for name, labels in self._on_page.items() if label in labels]
        return stating or [name for name, labels in self._on_page.items() if not labels]

    def _claims(self, name: str) -> dict[str, Claim]:
        if name not in self._loaded:
            records = collect_from(self._folders[name], "CLAIMS")
            self._loaded[name] = {
                claim.label: claim for claim in stated(records, self._on_page[name], name.rsplit(".", 1)[1])
            }
        return self._loaded[name]


REGISTER: Mapping[str, Claim] = Register()


class UnknownClaim(ValueError):
    """No claim has this label; the message names the nearest ones."""


def search(words: Iterable[str] = ()) -> list[Claim]:
    """The claims in whose label, title, source or statement all words stand; those with all of them in the title first.

    Letters are compared without their case, and words as parts of words. Without words: all claims.

    >>> [claim.label for claim in search(["5/4"])][0]
    'lem-five-quarters'
    """
    sought = [word.casefold() for word in words]

    def missing(claim: Claim, *texts: str) -> bool:
        whole = " ".join((claim.label, claim.title, *texts)).casefold()
        return any(word not in whole for word in sought)

    found = [claim for claim in REGISTER.values() if not missing(claim, claim.source, claim.statement)]
    return sorted(found, key=missing)


def find(label: str) -> Claim:
    """The claim of that label.

    >>> find("lem-incremental")
    Traceback (most recent call last):
    fdpedu.claims.register.UnknownClaim: there is no claim 'lem-incremental'; the nearest are: lem-increment...
    """
    return _named(label, REGISTER)


def _named(label: str, register: Mapping[str, Claim]) -> Claim:
    """The claim of a register with that label, or else five labels: of what holds its words, then the nearest."""
    if label not in register:
        holding = [claim.label for claim in search(label.split())] if register is REGISTER and label.split() else []
        near = list(dict.fromkeys([*holding, *get_close_matches(label, list(register), n=5, cutoff=0)]))[:5]
        raise UnknownClaim(f"there is no claim {label!r}; the nearest are: {', '.join(near)}")
    return register[label]


def rests_on(label: str, register: Mapping[str, Claim] = REGISTER) -> tuple[str, ...]:
    """The labels of all claims that this one rests on, directly or through others, in the order of the register."""
    found: set[str] = set()
    pending = list(_named(label, register).uses)
    while pending:
        used = pending.pop()
        if used not in found:
            found.add(used)
            pending += register[used].uses
    return tuple(other for other in register if other in found)


def given(label: str, register: Mapping[str, Claim] = REGISTER) -> tuple[str, ...]:
    """The assumed claims that this one rests on.

    >>> given("thm-private-sum")
    ('asm-key-stream',)
    """
    return tuple(used for used in rests_on(label, register) if register[used].status == "assumed")


def standing(label: str, register: Mapping[str, Claim] = REGISTER) -> str:
    """The status in words; a claim that rests on an assumed one says so, and a refuted one names its correction.

    >>> standing("thm-private-sum")
    'proved and checked, given asm-key-stream'
    >>> standing("alg-federated-split-as-printed")
    'refuted as stated, see lem-pooled-counts'
    """
    claim, assumed = _named(label, register), given(label, register)
    words = "proved and checked" if claim.status == "proved+checked" else str(claim.status)
    if claim.corrected_by:
        words += f", see {claim.corrected_by}"
    return words + (f", given {_listed(assumed)}" if assumed else "")


def _listed(labels: Iterable[str]) -> str:
    return " and ".join(labels)

"""The register: every claim under its label, in the order of the chapters, and what rests on what.

The statement of a claim that stands on a page of the book is the text of the page. `make statements` copies it into
``fdpedu/claims/<chapter>/statements.json``, from which it is read here.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from types import MappingProxyType

from fdpedu.chapters import CHAPTERS, collect
from fdpedu.claims.records import Claim


def from_pages(folder: Path = Path(__file__).parent) -> Mapping[str, str]:
    """Label → statement, of all claims that stand on pages of the book."""
    files = (folder / chapter.name / "statements.json" for chapter in CHAPTERS)
    return {
        label: text for file in files if file.is_file() for label, text in json.loads(file.read_text("utf8")).items()
    }


def stated(claims: Iterable[Claim], on_pages: Mapping[str, str]) -> Iterator[Claim]:
    """The claims, each with its one statement: from its page, or else from its record.

    Raises
    ------
    ValueError
        If a claim has no statement, or one on a page and another in its record.
    """
    for claim in claims:
        if claim.label in on_pages and claim.statement:
            raise ValueError(f"{claim.label} is stated on its page: its record has no statement of its own")
        if not (text := on_pages.get(claim.label, claim.statement)):
            raise ValueError(f"{claim.label} has no statement: write it on its page, then `make statements`")
        yield replace(claim, statement=text)


REGISTER: Mapping[str, Claim] = MappingProxyType(
    {claim.label: claim for claim in stated(collect("fdpedu.claims", "records", "CLAIMS"), from_pages())}
)


class UnknownClaim(ValueError):
    """No claim has this label; the message names the nearest ones."""


def find(label: str) -> Claim:
    """The claim of that label.

    >>> find("lem-incremental")
    Traceback (most recent call last):
    fdpedu.claims.register.UnknownClaim: there is no claim 'lem-incremental'; the nearest are: lem-increment...
    """
    if label not in REGISTER:
        near = get_close_matches(label, REGISTER, n=3, cutoff=0.5) or list(REGISTER)
        raise UnknownClaim(f"there is no claim {label!r}; the nearest are: {', '.join(near)}")
    return REGISTER[label]


def rests_on(label: str, register: Mapping[str, Claim] = REGISTER) -> tuple[str, ...]:
    """The labels of all claims that this one rests on, directly or through others, in the order of the register."""
    found: set[str] = set()
    pending = list(register[label].uses)
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
    'checked, given asm-key-stream'
    >>> standing("alg-federated-split-as-printed")
    'refuted as stated, see lem-pooled-counts'
    """
    claim, assumed = register[label], given(label, register)
    words = "proved and checked" if claim.status == "proved+checked" else str(claim.status)
    if claim.corrected_by:
        words += f", see {claim.corrected_by}"
    return words + (f", given {_listed(assumed)}" if assumed else "")


def _listed(labels: Iterable[str]) -> str:
    return " and ".join(labels)

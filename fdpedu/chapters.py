"""The one list of the book's chapters and of its parts, and the tiers of the package's modules.

The register, the zoo, the catalogue of exercises, the order of the tests and the page on the library derive from it. To
add a chapter is to add a line here; a test holds the table of contents of the book equal to it.

>>> [chapter.name for chapter in CHAPTERS if chapter.number < 4]
['cart', 'privacy', 'mechanisms']
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType, ModuleType
from typing import Any

PARTS: Mapping[str, str] = MappingProxyType(
    {"I": "The report, made exact", "II": "Better trees, and their neighbours", "III": "Seen from outside"}
)
"""The parts of the book by their numerals, in order, with their titles."""


@dataclass(frozen=True)
class Chapter:
    """One chapter: its modules implement what it explains.

    Parameters
    ----------
    number : from 1, in the order of the book
    name : the folders of the claims, the exercises and the tests are called so, and in Part I the module too
    title : as on its page
    written : whether the book has its page; else there is only the code, and the claims about it
    further : the topics of its further pages ``NN_<name>_<topic>``, in order
    part : the numeral of the part of the book that it stands in, one of :data:`PARTS`
    modules : the modules of ``fdpedu`` that it explains, as ``boosting`` or ``sources.maddock``; the one of its own
        name if none is listed
    """

    number: int
    name: str
    title: str
    written: bool = False
    further: tuple[str, ...] = ()
    part: str = "I"
    modules: tuple[str, ...] = ()

    @property
    def library(self) -> tuple[str, ...]:
        """The modules that the chapter explains, without ``fdpedu.``: what is for use first."""
        return self.modules or (self.name,)

    @property
    def pages(self) -> tuple[str, ...]:
        """The chapter's page and its further pages, as the table of contents names them; none until it is written."""
        page = f"book/chapters/{self.number:02}_{self.name}"
        return (page, *(f"{page}_{topic}" for topic in self.further)) if self.written else ()


CHAPTERS = (
    Chapter(1, "cart", "CART: one good question after another", written=True),
    Chapter(2, "privacy", "Privacy: what ε-differential privacy says, exactly", written=True),
    Chapter(
        3,
        "mechanisms",
        "Mechanisms: noise that really has the distribution it claims",
        written=True,
        further=("sampling", "choosing", "gaussian"),
    ),
    Chapter(
        4,
        "accounting",
        "Accounting: a derivation that one can re-check",
        written=True,
        further=("small_delta", "two_currencies", "checker"),
    ),
    Chapter(
        5,
        "secure_sum",
        "Secure sums: adding up what nobody may see",
        written=True,
        further=("dropouts", "federation", "neighbours"),
    ),
    Chapter(
        6,
        "dlpa",
        "Distributed noise: who is protected against whom",
        written=True,
        further=("sampling", "small_delta"),
    ),
    Chapter(
        7,
        "histograms",
        "Private histograms: counts that add up",
        written=True,
        further=("adding", "asked", "edges"),
    ),
    Chapter(
        8,
        "trees",
        "Trees: a private tree that many parties grow",
        written=True,
        further=("law", "free", "use"),
    ),
    Chapter(
        9,
        "bounds",
        "Bounds: what a party may say before it is asked",
        written=True,
        further=("traps", "choosing"),
    ),
    Chapter(10, "experiments", "Experiments: what was printed, what was run, what holds", written=True),
    Chapter(
        11,
        "better_trees",
        "A better private tree: ask for choices, not for counts",
        written=True,
        part="II",
        modules=("trees.designs.rotating", "trees.designs.owner", "recommending"),
    ),
    Chapter(
        12,
        "boosting",
        "Boosting: many gentle trees, one budget",
        written=True,
        further=("framework", "outcomes"),
        part="II",
        modules=("boosting", "sources.maddock"),
    ),
    Chapter(
        13,
        "privatree",
        "One owner's tree: what a printed ε costs at most",
        written=True,
        further=("tables",),
        part="II",
        modules=("trees.designs.privatree", "sources.vos"),
    ),
    Chapter(
        14,
        "poisoning",
        "Poisoning: how many forged rows a tree can stand",
        written=True,
        part="II",
        modules=("robust",),
    ),
    Chapter(
        15,
        "secret_sharing",
        "Secret sharing: a tree by votes, and what votes tell",
        written=True,
        further=("tables",),
        part="II",
        modules=("trees.designs.votes", "sources.elzein"),
    ),
    Chapter(
        16,
        "fedga",
        "FedGA-Tree: structures travel, trees stay at home",
        written=True,
        further=("figures",),
        part="II",
        modules=("structures", "sources.fedga"),
    ),
    Chapter(
        17,
        "audit",
        "Auditing: bet against a claim, and see whether you get rich",
        written=True,
        part="III",
        modules=("audit",),
    ),
)

SYSTEM_MODULES: tuple[str, ...] = ("boosting", "robust", "structures")
"""The modules of whole systems, a tier of their own: each stands on what is before it, and none imports another."""

MAY_IMPORT_SOURCES: tuple[str, ...] = ("sources", "experiments", "claims", "exercises")
"""Who may import :mod:`fdpedu.sources`: nothing that is for use rests on what only reproduces a printed document."""

# A module imports modules of earlier tiers, and earlier ones of its own tier, save among systems. `viz` stands apart:
# it imports none of them, and any may use it.
TIERS: tuple[tuple[str, ...], ...] = (
    ("chapters", "printable", "exact", "showing", "process", "randomness", "sampling", "files", "domain"),
    ("cart", "privacy", "derivation_checker", "mechanisms", "accounting", "secure_sum", "gradients", "dlpa"),
    ("federation", "carriers"),
    ("histograms", "trees", "bounds"),
    SYSTEM_MODULES,
    ("recommending", "datasets", "simulation", "demo", "estimators", "audit"),
    ("sources", "experiments"),
    ("claims", "exercises", "teaching"),
    ("cli", "__main__", "tiny"),
)


def folders(package: str) -> Iterator[ModuleType]:
    """The chapters' folders in a package, in the order of the chapters; one that has none yet is passed over.

    >>> [folder.__name__ for folder in folders("fdpedu.claims")][:2]
    ['fdpedu.claims.cart', 'fdpedu.claims.privacy']
    """
    there = {module.name for module in pkgutil.iter_modules(importlib.import_module(package).__path__)}
    for chapter in CHAPTERS:
        if chapter.name in there:
            yield importlib.import_module(f"{package}.{chapter.name}")


def collect(package: str, name: str) -> Iterator[Any]:
    """The values that the modules of the chapters' folders hold under a name.

    The order is that of the chapters, then that of their topics, then their own.
    """
    for folder in folders(package):
        yield from collect_from(folder, name)


def collect_from(folder: ModuleType, name: str) -> Iterator[Any]:
    """The same from the folder of one chapter; what stands in those of the others is not loaded."""
    for topic in topics(folder):
        yield from getattr(importlib.import_module(f"{folder.__name__}.{topic}"), name, ())


def topics(folder: ModuleType) -> list[str]:
    """The modules of a chapter's folder, in the order of its ``TOPICS``; any that it leaves out follow by name."""
    named: tuple[str, ...] = getattr(folder, "TOPICS", ())
    return [*named, *sorted({module.name for module in pkgutil.iter_modules(folder.__path__)}.difference(named))]

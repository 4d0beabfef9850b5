"""Find what the book quotes of its sources in their texts: `make sources SOURCES=FOLDER`.

An entry of the page of errata says what a source prints, in its own words between quotation marks, and where they
stand; a cell of another page with a line `source = "…"` quotes that source between “ and ”. The texts of the sources
are not ours to hand on: a folder must hold them, and the hashes say that they are the copies that the book was written
from. Rows of tables that the repository has typed are looked for in their tables, too. White space, hyphens at the
ends of lines and the marks that a conversion left behind are passed over. Without a folder nothing is checked, and that
is said. Only the standard library: no environment is needed.
"""

import ast
import hashlib
import re
import runpy
import sys
import unicodedata
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BOOK = ROOT / "book"
PAGE = BOOK / "errata.md"
GRADES = ("error", "gap", "slip", "wording")
MOST_WORDS = 25
SOURCES = {
    "The report": ("report-gubler.txt", "3610f6be8312e5d3dc757e7148cfd4d6a19b7d6ad29cf20a3c7a3e6d37c36481"),
    "Vos et al.": ("vos-privatree.txt", "18f9d6f3df9d44b1d829186e3bf058bf3a5a2a3ccfac4d9168a7ab087da7a940"),
    "El Zein et al.": ("elzein-privatree.txt", "c8e7ceac1c85a8852d1469c558cec5f62a49e69227078fdd940d4925fe310602"),
    "FedGA-Tree": ("fedga-tree.txt", "fdf696631c467cd2079ab3686061618b1206d79f614eb615ef53b77b03e824e9"),
    "Maddock et al.": ("maddock-boosted.txt", "fc38d71a8b119cfd61b2242c4a5b75e175ea103361416f14df90233b9e4497f0"),
}
"""The sections of the page that are about a source: the file of its text, and the SHA-256 of our copy."""


@dataclass(frozen=True)
class Entry:
    """One entry: the section it stands in, its title, its grade, and what it quotes of the source."""

    section: str
    title: str
    grade: str
    quotations: tuple[str, ...]


def entries(text):
    """The entries about sources, in the order of the page; what an entry quotes stands in its paragraph *Printed*."""
    for part in re.split(r"^## ", text, flags=re.M)[1:]:
        section = part.split("\n")[0]
        for entry in re.split(r"^### ", part, flags=re.M)[1:] if section in SOURCES else ():
            title, grade = re.fullmatch(r"(.*?)(?: \((\w+)\))?", entry.split("\n")[0]).groups("")
            printed = re.search(r"^\*Printed\.\*(.*?)(?=^\*\w|^```|\Z)", entry, re.M | re.S)
            found = re.findall(r'"([^"]+)"', printed[1]) if printed else ()
            yield Entry(section, title, grade, tuple(" ".join(words.split()) for words in found))


def cells(text, page):
    """The cells that quote a source, each as an entry; a text that goes on in a further string is one."""
    for cell in re.findall(r"^`{3,}\{code-cell\}.*?^`{3,}$", text, re.M | re.S):
        if named := re.search(r'^source = "([^"]+)"$', cell, re.M):
            joined = re.sub(r'"\n\s*"', "", cell)
            yield Entry(named[1], page, "", tuple(re.findall("“([^”]+)”", joined)))


def table_rows():
    """The rows of the tables of Vos et al. that the repository has typed: a table's number, and what stands in it."""
    printed = runpy.run_path(str(ROOT / "benchmarks" / "vos_printed.py"))["TABLES"]
    for table, lines in printed.items():
        yield from ((table, line) for line in lines.strip().splitlines())
    module = ast.parse((ROOT / "fdpedu" / "sources" / "vos" / "guarantees.py").read_text("utf8"))
    named = {a.targets[0].id: a.value for a in module.body if isinstance(a, ast.Assign)}
    lines = ast.literal_eval(named["_PRINTED"])
    for line in lines.strip().splitlines():
        head, cells = line.replace("?", "").split(": ")
        table, name, rows, *features = head.split()
        of_tree, tree, of_regression, regression = cells.split(" / ")
        words = f"PrivaTree .01 {of_tree} .1 {tree} DiffPrivLib LR .01 {of_regression} .1 {regression}"
        yield {"3": "III", "8": "VIII"}[table], f"{name} {words}"
        yield "IV", f"{int(rows):,} {' '.join(features)}"


def shared_rows():
    """Those of the tables of El Zein et al."""
    printed = runpy.run_path(str(ROOT / "benchmarks" / "elzein_printed.py"))["TABLES"]
    return [(table, line) for table, lines in printed.items() for line in lines.strip().splitlines()]


def missing_rows(found, text, source="Vos et al."):
    """The rows that do not stand in the table of that number; marks of a bold number are passed over."""
    _, *parts = re.split(r"^TABLE ([IVX]+|\d+)(?::|\s*$)", re.sub(r"</?b>", "", text), flags=re.M)
    tables = {number: folded(part) for number, part in zip(parts[::2], parts[1::2], strict=True)}
    for number, row in found:
        if folded(row) not in tables.get(number, ""):
            yield f"{source}, Table {number}: it has not the row {row!r}"


def departures(entry):
    """What is wrong with an entry's form, in words."""
    if entry.section not in SOURCES:
        yield f"{entry.title}: source must be one of {', '.join(SOURCES)}, got {entry.section!r}"
    if entry.grade not in GRADES and not entry.title.endswith(".md"):
        yield f"{entry.section}, {entry.title}: the grade must be one of {', '.join(GRADES)}, got {entry.grade!r}"
    if not entry.quotations:
        yield f"{entry.section}, {entry.title}: *Printed.* must quote the source, between quotation marks"
    for count in (len(words.split()) for words in entry.quotations):
        if count > MOST_WORDS:
            yield f"{entry.section}, {entry.title}: a quotation has at most {MOST_WORDS} words, got {count}"


def folded(text):
    """A text as it is compared: without white space, hyphens at line ends, case, and marks of a conversion.

    One copy has private characters for ff, fi, fl; so these count as nothing.
    """
    text = unicodedata.normalize("NFKC", text)
    text = re.sub(r"[-\u00ad\u2010]\s*\n\s*", "", text).translate(
        str.maketrans("\u2018\u2019\u2212", "''-", '"\u201c\u201d')
    )
    return re.sub(r"[\s*_#`$|\\{}\u2010-\u2015\ue000-\uf8ff-]+|f(?:f[il]?|[il])", "", text).casefold()


def is_quoted(words, source):
    """Whether a folded source has the words: the parts between the signs of omission … one after the other."""
    place = 0
    for part in filter(None, (folded(part) for part in words.split("…"))):
        place = source.find(part, place)
        if place < 0:
            return False
        place += len(part)
    return True


def missing(found, folder):
    """The quotations that a source in the folder has not; a copy that is not ours is refused."""
    texts = {}
    for section, (name, digest) in SOURCES.items():
        content = (folder / name).read_bytes()
        if hashlib.sha256(content).hexdigest() != digest:
            raise ValueError(f"{folder / name} is not the copy that the page was written from: its SHA-256 differs")
        texts[section] = folded(content.decode("utf8"))
    for entry in found:
        for words in entry.quotations:
            if not is_quoted(words, texts.get(entry.section, "")):
                yield f'{entry.section}, {entry.title}: the source has not the words "{words}"'


def main(folders):
    found = list(entries(PAGE.read_text("utf8")))
    for page in sorted(BOOK.rglob("*.md")):
        found += cells(page.read_text("utf8"), page.name)
    wrong = [line for entry in found for line in departures(entry)]
    if folders:
        wrong += missing(found, Path(folders[0]))
        for source, rows in (("Vos et al.", table_rows()), ("El Zein et al.", shared_rows())):
            wrong += missing_rows(rows, (Path(folders[0]) / SOURCES[source][0]).read_text("utf8"), source)
    else:
        print("quotations not checked: no sources here (make sources SOURCES=FOLDER)")
    print(
        "\n".join(wrong)
        or f"{sum(len(entry.quotations) for entry in found)} quotations of {len(found)} entries and cells, "
        f"{len([*table_rows(), *shared_rows()])} rows of tables"
    )
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

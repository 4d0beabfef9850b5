"""Text is data: whatever a file, a table or a party says, no command and no drawing lets it act on what shows it."""

import csv
import io
import itertools
import json
import re
import sys
from contextlib import redirect_stderr, redirect_stdout
from html.parser import HTMLParser
from pathlib import Path

import pytest

from fdpedu import derivation_checker, files, printable, viz
from fdpedu.accounting import Charge
from fdpedu.cart import fit_cart
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.federation import Party
from fdpedu.showing import html_table, text_table
from tests.support import notebooks
from tests.support.two_sites import DOMAIN, SITES, run, write_two_sites

HOSTILE = {  # what is no part of any script's writing, each with a reason to look for it
    "clears the screen": "\x1b[2J\x1b[H",
    "the same in one byte": "\x9b2J",
    "sets the title": "\x1b]0;you\x07",
    "overwrites the line": "\rok",
    "deletes": "\b\b",
    "turns the line around": "\u202eyad",
    "isolates": "\u2067yad\u2069",
    "an Arabic mark": "\u061c",
    "no width": "a\u200bge",
    "the end of a line": "a\u2028b",
    "half a character": "\ud800",
    "the byte order mark": "\ufeffage",
    "a tag": "\U000e0041",
    "a script": "<script>alert(1)</script>",
    "an attribute": "\"'><img src=x onerror=alert(1)>",
    "an end of DOT": '"]; } digraph {',
}
MARKUP = "".join(list(HOSTILE.values())[-3:])  # no character of it is refused
ALL = "".join(HOSTILE.values())
ACTS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff\U000e0000-\U000e0fff]"
)


def harmless(text, markup=False):
    """Nothing in it acts on a terminal; in markup, nothing is an element or an attribute that nobody wrote."""
    text.encode("utf8")
    assert not ACTS.search(text), ascii(ACTS.search(text)[0])
    if markup:
        met = []
        parser = HTMLParser()
        parser.handle_starttag = lambda tag, attributes: met.extend([tag, *(name for name, _ in attributes)])
        parser.feed(text)
        assert not {"script", "img", "onerror"} & set(met), met
    return text


def said(*arguments):
    """What a command writes to both streams, from its bytes; and its exit status."""
    written, streams = [], []
    for _ in range(2):
        written.append(io.BytesIO())
        streams.append(io.TextIOWrapper(written[-1], encoding="utf8", newline=""))
    with redirect_stdout(streams[0]), redirect_stderr(streams[1]):
        status = run(*arguments)
    for stream in streams:
        stream.flush()
    return status, [harmless(one.getvalue().decode("utf8")) for one in written]


@pytest.fixture(scope="module")
def documents(tmp_path_factory):
    """A tree, an ensemble, a certifiable tree, a derivation, a manifest, a domain and evidence: as text, by name."""
    folder, patch = tmp_path_factory.mktemp("documents"), pytest.MonkeyPatch()
    patch.chdir(folder)
    write_two_sites()
    common = ("--domain", "domain.json", "--label", "back", "--epsilon", "9")
    small = ("--model", "boosting", "--nominal-size", "120", "--rounds", "2", "--trees-per-round", "2")
    curves = (*small, "--form", "curves", "--delta", "1e-6")
    public = ("--model", "privatree", "--public-rows", SITES[1], "--leaves", "counts")
    assert run("budget", "create", "paid.db", "--domain", "domain.json", "--limit", "9") == 0
    written = ("--budget", "paid.db", "--out", "tree.json", "--manifest", "manifest.json")
    assert run("fit", *common, "--max-depth", "2", *written, *SITES) == 0
    assert run("budget", "evidence", "paid.db", "--out", "evidence.json") == 0
    assert run("fit", *common, *curves, "--out", "ensemble.json", *SITES) == 0
    assert run("fit", *common, *public, "--out", "public.json", "--curator", SITES[0]) == 0
    from fdpedu.trees import Tree

    Tree.load("tree.json").derivation.save("derivation.json")
    names = ("tree", "ensemble", "public", "derivation", "manifest", "domain", "evidence")
    yield folder, {name: Path(f"{name}.json").read_text("utf8") for name in names}
    patch.undo()


def places(value, path=()):
    """The texts in plain data, keys and values, by their places; of a list its first members stand for all."""
    if isinstance(value, str):
        yield path
    elif isinstance(value, dict):
        for key, below in value.items():
            yield (*path, ("key", key))
            yield from places(below, (*path, key))
    elif isinstance(value, list):
        for i, below in enumerate(value[:2]):
            yield from places(below, (*path, i))


def with_text(value, path, text):
    """The same data with another text there."""
    if not path:
        return text
    first, *rest = path
    if isinstance(first, tuple):
        return {text if key == first[1] else key: below for key, below in value.items()}
    members = value.items() if isinstance(value, dict) else enumerate(value)
    changed = {key: with_text(below, rest, text) if key == first else below for key, below in members}
    return changed if isinstance(value, dict) else list(changed.values())


def alike(document):
    """One place of each kind: those that differ in positions alone are looked at once."""
    found = {}
    for path in places(document):
        found.setdefault(tuple(part if isinstance(part, (str, tuple)) else 0 for part in path), path)
    return [path for path in found.values() if path != ("digest",)]


READERS = {
    "tree": [
        ["show", "FILE"], ["show", "FILE", "--json"], ["show", "FILE", "--as", "sklearn"],
        ["show", "FILE", "--as", "graphviz"], ["show", "FILE", "--as", "html"], ["check-derivation", "FILE"],
        ["predict", "FILE", SITES[0], "--probabilities"], ["predict", "FILE", SITES[0], "--json"],
        ["score", "FILE", "--label", "back", "--epsilon", "1", *SITES],
    ],
    "ensemble": [
        ["show", "FILE"], ["show", "FILE", "--json"], ["show", "FILE", "--as", "html"],
        ["predict", "FILE", SITES[0], "--probabilities"],
    ],
    "public": [["certify", "FILE", SITES[1], "--label", "back", "--rows", "1"]],
    "derivation": [["show", "FILE"], ["show", "FILE", "--json"], ["check-derivation", "FILE"]],
    "manifest": [
        ["show", "FILE"], ["show", "FILE", "--json"], ["check-derivation", "derivation.json", "--manifest", "FILE"],
    ],
    "evidence": [
        ["show", "FILE"], ["show", "FILE", "--json"], ["check-derivation", "FILE"],
        ["check-derivation", "derivation.json", "--manifest", "FILE"],
    ],
    "domain": [
        ["show", "FILE"], ["show", "FILE", "--json"], ["check-data", "--domain", "FILE", *SITES],
        ["budget", "create", "new.db", "--domain", "FILE", "--limit", "1"],
        ["fit", "--domain", "FILE", "--label", "back", "--epsilon", "1", "--max-depth", "1", *SITES],
    ],
}  # fmt: skip


@pytest.mark.parametrize("kind", READERS)
def test_no_text_of_a_document_acts_on_a_terminal(documents, kind, pytestconfig):
    """Each text of each document becomes a hostile one, with a digest that fits; the commands read it in turn.

    A page is made of each; ``--deep``: the first command of each kind reads each, too.
    """
    folder, texts = documents
    document = json.loads(texts[kind])
    paths, commands, deep = alike(document), READERS[kind], pytestconfig.getoption("--deep")
    assert len(paths) > 3
    for (i, path), (j, text) in itertools.product(enumerate(paths), enumerate((ALL, MARKUP))):
        changed = with_text(document, path, text)
        if changed.pop("digest", None):
            changed["digest"] = files.digest(changed)
        (folder / "hostile.json").write_text(json.dumps(changed), "utf8")
        (folder / "new.db").unlink(missing_ok=True)
        pages = [command for command in commands if "html" in command and text == MARKUP]
        for command in (*pages, *commands[:deep], commands[(i + j) % len(commands)]):  # each command, both texts
            _, (out, _) = said(*("hostile.json" if word == "FILE" else word for word in command))
            harmless(out, markup="html" in command)


@pytest.mark.parametrize("text", [ALL, MARKUP, HOSTILE["overwrites the line"]], ids=ascii)
def test_no_cell_of_a_table_and_no_word_that_is_typed_acts_on_a_terminal(documents, tmp_path, text):
    """In the header, in a cell, as a column that is kept, as a value of an option, as the name of a file."""
    folder, _ = documents
    with open(SITES[0], newline="", encoding="utf8") as file:
        rows = list(csv.reader(file))
    written = text.encode("utf8", "replace").decode()
    for name, change in {
        "header": lambda: rows[0].__setitem__(0, written), "cell": lambda: rows[5].__setitem__(1, written),
        "number": lambda: rows[6].__setitem__(3, written), "class": lambda: rows[7].__setitem__(2, written),
    }.items():  # fmt: skip
        change()
        with open(folder / "rows.csv", "w", newline="", encoding="utf8") as file:
            csv.writer(file).writerows(rows)
        for command in (
            ["check-data", "--domain", "domain.json", "--label", "back", "rows.csv"],
            ["predict", "tree.json", "rows.csv", "--keep", written, "--keep", "back"],
            ["predict", "tree.json", "rows.csv", "--keep", written, "--json"],
            ["fit", "--domain", "domain.json", "--label", written, "--epsilon", "1", "rows.csv", SITES[1]],
            ["fit", "--domain", "domain.json", "--label", "back", "--epsilon", "1", "--by", written, "rows.csv"],
        ):
            said(*command), name
    for command in (
        ["show", text], ["check-derivation", text], ["verify", text], ["budget", "create", "x.db", "--domain", text],
        ["fit", "--domain", "domain.json", "--label", "back", "--epsilon", text, *SITES],
        [text], ["show", "tree.json", f"--{text}"],
        ["fit", "--domain", "domain.json", "--label", "back", "--epsilon", "1", "--design", text, *SITES],
        ["demo", "--features", text], ["figures", "--variant", text],
        ["predict", "tree.json", SITES[0], "--decimal", text],
    ):  # fmt: skip
        if "\0" not in text:
            status, _ = said(*command)
            assert status in (1, 2)


def test_nothing_that_is_handed_in_acts_on_what_shows_it(tmp_path, monkeypatch):
    """A name of a notebook, what its cells raise and print, an answer, the file of an exercise, a set's title."""
    monkeypatch.chdir(tmp_path)
    raises = f"    print({ALL!r})\n    raise type({ALL!r}, (Exception,), {{}})({ALL!r})\n"
    cells = (
        f"check('privacy-sensitivity', {ALL!r})",
        f"def max_ratio(p, q):\n{raises}\ncheck('privacy-max-ratio', max_ratio)",
        f"raise Exception({ALL!r})",
        ALL,
    )
    for name in (ALL.replace("\ud800", "").replace("/", ""), "=1+1"):
        notebooks.written(tmp_path, name, *cells)
    title = json.dumps(f"Two {MARKUP}")
    Path("set.toml").write_text(notebooks.SET.replace('"Two"', title), "utf8")
    books = [*map(str, Path().glob("*.ipynb")), f"{MARKUP}.ipynb"]
    for form in ("--csv", "--json", "--seconds=60"):
        status, (out, _) = said("grade", *books, "--set", "set.toml", form, "--out", "marks", "--overwrite")
        assert status == 1 and ("FAIL" in out and "\\u001b" in out)
    assert said("sheet", "--set", "set.toml", "--out", "sheet")[0] == 0
    for place in (*Path("marks").iterdir(), *Path("sheet").iterdir()):
        harmless(place.read_text("utf-8-sig"), markup=place.suffix == ".html")
    Path("answer.py").write_text(f"def max_ratio(p, q):\n{raises}", "utf8", "replace")
    assert said("exercise", "privacy-max-ratio", "--file", "answer.py")[0] == 1
    Path("answer.py").write_text(f"raise Exception({ALL!a})", "utf8")
    assert said("exercise", "privacy-max-ratio", "--file", "answer.py")[0] == 1
    typed = ALL.encode("utf8", "replace").decode()
    for words in (
        ["exercise", typed], ["exercise", "privacy-delta", "--file", f"no/{typed}"], ["sheet", "--exercises", typed],
        ["sheet", "--chapter", typed], ["sheet", "--set", typed], ["quiz", "--chapter", "2", "--format", typed],
        ["grade", typed, "--set", typed], ["grade", "a.ipynb", "--set", "set.toml", "--seconds", typed],
        ["quiz", "--chapter", "2", "--out", f"no/{typed}"],
    ):  # fmt: skip
        assert said(*words)[0]


@pytest.mark.parametrize("text", [text for text in HOSTILE.values() if text != "\ud800"], ids=ascii)
def test_the_name_of_a_file_is_the_title_of_its_page_and_no_more(documents, text):
    folder, texts = documents
    name = f"{text.replace('/', '')} <title>"
    (folder / name).write_text(texts["tree"], "utf8")
    status, (page, _) = said("show", name, "--as", "html")
    title = page.partition("<title>")[2].partition("</title>")[0]
    assert status == 0 and page.count("<title>") == 1 and title.startswith("Private tree of ")
    assert title.endswith(" &lt;title&gt;") and "<" not in title
    harmless(page, markup=True)


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_no_name_acts_on_what_draws_it(text):
    """Drawings, tables, graphs and texts of plain data, which nobody has looked at before."""
    words = f"{text} ≤ 5"
    leaf = {"label": text, "probabilities": [1, 0], "counts": [3, 0]}
    tree = {"test": words, "otherwise": words, "left": leaf, "right": {**leaf, "label": "b", "probabilities": [0, 1]}}
    classes = [text, "b"]
    plain = [
        viz.tree_as_text({k: v for k, v in tree.items() if k != "otherwise"}, classes),
        viz.tree_as_rules(tree, classes), viz.tree_as_dot(tree, classes), text_table([(text, "1")]),
    ]  # fmt: skip
    assert plain[2].count("digraph") == 1 or "digraph" in text
    assert len(text_table([(text, "a")]).split("\n")) == 1
    drawn = [
        viz.draw_tree({k: v for k, v in tree.items() if k != "otherwise"}, classes, title=text, caption=text),
        viz.draw_derivation({"cost": text, "text": words, "share": 1.0, "below": []}, title=text, caption=text),
        html_table([text], [(words,)], caption=text),
        viz.draw_effects(
            [{"name": text, "labels": [text, "b"], "values": [0.1, 0.2], "half_widths": [0.1, 0.1]}],
            title=text, caption=text, towards=(text, "b"),
        ),
        str(viz.side_by_side("<p>a</p>", "<p>b</p>", alt=text, caption=text)._repr_html_()),
    ]  # fmt: skip
    for one in plain:
        harmless(one)
    for one in drawn:
        harmless(one, markup=True)


@pytest.mark.parametrize("text", [text for text in HOSTILE.values() if ACTS.search(text)], ids=ascii)
def test_names_are_refused_where_they_come_in(text):
    """Features, categories, classes, targets, units, parties, queries: by what they are, in a harmless sentence."""
    domain = Domain.from_spec(DOMAIN)
    charge = {"region": domain.everything, "cost": 1, "mechanism": "m", "sensitivity": 1, "claim": "c", "colluders": 0}
    for call in (
        lambda: Numeric(text, (0, 1, 2)), lambda: Numeric("a", (0, 1, 2), unit=text), lambda: Categorical(text, "ab"),
        lambda: Categorical("a", ("b", text)), lambda: Categorical("a", ("b", "c"), reason=text),
        lambda: Domain(domain.features, ("a", text)), lambda: Party([], domain, name=text),
        lambda: Charge(**charge, query=text, randomness="operating system", releases=1),
        lambda: Domain.from_spec({"features": {text: [0, 1, 2]}, "classes": ["a", "b"]}),
        lambda: Domain.from_spec({"features": {"a": [0, 1, 2]}, "target": {"name": text, "edges": [0, 1, 2]}}),
    ):  # fmt: skip
        with pytest.raises(ValueError) as refused:
            call()
        harmless(str(refused.value))


def test_the_two_lists_are_one():
    """The checker imports nothing, so it has a list of its own; on each character it says what the package says."""
    for code in range(sys.maxunicode + 1):
        letter = chr(code)
        assert (derivation_checker._HIDDEN.search(letter) is None) == (printable.one_line(letter) == letter), ascii(
            letter
        )


def test_what_people_write_is_printable():
    """Letters of all scripts, accents of their own, blanks of any width, emoji: nothing of a language is refused."""
    for text in ("días", "e\u0301", "العمر", "गति", "年齢", "\u00a0% ≤", "𝛼", "🏥", "\u0600"):
        assert printable.printable(text) == text
        printable.require_printable(text, "a name")
    assert Domain([Categorical("العمر 🏥", ("年", "गति"))], ("è", "ß")).features[0].name == "العمر 🏥"


def test_a_tree_of_raw_columns_shows_their_names():
    """No domain has looked at them."""
    tree = fit_cart({"\x1b[2Jage": [1.0, 2.0]}, ["\u202eill", "well"])
    for shown in (tree.to_text(), str(tree), repr(tree), tree.to_sklearn_text(), tree.to_graphviz()):
        harmless(shown)
    harmless(tree._repr_html_(), markup=True)

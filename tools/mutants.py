"""How many small changes of a module's code its tests see: `make mutants`, `make mutants MODULE=exact SAMPLE=150`.

A *mutant* is the module's code with one small change, made by mutmut: ``<`` for ``<=``, an argument left out, a number
one larger. It is *killed* if a test of `tests/<module>/`, or of the chapters that the module belongs to, then fails, or
takes several times as long as usual (see `tools/mutant_trials.py`). The score is the share of killed mutants among all.
A survivor may be a gap in the tests or a change that makes no difference: it is printed for somebody to judge, and no
list excuses it.

Without a module, the mutants are those of the files that have changed since a commit. Whole modules, or as many mutants
of them as ``--sample`` says, drawn the same each time, also go into `book/measured/mutants.json`, which the book shows.
Out of reach is what stands outside of functions or in a decorated one, and sentences (a text with a blank in it).
"""

import argparse
import difflib
import json
import os
import random
import shutil
import subprocess
import sys
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from fdpedu.chapters import CHAPTERS
from fdpedu.showing import markdown_table

ROOT = Path(__file__).resolve().parent.parent
STORED = "book/measured/mutants.json"
LEAST = 3  # CPU seconds that a test may take on a mutant, besides five times what it takes without one
NOT_MEASURED = {
    "__init__": "only names",
    "__main__": "only a call",
    "chapters": "a list",
    "claims": "checks, which are tried on broken code of their own",
    "exercises": "tried on wrong answers of their own",
    "cli": "tested with the house",
    "demo": "tested with the house",
    "printable": "tested with what it prints",
    "process": "tested in processes of its own, which no mutant reaches",
    "sources": "each document by itself",
    "datasets": "tables and how they are drawn",
    "viz": "pictures, which are looked at in a browser",
}


@dataclass(frozen=True)
class Mutant:
    """mutmut's name for it, the file and the function, and the lines that differ, as a diff shows them."""

    key: str
    file: str
    function: str
    lines: tuple[str, ...]

    def __str__(self):
        return "\n".join([f"{self.file} {self.function}", *self.lines])


@dataclass(frozen=True)
class Score:
    """The number of mutants that there are, of those that were tried, and the tried ones that no test saw."""

    mutants: int
    tried: int
    survived: tuple[Mutant, ...]

    @property
    def killed(self):
        return self.tried - len(self.survived)

    def __str__(self):
        drawn = f", drawn from {self.mutants}" if self.tried < self.mutants else ""
        return f"{self.killed} of {self.tried} mutants killed ({self.killed / max(self.tried, 1):.1%}){drawn}"


def modules(root=ROOT):
    """The modules that are measured: all of the package, save those that the list above names.

    A document of the sources is one by itself, and so is what a chapter names within another module.
    """
    package = root / "fdpedu"
    found = {path.stem for path in package.glob("*.py")} | {path.parent.name for path in package.glob("*/__init__.py")}
    found |= {f"sources.{path.parent.name}" for path in package.glob("sources/*/__init__.py")}
    inner = {module for chapter in CHAPTERS for module in chapter.library if "." in module}
    return sorted((found | {module for module in inner if files_below(module, root)}) - NOT_MEASURED.keys())


def files_below(module, root=ROOT):
    """The files of a module, and of modules within it; one that only gathers names is none."""
    path = root / "fdpedu" / module.replace(".", "/")
    files = [*path.rglob("*.py"), path.parent / f"{path.name}.py"]
    return sorted(file for file in files if file.exists() and file.name != "__init__.py")


def files_of(module, root=ROOT):
    """The same without those of modules within it."""
    inner = {file for other in modules(root) if other.startswith(f"{module}.") for file in files_below(other, root)}
    return [file for file in files_below(module, root) if file not in inner]


def tests_of(module, root=ROOT):
    """Its tests: the folder called as the module, or as the chapter where that has several, and for a document of the
    sources, which several chapters explain, the tests of others that name it, too."""
    own = {name: chapter.name for chapter in CHAPTERS for name in chapter.library}
    folder = f"tests/{own.get(module, module)}"
    if not module.startswith("sources."):
        return [folder]
    named = {
        path.relative_to(root).as_posix() for path in root.glob("tests/*/test_*.py") if module in path.read_text("utf8")
    }
    elsewhere = sorted(name for name in named if not name.startswith((f"{folder}/", "tests/house/", "tests/book/")))
    return [*([folder] if (root / folder).is_dir() else []), *elsewhere]


def changed_files(base=None, root=ROOT):
    """Module → its files that differ from a commit: where the branch left origin/main, or the one before the last."""

    def git(*words):
        return subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=True).stdout.split()

    if base is None:
        try:
            (base,) = git("merge-base", "origin/main", "HEAD")
        except subprocess.CalledProcessError:
            base = "HEAD~1"
        if [base] == git("rev-parse", "HEAD"):
            base = "HEAD~1"
    names = git("diff", "--name-only", base, "--", "fdpedu")
    names += git("ls-files", "--others", "--exclude-standard", "--", "fdpedu")
    changed = {root / name for name in names}
    found = {module: [file for file in files_of(module, root) if file in changed] for module in modules(root)}
    return {module: files for module, files in found.items() if files}


# --- making and trying them -------------------------------------------------------------------------------------------


def mutate(files, root, place):
    """Copy the repository to ``place`` with all mutants of these files in it, asleep; the list of them."""
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    for path in root.iterdir():
        if path.name in ("tests", "fdpedu"):
            shutil.copytree(path, place / path.name, ignore=shutil.ignore_patterns("__pycache__"))
        elif path.name not in ("_build", "pyproject.toml") and not path.name.startswith("."):
            (place / path.name).symlink_to(path)
    config = (root / "pyproject.toml").read_text("utf8") + '\n[tool.mutmut]\nsource_paths = ["fdpedu"]\n'
    (place / "pyproject.toml").write_text(config, "utf8")
    here = Path.cwd()
    os.chdir(place)  # mutmut reads its configuration in the folder where it stands
    try:
        return [mutant for file in files for mutant in mutate_file(file.relative_to(root).as_posix())]
    finally:
        os.chdir(here)


def mutate_file(name):
    """Rewrite a file so that all mutants of a function stand beside it, and a wrapper calls the one that is awake."""
    import libcst
    from mutmut.mutation.file_mutation import combine_mutations_to_source, create_mutations

    def is_sentence(node):
        return isinstance(node, libcst.SimpleString) and isinstance(node.raw_value, str) and " " in node.raw_value

    path = Path(name)
    module, mutations, *ignored = create_mutations(name, path.read_text("utf8"))
    mutated = combine_mutations_to_source(module, [m for m in mutations if not is_sentence(m.original_node)], *ignored)
    path.write_text(mutated.code, "utf8")
    lines, spans = mutated.code.splitlines(), mutated.line_span_by_function_name

    def lines_of(key, function):
        span = spans[key]
        return "\n".join(lines[span.start - 1 : span.end]).replace(key, function).splitlines()

    for key in mutated.mutant_names:
        mangled = key.partition("__mutmut_")[0]
        function = mangled[2:].replace("ǁ", ".")
        before, after = (lines_of(k, function.rpartition(".")[2]) for k in (f"{mangled}__mutmut_orig", key))
        changed = [line for line in list(difflib.unified_diff(before, after, n=0))[2:] if not line.startswith("@@")]
        dotted = name.removesuffix(".py").replace("/", ".")
        yield Mutant(f"{dotted}.{key}", name, function, tuple(changed))


def measure(module, files=None, sample=None, jobs=1, root=ROOT):
    """The score of a module's tests on all mutants of these files, or on some that are drawn the same each time."""
    place = root / "_build" / "mutants" / module
    mutants = mutate(files_of(module, root) if files is None else files, root, place)
    tried = mutants if sample is None else random.Random(module).sample(mutants, min(sample, len(mutants)))
    plan = {"mutants": [mutant.key for mutant in tried], "jobs": jobs, "least": LEAST}
    (place / "plan.json").write_text(json.dumps(plan))
    options = ["-p", "mutant_trials", "-p", "no:cacheprovider", "-s", "-qq", "--no-header", "--assert=plain"]
    environment = {**os.environ, "PYTHONPATH": f"{place}{os.pathsep}{ROOT / 'tools'}", "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "pytest", *options, *tests_of(module)]
    if subprocess.run(command, cwd=place, env=environment).returncode:
        raise SystemExit(f"{module}: the tests of {' '.join(tests_of(module))} do not run, so nothing was measured")
    survived = set(json.loads((place / "survived.json").read_text()))
    return Score(len(mutants), len(tried), tuple(mutant for mutant in tried if mutant.key in survived))


# --- showing results --------------------------------------------------------------------------------------------------


def stored(root=ROOT):
    """Module → what its last measurement found."""
    path = root / STORED
    return json.loads(path.read_text("utf8")) if path.exists() else {}


def store(module, score, root=ROOT):
    entry = {"mutants": score.mutants, "tried": score.tried, "killed": score.killed, "date": date.today().isoformat()}
    entries = {**stored(root), module: entry}
    (root / STORED).write_text(json.dumps(dict(sorted(entries.items())), indent=1) + "\n", "utf8")


def table(root=ROOT):
    """The stored results as a table in Markdown."""
    rows = []
    for module, found in stored(root).items():
        share = f"{found['killed'] / found['tried']:.1%}"
        tried = "all" if found["tried"] == found["mutants"] else str(found["tried"])
        rows.append((f"`{module}`", str(found["mutants"]), tried, str(found["killed"]), share, found["date"]))
    return markdown_table(("module", "mutants", "tried", "killed", "score", "measured on"), rows, right=range(1, 5))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("modules", nargs="*", metavar="module", help=f"all, or of {', '.join(modules())}")
    parser.add_argument("--base", metavar="COMMIT", help="without a module: the files that have changed since")
    parser.add_argument("--sample", type=int, metavar="N", help="try N mutants of each module, the same each time")
    parser.add_argument("--jobs", type=int, default=1, help="mutants at a time")
    given = parser.parse_args()
    whole = modules() if given.modules == ["all"] else given.modules
    if unknown := set(whole) - set(modules()):
        parser.error(f"{', '.join(sorted(unknown))} is not measured, only {', '.join(modules())}")
    chosen = {module: files_of(module) for module in whole} or changed_files(given.base)
    if not chosen:
        print("no file of a module that is measured has changed")
    for module, files in chosen.items():
        score = measure(module, files, given.sample, given.jobs)
        print(*score.survived, f"{module}: {score}", sep="\n", flush=True)
        if whole:
            store(module, score)
    if whole:
        print(table())


if __name__ == "__main__":
    main()

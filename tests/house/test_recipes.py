"""What CONTRIBUTING promises to the next person: the skeleton of a chapter, the locks, the quick checks."""

import ast
import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import version

import pytest
import yaml

from tests.support.repository import ROOT

PENCIL = chr(0x270E)


def run(*command, cwd=ROOT):
    """As from a shell: a `make` that runs the tests is not passed on, or it would share its jobs and its options."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    return subprocess.run(
        [str(part) for part in command], capture_output=True, encoding="utf8", cwd=cwd, env=environment
    )


# --- the skeleton of a chapter ----------------------------------------------------------------------------------------


@pytest.fixture
def house(tmp_path):
    """A house with nothing but the list of chapters."""
    (tmp_path / "fdpedu").mkdir()
    for name in ("fdpedu/chapters.py", "_toc.yml", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def chapter(house, *arguments):
    return run(sys.executable, ROOT / "tools" / "chapter.py", *arguments, house)


def test_a_skeleton_is_sound_and_red_until_it_is_filled(house):
    """Its Python is clean, its one test fails and names the files, and passes when no pencil is left."""
    assert chapter(house, "98", "imaginary_things").returncode == 0
    written = {path for path in house.rglob("*") if path.is_file() and PENCIL in path.read_text("utf8")}
    assert {"98_imaginary_things.md", "imaginary_things.py", "test_imaginary_things.py"} <= {p.name for p in written}
    config = ("--no-cache", "--config", house / "pyproject.toml")
    assert run(sys.executable, "-m", "ruff", "check", *config, house).returncode == 0
    assert run(sys.executable, "-m", "ruff", "format", "--check", *config, house).returncode == 0
    (test,) = house.glob("tests/imaginary_things/test_*.py")
    pytest_alone = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", "/dev/null", test)
    red = run(*pytest_alone, cwd=house)
    assert red.returncode == 1 and "fdpedu/claims/imaginary_things/imaginary_things.py" in red.stdout
    for path in written:
        path.write_text(path.read_text("utf8").replace(PENCIL, "written:"), "utf8")
    assert run(*pytest_alone, cwd=house).returncode == 0


def test_a_skeleton_overwrites_nothing(house):
    """Files that are there stay, and so does a module that has grown into a package."""
    (house / "fdpedu" / "imaginary").mkdir()
    (house / "fdpedu" / "imaginary" / "__init__.py").write_text("# ours\n")
    topic = house / "fdpedu" / "claims" / "imaginary" / "imaginary.py"
    topic.parent.mkdir(parents=True)
    topic.write_text("# ours too\n")
    assert chapter(house, "98", "imaginary").returncode == 0
    assert topic.read_text() == "# ours too\n" and not (house / "fdpedu" / "imaginary.py").exists()
    assert (house / "fdpedu" / "claims" / "imaginary" / "__init__.py").exists()


@pytest.mark.parametrize("arguments", [("1", "imaginary"), ("98", "cart"), ("98", "Two Words"), ("0", "x"), ("", "")])
def test_a_skeleton_that_makes_no_sense_is_refused(house, arguments):
    """A number or a name that another chapter has, and what is no number or no name."""
    before = sorted(house.rglob("*"))
    assert chapter(house, *arguments).returncode == 1
    assert sorted(house.rglob("*")) == before


def test_no_chapter_is_committed_empty():
    """Pencils stand in the tool that writes the skeleton, and nowhere else."""
    marked = [
        path.relative_to(ROOT).as_posix()
        for folder in ("book/chapters", "fdpedu", "tests", "tools")
        for path in sorted((ROOT / folder).rglob("*"))
        if path.suffix in (".py", ".md") and PENCIL in path.read_text("utf8")
    ]
    assert marked == ["tools/chapter.py"]


# --- the locks --------------------------------------------------------------------------------------------------------


def normal(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def listed(file):
    """The distributions that a readable list names."""
    lines = (ROOT / file).read_text("utf8").splitlines()
    return {normal(found[0]) for line in lines if (found := re.match(r"[A-Za-z0-9][\w.-]*", line))}


def locked(name):
    """Distribution → its entries in a lock, each the version and what follows it."""
    entries = {}
    for entry in re.split(r"\n(?=\S)", (ROOT / "locks" / f"{name}.lock").read_text("utf8")):
        if not entry.startswith("#"):
            distribution, pinned = entry.split("==", 1)
            entries.setdefault(normal(distribution), []).append(pinned)
    return entries


@pytest.mark.parametrize(
    ("name", "wanted"),
    [("book", "requirements.txt"), ("peers", "peers/requirements.txt"), ("field", "peers/field-requirements.txt")],
)
def test_a_lock_pins_what_its_list_names(name, wanted):
    """What the list names is locked; every entry has an exact version and at least one hash; no place is named."""
    entries = locked(name)
    assert listed(wanted) <= set(entries)
    for distribution, versions in entries.items():
        for pinned in versions:
            assert re.match(r"\d[\w.+!]*\s", pinned) and re.search(r"--hash=sha256:[0-9a-f]{64}\b", pinned), (
                distribution
            )
    assert "://" not in (ROOT / "locks" / f"{name}.lock").read_text("utf8")


def test_the_environment_is_the_locked_one():
    """What the readable list names is installed here, in the version of the lock."""
    for distribution in listed("requirements.txt"):
        (pinned,) = locked("book")[distribution]
        assert pinned.split()[0] == version(distribution), distribution


def test_the_reader_has_the_book_s_versions():
    """JupyterLab and what it brings, as in the book's own lock, hashes included."""

    def files(name):
        """Distribution → its versions and hashes, whatever the platforms."""
        return {
            distribution: re.findall(r"^[\w.+!]+|sha256:\w+", "\n".join(pinned), re.M)
            for distribution, pinned in locked(name).items()
        }

    book, reader = files("book"), files("reader")
    assert "jupyterlab" in reader and "matplotlib" not in reader
    assert {name for name in reader if book.get(name) != reader[name]} == set()


def test_the_book_s_environment_has_every_extra():
    """What the package needs, with all its extras but one, is on the readable list; and every lower bound is kept.

    FLARE has an environment of its own, in the one version that the extra names.
    """
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf8"))["project"]
    extras = project["optional-dependencies"]
    assert set(extras) == {"data", "verify", "book", "completion", "flare"}
    (flare,) = extras.pop("flare")
    assert flare in (ROOT / "peers/field-requirements.txt").read_text("utf8").splitlines()
    assert [pinned.split()[0] for pinned in locked("field")["nvflare"]] == [flare.removeprefix("nvflare==")]
    assert "nvflare" not in {*locked("book"), *locked("peers"), *locked("reader")}
    needed = [*project["dependencies"], *(require for needs in extras.values() for require in needs)]
    for require in needed:
        name, _, least = require.partition(">=")
        if name.startswith("fdpedu["):
            assert name == "fdpedu[data,verify]"
            continue
        assert normal(name) in listed("requirements.txt") and least, require
        (pinned,) = locked("book")[normal(name)]
        chosen = [int(part) for part in pinned.split()[0].split(".")]
        assert chosen >= [int(part) for part in least.split(".")], require


# --- the quick checks -------------------------------------------------------------------------------------------------


def test_the_hooks_are_the_first_steps_of_make_test():
    """What runs before a commit is what `make test` runs first, in the same environment."""
    (repository,) = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text("utf8"))["repos"]
    assert repository["repo"] == "local" and {hook["language"] for hook in repository["hooks"]} == {"system"}
    makefile = (ROOT / "Makefile").read_text("utf8")
    assert "check: lint $(PUBLIC)" in makefile.splitlines()
    assert "\ntest:\n\t@$(MAKE) --jobs 2 lint $(PEERS) $(PUBLIC)\n" in makefile
    recipe = makefile.split("\nlint:")[1].split("\n\n")[0]
    for hook in repository["hooks"]:
        command, program = hook["entry"], hook["entry"].split()[0]
        assert (ROOT / program).is_file() and command.replace(".venv/bin", "$(BIN)") in recipe, command


def test_the_run_from_nothing_leaves_no_test_out():
    """`make test` runs the two parts that make up all tests; `.ci/run` it, every edition, notebooks."""
    makefile, script = ((ROOT / name).read_text("utf8") for name in ("Makefile", ".ci/run"))
    (pages,) = re.findall(r"^PAGES *:= (\S+)$", makefile, re.M)
    for target, arguments in {"test-library": " --ignore $(PAGES) $(LEAVE_OUT)", "test-pages": " $(PAGES)"}.items():
        assert re.search(rf"^{target}:.*\n\t\$\(PYTEST\){re.escape(arguments)}$", makefile, re.M), target
    recipe = makefile.split("\ntest:\n")[1].split("\n\n")[0]
    left_out = "LEAVE_OUT='-m \"not on_a_page\"'"  # which the tests of pages read there: tests/book/test_verified.py
    assert recipe.splitlines() == [
        "\t@$(MAKE) --jobs 2 lint $(PEERS) $(PUBLIC)",
        f"\t@FDPEDU_KERNELS=1 $(MAKE) --jobs 2 $(BOOK) test-library {left_out}",
        "\t@$(MAKE) test-pages",
    ]
    assert makefile.count("LEAVE_OUT") == 2
    assert (ROOT / pages).is_dir()
    started = {
        word for line in re.findall(r"^(?:stage|together) (.*)$", script, re.M) for word in re.findall(r"[\w-]+", line)
    }
    assert started >= {
        "clean",
        "test",
        "notebooks",
        "bench-quick",
        "pdf",
    }
    assert "student" in started
    assert "\nstage make field ONLY=first " in script  # never together with another: it waits for what was killed


def test_the_hosted_run_is_the_one_that_anybody_can_start():
    """A workflow does nothing of its own: it fetches the files, chooses the Python, and starts `.ci/run` or `make`."""
    goals = {}
    started = {
        "test": [".ci/run"],
        "weekly": [".ci/packages", "make ${{ matrix.goal }}"],
        "release": [".ci/packages", "make site"],
    }
    for workflow in (ROOT / ".github" / "workflows").glob("*.yml"):
        text = workflow.read_text("utf8")
        (job,) = yaml.safe_load(text)["jobs"].values()
        assert [step["run"] for step in job["steps"] if "run" in step] == started.pop(workflow.stem)
        assert "secrets." not in text
        goals |= job.get("strategy", {}).get("matrix", {})
    assert started == {} and goals == {"goal": ["test-deep", "test-live", "notebooks", "mutants MODULE=all JOBS=4"]}


CLOCK = re.compile(
    r"\b(date|datetime)\.(today|now|utcnow)\(|\b(toordinal|localtime|gmtime|strftime|time\.time)\(|\bdate \+"
)
READ_FOR = {  # where the clock is read, and what for
    "Makefile": "seconds that a step takes",
    "tools/mutants.py": "the date beside a result",
    "tests/accounting/test_budget_file.py": "the time of a charge, which is compared with it",
    "tests/house/test_recipes.py": "this pattern",
}


def test_two_dates_give_the_same_plan():
    """What is tested does not depend on the date: nothing that `.ci/run` starts reads a clock in order to choose."""
    assert CLOCK.search("pages[date.today().toordinal() % 4]") and CLOCK.search("$(date +%j)")
    files = [
        ROOT / "Makefile",
        *(ROOT / ".ci").iterdir(),
        *(ROOT / "tools").glob("*.py"),
        *(ROOT / "tests").rglob("*.py"),
    ]
    names = {file.relative_to(ROOT).as_posix() for file in files if CLOCK.search(file.read_text("utf8"))}
    assert names == READ_FOR.keys()


def test_an_old_python_is_refused(tmp_path):
    """`make` with Python 3.9 says what it needs, and makes nothing; without any Python too."""
    old = tmp_path / "python3"
    fake = "import sys, platform, runpy; sys.version_info = (3, 9, 18); platform.python_version = lambda: '3.9.18'; "
    fake += "sys.argv = sys.argv[1:]; runpy.run_path(sys.argv[0], run_name='__main__')"
    old.write_text(f'#!/bin/sh\nexec {sys.executable} -c "{fake}" "$@"\n')
    old.chmod(0o755)
    for python, words in ((old, "3.9.18"), (tmp_path / "none", "no Python that fdpedu can use")):
        for goal in ("book", "test", "pins"):
            done = run("make", "--no-print-directory", "--dry-run", f"PYTHON={python}", goal)
            assert done.returncode == 2 and "3.11 or newer" in done.stderr and words in done.stderr
            assert done.stdout == ""


def test_a_recipe_names_what_is_there():
    """Every path and every make target that CONTRIBUTING names exists."""
    text = (ROOT / "CONTRIBUTING.md").read_text("utf8")
    makefile = (ROOT / "Makefile").read_text("utf8")
    targets = set(re.findall(r"`make ([a-z-]+)", text))
    assert {"test", "chapter", "pins"} <= targets
    assert {target for target in targets if not re.search(rf"^{target}:", makefile, re.M)} == set()
    paths = set(re.findall(r"`([\w.]+/[\w./-]*|[A-Z]+\.\w+|_toc\.yml|[a-z]+\.(?:toml|txt))`", text))
    made = (".venv/", ".peers/", ".field/", ".public/", ".pyodide/", "_build/")
    missing = {path for path in paths if not (ROOT / path).exists() and not path.startswith(made)}
    assert len(paths) > 15 and {path for path in missing if "CHAPTER" not in path} == set()


def test_environments_are_no_part_of_the_book_or_of_the_repository():
    """What `make clean` removes is neither committed nor read for pages: packages bring pages of their own."""
    made = re.search(r"^clean:\n\trm -rf (.*)$", (ROOT / "Makefile").read_text("utf8"), re.M)[1].split()
    ignored = (ROOT / ".gitignore").read_text("utf8").split()
    left_out = yaml.safe_load((ROOT / "_config.yml").read_text("utf8"))["exclude_patterns"]
    places = [name for name in made if name.startswith((".venv", ".peers", ".field", ".public", ".pyodide"))]
    assert len(places) >= 6 and [name for name in places if name not in ignored or f"{name}/**" not in left_out] == []


def test_each_measurement_has_its_command():
    """What is stored for the pages is made by `make measure`.

    But for the speed and the mutants, which have targets, and for what boosting's first rule made at a commit.
    """
    stored = {path.stem for path in (ROOT / "book" / "measured").iterdir()} - {"speed", "mutants", "boosting_before"}
    for name in sorted(stored):
        done = run("make", "--no-print-directory", "--dry-run", "measure", f"NAME={name}")
        assert done.returncode == 0 and f"benchmarks.{name} --json book/measured/{name}.json" in done.stdout
        assert (ROOT / "benchmarks" / f"{name}.py").is_file()
    wrong = run("make", "--no-print-directory", "--dry-run", "measure", "NAME=speeed")
    assert wrong.returncode == 2 and all(name in wrong.stderr for name in stored)


AT_THE_TOP = set(
    "_config.yml _toc.yml requirements.txt pyproject.toml Makefile README.md LICENSE LICENSE-book CITATION.cff "
    "CONTRIBUTING.md CHANGELOG.md locks book fdpedu tests benchmarks paper peers tools".split()
)


def test_the_top_folder_holds_what_it_should():
    """No picture and no data: what is made stands in folders that git passes over, and what is hidden is settings."""
    passed_over = {line.strip("/") for line in (ROOT / ".gitignore").read_text("utf8").split()} | {"shared"}
    there = {path.name for path in ROOT.iterdir() if not path.name.startswith(".")} - passed_over
    assert {name for name in there if not name.endswith(".egg-info")} == AT_THE_TOP


def test_the_paper_has_the_form_of_its_journal_and_the_book_s_references():
    """JOSE asks for a head, a statement of need and a story; what is cited is listed, as in the book's own list."""
    _, head, text = (ROOT / "paper" / "paper.md").read_text("utf8").split("---\n", 2)
    stated = yaml.safe_load(head)
    assert {"title", "tags", "authors", "affiliations", "date", "bibliography"} <= stated.keys()
    assert {"Summary", "Statement of need", "The story of the project", "References"} <= {
        *re.findall(r"^# (.*)$", text, re.M)
    }
    entry = re.compile(r"^@\w+\{(\w+),.*?^\}$", re.M | re.S)
    listed = (ROOT / "paper" / stated["bibliography"]).read_text("utf8")
    cited = {key for group in re.findall(r"\[(@[^\]]+)\]", text) for key in re.findall(r"@(\w+)", group)}
    assert cited == set(entry.findall(listed)) and len(cited) > 5
    book = (ROOT / "book" / "references.bib").read_text("utf8")
    assert [found[1] for found in entry.finditer(listed) if found[0] not in book] == []


def test_the_house_is_no_larger_than_it_may_be():
    """Lines and words are at most what `tools/size.json` allows; a commit that raises a number says what goes."""
    done = run(sys.executable, ROOT / "tools" / "size.py")
    assert done.returncode == 0 and len(done.stdout.splitlines()) == 6, done.stdout + done.stderr


def test_a_house_that_has_grown_is_refused(house):
    """One line more than allowed, of one kind, is said and fails."""
    for name in ("fdpedu/claims", "fdpedu/exercises", "tests", "book", "tools"):
        (house / name).mkdir(parents=True, exist_ok=True)
    shutil.copy(ROOT / "tools" / "size.py", house / "tools" / "size.py")
    assert run(sys.executable, house / "tools" / "size.py", "--write").returncode == 0
    (house / "tests" / "test_more.py").write_text("one = 1\n")
    (house / "book" / "page.md").write_text("word\n\n```python\nnone of these\n```\n")
    grown = run(sys.executable, house / "tools" / "size.py")
    over = [line.split("  ")[0] for line in grown.stdout.splitlines() if line.endswith("more than is allowed")]
    assert grown.returncode == 1 and over == ["lines of tests", "words of pages"]
    assert re.search(r"words of pages +1 of +0", grown.stdout)


def test_python_in_the_tools_is_for_a_bare_interpreter():
    """What make runs before there is an environment imports the standard library only, and so does what it reads."""
    ours = {"myst_parts"}  # of the book, and held to the same
    for name in (
        "tools/fingerprint",
        "tools/chapter",
        "tools/statements",
        "tools/size",
        "fdpedu/chapters",
        "book/_ext/myst_parts",
    ):
        tree = ast.parse((ROOT / f"{name}.py").read_text("utf8"))
        imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
        imported |= {node.module.split(".")[0] for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        assert imported <= set(sys.stdlib_module_names) | ours

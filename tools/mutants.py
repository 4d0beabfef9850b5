"""Mutation testing of the rooms that guarantee something: `make mutants ROOM=exact`, `make mutants-sample SECONDS=90`.

A mutant is the room's code with one small change, made by mutmut: ``<`` for ``<=``, an argument left out, a number one
larger. It is *killed* if one of the room's fast tests then fails, or does not end within several times its usual time.
A survivor is a change that no test sees; an *equivalent* one changes nothing that could be seen, and says why in
`tests/equivalent_mutants.toml`. Sentences are not changed (a text with a blank in it, as in a message); keys and names
are. Out of mutmut's reach is what stands in a decorated function (`@property`, `@lru_cache`) or outside of functions.

A run works in `_build/mutants/<room>`, on a copy. It stops at Ctrl-C and goes on from there, as long as neither the
room's code nor its tests have changed. If tests came in new files, and nothing else changed, what was killed stays so,
and only the new files are tried on what survived. The result is `book/measured/mutants/<room>.json`; the book shows it.
"""

import argparse
import ast
import json
import os
import random
import subprocess
import sys
import time
import tomllib
from dataclasses import asdict
from datetime import date
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "tools"))

import fingerprint  # noqa: E402
from mutant_making import Mutant, mutate, out_of_reach  # noqa: E402
from mutant_rooms import ROOMS  # noqa: E402

MEASURED, EQUIVALENTS = "book/measured/mutants", "tests/equivalent_mutants.toml"
LEAST = 3  # CPU seconds that a test may take on a mutant, besides several times what it takes without one
ENOUGH, AT_MOST = 0.95, 0.05  # of the mutants that are not equivalent: killed; of all mutants: equivalent


def sources(room, root=ROOT):
    """The room's modules; what only gathers names is not one."""
    paths = [root / name for name in room.code]
    files = [file for path in paths for file in (sorted(path.rglob("*.py")) if path.is_dir() else [path])]
    return [file for file in files if file.name != "__init__.py"]


def test_files(room, root=ROOT):
    """The room's tests, and what they import from `tests/support`."""
    files = [root / name for name in room.tests]
    for file in files:  # grows while it is read
        text = file.read_text("utf8")
        support = (root / "tests" / "support").glob("*.py")
        files += [path for path in support if f"tests.support.{path.stem} " in text and path not in files]
    return files


def print_of(room, root=ROOT):
    """The fingerprint of the room's code and of all that its tests are made of."""
    return fingerprint.fingerprint_of([*sources(room, root), *test_files(room, root)], root, read=read_for(room, root))


def read_for(room, root=ROOT):
    """How a file is read for a fingerprint: without the tests in it that the room leaves out, which no mutant meets."""

    def read(file):
        name = file.relative_to(root).as_posix()
        left_out = {test.partition("::")[2] for test in room.but if test.startswith(f"{name}::")}
        if not left_out:
            return file.read_bytes()
        text = file.read_text("utf8")
        lines = text.splitlines(keepends=True)
        for node in reversed(ast.parse(text).body):
            if isinstance(node, ast.FunctionDef) and node.name in left_out:
                begin = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
                del lines[begin - 1 : node.end_lineno]
        return "".join(lines).encode()

    return read


# --- running them -----------------------------------------------------------------------------------------------------


def judge(room, tests, place, mutants, record, jobs=1, until=None):
    """Run these tests on each mutant and add its outcome to ``record``, in JSON lines; 0 if it came to the end."""
    plan = {
        "mutants": [mutant.key for mutant in mutants],
        "record": str(record),
        "jobs": jobs,
        "until": until,
        "least": LEAST,
    }
    (place / "plan.json").write_text(json.dumps(plan))
    left_out = [argument for name in room.but for argument in ("--deselect", name)]
    options = ["-p", "mutant_trials", "-p", "no:cacheprovider", "-s", "-qq", "--no-header", "--assert=plain", *left_out]
    path = os.pathsep.join([str(ROOT / "tools"), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep)
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "pytest", *options, *tests]
    return subprocess.run(command, cwd=place, env=environment).returncode


def outcomes(record):
    """Key → outcome and CPU seconds, of what is judged so far; a last line that was not finished is cut off."""
    text = record.read_text("utf8") if record.exists() else ""
    if whole := text[: text.rfind("\n") + 1]:
        record.write_text(whole, "utf8")
    entries = map(json.loads, whole.splitlines())
    return {entry["mutant"]: entry for entry in entries if "mutant" in entry}


def grounds(room, root=ROOT):
    """What an outcome rests on: the room's code, what is left out of its tests, and each file that they are made of."""
    prints = {
        file.relative_to(root).as_posix(): fingerprint.fingerprint_of([file], root, read=read_for(room, root))
        for file in test_files(room, root)
    }
    return {"code": fingerprint.fingerprint_of(sources(room, root), root), "but": list(room.but), "files": prints}


def begin(name, room, mutants, record, root=ROOT):
    """Start a record: its first line says what it rests on, and which tests are run; kills of an older one are kept."""
    now, kept, tests = grounds(room, root), [], list(room.tests)
    for path in (path for path in record.parent.glob(f"{name}-*") if path.is_file()):
        with path.open(encoding="utf8") as file:
            before = json.loads(file.readline() or "{}")
        judged = outcomes(path).values()
        killed = [entry for entry in judged if entry["outcome"] != "survived"]
        if len(killed) > len(kept) and still_valid(before, now):
            kept, whole = killed, len(judged) == len(mutants)
            tests = [test for test in room.tests if not whole or test not in before["files"]]
    record.write_text("".join(json.dumps(line) + "\n" for line in ({**now, "tests": tests}, *kept)), "utf8")


def still_valid(before, now):
    """Whether tests that failed then fail now: their files are all still there, and so is the rest."""
    same = all(before.get(key) == now[key] for key in ("code", "but"))
    return same and before["files"].items() <= now["files"].items()


def equivalents(name, root=ROOT):
    """The changes of a room that are said to be equivalent, each with its reason; an entry may have several."""
    path = root / EQUIVALENTS
    entries = tomllib.loads(path.read_text("utf8")).get(name, []) if path.exists() else []
    return {
        (entry["file"], entry["function"], entry["before"], after): entry["reason"]
        for entry in entries
        for after in entry["after"]
    }


def result(name, room, printed, mutants, judged, root=ROOT):
    """What is stored of a whole run, once every entry for an equivalent mutant is found to be one."""
    survived = [mutant for mutant in mutants if judged[mutant.key]["outcome"] == "survived"]
    reasons = equivalents(name, root)
    for change in reasons.keys() - {mutant.change for mutant in survived}:
        found = any(mutant.change == change for mutant in mutants)
        raise ValueError(f"{EQUIVALENTS}: {'a test kills' if found else 'there is no'} such mutant: {change}")
    shown = [{key: value for key, value in asdict(mutant).items() if key != "key"} for mutant in survived]
    kinds = [judged[mutant.key]["outcome"] for mutant in mutants]
    return {
        "fingerprint": printed,
        "date": date.today().isoformat(),
        "tool": f"mutmut {version('mutmut')}",
        "mutants": len(mutants),
        "killed": len(mutants) - len(survived),
        "timeout": kinds.count("timeout"),
        "survived": [entry for mutant, entry in zip(survived, shown, strict=True) if mutant.change not in reasons],
        "equivalent": [
            {**entry, "reason": reasons[mutant.change]}
            for mutant, entry in zip(survived, shown, strict=True)
            if mutant.change in reasons
        ],
        "seconds": round(sum(judged[mutant.key]["seconds"] for mutant in mutants)),
        "out_of_reach": out_of_reach(sources(room, root)),
    }


def run(name, room, root=ROOT, jobs=1, again=False):
    """Run a room from where it stopped, and store its result if it came to the end. ``again``: only what survived."""
    printed = print_of(room, root)  # of what is copied now, whatever is edited during the run
    place, record = root / "_build" / "mutants" / name, root / "_build" / "mutants" / f"{name}-{printed}"
    mutants = mutate(room.code, sources(room, root), root, place)
    if not record.exists():
        begin(name, room, mutants, record, root)
    tests = json.loads(record.read_text("utf8").partition("\n")[0])["tests"]
    judged = outcomes(record)
    if again:
        last = {
            tuple(entry[key] for key in ("file", "function", "before", "after"))
            for entry in stored(root)[name]["survived"]
        }
        mutants = [mutant for mutant in mutants if mutant.change in last]
    left = [mutant for mutant in mutants if mutant.key not in judged]
    print(f"{name}: {len(mutants)} mutants, {len(mutants) - len(left)} of them judged before", flush=True)
    if left and judge(room, tests, place, left, record, jobs):
        return None
    judged = outcomes(record)
    if again:
        for mutant in mutants:
            if judged[mutant.key]["outcome"] == "survived":
                print(mutant)
        return None
    measured = result(name, room, printed, mutants, judged, root)
    target = root / MEASURED / f"{name}.json"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(measured, ensure_ascii=False, indent=1) + "\n", "utf8")
    return measured


def sample(seconds, seed, root=ROOT, rooms=ROOMS):
    """Judge mutants of one room, drawn in proportion to its mutants, until the time is up; those that newly survive."""
    start, draw, known = time.time(), random.Random(seed), stored(root, rooms)
    name = draw.choices(sorted(known), [known[name]["mutants"] for name in sorted(known)])[0]
    room, place = rooms[name], root / "_build" / "mutants" / f"{name}-sample"
    mutants = mutate(room.code, sources(room, root), root, place)
    draw.shuffle(mutants)
    record = place / "record"
    if judge(room, room.tests, place, mutants, record, until=start + seconds):
        raise SystemExit("the tests do not pass, so nothing was sampled")
    judged = outcomes(record)
    listed = {tuple(e[key] for key in ("file", "function", "before", "after")) for e in known[name]["survived"]}
    allowed = listed | equivalents(name, root).keys()
    print(f"{name}, seed {seed}: {len(judged)} of {len(mutants)} mutants in {time.time() - start:.0f} s")
    survived = [mutant for mutant in mutants if judged.get(mutant.key, {}).get("outcome") == "survived"]
    return [mutant for mutant in survived if mutant.change not in allowed]


# --- showing results --------------------------------------------------------------------------------------------------


def stored(root=ROOT, rooms=ROOMS):
    """Room → stored result, of the rooms that have been run, in the order of the table."""
    paths = {name: root / MEASURED / f"{name}.json" for name in rooms}
    return {name: json.loads(path.read_text("utf8")) for name, path in paths.items() if path.exists()}


def score(measured):
    """The share of killed mutants among those that are not equivalent."""
    return measured["killed"] / (measured["mutants"] - len(measured["equivalent"]))


def table(root=ROOT):
    """The stored results as a table in Markdown, with what has changed since."""
    rows = [
        "| room | mutants | killed | equivalent | survived | out of reach | measured |",
        "|---|---:|---:|---:|---:|---:|---|",
    ]
    for name, found in stored(root).items():
        changed = "" if found["fingerprint"] == print_of(ROOMS[name], root) else "; the code has changed since then"
        cells = [
            f"`{name}`",
            f"{found['mutants']}",
            f"{found['killed']} ({score(found):.1%})",
            f"{len(found['equivalent'])}",
            f"{len(found['survived'])}",
            f"{found['out_of_reach']['share']:.0%}",
            found["date"] + changed,
        ]
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("rooms", nargs="*", metavar="room", help=f"of {', '.join(ROOMS)}")
    parser.add_argument("--jobs", type=int, default=1, help="mutants at a time")
    parser.add_argument("--again", action="store_true", help="only what survived the last run, and store nothing")
    parser.add_argument("--sample", type=float, metavar="SECONDS", help="judge what comes until the time is up")
    parser.add_argument("--seed", default=date.today().isoformat(), help="of the sample; the date if none is given")
    given = parser.parse_args()
    if unknown := [name for name in given.rooms if name not in ROOMS]:
        parser.error(f"there is no room {unknown[0]!r}, only {', '.join(ROOMS)}")
    if given.sample:
        survived = sample(given.sample, given.seed)
        for mutant in survived:
            print(f"survived, and no result says so:\n{mutant}")
        raise SystemExit(1 if survived else 0)
    for name in given.rooms:
        measured = run(name, ROOMS[name], jobs=given.jobs, again=given.again)
        if measured:
            for entry in measured["survived"]:
                print(Mutant("", **entry))
            told = f"{measured['killed']} of {measured['mutants']} killed, {len(measured['equivalent'])} equivalent"
            print(f"{name}: {told}")
        elif not given.again:
            raise SystemExit(1)


if __name__ == "__main__":
    main()

"""How large the house is, beside what `tools/size.json` allows: `make check` prints it, and fails where it is larger.

Who adds says what goes. A commit that raises a number there says in its message what became superfluous; one that
lowers it needs no reason. `python tools/size.py --write` writes today's numbers. Only the standard library.
"""

import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ALLOWED = ROOT / "tools" / "size.json"


def lines(*folders):
    """Lines of Python below these folders."""
    return sum(path.read_text("utf8").count("\n") for name in folders for path in (ROOT / name).rglob("*.py"))


def words():
    """Words of the pages, without what stands in cells and listings."""
    texts = (path.read_text("utf8") for path in (ROOT / "book").rglob("*.md"))
    return sum(len(re.sub(r"(?ms)^(`{3,})(?!\{(?!code)).*?^\1\s*$", "", text).split()) for text in texts)


def size():
    """What is counted, and how much there is of it."""
    whole = {"claims": lines("fdpedu/claims"), "exercises": lines("fdpedu/exercises")}
    return {
        "lines of library": lines("fdpedu") - sum(whole.values()),
        **{f"lines of {name}": number for name, number in whole.items()},
        "lines of tests": lines("tests"),
        "lines of benchmarks, tools and extensions": lines("benchmarks", "tools", "peers", "book/_ext"),
        "words of pages": words(),
    }


def main(arguments):
    now = size()
    if arguments == ["--write"]:
        ALLOWED.write_text(json.dumps(now, indent=1) + "\n", "utf8")
    allowed = json.loads(ALLOWED.read_text("utf8"))
    for name, number in now.items():
        over = "" if number <= allowed[name] else "  more than is allowed"
        print(f"{name:45}{number:>9,} of {allowed[name]:>9,}{over}")
    if any(number > allowed[name] for name, number in now.items()):
        sys.exit("What became superfluous by what was added? Remove it; or raise tools/size.json, and say why.")


if __name__ == "__main__":
    main(sys.argv[1:])

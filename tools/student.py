"""Make the wheel of the edition for students: `python tools/student.py FOLDER`; `make student` does it.

It is the teachers' wheel, in which exercises have no reference, no wrong answers and no explanation, and quizzes are
left out. Of the module of an exercise only that is left which checking needs: what a record says of itself, how an
answer is read and compared, and what these use. Inputs and what is expected for them are stored beside it
(`fdpedu/exercises/stored.py` reads them). So `check` says PASS where the teachers' does, and shows the same smallest
counterexample; it does not know the names of misconceptions, which `fdpedu grade` has in the edition for teachers.

An exercise that could not be checked so, because what reads or compares answers uses its reference, stops the making.
"""

from __future__ import annotations

import ast
import base64
import copy
import hashlib
import inspect
import io
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

ROOT = Path(__file__).resolve().parent.parent
EXERCISES = "fdpedu/exercises/"
RECORDS = {"Exercise", "find_one"}
LEFT_OUT = {"reference", "wrong", "cases", "explanation", "praise", "remark"}
STORED = ast.parse("from fdpedu.exercises.stored import stored").body[0]


class Source:
    """One module: its statements by the names that they define, and which of them are needed."""

    def __init__(self, text: str) -> None:
        self.body = ast.parse(text).body
        self.defined = {name: statement for statement in self.body for name in names_of(statement)}
        self.needed: set[str] = set()

    def text(self) -> str:
        """The needed statements, without comments and docstrings."""
        kept = [part for statement in self.body if (part := self._needed_of(statement))]
        if any(map(is_record, kept)):
            kept.insert(1, STORED)  # below `from __future__`
        return ast.unparse(ast.Module(kept, [])) + "\n"

    def _needed_of(self, statement: ast.stmt) -> ast.stmt | None:
        if isinstance(statement, ast.ImportFrom) and statement.module == "__future__":
            return statement
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            statement.names = [alias for alias in statement.names if bound(alias) in self.needed]
            return statement if statement.names else None
        return statement if self.needed.intersection(names_of(statement)) else None


def bound(alias: ast.alias) -> str:
    """The name that an import makes."""
    return alias.asname or alias.name.split(".")[0]


def names_of(statement: ast.stmt) -> list[str]:
    if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
        return [statement.name]
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        return [bound(alias) for alias in statement.names]
    return [node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]


def is_record(statement: ast.stmt) -> bool:
    called = statement.value if isinstance(statement, ast.Assign) else None
    return isinstance(called, ast.Call) and getattr(called.func, "id", "") in RECORDS


def without_solutions(texts: dict[str, str]) -> dict[str, str]:
    """Modules of exercises, by their places in the wheel, as students have them; those that nobody needs are gone."""
    sources = {place.removesuffix(".py").replace("/", "."): Source(text) for place, text in texts.items()}
    references = set()
    todo = []
    for module, source in sources.items():
        for record in filter(is_record, source.body):
            references |= {(module, name) for name in strip(record, source)}
            todo += [(module, name) for name in names_of(record)]
    while todo:
        module, name = todo.pop()
        source = sources[module]
        if name not in source.defined or name in source.needed:
            continue
        if (module, name) in references:
            raise SystemExit(f"{module}: what reads or compares answers uses {name}, which is a solution")
        source.needed.add(name)
        statement = source.defined[name]
        if isinstance(statement, ast.ImportFrom) and statement.module in sources:
            todo += [(statement.module, alias.name) for alias in statement.names if bound(alias) == name]
        without_docstring(statement)
        todo += [(module, node.id) for node in ast.walk(statement) if isinstance(node, ast.Name)]
    return {f"{module.replace('.', '/')}.py": source.text() for module, source in sources.items() if source.needed}


def strip(record: ast.Assign, source: Source) -> list[str]:
    """Take out of a record what solves it, and put in what is stored; the name of its reference, if it has one."""
    call = record.value
    fields = {keyword.arg: keyword.value for keyword in call.keywords}
    names = [node.id for node in [fields["reference"]] if isinstance(node, ast.Name)]
    asks_for_function = any(isinstance(source.defined.get(name), ast.FunctionDef) for name in names)
    left_out = LEFT_OUT | ({"size"} if asks_for_function else set())
    call.keywords = [keyword for keyword in call.keywords if keyword.arg not in left_out]
    call.keywords.append(ast.keyword(None, ast.Call(ast.Name("stored", ast.Load()), [fields["id"]], [])))
    return names


def without_docstring(statement: ast.stmt) -> None:
    for node in ast.walk(statement):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.Pass()]


def stored_of(exercise) -> dict:
    """What `fdpedu/exercises/stored.py` reads of one exercise."""
    from fdpedu.exercises.crossing import decode, encode
    from fdpedu.exercises.stored import digest

    if exercise.any_of_many and not exercise.asks_for_function:
        return {}
    cases = [encode(case) for case in exercise.cases()]
    assert [repr(decode(form)) for form in cases] == [repr(case) for case in exercise.cases()], exercise.id
    if not exercise.asks_for_function:
        right = digest(exercise.id, exercise.read(exercise.reference))
        for wrong in exercise.wrong:
            assert digest(exercise.id, exercise.read(wrong.answer)) != right, exercise.id
        return {"cases": cases, "digest": right}
    expected = [exercise.reference(*copy.deepcopy(case)) for case in exercise.cases()]
    values = [encode(value) for value in expected]
    assert [decode(form) for form in values] == expected, exercise.id
    parameters = list(inspect.signature(exercise.reference).parameters)
    return {"name": exercise.reference.__name__, "parameters": parameters, "cases": cases, "values": values}


def zipped(files: dict[str, bytes]) -> bytes:
    """The same files give the same bytes."""
    made = io.BytesIO()
    with ZipFile(made, "w", ZIP_DEFLATED) as archive:
        for name, content in files.items():
            entry = ZipInfo(name)
            entry.compress_type, entry.external_attr = ZIP_DEFLATED, 0o644 << 16
            archive.writestr(entry, content)
    return made.getvalue()


def student_wheel(teachers: Path, folder: Path) -> Path:
    """Make it of the teachers' wheel, into a folder. Its version ends in ``+student``."""
    from fdpedu.exercises import catalogue

    with ZipFile(teachers) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    of_exercises = {
        place: files.pop(place).decode("utf8")
        for place in list(files)
        if re.fullmatch(rf"{EXERCISES}(\w+/(?!__init__)\w+|noisy_cells)\.py", place)
    }
    files |= {place: text.encode("utf8") for place, text in without_solutions(of_exercises).items()}
    stored = {f"{exercise.id}.json": json.dumps(stored_of(exercise)).encode("ascii") for exercise in catalogue()}
    files[f"{EXERCISES}stored.zip"] = zipped(stored)
    name, version = teachers.name.split("-")[:2]
    old, new = f"{name}-{version}.dist-info/", f"{name}-{version}+student.dist-info/"
    kept = {
        place.replace(old, new): content
        for place, content in sorted(files.items())
        if not place.endswith(("/RECORD", "/quiz.json"))
    }
    metadata = kept[f"{new}METADATA"].decode("utf8")
    kept[f"{new}METADATA"] = re.sub(r"^Version: .*$", r"\g<0>+student", metadata, count=1, flags=re.M).encode("utf8")
    lines = [f"{place},sha256={_hash(content)},{len(content)}" for place, content in kept.items()]
    kept[f"{new}RECORD"] = "\n".join([*lines, f"{new}RECORD,,", ""]).encode("utf8")
    made = folder / f"{name}-{version}+student-py3-none-any.whl"
    made.write_bytes(zipped(kept))
    return made


def _hash(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode("ascii")


def main(folder: str) -> None:
    Path(folder).mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as made:
        build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", made]
        subprocess.run(build, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        (wheel,) = Path(made).glob("*.whl")
        print(student_wheel(wheel, Path(folder)))


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    main(sys.argv[1])

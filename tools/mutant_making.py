"""The mutants of some files, for `tools/mutants.py`: mutmut makes them; here they get a place, and a name that lasts.

All mutants of a function stand beside it in the copied file, and a wrapper calls one of them if it is told to.
"""

import ast
import difflib
import os
import shutil
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Mutant:
    """One changed line, or a few; ``key`` is mutmut's name for it, which moves with the code."""

    key: str
    file: str
    function: str
    line: int
    before: str
    after: str

    @property
    def change(self):
        """What identifies it as long as the line stays."""
        return self.file, self.function, self.before, self.after

    def __str__(self):
        lines = [f"- {line}" for line in self.before.split("\n")] + [f"+ {line}" for line in self.after.split("\n")]
        return "\n".join([f"{self.file}:{self.line} {self.function}", *lines])


def mutate(code, files, root, place):
    """A copy of the repository at ``place`` with all mutants of these files in it, asleep; and their list."""
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    for path in root.iterdir():
        if path.name in ("tests", *(name.split("/")[0] for name in code)):
            shutil.copytree(path, place / path.name, ignore=shutil.ignore_patterns("__pycache__"))
        elif path.name != "_build" and not path.name.startswith(".") and path.name != "pyproject.toml":
            (place / path.name).symlink_to(path)
    config = (root / "pyproject.toml").read_text("utf8") + f"\n[tool.mutmut]\nsource_paths = {list(code)}\n"
    (place / "pyproject.toml").write_text(config, "utf8")
    here = Path.cwd()
    os.chdir(place)  # mutmut reads its configuration in the folder where it stands
    try:
        return [mutant for file in files for mutant in _mutate_file(file.relative_to(root).as_posix())]
    finally:
        os.chdir(here)


def _mutate_file(name):
    from mutmut.mutation.file_mutation import combine_mutations_to_source, create_mutations

    text = Path(name).read_text("utf8")
    module, mutations, classes, functions = create_mutations(name, text)
    kept = [mutation for mutation in mutations if not _is_sentence(mutation.original_node)]
    mutated = combine_mutations_to_source(module, kept, classes, functions)
    Path(name).write_text(mutated.code, "utf8")
    lines, spans = mutated.code.splitlines(), mutated.line_span_by_function_name
    where = {function: node.lineno for function, node in functions_of(ast.parse(text))}
    dotted = name.removesuffix(".py").replace("/", ".")
    for mutant in mutated.mutant_names:
        mangled = mutant.partition("__mutmut_")[0]
        function = mangled[2:].replace("ǁ", ".")
        original, changed = (
            lines[spans[key].start - 1 : spans[key].end] for key in (f"{mangled}__mutmut_orig", mutant)
        )
        line, before, after = _changed(original, changed)
        yield Mutant(f"{dotted}.{mutant}", name, function, where[function] + line, before, after)


def _is_sentence(node):
    import libcst

    return isinstance(node, libcst.SimpleString) and isinstance(node.raw_value, str) and " " in node.raw_value


def _changed(original, changed):
    """The first line that differs, counted from the ``def``, and the lines before and after."""
    start = next(i for i, line in enumerate(original) if line.lstrip().startswith("def "))
    old, new = original[start + 1 :], changed[start + 1 :]
    if original[start].partition("(")[2] != changed[start].partition("(")[2]:  # a default, beside the changed name
        return 0, *("def …(" + lines[start].partition("(")[2] for lines in (original, changed))
    edits = [
        edit for edit in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes() if edit[0] != "equal"
    ]
    before = [line.strip() for _, i, j, _, _ in edits for line in old[i:j]]
    after = [line.strip() for _, _, _, i, j in edits for line in new[i:j]]
    return edits[0][1] + 1, "\n".join(before), "\n".join(after)


def functions_of(tree):
    """(name, node) of every function and method that is not inside another."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from (
                (f"{node.name}.{method.name}", method) for method in node.body if isinstance(method, ast.FunctionDef)
            )


def out_of_reach(files):
    """The decorated functions, and what share of the lines of all functions is theirs."""
    functions = [pair for file in files for pair in functions_of(ast.parse(file.read_text("utf8")))]
    plain = {"staticmethod", "classmethod"}
    missed = [(name, f) for name, f in functions if {ast.unparse(d) for d in f.decorator_list} - plain]
    size = lambda pairs: sum(node.end_lineno - node.lineno + 1 for _, node in pairs)  # noqa: E731
    return {"functions": sorted(name for name, _ in missed), "share": round(size(missed) / size(functions), 3)}

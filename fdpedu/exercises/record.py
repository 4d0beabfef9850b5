"""What an exercise is: a frozen record of texts, inputs in order of size, a reference answer, and wrong answers."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from fdpedu.exercises.values import close, show

Case = tuple[Any, ...]
Level = Literal["warm-up", "apply", "extend"]
Kind = Literal["implement", "predict", "break", "repair", "prove-and-probe"]

_IMPORTS = {"Fraction": "from fractions import Fraction", "pairwise": "from itertools import pairwise"}


class Prose(str):
    """Text in Markdown, which a terminal prints and a notebook sets."""

    def __repr__(self) -> str:
        return str(self)

    def _repr_markdown_(self) -> str:
        return str(self)


class Source(Prose):
    """Python source text."""

    def _repr_markdown_(self) -> str:
        return f"```python\n{self}\n```"


class Solution(Source):
    """Source text that runs as it stands, with what is said of it in comments; Markdown sets that as sentences."""

    said: str
    code: str

    @classmethod
    def of(cls, imports: str, said: str, code: str) -> Solution:
        """Comments between the imports and the code, lines of at most 98 characters."""
        lines = "\n".join(textwrap.fill(part, 96) for part in said.splitlines())
        comments = textwrap.indent(lines, "# ", lambda _: True)
        above = f"{imports}\n\n\n" if imports else ""
        solution = cls(f"{above}{comments}\n{code}" if said else above + code)
        solution.said, solution.code = said, above + code
        return solution

    def _repr_markdown_(self) -> str:
        return "\n\n".join([*self.said.splitlines(), *([f"```python\n{self.code}\n```"] if self.code else [])])


@dataclass(frozen=True)
class Misconception:
    """A wrong answer that people give, by name, and what to tell those who give it."""

    name: str
    answer: Any
    hint: str


@dataclass(frozen=True, kw_only=True)
class Exercise:
    """One exercise.

    Attributes
    ----------
    hint, explanation : Markdown; the explanation opens the solution
    domain : in words, what `cases` holds and in which order
    cases : all inputs that are tried, the smallest first; an exercise that asks for a value has one
    size : of a case, never decreasing along `cases`; where the answer is a value its parameters name the input
    reference : a function of a case, whose source is the solution; or a value, where the exercise asks for a value
    read : raw answer → plain numbers and lists, or raises ``Unreadable`` with the reason
    agrees : (case, given, expected) → is it right? Exact for integers and fractions, within rounding for floats
    alike : (case, given, given) → are two wrong answers wrong in the same way?
    remark : (case, given, expected) → what else there is to say about a wrong answer
    wanted : (case, expected) → what was expected, in words
    praise : what a PASS says, from the value given; without it, the number of cases and the domain
    any_of_many : is the reference one right answer of many? Then how near an answer comes to it says nothing
    wrong : at least two
    chapter, level, title, task, stub : a record leaves them out. They are what stands on the chapter's page, and the
        catalogue puts them in. The stub is where the reader starts, without the line that asks for the check
    """

    id: str
    kind: Kind
    hint: str
    domain: str
    cases: Callable[[], Sequence[Case]]
    size: Callable[..., Any]
    reference: Any
    read: Callable[[Any], Any]
    wrong: tuple[Misconception, ...]
    chapter: str = ""
    level: Level = "warm-up"
    title: str = ""
    task: str = ""
    stub: str = ""
    explanation: str = ""
    agrees: Callable[[Case, Any, Any], bool] = lambda _, given, expected: close(given, expected)
    alike: Callable[[Case, Any, Any], bool] = lambda _, one, other: close(one, other)
    remark: Callable[[Case, Any, Any], str] = lambda _, given, expected: ""
    wanted: Callable[[Case, Any], str] = lambda _, expected: show(expected)
    praise: Callable[[Any], str] | None = None
    any_of_many: bool = False

    @property
    def asks_for_function(self) -> bool:
        return callable(self.reference)

    @property
    def call(self) -> str:
        """How the reader's answer is called: ``increment(a, b)``."""
        names = ", ".join(inspect.signature(self.reference).parameters)
        return f"{self.reference.__name__}({names})"

    def as_function(self, answer: Any) -> Callable[..., Any]:
        return answer if self.asks_for_function else lambda *case: answer

    def show_case(self, case: Case) -> str:
        """The input as code that can be pasted; empty when there is none."""
        if self.asks_for_function:
            return f"{self.reference.__name__}({', '.join(map(show, case))})"
        names = inspect.signature(self.size).parameters
        return ", ".join(f"{name} = {show(value)}" for name, value in zip(names, case, strict=True))

    def stub_source(self) -> Source:
        """A cell that runs as it stands."""
        answer, space = (self.reference.__name__, "\n\n\n") if self.asks_for_function else ("answer", "\n\n")
        return Source(space.join(["from fdpedu.exercises import check", self.stub, f'check("{self.id}", {answer})']))

    def solution_source(self) -> Solution:
        """Imports, the explanation, and the reference with the stub's signature: it runs as it stands."""
        code = f"answer = {self.reference!r}"
        if self.asks_for_function:
            code = "\n".join([self.stub.splitlines()[0], *inspect.getsource(self.reference).splitlines()[1:]])
        imports = "\n".join(line for name, line in _IMPORTS.items() if f"{name}(" in code)
        return Solution.of(imports, self.explanation, code)

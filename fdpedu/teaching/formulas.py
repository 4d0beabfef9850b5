r"""Formulas of tasks as MathML, which a browser shows and prints without a script and without a network.

It knows what the tasks use of TeX, and refuses the rest by name: a test shows it every task.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fdpedu.printable import escape

_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|[^\s]")
_LETTERS = {
    "varepsilon": "ε", "alpha": "α", "delta": "δ", "rho": "ρ", "mu": "μ", "eta": "η", "sigma": "σ", "Delta": "Δ",
    "Phi": "Φ", "ell": "ℓ", "Pr": "Pr", "ln": "ln", "min": "min", "max": "max", "lambda": "λ", "gamma": "γ",
}  # fmt: skip
_OPERATORS = {
    "le": "≤", "ge": "≥", "ne": "≠", "pm": "±", "cdot": "·", "dots": "…", "propto": "∝", "mid": "∣", "sum": "∑",
    "lfloor": "⌊", "rfloor": "⌋", "times": "×", "in": "∈", "{": "{", "}": "}", "-": "−", "*": "∗", "'": "′",
}  # fmt: skip
_NAMES = ("Pr", "ln", "min", "max")
_THIN = '<mspace width="0.17em"/>'


def mathml(tex: str) -> str:
    r"""A formula in TeX, without its dollars, as MathML.

    >>> mathml(r"\frac12 n_k")
    '<math><mfrac><mn>1</mn><mn>2</mn></mfrac><msub><mi>n</mi><mi>k</mi></msub></math>'
    """
    return f"<math>{_row(_Tokens(tex))}</math>"


class _Tokens:
    """What is left of a formula."""

    def __init__(self, tex: str) -> None:
        self.tex = tex
        self._at, self._all = 0, list(_TOKEN.finditer(tex))

    def next(self) -> str:
        """The token that comes next, or nothing."""
        return self._all[self._at][0] if self._at < len(self._all) else ""

    def is_spaced(self) -> bool:
        """Is the name that was just taken written apart from what stands before it?"""
        before = self._all[self._at - 2][0] if self._at > 1 else ""
        return before.isalnum() or before.removeprefix("\\") in _LETTERS

    def pop(self) -> str:
        if not self.next():
            raise ValueError(f"a formula ends too early: {self.tex!r:.80}")
        self._at += 1
        return self._all[self._at - 1][0]

    def words(self) -> str:
        r"""What stands between braces, to the letter, as behind ``\text``."""
        start = self._at
        while self.pop() != "}":
            pass
        return self.tex[self._all[start].end() : self._all[self._at - 1].start()]


def _row(tokens: _Tokens, end: str = "") -> str:
    """Everything up to an end, which is taken, too."""
    parts = []
    while tokens.next() != end:
        parts.append(_scripted(tokens))
    if end:
        tokens.pop()
    return "".join(parts)


def _scripted(tokens: _Tokens) -> str:
    """An atom with what stands above and below behind it."""
    base, above, below = _number(tokens) or _atom(tokens), "", ""
    while (mark := tokens.next()) in ("^", "_", "'") and mark:
        tokens.pop()
        if mark == "_":
            below = _atom(tokens)
        else:
            above += _operator("'") if mark == "'" else _atom(tokens)
    above = f"<mrow>{above}</mrow>" if above.count("</m") > 1 and not above.startswith("<mrow>") else above
    if above and below:
        return f"<msubsup>{base}{below}{above}</msubsup>"
    return f"<msup>{base}{above}</msup>" if above else f"<msub>{base}{below}</msub>" if below else base


def _number(tokens: _Tokens) -> str:
    """All digits that come, as one number; behind a fraction or a script, TeX takes one of them."""
    digits = "".join(_while_digits(tokens))
    return f"<mn>{digits}</mn>" if digits else ""


def _while_digits(tokens: _Tokens) -> Iterator[str]:
    while tokens.next().isdigit() or (tokens.next() == "."):
        yield tokens.pop()


def _atom(tokens: _Tokens) -> str:
    token = tokens.pop()
    name = token.removeprefix("\\")
    if token == "{":
        return f"<mrow>{_row(tokens, '}')}</mrow>"
    if token == r"\frac":
        return f"<mfrac>{_atom(tokens)}{_atom(tokens)}</mfrac>"
    if token == r"\hat":
        return f'<mover accent="true">{_atom(tokens)}<mo>^</mo></mover>'
    if token == r"\text":
        return f"<mtext>{escape(tokens.words())}</mtext>"
    if token in (r"\bigl", r"\bigr"):
        return _atom(tokens)
    if token == r"\,":
        return _THIN
    if token == r"\bmod":
        return '<mo lspace="0.3em" rspace="0.3em">mod</mo>'
    if token.startswith("\\") and name in _LETTERS:
        return _letter(_LETTERS[name], tokens)
    if (token.startswith("\\") and name not in _OPERATORS) or token in ("}", "^", "_", "$", "&", "#", "%"):
        raise ValueError(f"a formula of a task cannot hold {token}: fdpedu.teaching.formulas does not know it")
    if token.isdigit():
        return f"<mn>{token}</mn>"
    return f"<mi>{escape(token)}</mi>" if token.isalpha() else _operator(name)


def _letter(letter: str, tokens: _Tokens) -> str:
    """A letter of Greek, upright if it is a large one; or a name such as ln, apart from its neighbours."""
    if letter not in _NAMES:
        return f'<mi mathvariant="normal">{letter}</mi>' if letter.isupper() else f"<mi>{letter}</mi>"
    before = _THIN * tokens.is_spaced()
    after = _THIN * (tokens.next().isalnum() or tokens.next().startswith("\\"))
    return f"{before}<mi>{letter}</mi>{after}"


def _operator(name: str) -> str:
    """A sign, which is as large as letters are."""
    space = ' lspace="0" rspace="0"' if name == "|" else ""
    return f'<mo stretchy="false"{space}>{_OPERATORS.get(name) or escape(name)}</mo>'

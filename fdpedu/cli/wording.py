"""Refusals of the library name arguments of Python, and those of a command its options: ``--decimal ,``."""

from __future__ import annotations

import argparse
import ast
import re
import shlex
from collections.abc import Mapping
from functools import partial

_LIMIT = {"epsilon": "--limit"}  # what `budget create` calls otherwise than the library
_VALUE = r"(?:'[^'\n]*'|\"[^\"\n]*\"|\{[^{}\n]*\})"


def options_of(program: argparse.ArgumentParser, command: str) -> dict[str, str]:
    """For each argument of Python the option of the command that stands for it."""
    found = _found(_commands(program)[command])
    return {**found, **_LIMIT} if command == "budget" else found


def _commands(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    actions = (action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    return {name: command for action in actions for name, command in action.choices.items()}


def _found(command: argparse.ArgumentParser) -> dict[str, str]:
    long = [
        (action.dest, [name for name in action.option_strings if name.startswith("--")]) for action in command._actions
    ]
    own = {dest: names[0] for dest, names in long if names}
    return {name: option for below in _commands(command).values() for name, option in _found(below).items()} | own


def in_options(text: str, options: Mapping[str, str]) -> str:
    """The text with the options of a command where it names arguments of Python.

    >>> options = {"decimal": "--decimal", "max_depth": "--max-depth", "label": "--label"}
    >>> in_options("max_depth must be at least 1", options)
    '--max-depth must be at least 1'
    >>> in_options("if it is the decimal sign: decimal={'dose': ','}", options)
    'if it is the decimal sign: --decimal dose=,'
    >>> in_options("column 'label': give label=, the name of a column", options)
    "column 'label': give --label, the name of a column"
    """
    for name, option in options.items():
        word = rf"(?<![\w'\"=.{{-]){re.escape(name)}"
        text = re.sub(rf"{word}=({_VALUE})", partial(_given, option), text)
        text = re.sub(rf"{word}=(?=[,. ])", option, text)
        if "_" in name:
            text = re.sub(rf"{word}\b(?!['\"=])", option, text)
        else:
            text = re.sub(rf"^{name}(?= (?:must|needs|names|cannot)\b)", option, text)
            text = re.sub(rf"(?<=\bsay ){name}\b(?!['\"=])", option, text)
    return text


def _given(option: str, found: re.Match[str]) -> str:
    """The option with its value, as one types it; a dictionary gives one for each of its keys."""
    value = ast.literal_eval(found[1])
    if isinstance(value, dict):
        return " ".join(f"{option} {shlex.quote(f'{name}={one}')}" for name, one in value.items())
    return f"{option} {shlex.quote(str(value))}"

"""An audit as a document: the claim, the event, and what became of each run, so that it can go on another day.

What follows from the runs is not written but found again when it is read: the wealth, whether it ever reached 1/α, the
bound. The mechanism, the two data sets and an event of the caller's own are no part of it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from fdpedu import files
from fdpedu.audit.betting import as_alpha, as_delta, as_epsilon
from fdpedu.audit.events import Event, Given, Guesses, Learnt, Remembered, Sum, Table
from fdpedu.exact import as_integer, as_list, require_type

SCHEMA = "fdpedu-audit/1"
MOST_SEED = 2**128
_KEYS = {"epsilon", "delta", "alpha", "pair", "event", "learnt_on", "seed", "looks", "marks", "broken_off"}
_LETTERS = {1: "+", -1: "-", 0: "."}
_MOST = 10**8


def event_to_json(event: Event) -> dict[str, Any]:
    """An event that was learnt; of the caller's own only what it is called, and how many guesses it knows."""
    if not isinstance(event, Learnt):
        return {"given": event.words, "directions": event.directions}
    score = event.score
    of: dict[str, Any]
    if isinstance(score, Sum):
        of = {"kind": score.kind, "parts": list(score.parts), "weights": [repr(weight) for weight in score.weights]}
    else:
        scores = {text: repr(number) for text, number in score.scores.items()}
        of = {"of_what": score.of_what, "part": score.part, "scores": scores}
    ends = {name: None if end is None else repr(end) for name, end in (("high", event.high), ("low", event.low))}
    return {"words": score.words, **of, **ends, "rising": event.rising}


def event_from_json(found: Mapping[str, Any]) -> Event:
    """The event that was learnt; of one of the caller's own what it was called."""
    if "given" in found:
        return Remembered(
            _text(found["given"], "given"), as_integer(found["directions"], "directions", minimum=1, maximum=2)
        )
    if found["rising"] is not True and found["rising"] is not False:
        raise ValueError("rising must be true or false")
    words = _text(found["words"], "words")
    score: Sum | Table
    if "scores" in found:
        require_type(found["scores"], dict, "scores")
        scores = {_text(text, "scores"): _float(number, "scores") for text, number in found["scores"].items()}
        part = as_integer(found["part"], "part", minimum=0)
        score = Table(words, _text(found["of_what"], "of_what"), part, scores)
    else:
        parts = tuple(as_integer(part, "parts", minimum=0) for part in as_list(found["parts"], "parts"))
        weights = tuple(_float(weight, "weights") for weight in as_list(found["weights"], "weights"))
        if not parts or len(parts) != len(weights):
            raise ValueError("weights must be as many as parts, at least one")
        score = Sum(words, _text(found["kind"], "kind"), parts, weights)
    ends = [None if found[name] is None else _float(found[name], name) for name in ("high", "low")]
    if None not in ends and not ends[0] > ends[1]:  # type: ignore[operator]
        raise ValueError("high must be above low")
    return Learnt(score, ends[0], ends[1], found["rising"])


def _text(found: Any, name: str) -> str:
    if not isinstance(found, str):
        raise ValueError(f"{name} must be text, got {type(found).__name__}")
    return found


def _float(found: Any, name: str) -> float:
    """A number as Python writes it: JSON has no infinity."""
    number = float(_text(found, name))
    if math.isnan(number):
        raise ValueError(f"{name} must be numbers")
    return number


def to_document(audit: Mapping[str, Any]) -> str:
    """The text of an audit's document, from what it keeps, by the names of its keys."""
    marks = "".join(_LETTERS[mark] for mark in audit["marks"].tolist())
    claim = {name: str(audit[name]) for name in ("epsilon", "delta", "alpha")}
    event = event_to_json(audit["event"])
    return files.dumps(SCHEMA, {**audit, **claim, "seed": str(audit["seed"]), "event": event, "marks": marks})


def from_document(text: str, where: str, given: Given | None = None) -> dict[str, Any]:
    """What an audit keeps, read from its document.

    Raises
    ------
    FileRefused
        If it is not such a document, or says what cannot be.
    """
    content = files.loads(text, SCHEMA, where)
    if set(content) != _KEYS:
        raise files.FileRefused(f"{where}: an audit has exactly the keys {', '.join(sorted(_KEYS))}")
    try:
        marks = _marks(content["marks"])
        looks = [as_integer(n, "looks", minimum=1, maximum=len(marks)) for n in as_list(content["looks"], "looks")]
        pair = [_text(name, "pair") for name in as_list(content["pair"], "pair")]
        if len(pair) != 2:
            raise ValueError("pair must be two names")
        if not isinstance(content["broken_off"], bool):
            raise ValueError("broken_off must be true or false")
        if not re.fullmatch("[0-9]{1,39}", _text(content["seed"], "seed")):
            raise ValueError("seed must be a text of at most 39 digits")
        seed = as_integer(int(content["seed"]), "seed", minimum=0, maximum=MOST_SEED)
        claim = as_epsilon(content["epsilon"]), as_delta(content["delta"]), as_alpha(content["alpha"])
        learnt_on = as_integer(content["learnt_on"], "learnt_on", minimum=0, maximum=_MOST)
        found = event_from_json(content["event"])
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError) as refusal:
        raise files.FileRefused(f"{where}: {refusal}") from None
    if given is not None:
        if not isinstance(found, Remembered):
            raise ValueError("event must be left out: this audit has learnt its own")
        if given.directions != found.directions:
            raise ValueError(f"event must have as many sets as before, {found.directions}, got {given.directions}")
        found = given
    return {
        **{"claim": claim, "pair": (pair[0], pair[1]), "event": found, "learnt_on": learnt_on, "seed": seed},
        **{"marks": marks, "looks": looks, "broken_off": content["broken_off"]},
    }


def _marks(text: Any) -> Guesses:
    """The runs that were bet on, one letter each."""
    letters = _text(text, "marks")
    if set(letters) - set(_LETTERS.values()):
        raise ValueError("marks must be a text of +, - and .")
    codes = np.frombuffer(letters.encode("ascii"), dtype=np.uint8)
    return (codes == ord("+")).astype(np.int8) - (codes == ord("-")).astype(np.int8)

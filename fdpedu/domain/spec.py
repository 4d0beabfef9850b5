"""A domain as people write it down: a dictionary, or a JSON file of public knowledge, and back.

A list is short for [low, high, bins], or for categories. No list means the one or the other by its length alone: what
could be both is refused, and the refusal writes out both. So three numbers are a range only where nobody lists
categories so: not where they increase, nor where they are whole numbers that follow one another, in any order.
"""

from __future__ import annotations

import json
import math
import numbers
import os
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from itertools import pairwise
from typing import Any

from fdpedu import files
from fdpedu.domain.columns import is_missing
from fdpedu.domain.features import MAX_CODES, Categorical, Feature, Numeric
from fdpedu.domain.tables import similar
from fdpedu.domain.target import NAME, levels_of, of_edges
from fdpedu.exact import as_fraction

SCHEMA = "fdpedu-domain/2"
WRITTEN = "fdpedu-domain/1"  # by programs, as in models: three numbers are a range, every other list is categories
Source = Mapping[str, Any] | str | os.PathLike[str]
_KINDS = (
    ("low", "high", "bins"),
    ("range", "bins"),
    ("edges",),
    ("categories",),
)  # what a feature's longer form must have
_MAX_LIST = 60  # characters of a list in a message
_WORDS = ("unit", "reason")  # and what it may have, beside "missing"
_LEVELS = (("range",), ("edges",), ("low", "high"))  # the same of a target; a range may have levels, too


def read(source: Source) -> dict[str, Any]:
    """What a domain is made of, by the names of its parameters: from a dictionary, JSON text, or a path of JSON."""
    if isinstance(source, str) and source.lstrip().startswith("{"):
        return read(files.read_object(source, "the specification"))
    if isinstance(source, os.PathLike) or (isinstance(source, str) and source.endswith(".json")):
        return read(load(source))
    if not isinstance(source, Mapping):
        raise ValueError(f"a specification must be a dictionary, or a path ending in .json, got {_kind(source)}")
    if {"classes", "target"} <= set(source):
        raise ValueError("the specification must have 'classes' or a numeric 'target', and has both")
    _require_learnt(source)
    last, other = ("target", "classes") if "target" in source else ("classes", "target")
    _check_keys(source, ("features", last), (other, "schema"), "the specification")
    if source.get("schema", SCHEMA) not in (SCHEMA, WRITTEN):
        raise ValueError(f"the schema of the specification must be {SCHEMA!r}, got {source['schema']!r}")
    features = source["features"]
    if not isinstance(features, Mapping):
        raise ValueError(f"'features' must be a dictionary from names to features, got {_kind(features)}")
    before = source.get("schema") == WRITTEN
    listed = [_feature(name, of, before) for name, of in features.items()]
    if last == "target":
        return {"features": listed, "target": _target(source["target"], before)}
    return {"features": listed, "classes": _listed(source["classes"], "'classes'")}


def _require_learnt(source: Mapping[str, Any]) -> None:
    """Refuse a specification that does not say what is to be predicted; name what may have been meant to."""
    if {"classes", "target"} & set(source):
        return
    known = ("features", "classes", "target", "schema")
    meant = [(key, near) for key in source if key not in known and (near := similar(key, known))]
    hint = f"; did you mean {meant[0][1]!r} by {meant[0][0]!r}?" if meant else ""
    needed = "" if "features" in source else "'features', and "
    raise ValueError(f"the specification must have {needed}'classes' or a numeric 'target'{hint}")


def load(path: files.Location) -> dict[str, Any]:
    """The dictionary in a JSON file; a key that stands there twice is refused."""
    return files.read_object(files.read_text(path), str(path))


def _feature(name: str, written: Any, before: bool) -> Feature:
    """A feature; ``before`` says that it stands in a document in which three numbers were a range whatever they are."""
    if isinstance(written, Mapping):
        return _longer(name, written)
    values = _listed(written, f"the feature {name!r}")
    found = _grid(name, values) if _is_grid(values) else None
    doubt = "" if before and not _is_range_without_bins(values) else _doubt(values)
    if doubt:
        raise ValueError(f"the feature {name!r} {doubt}, or categories: {_shown('categories', values)}")
    return Categorical(name, values) if found is None else found


def _grid(name: str, values: Sequence[Any]) -> Numeric:
    try:
        return Numeric.grid(name, *values)
    except ValueError as error:
        raise ValueError(
            f"{error} (three numbers are low, high and the number of bins; three categories that are numbers are "
            'written {"categories": […]})'
        ) from None


def _longer(name: str, written: Mapping[str, Any]) -> Feature:
    what = f"the feature {name!r}"
    kind = next((keys for keys in _KINDS if keys[0] in written), None)
    if kind is None:
        raise ValueError(f'{what} must have "range" and "bins", or "edges", or "categories"')
    _check_keys(written, kind, (*_WORDS, "missing"), what)
    words = _texts(written, _WORDS, what)
    missing = written.get("missing", False)
    if missing is not True and missing is not False:
        raise ValueError(f"'missing' of {what} must be true or false, got {_kind(missing)}")
    words["missing"] = missing
    if kind[0] == "low":
        return Numeric.grid(name, written["low"], written["high"], written["bins"], **words)
    if kind[0] == "range":
        low, high = _ends(written["range"], what)
        return Numeric.grid(name, low, high, written["bins"], **words)
    values = _listed(written[kind[0]], f"{kind[0]!r} of {what}")
    return Numeric(name, values, **words) if kind[0] == "edges" else Categorical(name, values, **words)


def _target(written: Any, before: bool) -> Numeric:
    """The target: [low, high], [low, high, levels], or the longer form with words; unless it says, of 256 levels."""
    if not isinstance(written, Mapping):
        if isinstance(written, (str, bytes)) or not isinstance(written, Iterable):
            raise ValueError(f"'target' must be a list or a dictionary, got {_kind(written)}")
        values = _listed(written, "'target'")
        if not all(map(_reads_as_number, values)):
            raise ValueError("'target' must be [low, high] or [low, high, levels]; classes are written under 'classes'")
        if len(values) not in (2, 3):
            raise ValueError(f"'target' must be [low, high] or [low, high, levels], got {len(values)} numbers")
        found = levels_of(*values)
        if not before and _follow(values):
            range_ = _shown_range((*values, MAX_CODES)[:3], "levels")
            raise ValueError(f"'target' may be a range in levels: {range_}, or classes: {_shown('classes', values)}")
        return found
    needed = next((keys for keys in _LEVELS if keys[0] in written), _LEVELS[-1])
    _check_keys(written, needed, (*_WORDS, "name", *(() if needed == ("edges",) else ("levels",))), "'target'")
    words = {"name": NAME, **_texts(written, (*_WORDS, "name"), "'target'")}
    if needed == ("edges",):
        return of_edges(_listed(written["edges"], "'edges' of 'target'"), **words)
    low, high = _ends(written["range"], "'target'") if "range" in written else (written["low"], written["high"])
    return levels_of(low, high, written.get("levels", MAX_CODES), **words)


def _texts(written: Mapping[str, Any], words: Sequence[str], what: str) -> dict[str, Any]:
    """What is said in words; refuses what is no text."""
    found = {word: written[word] for word in words if word in written}
    for word, text in found.items():
        if not isinstance(text, str):
            raise ValueError(f"the {word} of {what} must be text, got {_kind(text)}")
    return found


def _ends(written: Any, what: str) -> tuple[Any, ...]:
    ends = _listed(written, f"'range' of {what}")
    if len(ends) != 2:
        raise ValueError(f"'range' of {what} must be two numbers, [low, high], got {len(ends)}")
    return ends


def _check_keys(written: Mapping[str, Any], needed: Sequence[str], allowed: Sequence[str], what: str) -> None:
    missing = [key for key in needed if key not in written]
    if missing:
        raise ValueError(f"{what} must have {', '.join(map(repr, missing))}")
    known = [*needed, *allowed]
    unknown = next((key for key in written if key not in known), None)
    if unknown is not None:
        near = similar(unknown, known)
        hint = f"; did you mean {near!r}?" if near else f"; it may have {', '.join(map(repr, known))}"
        raise ValueError(f"{what} must not have {unknown!r}{hint}")


def _listed(values: Any, what: str) -> tuple[Any, ...]:
    """The values of what has an order; a set has none."""
    if isinstance(values, (str, bytes, Mapping)) or not isinstance(values, Iterable):
        raise ValueError(f"{what} must be a list, got {_kind(values)}")
    if not isinstance(values, Sequence) and not hasattr(values, "__next__") and not hasattr(values, "__array__"):
        raise ValueError(f"{what} must be a list or a dictionary, got {_kind(values)}: its order must be explicit")
    return tuple(values)


def _is_number(value: Any) -> bool:
    return isinstance(value, (numbers.Real, Decimal)) and not isinstance(value, bool)


def _is_grid(values: Sequence[Any]) -> bool:
    """Whether a specification is three numbers; the ends of the range may be text, the number of bins may not."""
    if len(values) != 3 or not _is_number(values[2]):
        return False
    try:
        return bool([as_fraction(end) for end in values[:2]])
    except ValueError:
        return False


def _is_range_without_bins(values: Sequence[Any]) -> bool:
    """Two numbers; but two that follow one another, such as 0 and 1, are a common pair of categories."""
    return len(values) == 2 and all(map(_is_number, values)) and as_fraction(values[1]) - as_fraction(values[0]) != 1


def _may_be_categories(values: Sequence[Any]) -> bool:
    """Whether three numbers of which a grid can be made are such as one lists categories, or edges."""
    return as_fraction(values[1]) < as_fraction(values[2]) or _follow(values)


def _follow(values: Sequence[Any]) -> bool:
    """Whether numbers of which a range can be made follow one another, in any order, as codes of classes do."""
    numbers = sorted(map(as_fraction, values))
    return numbers == [numbers[0] + k for k in range(len(numbers))]


def _doubt(values: Sequence[Any]) -> str:
    """What else than categories, or than a range, a list may be meant as; empty if its meaning is clear."""
    if _is_grid(values):
        if not _may_be_categories(values):
            return ""
        return f"has three numbers, which may be a range in bins: {_shown_range(values, 'bins')}"
    if _is_range_without_bins(values):
        return f"has two numbers, which may be a range without its bins: {_shown_range(values, 'bins')}"
    known = [value for value in values if not is_missing(value)]
    if 0 < len(known) < len(values) and all(map(_reads_as_number, known)):
        what, shown = ("a range in bins", _shown_range(values, "bins")) if len(values) == 3 else ("edges", "")
        return f"has numbers and a value that is missing, which may be {what}: {shown or _shown('edges', values)}"
    count = sum(map(_is_number, values))
    if (
        0 < count < len(values)
        and not any(isinstance(value, bool) for value in values)
        and all(map(_reads_as_number, values))
    ):
        return f"has numbers and text that reads as a number, which may be edges of bins: {_shown('edges', values)}"
    if count == len(values) > 3 and all(map(_reads_as_number, values)):
        steps = {as_fraction(b) - as_fraction(a) for a, b in pairwise(values)}
        if min(steps) > 0 and steps != {1}:
            return f"has {count} numbers that increase, which may be edges of bins: {_shown('edges', values)}"
    return ""


def _shown(form: str, values: Sequence[Any]) -> str:
    """A list in its longer form, for a message."""
    listed = ", ".join(map(_as_written, values))
    return f'{{"{form}": [{listed if len(listed) <= _MAX_LIST else "…"}]}}'


def _shown_range(values: Sequence[Any], parts: str) -> str:
    low, high = map(_as_written, values[:2])
    count = int(as_fraction(values[2])) if len(values) > 2 and not is_missing(values[2]) else "…"
    return f'{{"low": {low}, "high": {high}, "{parts}": {count}}}'


def _as_written(value: Any) -> str:
    if is_missing(value):
        return "null"
    plain = value.item() if hasattr(value, "item") else value
    return json.dumps(plain) if isinstance(plain, (str, bool)) else str(plain)


def _reads_as_number(value: Any) -> bool:
    try:
        return bool([as_fraction(value)])
    except ValueError:
        return False


def write(features: Iterable[Feature], classes: Iterable[Any], target: Numeric | None = None) -> dict[str, Any]:
    """The shortest specification of these features, and of the classes or the target, that is read as them."""
    named = {feature.name: _written(feature) for feature in features}
    if target is not None:
        return {"features": named, "target": _written_target(target)}
    return {"features": named, "classes": [_plain(value, "a class") for value in classes]}


def as_json(specification: Mapping[str, Any], indent: int | None) -> str:
    """A specification as JSON, with its schema."""
    document = {"schema": SCHEMA, **specification}
    return json.dumps(document, ensure_ascii=False) if indent is None else files.laid_out(document)


def _written(feature: Feature) -> Any:
    words = {word: text for word in (*_WORDS, "missing") if (text := getattr(feature, word))}
    if isinstance(feature, Numeric):
        low, high, bins = _short(feature.edges[0]), _short(feature.edges[-1]), feature.n_bins
        if Numeric.grid(feature.name, low, high, bins).edges != feature.edges:
            return {"edges": [_short(edge) for edge in feature.edges], **words}
        short = not words and not _may_be_categories((low, high, bins))
        return [low, high, bins] if short else {"low": low, "high": high, "bins": bins, **words}
    categories = [_plain(value, f"a category of {feature.name!r}") for value in feature.categories]
    if words or _is_grid(categories) or _doubt(categories):
        return {"categories": categories, **words}
    return categories


def _written_target(target: Numeric) -> Any:
    words = {word: text for word in _WORDS if (text := getattr(target, word))}
    words |= {} if target.name == NAME else {"name": target.name}
    low, high, levels = _short(target.edges[0]), _short(target.edges[-1]), target.n_bins
    if Numeric.grid(target.name, low, high, levels).edges != target.edges:
        return {"edges": [_short(edge) for edge in target.edges], **words}
    short = not words and not _follow((low, high, levels))
    return [low, high, levels] if short else {"low": low, "high": high, "levels": levels, **words}


def _short(number: float) -> int | float:
    return int(number) if number.is_integer() and abs(number) < 2**53 else number


def _plain(value: Any, what: str) -> Any:
    if type(value) not in (str, int, float, bool) or (type(value) is float and not math.isfinite(value)):
        raise ValueError(f"{what} must be text, a finite number or a truth value to be written, got {_kind(value)}")
    return value


def _kind(value: object) -> str:
    return type(value).__name__

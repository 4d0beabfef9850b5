"""A domain as text that a ledger's file keeps."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from fdpedu.domain import Categorical, Domain, Numeric


def domain_text(domain: Domain) -> str:
    """The public description of a domain, as text that :func:`read_domain` reads."""
    features = []
    for feature in domain.features:
        kind, values = ("numeric", feature.edges) if isinstance(feature, Numeric) else ("categorical", _plain(feature))
        features.append([kind, feature.name, values, feature.unit, feature.reason])
    return json.dumps({"features": features, "classes": _plain_values(domain.classes, "a class")})


def read_domain(text: str) -> Domain:
    content = json.loads(text)
    kinds: dict[str, Any] = {"numeric": Numeric, "categorical": Categorical}
    return Domain(
        [kinds[kind](name, tuple(values), unit, reason) for kind, name, values, unit, reason in content["features"]],
        content["classes"],
    )


def _plain(feature: Categorical) -> list[Any]:
    return _plain_values(feature.categories, f"a category of {feature.name!r}")


def _plain_values(values: Sequence[Any], what: str) -> list[Any]:
    plain = [value.item() if hasattr(value, "item") else value for value in values]
    if not all(value is None or isinstance(value, (str, int, float)) for value in plain):
        raise ValueError(f"{what} must be text or a number to be kept in a file")
    return plain

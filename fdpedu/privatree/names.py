"""Options that are one of a few names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fdpedu.exact import quoted


def one_of(names: Sequence[str], name: Any, parameter: str) -> str:
    """The name, if it is one of them.

    >>> one_of(("labels", "counts"), "labels", "leaves")
    'labels'
    """
    if not isinstance(name, str) or name not in names:
        raise ValueError(f"{parameter} must be one of {', '.join(names)}; got {quoted(name)}")
    return name

"""The claims of chapter 12, a file a topic: conditions and cases, then records, then broken twins."""

import json
from functools import cache
from pathlib import Path

TOPICS = (
    "table",
    "questions",
    "sums",
    "noise",
    "fits",
    "promise",
    "framework",
)  # in the order in which one reads them


@cache
def _drafts() -> dict[str, str]:
    found: dict[str, str] = json.loads(Path(__file__).with_name("drafts.json").read_text("utf8"))
    return found


def draft(label: str) -> str:
    """The statement of a claim while the chapter's page is not in the book; afterwards it is read from the page."""
    return _drafts()[label]

"""Where the repository is, which pages its table of contents names, and draws that follow from its code."""

import hashlib
import random
from pathlib import Path

import yaml

ROOT = Path(__file__).parent.parent.parent
PACKAGE = ROOT / "fdpedu"
HTML = ROOT / "_build" / "html"


def toc_pages() -> list[str]:
    """The pages of the book in reading order, as `_toc.yml` names them."""

    def walk(node):
        if isinstance(node, dict):
            if name := node.get("root") or node.get("file"):
                yield name
            for child in node.values():
                yield from walk(child)
        elif isinstance(node, list):
            for child in node:
                yield from walk(child)

    return list(walk(yaml.safe_load((ROOT / "_toc.yml").read_text("utf8"))))


def drawn_by_the_code() -> random.Random:
    """Other draws for other code of the package, the same for the same: so much is tried, and a failure comes again."""
    files = sorted(PACKAGE.rglob("*.py"))
    return random.Random(b"".join(hashlib.sha256(path.read_bytes()).digest() for path in files))

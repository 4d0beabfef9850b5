"""Where the repository is, and which pages its table of contents names."""

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

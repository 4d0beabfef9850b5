"""Forget the outputs of pages whose cells could now print something else: `make book` runs this first.

The outputs of a page's cells are kept in a cache under the code of these cells. A change in the library is not seen
there. So it is noted beside them which files of the repository the cells have read, and which folders they have listed
(`book/_ext/what_cells_read.py`): the outputs are forgotten when one of these has changed, or if nothing was noted.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "book" / "_ext"))

from what_cells_read import state  # noqa: E402


def is_current(record):
    """Whether all that was read for these outputs is as it was."""
    read = (record.data or {}).get("read")
    return bool(read) and all(state(name) == then for name, then in read.items())


def forget(cache):
    """Remove what is not current any more; the pages that it belongs to."""
    stale = [record for record in cache.list_cache_records() if not is_current(record)]
    for record in stale:
        cache.remove_cache(record.pk)
    return sorted({Path(record.uri).stem for record in stale})


if __name__ == "__main__":
    from jupyter_cache import get_cache

    pages = ", ".join(forget(get_cache(ROOT / "_build" / ".jupyter_cache"))) or "none"
    print(f"Cells that run again: {pages}; besides, those whose own code has changed.")

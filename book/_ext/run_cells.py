"""The cells of the book's pages, run before the pages are read: as many pages at a time as there are cores.

Where the cores have other work, `FDPEDU_KERNELS` says how many pages at a time.

Sphinx reads one page after the other, and would run its cells then: one core would work, and the others would wait.
What comes out is kept in the cache in which MyST-NB looks when it reads a page. Nothing is kept of a page that fails:
its cells run again when it is read, and what is wrong with it is told there. What cells have read of the repository is
kept beside what comes out, and so is what they have left in the folder in which they ran: nothing, as a test wants.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from jupyter_cache import get_cache
from jupyter_cache.base import CacheBundleIn, JupyterCacheAbstract
from myst_nb.core.read import create_nb_reader
from nbclient import NotebookClient
from nbclient.exceptions import CellControlSignal, DeadKernelError
from nbformat import NotebookNode
from sphinx.application import Sphinx
from what_cells_read import noted, noting

# What a cell prints is one text, in however many pieces it arrives; no cell keeps the time of its run
OUTPUT = {"coalesce_streams": True, "record_timing": False}
# A kernel warns that a port of this machine is not encrypted, once for each page
QUIET = ["--log-level=ERROR"]
FAILURES = (CellControlSignal, DeadKernelError)  # a cell that raised or took too long; a kernel that ended


def run_cells(app: Sphinx, pages: list[str], text_of: Callable[[Sphinx, str], str]) -> None:
    """Run the cells of those pages that the cache does not know, and keep what comes out."""
    settings = app.env.mystnb_config
    if settings.execution_mode != "cache":
        return
    cache = get_cache(settings.execution_cache_path)
    due = []
    for page in pages:
        path = app.env.doc2path(page)
        reader = create_nb_reader(path, app.env.myst_config, settings, text := text_of(app, page))
        if reader and not is_known(cache, notebook := reader.read(text)):
            due.append((Path(path), notebook))
    due.sort(key=lambda page: page[0].stat().st_size, reverse=True)  # long pages first: none is left at the end
    asyncio.run(_run_all(due, cache, settings.execution_timeout))


def is_known(cache: JupyterCacheAbstract, notebook: NotebookNode) -> bool:
    """Whether the cache has what comes out of the same cells."""
    try:
        cache.match_cache_notebook(notebook)
    except KeyError:
        return False
    return True


async def _run_all(due: list[tuple[Path, NotebookNode]], cache: JupyterCacheAbstract, timeout: int) -> None:
    kernels, done = asyncio.Semaphore(int(os.environ.get("FDPEDU_KERNELS", 0)) or os.cpu_count() or 1), 0

    async def run(path: Path, notebook: NotebookNode) -> None:
        nonlocal done
        async with kernels:
            start = time.perf_counter()
            with TemporaryDirectory() as folder, TemporaryDirectory() as beside:
                place, notes = {"metadata": {"path": folder}}, Path(beside, "notes")
                client = NotebookClient(notebook, timeout=timeout, resources=place, extra_arguments=QUIET, **OUTPUT)
                try:
                    await client.async_execute(env=noting(notes))
                except FAILURES:
                    return
                read, left = noted(notes), sorted(os.listdir(folder))
            seconds, done = time.perf_counter() - start, done + 1
            kept = CacheBundleIn(notebook, str(path), data={"execution_seconds": seconds, "read": read, "left": left})
            cache.cache_notebook_bundle(kept, check_validity=False, overwrite=True)
            print(f"{done:4} of {len(due)} pages with cells: {path.stem}, {seconds:.0f} s", flush=True)

    await asyncio.gather(*(run(*page) for page in due))

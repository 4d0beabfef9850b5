"""Run the notebooks of a folder as a reader has them: `python tools/notebooks.py FOLDER`, in the reader's environment.

With names, `python tools/notebooks.py FOLDER 01_cart,your_own_data`, only these run.

Each runs from top to bottom in a folder of its own, beside the wheel. The first one runs alone, because it installs the
library; the others share the cores.
"""

import asyncio
import os
import shutil
import sys
import time
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError


async def run(notebook, folder):
    """Run a notebook in a folder; an error of a cell is raised."""
    where = {"metadata": {"path": str(folder)}}
    await NotebookClient(notebook, timeout=300, kernel_name="python3", resources=where).async_execute()


async def fault_of(path):
    """What is wrong with a notebook; nothing if it runs."""
    place, start = path.parent / "run" / path.stem, time.monotonic()
    place.mkdir(parents=True)
    for wheel in path.parent.glob("*.whl"):
        shutil.copy(wheel, place)
    fault = ""
    try:
        await run(nbformat.read(path, 4), place)
    except CellExecutionError as error:
        fault = str(error)
    if not fault and (left := sorted(file.name for file in place.iterdir() if file.suffix != ".whl")):
        fault = f"it leaves {', '.join(left)} in the reader's folder"
    print(f"{time.monotonic() - start:4.0f} s  {path.name}  {fault}", flush=True)
    return fault


async def main(folder, names=""):
    shutil.rmtree(folder / "run", ignore_errors=True)
    every = sorted(folder.glob("*.ipynb"))
    wanted, offered = set(filter(None, names.split(","))), [path.stem for path in every]
    if unknown := wanted.difference(offered):
        sys.exit(f"there is no notebook of {', '.join(sorted(unknown))}, only {', '.join(offered)}")
    first, *others = [path for path in every if path.stem in wanted or not wanted]
    print(f"{1 + len(others)} of {len(every)} notebooks", flush=True)
    faults, cores = [await fault_of(first)], asyncio.Semaphore(os.cpu_count())

    async def when_free(path):
        async with cores:
            return await fault_of(path)

    faults += await asyncio.gather(*map(when_free, others))
    return int(any(faults))


if __name__ == "__main__":
    sys.exit(asyncio.run(main(Path(sys.argv[1]).resolve(), *sys.argv[2:])))

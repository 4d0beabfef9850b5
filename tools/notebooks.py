"""Run the notebooks of a folder as a reader has them: `python tools/notebooks.py FOLDER`, in the reader's environment.

With names, `python tools/notebooks.py FOLDER 01_cart,your_own_data`, only these run.

Each runs from top to bottom in a folder of its own, beside the wheel. The first one runs alone, because it installs the
library; the others share the cores. Afterwards each tells which files of the library it has loaded: a file on which
`tools/pages.py` does not see the page depend is an error, because the page would not run again when that file changes.
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

ROOT = Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "tools"))

import pages  # noqa: E402

LOADED = """\
import sys

files = [getattr(module, "__file__", None) for name, module in sys.modules.items() if name.split(".")[0] == "fdpedu"]
print(*filter(None, files), sep="\\n")
"""


async def loaded_by(notebook, folder):
    """Run a notebook in a folder; the files of the library that it has loaded, as this repository names them."""
    notebook.cells.append(nbformat.v4.new_code_cell(LOADED))
    where = {"metadata": {"path": str(folder)}}
    await NotebookClient(notebook, timeout=300, kernel_name="python3", resources=where).async_execute()
    lines = notebook.cells[-1].outputs[0].text.splitlines()
    return {ROOT / "fdpedu" / Path(line).as_posix().rpartition("/fdpedu/")[2] for line in lines}


def unforeseen(page, loaded):
    """The files that the page loaded, and that could change without its running again."""
    by_name = {file for file in loaded if file.parents[1].name in ("claims", "exercises")}  # of all chapters, unused
    by_name |= {pages.file_of(module) for file in by_name for module in pages.modules_in(file.read_text("utf8"))}
    return loaded - by_name - pages.files_of(page, pages.code_of((ROOT / page).read_text("utf8")))


async def fault_of(path):
    """What is wrong with a notebook; nothing if it runs."""
    place, start = path.parent / "run" / path.stem, time.monotonic()
    place.mkdir(parents=True)
    for wheel in path.parent.glob("*.whl"):
        shutil.copy(wheel, place)
    page = next((ROOT / "book").rglob(f"{path.stem}.md")).relative_to(ROOT).as_posix()
    try:
        found = unforeseen(page, await loaded_by(nbformat.read(path, 4), place))
        fault = f"loads {', '.join(map(str, sorted(found)))}, which tools/pages.py does not foresee" if found else ""
    except CellExecutionError as error:
        fault = str(error)
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

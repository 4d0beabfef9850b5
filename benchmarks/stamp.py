"""Where and when something was measured, and on which state of the package."""

import datetime
import platform
from pathlib import Path

from tools.fingerprint import fingerprint, library


def stamp() -> dict[str, str]:
    """Kind of processor, version of Python, date, and the fingerprint of the package's code."""
    return {
        "processor": processor(),
        "python": platform.python_version(),
        "date": datetime.date.today().isoformat(),
        "fingerprint": fingerprint(library, place=""),
    }


def processor() -> str:
    """The kind of processor, as the system calls it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        return next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()

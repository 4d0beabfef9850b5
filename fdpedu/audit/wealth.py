"""The wealth of several audits in one picture."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from fdpedu.audit.auditing import Audit
from fdpedu.audit.picture import draw_paths
from fdpedu.exact import require_type
from fdpedu.viz import Picture


def draw_wealth(
    audits: Mapping[str, Audit],
    *,
    alt: str | None = None,
    caption: str | None = None,
    log_runs: bool = False,
    slide: str | Path | None = None,
) -> Picture:
    """The wealth over the runs, on a scale of powers of ten, a curve for each audit, with the line at the largest 1/α.

    Parameters
    ----------
    audits : by the names of the curves, six at most
    alt : what is to be seen; found from the audits unless given
    caption : what to conclude
    log_runs : whether runs are on a scale of powers of ten, too
    slide : a file to write a standalone SVG to, as for :func:`fdpedu.viz.show_figure`

    Raises
    ------
    ValueError
        If there is nothing to draw, or too much.

    Examples
    --------
    >>> from fdpedu.audit import audit
    >>> draw_wealth({"exact": audit(len, [], [1], runs=200, seed=1)}, alt="The wealth rises.")
    [figure: The wealth rises.]
    """
    require_type(audits, Mapping, "audits")
    for name, text in (("alt", alt), ("caption", caption)):
        if text is not None:
            require_type(text, str, name)
    for found in audits.values():
        require_type(found, Audit, "each of audits")
    paths = {str(name): found.path() for name, found in audits.items()}
    return draw_paths(paths, alt=alt, caption=caption, log_runs=log_runs, slide=slide)

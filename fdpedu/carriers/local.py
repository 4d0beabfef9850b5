"""What an owner of FLARE writes into ``local/``: which class a job may have, where messages go, and that no log leaves.

FLARE's defaults allow a job dozens of classes and let a lead bring code along. Here a site lists one class, which hands
bytes to one socket, and the server one. The files are the owner's: no job, and nobody's kit, changes them.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from fdpedu.files import Location, as_path, read_text

SITE_END, AGGREGATOR_END = "fdpedu.carriers.flare.SiteEnd", "fdpedu.carriers.flare.AggregatorEnd"
_SUBMITS = {"submit_job": "any", "manage_job": "n:submitter", "download_job": "n:submitter", "view": "any"}
ROLES: dict[str, dict[str, str]] = {
    "project_admin": {**_SUBMITS, "operate": "any", "byoc": "none", "shell_commands": "none"},
    "org_admin": {"submit_job": "none", "view": "any", "operate": "o:site", "byoc": "none"},
    "lead": {**_SUBMITS, "byoc": "none"},
    "member": {"view": "any", "byoc": "none"},
}
"""Nobody brings code along, and nobody runs commands of a shell at the site."""


def write_at_site(local: Location, socket: Location) -> None:
    """Let FLARE hand messages to a site's socket, and do nothing else.

    Parameters
    ----------
    local : the folder ``local`` of the site's startup kit
    socket : where ``fdpedu site`` listens
    """
    folder = as_path(local)
    content = _resources(folder)
    content["class_allow_list"] = [SITE_END]  # of a job's classes, this one
    content["allow_log_streaming"] = (
        False  # and its streamer out: it adds a class to each job, which sends the site's log
    )
    content["components"] = [part for part in content["components"] if part["id"] != "site_log_streamer"]
    _write(folder / "resources.json", content)
    _write(folder / "authorization.json", {"format_version": "1.0", "permissions": ROLES})
    _write(folder / "fdpedu.json", {"socket": str(as_path(socket).absolute())})


def write_at_server(local: Location) -> None:
    """Let FLARE's server open sockets for the aggregator, and do nothing else.

    Parameters
    ----------
    local : the folder ``local`` of the server's startup kit
    """
    folder = as_path(local)
    _write(folder / "resources.json", {**_resources(folder), "class_allow_list": [AGGREGATOR_END]})
    _write(folder / "authorization.json", {"format_version": "1.0", "permissions": ROLES})


def _resources(folder: Path) -> dict[str, Any]:
    """What stands there already, or what FLARE has given as a default."""
    own = folder / "resources.json"
    found = json.loads(read_text(own if own.exists() else folder / "resources.json.default"))
    assert isinstance(found, dict)
    return found


def _write(path: Path, content: dict[str, Any]) -> None:
    path.write_text(json.dumps(content, indent=1) + "\n", "utf8")

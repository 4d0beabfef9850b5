"""What an owner of FLARE writes into ``local/``: which class a job may have, where messages go, and that no log leaves.

FLARE's defaults allow a job dozens of classes and let a lead bring code along. Here a site lists one class, which hands
bytes to one socket, and the server one. The files are the owner's: no job, and nobody's kit, changes them.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from fdpedu.files import Location, as_path, read_object, read_text

SITE_END, AGGREGATOR_END = "fdpedu.carriers.flare.SiteEnd", "fdpedu.carriers.flare.AggregatorEnd"
_RIGHTS = ("submit_job", "clone_job", "manage_job", "download_job", "view", "operate")
_NOBODY = {"byoc": "none", "shell_commands": "none"}  # brings code along, or runs commands there


def write_at_site(local: Location, socket: Location) -> None:
    """Let FLARE hand messages to a site's socket, and do nothing else.

    Parameters
    ----------
    local : the folder ``local`` of the site's startup kit
    socket : where ``fdpedu site`` listens, or will; a relative path is that of the folder where this is said
    """
    folder, listening = as_path(local), as_path(socket).absolute()
    if not listening.parent.is_dir():
        raise ValueError(f"socket must be where fdpedu site listens, and there is no folder {listening.parent}")
    content = _content(folder, "resources.json")
    content["class_allow_list"] = [SITE_END]  # of a job's classes, this one
    # FLARE's streamer at the site would add a class to each job, which sends the site's log to the server
    content["allow_log_streaming"] = False
    content["components"] = [part for part in content["components"] if part["id"] != "site_log_streamer"]
    _write(folder / "resources.json", content)
    _write(folder / "authorization.json", _without_code(_content(folder, "authorization.json")))
    _write(folder / "fdpedu.json", {"socket": str(listening)})


def write_at_server(local: Location) -> None:
    """Let FLARE's server open sockets for the aggregator, and do nothing else.

    Parameters
    ----------
    local : the folder ``local`` of the server's startup kit
    """
    folder = as_path(local)
    content = {**_content(folder, "resources.json"), "class_allow_list": [AGGREGATOR_END]}
    _write(folder / "resources.json", content)
    _write(folder / "authorization.json", _without_code(_content(folder, "authorization.json")))


def _without_code(content: dict[str, Any]) -> dict[str, Any]:
    """The rights of each role, without those that no role has; one word for a role stands for all of its rights."""
    roles = {
        name: (dict.fromkeys(_RIGHTS, rights) if isinstance(rights, str) else rights) | _NOBODY
        for name, rights in content["permissions"].items()
    }
    return {**content, "permissions": roles}


def _content(folder: Path, name: str) -> dict[str, Any]:
    """What stands there already, or what FLARE has given as a default."""
    own = folder / name
    if not own.exists() and not (folder / f"{name}.default").exists():
        raise ValueError(
            f"local must be the folder local of a startup kit of FLARE, with {name} or {name}.default in it; {folder} "
            "has neither"
        )
    return read_object(read_text(own if own.exists() else folder / f"{name}.default"), str(own))


def _write(path: Path, content: dict[str, Any]) -> None:
    path.write_text(json.dumps(content, indent=1) + "\n", "utf8")

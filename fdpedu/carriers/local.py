"""What an owner of FLARE writes into ``local/``: which class a job may have, where messages go, and that no log leaves.

FLARE's defaults allow a job dozens of classes and let a lead bring code along. Here a site lists one class, which hands
bytes to one socket, and the server one. The files are the owner's: no job, and nobody's kit, changes them.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from fdpedu.federation.sockets import require_short
from fdpedu.files import Location, as_path, read_object, read_text, understood, write_text

SITE_END, AGGREGATOR_END = "fdpedu.carriers.flare.SiteEnd", "fdpedu.carriers.flare.AggregatorEnd"
_RIGHTS = ("submit_job", "clone_job", "manage_job", "download_job", "view", "operate")
_NOBODY = {"byoc": "none", "shell_commands": "none"}  # brings code along, or runs commands there


def write_at_site(local: Location, socket: Location) -> None:
    """Let FLARE hand messages to a site's socket, and do nothing else.

    Parameters
    ----------
    local : the folder ``local`` of the site's startup kit
    socket : where ``fdpedu site`` listens, or will; a relative path is that of the folder where this is said

    Raises
    ------
    ValueError
        If it is no such folder, or what stands there cannot be read or replaced.
    """
    place = as_path(socket).absolute()
    require_short(place)
    if not place.parent.is_dir():
        raise ValueError(f"socket must be where fdpedu site listens, and there is no folder {place.parent}")
    if place.is_dir():
        raise ValueError(f"socket must be where fdpedu site listens, and {socket} is a folder")
    _write(local, SITE_END, {"fdpedu.json": {"socket": str(place)}})


def write_at_server(local: Location) -> None:
    """Let FLARE's server open sockets for the aggregator, and do nothing else.

    Parameters
    ----------
    local : the folder ``local`` of the server's startup kit

    Raises
    ------
    ValueError
        As for a site.
    """
    _write(local, AGGREGATOR_END, {})


def _write(local: Location, end: str, more: dict[str, Any]) -> None:
    """Write all files, each of them whole, once all were read."""
    folder = as_path(local)
    if not any((folder / f"resources.json{ending}").is_file() for ending in ("", ".default")):
        raise ValueError(
            "local must be the folder local of a startup kit, with resources.json or resources.json.default in it; "
            f"{local} is none"
        )
    resources = _changed(folder, "resources.json", partial(_of_one_class, end))
    rights = _changed(folder, "authorization.json", _without_code)
    for name, content in {"resources.json": resources, "authorization.json": rights, **more}.items():
        write_text(folder / name, json.dumps(content, indent=1) + "\n", overwrite=True)


def _changed(folder: Path, name: str, change: Callable[[dict[str, Any]], dict[str, Any]]) -> dict[str, Any]:
    """What becomes of what stands there already, or of what FLARE has given as a default."""
    own = folder / name
    given = own if own.exists() else folder / f"{name}.default"
    content = read_object(read_text(given), str(given))
    return understood(str(given), lambda: change(content))


def _of_one_class(end: str, content: dict[str, Any]) -> dict[str, Any]:
    """Of a job's classes, one; at a site no log leaves."""
    content["class_allow_list"] = [end]
    if end == SITE_END:
        # FLARE's streamer at the site would add a class to each job, which sends the site's log to the server
        content["allow_log_streaming"] = False
        content["components"] = [part for part in content["components"] if part["id"] != "site_log_streamer"]
    return content


def _without_code(content: dict[str, Any]) -> dict[str, Any]:
    """The rights of each role, without those that no role has; one word for a role stands for all of its rights."""
    roles = {
        name: (dict.fromkeys(_RIGHTS, rights) if isinstance(rights, str) else rights) | _NOBODY
        for name, rights in content["permissions"].items()
    }
    return {**content, "permissions": roles}

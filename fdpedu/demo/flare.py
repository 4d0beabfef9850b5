"""A consortium that runs NVIDIA FLARE, on one machine: its server, a client for each site, and the job that carries.

What ``nvflare poc prepare`` makes is what a consortium gets by provisioning: a kit for each of them, with certificates.
All processes speak with each other by mutual TLS on the loopback device only, and each is a group of its own.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import fdpedu
from fdpedu.carriers.local import write_at_server, write_at_site

ADMIN = "admin@nvidia.com"
SERVER = "localhost"  # a server of this name listens to this machine only


class Consortium:
    """Kits in a folder, and processes: ``fdpedu carry`` among them.

    Parameters
    ----------
    folder : of its own; the sites' sockets are its ``own/NAME.sock``, the aggregator's ``sites/NAME.sock``
    names : of the sites
    python : of an environment in which NVIDIA FLARE is installed
    """

    def __init__(self, folder: Path, names: Sequence[str], python: str = sys.executable) -> None:
        self.folder, self.names, self._python = folder, tuple(names), python
        self.running: dict[str, subprocess.Popen[bytes]] = {}
        for name in ("own", "sites", "home"):
            (folder / name).mkdir(exist_ok=True)
        found = os.path.dirname(os.path.dirname(os.path.abspath(fdpedu.__file__)))
        paths = os.pathsep.join(filter(None, [found, os.environ.get("PYTHONPATH")]))
        self.environment = {
            **os.environ,
            "PYTHONPATH": paths,
            "HOME": str(folder / "home"),  # FLARE notes there where its last kits were
            "NVFLARE_POC_WORKSPACE": str(folder / "poc"),
        }

    def prepare(self) -> None:
        """The kits, with what each owner writes into ``local/``."""
        (self.folder / "project.yml").write_text(_project(self.names, _free_port()), "utf8")
        self._run("-m", "nvflare.cli", "poc", "prepare", "--force", "-i", str(self.folder / "project.yml"))
        write_at_server(self.kit(SERVER) / "local")
        for name in self.names:
            write_at_site(self.kit(name) / "local", self.socket(name))

    def kit(self, name: str) -> Path:
        """The startup kit of the server, of a site, or of a person."""
        return self.folder / "poc" / "fdpedu" / "prod_00" / name

    def socket(self, name: str) -> Path:
        """Where the site listens."""
        return self.folder / "own" / f"{name}.sock"

    def start(self, name: str) -> int:
        """FLARE's server, or a site's client, as its ``startup/start.sh`` starts it; the number of its process."""
        kit, kind = self.kit(name), "server" if name == SERVER else "client"
        (kit / "transfer").mkdir(exist_ok=True)
        words = ["-u", "-m", f"nvflare.private.fed.app.{kind}.{kind}_train", "-m", str(kit), "-s", f"fed_{kind}.json"]
        words += ["--set", "secure_train=true", "org=nvidia", "config_folder=config"]
        return self._start(name, *words, *([] if name == SERVER else [f"uid={name}"]))

    def carry(self, kit: str = ADMIN) -> int:
        """``fdpedu carry flare``."""
        words = ["carry", "flare", "--kit", str(self.kit(kit)), "--sites", str(self.folder / "sites")]
        return self._start("carry", "-m", "fdpedu", *words)

    def start_all(self) -> None:
        """The server, the clients and the carrier; the job follows in some seconds."""
        for name in (SERVER, *self.names):
            self.start(name)
        self.carry()

    def wait(self, seconds: float = 60) -> None:
        """Until each site has its socket at the aggregator's."""
        end = time.monotonic() + seconds
        while missing := [name for name in self.names if not (self.folder / "sites" / f"{name}.sock").exists()]:
            if time.monotonic() > end:
                raise TimeoutError(f"FLARE carries nothing to {', '.join(missing)} yet: {self.said('carry')}")
            time.sleep(0.1)

    def said(self, name: str) -> str:
        """What a process has said so far."""
        return (self.folder / f"{name}.out").read_text("utf8", errors="replace")

    def kill(self, name: str, *, job: bool = True, parent: bool = True) -> None:
        """As a crash does it (``kill -9``): a process of FLARE, that of its job, or both."""
        process = self.running[name]
        found = [pid for pid in _named(str(self.kit(name))) if pid != process.pid] if job else []
        for pid in [*found, *([process.pid] if parent else [])]:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        if parent:
            self.running.pop(name).wait()

    def interrupt(self) -> None:
        """Stop ``fdpedu carry`` as a system stops a service, which ends its job."""
        process = self.running.pop("carry")
        process.terminate()
        process.wait()

    def stop(self) -> None:
        """All of them at once: every process that has the folder in its words."""
        for pid in [process.pid for process in self.running.values()] + _named(str(self.folder)):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        for process in self.running.values():
            process.wait()
        self.running.clear()

    def _start(self, name: str, *words: str) -> int:
        with (self.folder / f"{name}.out").open("ab") as out:
            self.running[name] = subprocess.Popen(
                [self._python, *words],
                cwd=self.folder,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        return self.running[name].pid

    def _run(self, *words: str) -> None:
        done = subprocess.run(
            [self._python, *words], cwd=self.folder, env=self.environment, capture_output=True, text=True
        )
        if done.returncode:
            raise RuntimeError(f"nvflare could not prepare its kits: {done.stdout}{done.stderr}")


def _named(word: str) -> list[int]:
    """The processes that name a folder, or what is in it, in their command lines; but this one."""
    if Path("/proc/self/cmdline").exists():
        lines = [(int(path.parent.name), _read(path)) for path in Path("/proc").glob("[0-9]*/cmdline")]
    else:
        shown = subprocess.run(["ps", "-axo", "pid=,command="], capture_output=True, text=True).stdout
        lines = [(int(line.split()[0]), line) for line in shown.splitlines()]
    return [pid for pid, line in lines if pid != os.getpid() and any(word + end in f"{line} " for end in "/ \0")]


def _read(path: Path) -> str:
    with suppress(OSError):  # it has ended
        return path.read_text("utf8", errors="replace")
    return ""


def _free_port() -> int:
    with socket.socket() as line:
        line.bind(("127.0.0.1", 0))
        return int(line.getsockname()[1])


def _project(names: Sequence[str], port: int) -> str:
    """What is provisioned. (JSON is YAML.)"""
    server = {"name": SERVER, "type": "server", "org": "nvidia", "default_host": SERVER, "fed_learn_port": port}
    people = [(ADMIN, "project_admin"), ("lead@nvidia.com", "lead"), ("member@nvidia.com", "member")]
    admins = [{"name": name, "type": "admin", "org": "nvidia", "role": role} for name, role in people]
    builders = [
        {"path": "nvflare.lighter.impl.workspace.WorkspaceBuilder", "args": {"template_file": ["master_template.yml"]}},
        {"path": "nvflare.lighter.impl.static_file.StaticFileBuilder", "args": {"config_folder": "config"}},
        {"path": "nvflare.lighter.impl.cert.CertBuilder"},
        {"path": "nvflare.lighter.impl.signature.SignatureBuilder"},
    ]
    clients = [{"name": name, "type": "client", "org": "nvidia"} for name in names]
    participants = [server, *admins, *clients]
    return json.dumps(
        {"api_version": 3, "name": "fdpedu", "description": "", "participants": participants, "builders": builders}
    )

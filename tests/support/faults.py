"""Every step by which something gets to the disk, counted; the k-th of them fails, before or after it is done.

The steps are those of the system (a file is made, written, flushed, closed, synced, named) and the statements that a
ledger's file is given. What every writer must keep is looked at on the way: a file gets a name when its content is on
the disk, and whoever says that it is done has synced each file that is new, and then the folder that lists it.
"""

import errno
import os
import sqlite3
import stat
from contextlib import contextmanager
from functools import partial
from itertools import count
from pathlib import Path

import pytest

from fdpedu.accounting import budget_connection


class Disk:
    """What has been done, step by step; step ``failing`` fails, ``late`` if it is done all the same."""

    def __init__(self, failing, late):
        self.failing, self.late, self.steps = failing, late, []
        self._buffered, self._synced, self._new, self._unlisted = set(), set(), set(), set()

    @property
    def failed(self):
        return len(self.steps) >= self.failing

    def step(self, name, act, error=OSError):
        self.steps.append(name)
        now = len(self.steps) == self.failing
        late = {"open": False, "close": True}.get(name, self.late)  # what cannot be opened is not made; a handle goes
        if now and not late:
            raise _wrong(error)
        done = act()
        if now:
            raise _wrong(error)
        return done

    def touched(self, inode):
        self._synced.discard(inode)

    def open(self, own, path, flags, *mode):
        if not flags & os.O_CREAT:
            return own(path, flags, *mode)
        handle = self.step("open", lambda: own(path, flags, *mode))
        self._listed(path)
        return handle

    def fdopen(self, own, handle, *given, **named):
        return _File(self, own(handle, *given, **named))

    def fsync(self, own, handle):
        self.step("fsync", lambda: own(handle))
        found = os.fstat(handle)
        if stat.S_ISDIR(found.st_mode):
            self._unlisted.discard(found.st_ino)
        elif found.st_ino not in self._buffered:
            self._synced.add(found.st_ino)

    def name(self, own, old, new):
        assert os.stat(old).st_ino in self._synced, "a file gets a name before its content is on the disk"
        self.step(own.__name__, lambda: own(old, new))
        self._listed(new)

    def _listed(self, path):
        self._new.add(os.fspath(path))
        self._unlisted.add(os.stat(os.path.dirname(path) or ".").st_ino)

    def require_done(self):
        """After a success: all that is new would be there if power failed now."""
        there = [path for path in self._new if os.path.exists(path)]
        assert all(os.stat(path).st_ino in self._synced for path in there), "a new file is not on the disk"
        assert not there or not self._unlisted, "the folder's list is not on the disk"


class _File:
    """A file whose writing, flushing and closing are steps."""

    def __init__(self, disk, file):
        self._disk, self._file, self._inode = disk, file, os.fstat(file.fileno()).st_ino

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def fileno(self):
        return self._file.fileno()

    def write(self, content):
        self._disk.touched(self._inode)
        self._disk._buffered.add(self._inode)
        self._disk.step("write", lambda: self._file.write(content))

    def flush(self):
        self._disk.step("flush", self._file.flush)
        self._disk._buffered.discard(self._inode)

    def close(self):
        if not self._file.closed:
            self._disk.step("close", self._file.close)


class _Connection(sqlite3.Connection):
    """A connection whose statements are steps, but for taking back what failed."""

    disk = None
    inode = None

    def execute(self, statement, *given):
        if statement == "ROLLBACK" or self.disk is None:
            return super().execute(statement, *given)
        if statement.startswith(("CREATE", "INSERT", "UPDATE", "COMMIT")):
            self.disk.touched(self.inode)
        return self.disk.step(statement, lambda: super(_Connection, self).execute(statement, *given), sqlite3.Error)

    def executemany(self, statement, rows):
        return self.disk.step(statement, lambda: super(_Connection, self).executemany(statement, rows), sqlite3.Error)


def _wrong(error):
    return OSError(errno.ENOSPC, "No space left on device") if error is OSError else error("disk I/O error")


@contextmanager
def disk_that_fails(failing, late):
    """For the length of a block, a disk on which step number ``failing`` goes wrong."""
    disk, connect = Disk(failing, late), sqlite3.connect

    def connecting(where, **options):
        connection = connect(where, factory=_Connection, **options)
        path = Path(where.removeprefix("file://").removesuffix("?mode=rw"))
        connection.disk, connection.inode = disk, os.stat(path).st_ino
        return connection

    with pytest.MonkeyPatch.context() as patch:
        watched = {name: disk.name for name in ("replace", "rename", "link")}
        for name, does in {"open": disk.open, "fdopen": disk.fdopen, "fsync": disk.fsync, **watched}.items():
            patch.setattr(os, name, partial(does, getattr(os, name)))
        patch.setattr(budget_connection.sqlite3, "connect", connecting)
        yield disk


def every_failure():
    """Disks that fail at the first step, the second, and so on, before or after it is done; the last fails at none.

    They are to be used by ``with``; there is no further one when the block has ended before its step came.
    """
    for late in (False, True):
        for failing in count(1):
            disks = []

            @contextmanager
            def one(failing=failing, late=late, disks=disks):
                with disk_that_fails(failing, late) as disk:
                    disks.append(disk)
                    yield disk

            yield one()
            if not disks[0].failed:
                break

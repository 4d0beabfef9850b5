"""Documents on disk: JSON with a schema and a digest, written whole or not at all, and read strictly.

A document is an object. Its first key ``schema`` says what it is and in which version (``fdpedu-tree/2``), the next
one, ``program``, what wrote it, and its last key ``digest`` is a SHA-256 of everything between. The digest finds what
was damaged or edited by accident. It is no signature: whoever changes a document can also write a new digest. So a
reader checks whatever else can be checked (that a derivation is accepted, that a tree is what its derivation paid for),
and a file proves no more than that.

Nothing here runs what a file says: no pickle, no names of classes.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import stat
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping
from operator import itemgetter
from pathlib import Path
from typing import Any, TypeVar

from fdpedu import __version__

PROGRAM = f"fdpedu {__version__}"  # what a document says that wrote it
Location = str | os.PathLike[str]
MAX_BYTES = 100_000_000  # a file may come from anybody
MAX_HEAD = 4096  # bytes by which a file is known for what it is
_SCHEMA = re.compile(rb'(?:\xef\xbb\xbf)?\s*\{\s*"schema"\s*:\s*"fdpedu-([a-z]+)/')
_PAID = {b"tree": "a tree", b"ensemble": "an ensemble", b"structures": "a file of structures"}
_NAMES = {
    b"audit": "an audit",
    b"manifest": "a manifest",
    b"derivation": "a derivation",
    b"domain": "a domain",
    b"evidence": "evidence",
    b"federation": "a federation",
    b"journal": "a journal",
}
_KEPT = {b"SQLite format 3\0": "a database, such as a budget", b"-----BEGIN ": "a key, such as an identity"}
_UNPACK = "unpack it first"
_FRAME = "read it into a data frame, and give that"
_KINDS = {  # what begins so is no text, whatever it is called
    b"PK\x03\x04": ("a zip archive", _UNPACK),
    b"PK\x05\x06": ("an empty zip archive", _UNPACK),
    b"\x1f\x8b": ("packed by gzip", _UNPACK),
    b"BZh91AY&SY": ("packed by bzip2", _UNPACK),
    b"\xfd7zXZ\0": ("packed by xz", _UNPACK),
    b"(\xb5/\xfd": ("packed by zstd", _UNPACK),
    b"7z\xbc\xaf'\x1c": ("packed by 7-Zip", _UNPACK),
    b"Rar!\x1a\x07": ("packed by RAR", _UNPACK),
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1": ("a workbook of an older Excel", "save its sheet as CSV UTF-8"),
    b"PAR1\x15": ("a Parquet file", _FRAME),
    b"ARROW1\0\0": ("an Arrow file", _FRAME),
    b"\x89HDF\r\n\x1a\n": ("an HDF5 file", _FRAME),
    b"\x93NUMPY": ("an array of NumPy", _FRAME),
    b"SQLite format 3\0": ("a database of SQLite", _FRAME),
    b"%PDF-": ("a PDF", "ask for the table itself"),
}
_IN_A_WORKBOOK = (b"xl/", b"[Content_Types].xml", b"opendocument.spreadsheet")  # names that such an archive begins with
_BESIDE = ("-wal", "-shm", "-journal")  # what SQLite keeps beside a database
_NO_FILES = {
    stat.S_IFLNK: "a link: name the file itself",
    stat.S_IFDIR: "a folder",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
}
T = TypeVar("T")


class FileRefused(ValueError):
    """A file is not what it says, or says what cannot be; the message gives the file and the reason."""


def dumps(schema: str, content: Mapping[str, Any], indent: int | None = 1) -> str:
    """The text of a document: the schema, the content, and the digest of both.

    >>> print(dumps("fdpedu-example/1", {"depth": 2}, indent=None))
    {"schema": "fdpedu-example/1", "program": "fdpedu ...", "depth": 2, "digest": "sha256:..."}
    """
    document = {"schema": schema, "program": PROGRAM, **content}
    whole = {**document, "digest": digest(document)}
    return json.dumps(whole, ensure_ascii=False) if indent is None else laid_out(whole) + "\n"


def loads(text: str, schema: str, where: str = "the text") -> dict[str, Any]:
    """The content of a document, without schema, program and digest, if the text is one of this schema.

    Raises
    ------
    FileRefused
        If it is not strict JSON, has another schema or version, or does not fit its digest.
    """
    document = read_object(text, where)
    stated = document.get("schema")
    if stated != schema:
        raise FileRefused(f"{where}: expected a document with the schema {schema!r}, {other_schema(document, schema)}")
    claimed = document.pop("digest", None)
    if claimed != digest(document):
        raise FileRefused(f"{where}: it was changed after it was written: its digest does not fit its content")
    del document["schema"]
    if not _is_short(document.pop("program", PROGRAM)):  # files of fdpedu 0.1.0 do not say it
        raise FileRefused(f"{where}: its program must be a short text, such as {PROGRAM!r}")
    return document


def laid_out(value: Any, margin: str = "") -> str:
    """JSON for people: a value that fits stands on one line, and so does one too long to be read.

    >>> print(laid_out({"codes": [0, 1], "text": "a" * 90}))
    {
     "codes": [0, 1],
     "text": "aaa..."
    }
    """
    line, inner = json.dumps(value, ensure_ascii=False, allow_nan=False), margin + " "
    if not isinstance(value, (dict, list)) or len(margin) + len(line) <= 100 or (margin and len(line) > 20_000):
        return line
    if isinstance(value, dict):
        parts, ends = [f"{json.dumps(key, ensure_ascii=False)}: {laid_out(v, inner)}" for key, v in value.items()], "{}"
    else:
        parts, ends = [laid_out(v, inner) for v in value], "[]"
    return f"{ends[0]}\n" + ",\n".join(inner + part for part in parts) + f"\n{margin}{ends[1]}"


def digest(document: Mapping[str, Any]) -> str:
    """SHA-256 of the document in its shortest form; the order of keys counts."""
    short = json.dumps(document, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    return "sha256:" + hashlib.sha256(short.encode("ascii")).hexdigest()


def read_object(text: str, where: str = "the text") -> dict[str, Any]:
    """A JSON object in which no key stands twice, and no number is NaN or infinite."""

    if not isinstance(text, str):
        raise ValueError(f"{where}: expected JSON as text, got {type(text).__name__}")
    text = text.removeprefix("\ufeff")  # the byte order mark of a file or a stream

    def no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            twice = max(Counter(name for name, _ in pairs).items(), key=itemgetter(1))[0]
            raise FileRefused(f"{where}: {twice!r:.60} stands more than once in one object; keep one of them")
        return found

    def no_constant(name: str) -> Any:
        raise FileRefused(f"{where}: {name} is no number")

    try:
        found = json.loads(text, object_pairs_hook=no_duplicates, parse_constant=no_constant)
    except FileRefused:
        raise
    except json.JSONDecodeError as error:
        raise FileRefused(f"{where}: it is not JSON: {error.msg} in line {error.lineno}") from None
    except (ValueError, RecursionError):
        raise FileRefused(f"{where}: it is not JSON that can be read, or is nested too deeply") from None
    if not isinstance(found, dict):
        raise FileRefused(f"{where}: expected an object {{…}}, got {type(found).__name__}")
    return found


def as_path(path: object) -> Path:
    """The path of a file, from text or from a path; a number is none, though the system would take it for an open file.

    >>> as_path("tree.json").suffix
    '.json'
    """
    if not isinstance(path, (str, os.PathLike)) or "\0" in os.fsdecode(path) or not os.fspath(path):
        raise ValueError(f"path must be the name of a file, got {path!r:.40}")
    return Path(os.fsdecode(path))


def kind_of(content: bytes) -> str:
    """What a file that begins so is, and what to do with it, if it is no text; else empty.

    >>> kind_of(b"%PDF-1.7"), kind_of(b"age,ward")
    ('a PDF: ask for the table itself', '')
    """
    head = content[:MAX_HEAD]
    if head.startswith(b"PK\x03\x04") and any(name in head for name in _IN_A_WORKBOOK):
        return "a workbook: save its sheet as CSV UTF-8"
    return next((": ".join(words) for begin, words in _KINDS.items() if head.startswith(begin)), "")


def read_text(path: Location) -> str:
    """The text of a file in UTF-8, of at most 100 MB; a byte order mark is passed over."""
    place = as_path(path)
    try:
        with place.open("rb") as file:
            content = file.read(MAX_BYTES + 1)  # a device or a pipe has no size, and may have no end
        if len(content) > MAX_BYTES:
            raise ValueError(f"cannot read {path}: it is larger than {MAX_BYTES // 10**6} MB")
    except OSError as error:
        raise ValueError(f"cannot read {path}: {reason(error)}") from None
    if what := kind_of(content):
        raise FileRefused(f"{path}: expected text in UTF-8, and it is {what}")
    try:
        return io.TextIOWrapper(io.BytesIO(content), encoding="utf-8-sig").read()
    except UnicodeDecodeError:
        raise FileRefused(f"{path}: expected text in UTF-8") from None


def write_text(path: Location, text: str, *, overwrite: bool = False) -> None:
    """Write a file whole or not at all: beside its place first, then moved there.

    Raises
    ------
    ValueError
        If something stands there that is not to be lost (see :class:`PreparedFile`), or it cannot be written.
    """
    with PreparedFile(path, overwrite=overwrite or _holds(as_path(path), text)) as prepared:
        prepared.write(text)


class PreparedFile:
    """A place for a file, found writable before the work whose result it takes. Without a result nothing is left.

    Whatever stands there is kept, unless ``overwrite`` says otherwise or it begins as ``own`` says: rows, a domain and
    a manifest are as hard to come by as a tree that was paid for. What is no regular file, a link, a file of two names,
    a budget and an identity are refused by what they are, whatever is said. An existing file stays as it is until the
    new one is whole, and its rights are those of the new one.

    Parameters
    ----------
    path : of the file
    overwrite : whether a file that stands there may be replaced
    own : what a file begins with that was made by the same work, costs nothing to make again, and may be replaced
    """

    def __init__(self, path: Location, *, overwrite: bool = False, own: str = "") -> None:
        given = as_path(path)
        self.path = Path(os.path.realpath(given.parent)) / given.name
        try:
            self._mode = _mode_of(self.path, overwrite, own.encode())
            handle, self._temporary = tempfile.mkstemp(prefix=".fdpedu-", dir=self.path.parent)
        except OSError as error:
            raise ValueError(f"cannot write {path}: {reason(error)}") from None
        self._file = os.fdopen(handle, "w", encoding="utf-8", newline="\n")

    def __enter__(self) -> PreparedFile:
        return self

    def write(self, text: str) -> None:
        try:
            self._file.write(text)
            self._file.flush()
            os.fsync(self._file.fileno())
            self._file.close()
            os.chmod(self._temporary, 0o666 & ~_umask() if self._mode is None else self._mode)
            os.replace(self._temporary, self.path)
            sync(self.path.parent)
        except OSError as error:
            raise ValueError(f"cannot write {self.path}: {reason(error)}") from None

    def __exit__(self, *_: object) -> None:
        self._file.close()
        Path(self._temporary).unlink(missing_ok=True)


def sync(path: Location) -> None:
    """Ask the system that a file, or a folder's list of files, is on the disk."""
    if os.path.isdir(path) and os.name == "nt":  # there a folder cannot be opened
        return
    handle = os.open(path, os.O_RDONLY if os.path.isdir(path) else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _holds(path: Path, text: str) -> bool:
    """Whether a regular file holds just this: then nothing is lost if it is written again."""
    try:
        content = text.encode("utf8")
        return path.is_file() and path.stat().st_size == len(content) and path.read_bytes() == content
    except (OSError, UnicodeEncodeError):
        return False


def _mode_of(path: Path, overwrite: bool, own: bytes = b"") -> int | None:
    """The rights of the file that stands there and may be replaced; None if there is none.

    Raises
    ------
    OSError
        If it may not; the words say what it is.
    """
    try:
        found = path.lstat()
    except FileNotFoundError:
        return None
    if what := next((what for mode, what in _NO_FILES.items() if stat.S_IFMT(found.st_mode) == mode), ""):
        raise FileExistsError(17, f"it is {what}")
    if found.st_nlink > 1:
        raise FileExistsError(17, "it has a second name, a hard link: choose another name")
    with path.open("rb") as file:
        head = file.read(MAX_HEAD)
    if of := next((path.name.removesuffix(end) for end in _BESIDE if path.name.endswith(end)), ""):
        if (path.parent / of).exists():
            raise FileExistsError(17, f"it belongs to the budget {of}")
    if what := next((what for begin, what in _KEPT.items() if head.startswith(begin)), ""):
        raise FileExistsError(17, f"it is {what}, which is never written over; choose another name")
    if head and not overwrite and not (own and head.startswith(own)):
        raise FileExistsError(17, f"{_holding(head)}; choose another name, or say overwrite")
    return stat.S_IMODE(found.st_mode)


def _holding(head: bytes) -> str:
    """What a file that begins so holds, by its content."""
    kind = found[1] if (found := _SCHEMA.match(head)) else b""
    if kind in _PAID:
        return f"{_PAID[kind]} is there, which may have been paid for"
    what = kind_of(head).partition(":")[0]
    return f"{_NAMES.get(kind) or what or 'a file that holds something'} is there"


def reason(error: OSError) -> str:
    """What went wrong, in the words of the operating system: ``no such file or directory``."""
    words = error.strerror or type(error).__name__
    return words[:1].lower() + words[1:]


def understood(where: str, read: Callable[[], T]) -> T:
    """What ``read`` makes of a content that has the right schema; whatever it stumbles over becomes a refusal."""
    try:
        return read()
    except FileRefused:
        raise
    except KeyError as error:
        raise FileRefused(f"{where}: it lacks {error!s:.80}") from None
    except (TypeError, AttributeError, IndexError, ArithmeticError, RecursionError) as error:
        raise FileRefused(f"{where}: it lacks something, or has it in another form ({error!r:.80})") from None
    except ValueError as error:
        raise FileRefused(f"{where}: {error}") from None


def _is_short(program: object) -> bool:
    return type(program) is str and 0 < len(program) <= 100 and program.isprintable()


def other_schema(document: Mapping[str, Any], schema: str) -> str:
    """Which schema a document has in place of the expected one, and which version reads it."""
    stated, program = document.get("schema"), document.get("program", "a newer fdpedu")
    if not isinstance(stated, str):
        return "it has none"
    kind, _, version = schema.rpartition("/")
    other = stated[len(kind) + 1 :]
    if stated.startswith(f"{kind}/") and other.isdecimal() and len(other) < 10:
        newer = int(other) > int(version)
        writer = program if newer and _is_short(program) else "a newer fdpedu" if newer else "an early fdpedu 0.1.0"
        return f"it is {stated!r}: {writer} wrote it, and reads it"
    return f"it is {stated!r:.60}"


def _umask() -> int:
    """The process's umask."""
    current = os.umask(0o077)
    os.umask(current)
    return current

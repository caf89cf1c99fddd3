"""The file of a backup: a tar archive in the layout of mongodump, with a manifest.

    dump/glassflow/panes.bson            the documents of a collection, one after another
    dump/glassflow/panes.metadata.json   its indexes
    manifest.json                        what the archive holds, and what was true of it
    manifest.json.sha256

So `mongorestore` reads what `tar` has unpacked. The manifest has the number of documents
of each collection, the SHA-256 of its file, and a digest of its documents that does not
depend on their order, which a restored collection is compared by.
"""

import tarfile
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import IO, Any

from bson import json_util

FORMAT = 1
MANIFEST = "manifest.json"
CHECKSUM = f"{MANIFEST}.sha256"
BLOCK = tarfile.BLOCKSIZE
READ_BYTES = 4_000_000
MAX_MANIFEST_BYTES = 50_000_000  # a small compressed file may hold a much larger one
MAX_DOCUMENT_BYTES = 16 * 1024 * 1024 + 16 * 1024  # as the store allows inside itself
DIGEST_BITS = 256
READ_ERRORS = (tarfile.TarError, OSError, EOFError, zlib.error, ValueError, KeyError)


class Damaged(Exception):
    """A file is no whole backup; the text says what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Contents:
    """What a collection holds: how many documents, and two checksums as hexadecimal."""

    documents: int
    bytes: int
    sha256: str
    digest: str


class Tally:
    """Counts and sums up documents."""

    def __init__(self) -> None:
        self._documents = self._bytes = self._digest = 0
        self._file = sha256()

    def add(self, batch: bytes) -> None:
        """Add whole documents, one after another."""
        self._file.update(batch)
        self._bytes += len(batch)
        for document in split(batch):
            self._documents += 1
            self._digest += int.from_bytes(sha256(document).digest(), "big")

    def contents(self) -> Contents:
        """Return what was added."""
        digest = self._digest % (1 << DIGEST_BITS)
        return Contents(
            self._documents, self._bytes, self._file.hexdigest(), f"{digest:064x}"
        )


def split(batch: bytes) -> Iterator[memoryview]:
    """Yield the documents of a batch; raises `Damaged` where one has an invalid length."""
    view, start = memoryview(batch), 0
    while start < len(batch):
        end = start + int.from_bytes(view[start : start + 4], "little")
        if not start + 5 <= end <= len(batch) or view[end - 1] != 0:
            raise Damaged("a document has no end")
        yield view[start:end]
        start = end


class BackupWriter:
    """Writes the archive to a file that can be sought in, in one pass."""

    def __init__(self, file: IO[bytes], database: str) -> None:
        self._file = file
        self._database = database
        self._collections: dict[str, Any] = {}

    def add(
        self, name: str, batches: Iterable[bytes], indexes: list[Mapping[str, Any]]
    ) -> None:
        """Add a collection: whole documents in batches, and its indexes."""
        tally = Tally()
        path = f"dump/{self._database}/{name}"
        with self._member(f"{path}.bson"):
            for batch in batches:
                tally.add(batch)
                self._file.write(batch)
        metadata = {"indexes": indexes, "collectionName": name, "type": "collection"}
        self._add_text(f"{path}.metadata.json", _json(metadata))
        self._collections[name] = asdict(tally.contents()) | {"indexes": indexes}

    def finish(self, facts: Mapping[str, Any]) -> None:
        """Add the manifest with these facts, and the end of the archive."""
        own = {"format": FORMAT, "database": self._database}
        manifest = _json(own | dict(facts) | {"collections": self._collections})
        self._add_text(MANIFEST, manifest)
        self._add_text(CHECKSUM, f"{sha256(manifest).hexdigest()}\n".encode())
        self._file.write(bytes(2 * BLOCK))

    @property
    def documents(self) -> int:
        """How many documents have been added."""
        return sum(one["documents"] for one in self._collections.values())

    def _add_text(self, name: str, content: bytes) -> None:
        with self._member(name):
            self._file.write(content)

    @contextmanager
    def _member(self, name: str) -> Iterator[None]:
        """Let the block write a member, whose size its header gets afterwards."""
        start = self._file.tell()
        self._file.write(bytes(BLOCK))
        yield
        end = self._file.tell()
        info = tarfile.TarInfo(name)
        info.size = end - start - BLOCK
        info.mtime, info.mode = int(time.time()), 0o600
        self._file.seek(start)
        self._file.write(info.tobuf(tarfile.GNU_FORMAT))
        self._file.seek(end)
        self._file.write(bytes(-info.size % BLOCK))


class BackupFile:
    """A backup that is read; a whole one may be compressed with gzip, bzip2 or xz.

    Raises `Damaged` if it has no manifest, or one that does not fit its checksum.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        with _reading(path) as archive:
            manifest = _read(archive, MANIFEST)
            #: that of the manifest, and so of the whole backup
            self.checksum = sha256(manifest).hexdigest()
            if _read(archive, CHECKSUM).decode().strip() != self.checksum:
                raise Damaged(f"{MANIFEST} has another checksum")
            self.manifest: dict[str, Any] = json_util.loads(manifest.decode())
            if self.manifest["format"] > FORMAT:
                raise Damaged("a newer release has written it")

    @property
    def collections(self) -> dict[str, Any]:
        """What the manifest says of each collection."""
        found: dict[str, Any] = self.manifest["collections"]
        return found

    def contents(self, name: str) -> Contents:
        """Return what a collection should hold."""
        values = self.collections[name]
        return Contents(**{key: values[key] for key in Contents.__slots__})

    def verify(
        self,
        *,
        watched: Callable[[str, Iterable[bytes]], Iterable[bytes]] = lambda _, one: one,
    ) -> None:
        """Read the whole file; raise `Damaged` where it differs from its manifest.

        `watched` gets the batches of each collection, and returns them.
        """
        for name in self.collections:
            tally = Tally()
            for batch in watched(name, self.batches(name)):
                tally.add(batch)
            if tally.contents() != self.contents(name):
                raise Damaged(f"{name} has other documents than {MANIFEST} says")

    def batches(self, name: str) -> Iterator[bytes]:
        """Yield the documents of a collection, some at a time."""
        member = f"dump/{self.manifest['database']}/{name}.bson"
        with _reading(self._path) as archive:
            found = archive.extractfile(member)
            if found is None:
                raise Damaged(f"{member} is no file")
            rest = b""
            while chunk := found.read(READ_BYTES):
                whole, rest = _whole_documents(rest + chunk)
                if whole:
                    yield whole
            if rest:
                raise Damaged(f"{name} ends within a document")


def _whole_documents(data: bytes) -> tuple[bytes, bytes]:
    """Divide data into the whole documents at its begin, and the rest."""
    end = 0
    while len(data) - end >= 4:
        size = int.from_bytes(data[end : end + 4], "little")
        if not 5 <= size <= MAX_DOCUMENT_BYTES:
            raise Damaged("a document has an impossible length")
        if end + size > len(data):
            break
        end += size
    return data[:end], data[end:]


@contextmanager
def _reading(path: Path) -> Iterator[tarfile.TarFile]:
    try:
        with tarfile.open(path) as archive:
            yield archive
    except READ_ERRORS as error:
        # at the begin of another file, tarfile lists what each compression says of it
        text = "it is no tar archive" if "\n" in str(error) else str(error)
        raise Damaged(text or type(error).__name__) from error


def _read(archive: tarfile.TarFile, name: str) -> bytes:
    found = archive.extractfile(name)
    if found is None:
        raise Damaged(f"{name} is no file")
    content = found.read(MAX_MANIFEST_BYTES + 1)
    if len(content) > MAX_MANIFEST_BYTES:
        raise Damaged(f"{name} is too large")
    return content


def _json(value: Any) -> bytes:
    text = json_util.dumps(value, json_options=json_util.RELAXED_JSON_OPTIONS, indent=1)
    return text.encode()

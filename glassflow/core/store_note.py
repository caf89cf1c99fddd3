"""`DATA_DIR/store.json`: where the embedded store answers, and whose it is."""

import json
import os
import secrets
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True)
class Note:
    """What a running store is known by: `pid` is its process, `owner` who started it."""

    uri: str
    pid: int
    port: int
    owner: int


def read(folder: Path) -> Note | None:
    """Return the note; None if there is none or it is no use."""
    try:
        note = Note(**json.loads(_path(folder).read_text()))
    except (OSError, ValueError, TypeError):
        return None
    sound = all(isinstance(each, int) for each in (note.pid, note.port, note.owner))
    return note if sound else None


def write(folder: Path, note: Note) -> None:
    """Write it whole or not at all: a reader never meets half of it."""
    draft = folder / f".store.json.{secrets.token_hex(4)}"
    draft.touch(mode=0o600)
    draft.write_text(json.dumps(asdict(note)))
    draft.replace(_path(folder))


def remove(folder: Path, *, pid: int) -> None:
    """Remove the note if it still speaks of this process."""
    note = read(folder)
    if note and note.pid == pid:
        _path(folder).unlink(missing_ok=True)


def runs(pid: int) -> bool:
    """Tell whether a process of this number exists, ours or not."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _path(folder: Path) -> Path:
    return folder / "store.json"

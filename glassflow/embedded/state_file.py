"""`DATA_DIR/store.json`: the address and the processes of the running embedded store."""

import json
import os
import secrets
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True)
class State:
    """A running store: its process `pid`, and `owner`, the process that started it."""

    uri: str
    pid: int
    port: int
    owner: int


def read_state(folder: Path) -> State | None:
    """Return the state; None if the file is missing or malformed."""
    try:
        state = State(**json.loads(_path(folder).read_text()))
    except (OSError, ValueError, TypeError):
        return None
    numbers = (state.pid, state.port, state.owner)
    return state if all(isinstance(number, int) for number in numbers) else None


def write(folder: Path, state: State) -> None:
    """Replace the file atomically, so that no reader sees half of it."""
    draft = folder / f".store.json.{secrets.token_hex(4)}"
    draft.touch(mode=0o600)
    draft.write_text(json.dumps(asdict(state)))
    draft.replace(_path(folder))


def remove(folder: Path, *, pid: int) -> None:
    """Remove the file if it still describes this store process."""
    state = read_state(folder)
    if state and state.pid == pid:
        _path(folder).unlink(missing_ok=True)


def is_running(pid: int) -> bool:
    """Return whether a process with this id exists, ours or not."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _path(folder: Path) -> Path:
    return folder / "store.json"

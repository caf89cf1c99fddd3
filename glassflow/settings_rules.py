"""What settings must hold to, and the secret that is made up when none is given."""

import os
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any

SECRET_LENGTH = 32
SECRET_VARIETY = 8  # different characters: fewer are a word or a key held down

_CHOICES = {
    "DELETE_POLICY": ("restrict", "cascade"),
    "SCAN_POLICY": ("guided", "lenient"),
    "LOG_LEVEL": ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"),
}
_AT_LEAST = {
    "PORT": 0,
    "WORKERS": 1,
    "LOGIN_ATTEMPTS_PER_MINUTE": 1,
    "ARGON2_TIME_COST": 1,
    "ARGON2_MEMORY_KIB": 8,
    "TRUSTED_PROXIES": 0,
    "SCAN_REPEAT_SECONDS": 0,
    "DEFAULT_PAGE_SIZE": 1,
    "MAX_PAGE_SIZE": 1,
    "MAX_ARRAY_LENGTH": 1,
    "MAX_BODY_BYTES": 1,
    "MAX_CLAIM_BODY_BYTES": 1,
    "SOCKET_EVENTS_PER_SECOND": 1,
    "SOCKET_ROOMS": 1,
    "SOCKETS_PER_WORKER": 1,
    "SOCKET_BACKLOG": 1,
}


class SettingsError(Exception):
    """A setting is missing or makes no sense; the message is one clear sentence."""


def is_weak(secret: str) -> bool:
    """Tell whether a secret is short, of few characters, or one piece repeated."""
    repeated = secret in (secret + secret)[1:-1]
    return len(secret) < SECRET_LENGTH or len(set(secret)) < SECRET_VARIETY or repeated


def check(settings: Mapping[str, Any]) -> None:
    """Raise `SettingsError` for the first setting that the service must not have."""
    for name, allowed in _CHOICES.items():
        if settings[name] not in allowed:
            raise SettingsError(
                f"{name} must be one of {', '.join(allowed)}, not {settings[name]!r}."
            )
    for name, least in _AT_LEAST.items():
        if settings[name] < least:
            raise SettingsError(
                f"{name} must be at least {least}, not {settings[name]}."
            )
    if settings["PORT"] > 65535:
        raise SettingsError(f"PORT must be at most 65535, not {settings['PORT']}.")
    if settings["STRICT_START"]:
        _check_strictly(settings)


def _check_strictly(settings: Mapping[str, Any]) -> None:
    if not settings["JWT_SECRET"]:
        raise SettingsError(
            "JWT_SECRET is not set, and production makes up none: set it to at least "
            f"{SECRET_LENGTH} random characters (for example from `openssl rand -hex 32`)."
        )
    if is_weak(settings["JWT_SECRET"]):
        raise SettingsError(
            f"JWT_SECRET is too weak: it needs at least {SECRET_LENGTH} random "
            "characters (for example from `openssl rand -hex 32`)."
        )
    if not settings["MONGODB_URI"]:
        raise SettingsError(
            "MONGODB_URI is not set, and production does not use the embedded store: "
            "set it to the address of a MongoDB replica set (one node is enough)."
        )


def kept_secret(folder: Path) -> str:
    """Return the secret kept in the data directory; make it the first time.

    Kept, so that tokens outlive a restart; linked into place, so that two processes
    starting at once agree on one.
    """
    path = folder / "jwt_secret"
    try:
        if not path.exists():
            folder.mkdir(parents=True, exist_ok=True)
            draft = folder / f".jwt_secret.{os.getpid()}.{secrets.token_hex(4)}"
            draft.touch(mode=0o600)
            draft.write_text(secrets.token_hex(32))
            try:
                os.link(draft, path)
            except FileExistsError:
                pass  # another process was first: its secret is the one
            finally:
                draft.unlink()
        return path.read_text().strip()
    except OSError as error:
        raise SettingsError(
            f"DATA_DIR {folder} cannot be used ({error.strerror}); "
            "set DATA_DIR to a directory that glassflow may write."
        ) from error

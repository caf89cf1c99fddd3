"""The rules that settings must follow, and the generated secret."""

import os
import re
import secrets
from collections.abc import Mapping
from ipaddress import ip_network
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import click

from glassflow.labels.printers import parse_printers
from glassflow.labels.sheets import parse_sheets

MIN_SECRET_LENGTH = 32
MIN_SECRET_CHARACTERS = 8  # different ones; fewer are a word or a repeated key
# Words of the examples that are copied from guides and never replaced.
PLACEHOLDER = re.compile(
    r"change.?(me|this|it)|placeholder|example|replace|secret|password|default|insecure",
    re.IGNORECASE,
)

_CHOICES = {
    "DELETE_POLICY": ("restrict", "cascade"),
    "SCAN_POLICY": ("guided", "lenient"),
    "LOG_LEVEL": ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"),
    "LOG_FORMAT": ("text", "json"),
}
_MINIMUM = {
    "PORT": 0,
    "HTTPS_PORT": 0,
    "WORKERS": 1,
    "LOGIN_ATTEMPTS_PER_MINUTE": 1,
    "LOGIN_ATTEMPTS_PER_ADDRESS": 1,
    "LOGIN_ATTEMPTS_PER_USERNAME": 1,
    "DEVICE_ATTEMPTS_PER_MINUTE": 1,
    "PIN_ATTEMPTS_PER_MINUTE": 1,
    "PIN_FAILURES_PER_DAY": 1,
    "PASSWORD_MIN_LENGTH": 6,
    "REQUESTS_AT_ONCE": 1,
    "ARGON2_TIME_COST": 1,
    "ARGON2_MEMORY_KIB": 8,
    "TRUSTED_PROXIES": 0,
    "SCAN_REPEAT_SECONDS": 0,
    "DEFAULT_PAGE_SIZE": 1,
    "MAX_PAGE_SIZE": 1,
    "MAX_ARRAY_LENGTH": 1,
    "MAX_BODY_BYTES": 1,
    "MAX_CLAIM_BODY_BYTES": 1,
    "EXPORT_MAX_ROWS": 1,
    "MAX_IMPORT_ROWS": 1,
    "MAX_IMPORT_BYTES": 1,
    "MAX_WEBHOOKS": 0,
    "BACKUP_KEEP": 1,
    "SOCKET_EVENTS_PER_SECOND": 1,
    "SOCKET_ROOMS": 1,
    "SOCKETS_PER_WORKER": 1,
    "SOCKET_BACKLOG": 1,
}


class StartError(click.ClickException):
    """The service cannot start; the message is one clear sentence.

    As a ClickException, so that a `flask` command prints it without a traceback.
    """


class SettingsError(StartError):
    """A setting is missing or invalid."""


def is_weak(secret: str) -> bool:
    """Return whether a secret is short, has few characters, repeats itself or is a
    placeholder.
    """
    repeated = secret in (secret + secret)[1:-1]
    varied = len(set(secret)) >= MIN_SECRET_CHARACTERS
    too_short = len(secret) < MIN_SECRET_LENGTH
    return too_short or not varied or repeated or bool(PLACEHOLDER.search(secret))


def check(settings: Mapping[str, Any]) -> None:
    """Raise `SettingsError` for the first invalid setting."""
    for name, allowed in _CHOICES.items():
        if settings[name] not in allowed:
            raise SettingsError(
                f"{name} must be one of {', '.join(allowed)}, not {settings[name]!r}."
            )
    for name, minimum in _MINIMUM.items():
        if settings[name] < minimum:
            raise SettingsError(
                f"{name} must be at least {minimum}, not {settings[name]}."
            )
    for name in ("PORT", "HTTPS_PORT"):
        if settings[name] > 65535:
            raise SettingsError(f"{name} must be at most 65535, not {settings[name]}.")
    if settings["PORT"] and settings["HTTPS_PORT"] == settings["PORT"]:
        raise SettingsError("HTTPS_PORT must be another port than PORT.")
    if settings["PASSWORD_MIN_LENGTH"] > 64:
        raise SettingsError("PASSWORD_MIN_LENGTH must be at most 64.")
    _check_timezone(settings["TIMEZONE"])
    _check_labels(settings)
    _check_webhooks(settings)
    if settings["STRICT_START"]:
        _check_strict_start(settings)


def _check_timezone(name: str) -> None:
    try:
        ZoneInfo(name)
    # a name with ".." or a folder's is a ValueError or an OSError
    except (KeyError, ValueError, OSError):
        raise SettingsError(
            f"TIMEZONE must be the name of a time zone like Asia/Bangkok, not {name!r}."
        ) from None


def _check_labels(settings: Mapping[str, Any]) -> None:
    try:
        parse_printers(settings["PRINTERS"])
    except ValueError as error:
        raise SettingsError(
            f"PRINTERS: {error} must be an address and, unless it has 203, the dpi 300 "
            "or 600, like zebra=tcp://192.168.1.50:9100 300."
        ) from None
    try:
        parse_sheets(settings["LABEL_SHEETS"])
    except ValueError as error:
        raise SettingsError(
            f"LABEL_SHEETS: {error} must be columns and rows, the cell, the margin at the "
            "left and top, and the pitch, in mm on A4, like "
            "ours=3x7 63.5x38.1 7.2x15.1 66x38.1."
        ) from None


def _check_webhooks(settings: Mapping[str, Any]) -> None:
    for word in settings["WEBHOOK_NETWORKS"]:
        try:
            ip_network(word)
        except ValueError:
            raise SettingsError(
                f"WEBHOOK_NETWORKS: {word!r} must be a network or an address, like "
                "192.168.1.0/24."
            ) from None


def require_mongodb_uri(settings: Mapping[str, Any]) -> None:
    """Raise `SettingsError` if no store is named; called where none can be started."""
    if not settings["MONGODB_URI"]:
        raise SettingsError(
            "MONGODB_URI is not set: set it to the address of a MongoDB replica set, or "
            "run `make run`, which starts the embedded store."
        )


def serves_metrics(settings: Mapping[str, Any]) -> bool:
    """Return whether there is a path `/metrics`; without a token not in production."""
    return bool(settings["METRICS_TOKEN"] or not settings["STRICT_START"])


def note_on_redis(workers: int, settings: Mapping[str, Any]) -> str:
    """Return what several worker processes lack without Redis; empty if nothing."""
    if workers == 1 or settings["REDIS_URL"]:
        return ""
    return (
        f"{workers} processes without REDIS_URL: each looks for events of the others "
        "every half second, so that they arrive up to 1.5 s later; with Redis at once"
    )


def _check_strict_start(settings: Mapping[str, Any]) -> None:
    if not settings["JWT_SECRET"]:
        raise SettingsError(
            "JWT_SECRET is not set, and production generates none: set it to at least "
            f"{MIN_SECRET_LENGTH} random characters (for example from "
            "`openssl rand -hex 32`)."
        )
    if is_weak(settings["JWT_SECRET"]):
        raise SettingsError(
            f"JWT_SECRET is too weak: it needs at least {MIN_SECRET_LENGTH} random "
            "characters (for example from `openssl rand -hex 32`)."
        )
    if settings["METRICS_TOKEN"] and is_weak(settings["METRICS_TOKEN"]):
        raise SettingsError(
            f"METRICS_TOKEN is too weak: it needs at least {MIN_SECRET_LENGTH} random "
            "characters (for example from `openssl rand -hex 32`)."
        )
    if not settings["MONGODB_URI"]:
        raise SettingsError(
            "MONGODB_URI is not set, and production does not use the embedded store: "
            "set it to the address of a MongoDB replica set (one node is enough)."
        )


def generated_secret(folder: Path) -> str:
    """Return the secret stored in the data directory; generate it the first time.

    It is stored, so that tokens survive a restart. A hard link creates the file, so
    that two processes that start at once agree on one secret. Raises `SettingsError`
    if the directory cannot be written.
    """
    path = folder / "jwt_secret"
    try:
        if not path.exists():
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            draft = folder / f".jwt_secret.{os.getpid()}.{secrets.token_hex(4)}"
            draft.touch(mode=0o600)
            draft.write_text(secrets.token_hex(32))
            try:
                os.link(draft, path)
            except FileExistsError:
                pass  # another process was first: use its secret
            finally:
                draft.unlink()
        return path.read_text().strip()
    except OSError as error:
        raise SettingsError(
            f"DATA_DIR {folder} cannot be used ({error.strerror}); "
            "set DATA_DIR to a directory that glassflow may write."
        ) from error

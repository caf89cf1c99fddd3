"""The rules that concern several settings, and secrets."""

import os
import re
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

MIN_SECRET_LENGTH = 32
MIN_SECRET_CHARACTERS = 8  # different ones; fewer are a word or a repeated key
# Words of the examples that are copied from guides and never replaced.
PLACEHOLDER = re.compile(
    r"change.?(me|this|it)|placeholder|example|replace|secret|password|default|insecure",
    re.IGNORECASE,
)


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
    """Raise `SettingsError` for the first of the rules that concern several settings."""
    if settings["PORT"] and settings["HTTPS_PORT"] == settings["PORT"]:
        raise SettingsError("HTTPS_PORT must be another port than PORT.")
    if settings["STRICT_START"]:
        _check_strict_start(settings)


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

"""`flask doctor`: what the service finds around it, and what is wrong with that."""

import os
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import click
import redis
from flask import current_app
from flask.cli import with_appcontext
from mongoengine.connection import get_connection
from pymongo.errors import PyMongoError

from glassflow import models
from glassflow.cli import store
from glassflow.core.store_check import why_without_transactions
from glassflow.services import seeding
from glassflow.settings import load_settings

SECRETS = frozenset({"JWT_SECRET"})
ADDRESSES = frozenset({"MONGODB_URI", "REDIS_URL"})
REDIS_PATIENCE = 3.0  # seconds
OVERRIDES = "settings from the environment"


class Finding(NamedTuple):
    """One row of the table; `fine` False makes the command fail."""

    what: str
    found: str
    fine: bool = True


Check = Callable[[Mapping[str, Any]], Iterator[Finding]]


@click.command("doctor")
@with_appcontext
def doctor() -> None:
    """Look at store, transactions, indexes, queue and settings; 1 if one is wrong."""
    findings = examine(current_app.config)
    width = max(len(finding.what) for finding in findings)
    for what, found, fine in findings:
        click.echo(f"{'ok   ' if fine else 'WRONG'}  {what:<{width}}  {found}")
    if not all(finding.fine for finding in findings):
        raise SystemExit(1)


def examine(config: Mapping[str, Any]) -> list[Finding]:
    """Look at everything; what a store that is away would have told is left out."""
    findings: list[Finding] = []
    try:
        for check in OF_THE_STORE:
            findings += check(config)
    except PyMongoError as error:
        findings.append(Finding("store", _first_words(error), fine=False))
    for check in AROUND_IT:
        findings += check(config)
    return findings


def _store(config: Mapping[str, Any]) -> Iterator[Finding]:
    """The kind and version of the store, and where it answers."""
    about = get_connection().server_info()
    own = about.get("secantusVersion")
    kind = f"SecantusDB {own}, embedded" if own else f"MongoDB {about['version']}"
    yield Finding("store", kind)
    uri = store.borrowed[0] if store.borrowed else config["MONGODB_URI"]
    yield Finding("store address", f"{masked('MONGODB_URI', uri)} {_place(config)}")


def _place(config: Mapping[str, Any]) -> str:
    return f"(files in {config['DATA_DIR']})" if store.borrowed else ""


def _transactions(config: Mapping[str, Any]) -> Iterator[Finding]:
    """Whether a change inside a transaction can be taken back."""
    why = why_without_transactions(get_connection())
    yield Finding("transactions", why or "work", fine=why is None)


def _indexes(config: Mapping[str, Any]) -> Iterator[Finding]:
    """Whether the indexes that the models declare are in the store."""
    missing = [m.__name__ for m in models.ALL if m.compare_indexes()["missing"]]
    told = f"missing for {', '.join(missing)}: run `flask indexes`"
    yield Finding("indexes", told if missing else "all there", fine=not missing)


def _people(config: Mapping[str, Any]) -> Iterator[Finding]:
    """Whether somebody can log in and manage the rest."""
    there = seeding.has_admin()
    told = "there is one" if there else "nobody holds `*`: run `flask seed admin`"
    yield Finding("admin", told, fine=there)


def _queue(config: Mapping[str, Any]) -> Iterator[Finding]:
    """Whether the queue between processes answers, if one is set."""
    url = config["REDIS_URL"]
    if not url:
        yield Finding("queue", "none (one process needs none)")
        return
    try:
        with redis.Redis.from_url(url, socket_timeout=REDIS_PATIENCE) as client:
            client.ping()
        yield Finding("queue", f"{masked('REDIS_URL', url)} answers")
    except (redis.RedisError, ValueError) as error:
        told = f"{masked('REDIS_URL', url)}: {_first_words(error)}"
        yield Finding("queue", told, fine=False)


def _settings(config: Mapping[str, Any]) -> Iterator[Finding]:
    """The profile, and what the environment overrides in it."""
    yield Finding("profile", os.environ.get("GLASSFLOW_CONFIG") or "development")
    given = [
        f"{name}={masked(name, os.environ[name])}"
        for name in sorted(set(load_settings()) & set(os.environ))
        if not (name == "MONGODB_URI" and store.borrowed)
    ]
    yield Finding(OVERRIDES, ", ".join(given) or "none")


OF_THE_STORE: tuple[Check, ...] = (_store, _transactions, _indexes, _people)
AROUND_IT: tuple[Check, ...] = (_queue, _settings)


def masked(name: str, value: str) -> str:
    """Give a setting as it may be shown: no secret, no password in an address."""
    if name in SECRETS:
        return "***" if value else "(empty)"
    if name in ADDRESSES and "@" in value:
        where = urlsplit(value)
        return f"{where.scheme}://***@{where.netloc.rpartition('@')[2]}{where.path}"
    return value


def _first_words(error: Exception) -> str:
    return str(error).partition(" (configured")[0].partition("\n")[0]

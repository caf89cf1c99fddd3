"""`flask doctor`: the state of store, indexes, queue, files and settings."""

import os
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import click
import redis
from flask import current_app
from flask.cli import with_appcontext
from mongoengine.connection import get_connection
from pymongo.errors import PyMongoError

from glassflow import models, runtime
from glassflow.cli import store
from glassflow.core.events import dead_letters, publisher_lease
from glassflow.core.process import deadlines, disk
from glassflow.core.store import migrations
from glassflow.core.store.connection import is_embedded
from glassflow.core.store.migrations import UnusableStore
from glassflow.core.store.mongo_check import MIN_VERSION, SENTENCES, Lack, lack
from glassflow.host import data_files, private_files
from glassflow.host.mail_settings import is_sender
from glassflow.services import archives, prepare, seeding, webhooks, workshop
from glassflow.services.backups import records as backup_records
from glassflow.settings import load_settings
from glassflow.settings_remarks import remarks
from glassflow.settings_rules import note_on_redis

SECRETS = frozenset({"JWT_SECRET", "METRICS_TOKEN"})
ADDRESSES = frozenset({"MONGODB_URI", "REDIS_URL", "SMTP_URL"})
PLAIN = (
    "the extension of the store is for another version, so the store answers wrongly in "
    "known cases, and slowly: install the version that setup.cfg pins"
)
WITHOUT_PASSWORD = (
    "not asked for: every account of this machine can read and change the data; "
    "start the service again, on the release of this command"
)

#: Writes that are tried, and how long one of them may take. At 100 ms a request takes 0.2 s,
#: a deletion 0.6 s; at 500 ms requests end without an answer (3.2 s).
PROBES, SLOW_S = 10, 0.3

#: For how long MongoDB keeps the moment that a backup shows, unless it is told otherwise.
SNAPSHOT_S = 300
SHORT_SNAPSHOT = (
    f"a backup fails that takes longer than the {SNAPSHOT_S} s for which MongoDB keeps a "
    "snapshot: raise minSnapshotHistoryWindowInSeconds, unless that has been done"
)
WITHOUT_PUBLIC_URL = (
    "PUBLIC_URL is unset: an e-mail has a link for the customer only where the office is "
    "opened by one of ALLOWED_HOSTS"
)


class Finding(NamedTuple):
    """One row of the output; `ok` False makes the command fail."""

    subject: str
    result: str
    ok: bool = True


Check = Callable[[Mapping[str, Any]], Iterator[Finding]]


@click.command("doctor")
@with_appcontext
def doctor() -> None:
    """Check store, transactions, indexes, queue, files and settings; 1 if one fails."""
    findings = examine(current_app.config)
    width = max(len(finding.subject) for finding in findings)
    for subject, result, ok in findings:
        click.echo(f"{'ok   ' if ok else 'WRONG'}  {subject:<{width}}  {result}")
    if not all(finding.ok for finding in findings):
        raise SystemExit(1)


def examine(config: Mapping[str, Any]) -> list[Finding]:
    """Run all checks; after the store fails, its other checks are left out."""
    findings: list[Finding] = []
    try:
        for check in STORE_CHECKS:
            findings += check(config)
    except PyMongoError as error:
        own = store.own()
        damage = own.damage() if own else ""
        findings.append(Finding("store", damage or _first_clause(error), ok=False))
    for check in OTHER_CHECKS:
        findings += check(config)
    return findings


def _store(config: Mapping[str, Any]) -> Iterator[Finding]:
    """The kind, version and address of the store."""
    server = get_connection().server_info()
    embedded = server.get("secantusVersion")
    if not embedded:
        yield Finding("store", f"MongoDB {server['version']}")
    elif server.get("glassflowExtension"):
        yield Finding("store", f"SecantusDB {embedded}, embedded, extended")
    else:
        yield Finding("store", f"SecantusDB {embedded}, embedded: {PLAIN}", ok=False)
    if embedded:
        options = get_connection().admin.command("getCmdLineOpts")
        asks = "security" in options["parsed"]
        result = "asked for" if asks else WITHOUT_PASSWORD
        yield Finding("store password", result, ok=asks)
    files = f"(files in {config['DATA_DIR']})" if store.embedded_uri() else ""
    uri = store.embedded_uri() or config["MONGODB_URI"]
    yield Finding("store address", f"{masked('MONGODB_URI', uri)} {files}")


def _fitness(config: Mapping[str, Any]) -> Iterator[Finding]:
    """Whether the store is new enough and has transactions."""
    missing = lack(get_connection(), config["MONGODB_DB"])
    if missing is Lack.VERSION:
        yield Finding("store version", SENTENCES[missing], ok=False)
        return
    yield Finding("store version", f"at least MongoDB {MIN_VERSION}, as needed")
    if missing is Lack.TRANSACTIONS:
        yield Finding("transactions", SENTENCES[missing], ok=False)
    else:
        yield Finding("transactions", "work")


def _speed(config: Mapping[str, Any]) -> Iterator[Finding]:
    """How long the store takes to acknowledge a write."""
    for _ in range(PROBES):
        started = time.monotonic()
        publisher_lease.write_probe()
        taken_s = time.monotonic() - started
        if taken_s < SLOW_S:
            break
    slow = taken_s >= SLOW_S
    words = ": the disk is slow, and requests that write fail" if slow else ""
    yield Finding("store writes", f"{taken_s * 1000:,.0f} ms{words}", ok=not slow)


def _migrations(config: Mapping[str, Any]) -> Iterator[Finding]:
    """Whether the data are as this release writes them."""
    try:
        migrations.refuse_unusable()
    except UnusableStore as error:
        yield Finding("migrations", str(error), ok=False)
        return
    pending = migrations.pending(migrations.done())
    result = f"pending: {', '.join(pending)}: run `flask migrate`"
    yield Finding("migrations", result if pending else "all done", ok=not pending)


def _indexes(config: Mapping[str, Any]) -> Iterator[Finding]:
    """Whether the store has the indexes that the models declare, with their options."""
    found = list(prepare.differences(models.ALL))
    missing = [f"{one.collection}.{one.index}" for one in found if one.is_missing]
    other = [f"{one.collection}.{one.index}" for one in found if not one.is_missing]
    parts = [f"missing: {', '.join(missing)}: run `flask indexes`"] if missing else []
    parts += [f"with other options: {', '.join(other)}: drop them"] if other else []
    yield Finding("indexes", "; ".join(parts) or "all there", ok=not found)


def _admin(config: Mapping[str, Any]) -> Iterator[Finding]:
    """Whether a worker can log in who may do everything."""
    exists = seeding.has_admin()
    result = "there is one" if exists else "nobody holds `*`: run `flask seed admin`"
    yield Finding("admin", result, ok=exists)


def _dead_letters(config: Mapping[str, Any]) -> Iterator[Finding]:
    """Whether events could not be published."""
    count, result = dead_letters.count(), "none"
    if count:
        newest = ", ".join(
            f"{row['subject']}: {row['reason']}" for row in dead_letters.newest(3)
        )
        result = f"{count} (newest: {newest}); see `flask dead-letters --help`"
    yield Finding("dead letters", result, ok=not count)


def _backup(config: Mapping[str, Any]) -> Iterator[Finding]:
    """How old the last backup is, and whether the scheduled ones are made."""
    found, every_s = backup_records.last(), config["BACKUP_EVERY"]
    parts = ["none" if found is None else _described(found)]
    parts += [] if every_s else ["none is scheduled (BACKUP_EVERY)"]
    failed = backup_records.failure() if every_s else None
    parts += [f"the last attempt failed: {failed}"] if failed else []
    if found and (found.took_s or 0) > SNAPSHOT_S / 2 and not is_embedded():
        parts.append(SHORT_SNAPSHOT)
    late = backup_records.is_late(found, every_s)
    yield Finding("backup", "; ".join(parts), ok=not late and not failed)


def _archives(config: Mapping[str, Any]) -> Iterator[Finding]:
    """Whether this machine has the files that pane logs have been moved into."""
    found = archives.files()
    missing = ", ".join(one.name for one in found if not one.is_there)
    size = f"{sum(one.bytes for one in found) / 1e6:.1f} MB"
    result = f"{len(found)} files, {size}" if found else "none"
    if missing:
        folder = runtime.current().archive_folder
        result = (
            f"not as written, or not in {folder}: {missing}; copy them from a backup"
        )
    yield Finding("archives of pane logs", result, ok=not missing)


def _described(found: backup_records.Last) -> str:
    hours = found.age_s / 3600
    age = f"{hours / 24:.0f} days" if hours >= 48 else f"{hours:.1f} hours"
    size = f"{found.size / 1e6:.1f} MB"
    took = "" if found.took_s is None else f", made in {found.took_s:.0f} s"
    return f"{age} old, {size} in {found.file} on {found.host}{took}"


def _webhooks(config: Mapping[str, Any]) -> Iterator[Finding]:
    """Whether the webhooks deliver, and what is parked or lost."""
    for row, state in webhooks.with_states():
        found = webhooks.problems(row, state)
        result = "; ".join(found) or "delivers, or is switched off"
        yield Finding(f"webhook {row['url']}", result, ok=not found)


def _queue(config: Mapping[str, Any]) -> Iterator[Finding]:
    """Whether Redis answers, if it is configured."""
    url = config["REDIS_URL"]
    if not url:
        note = note_on_redis(config["WORKERS"], config)
        yield Finding("queue", note or "none (one process needs none)")
        return
    try:
        with redis.Redis.from_url(
            url, socket_timeout=deadlines.DOCTOR_TIMEOUT_S
        ) as client:
            client.ping()
        yield Finding("queue", f"{masked('REDIS_URL', url)} answers")
    except (redis.RedisError, ValueError) as error:
        result = f"{masked('REDIS_URL', url)}: {_first_clause(error)}"
        yield Finding("queue", result, ok=False)


def _mail(config: Mapping[str, Any]) -> Iterator[Finding]:
    """Whether quotes can be sent by e-mail, and where their links lead.

    Loading the settings checks MAIL_FROM and PUBLIC_URL.
    """
    url = config["SMTP_URL"]
    if not url:
        yield Finding("e-mail", "off (SMTP_URL)")
        return
    email = workshop.email()
    sender = config["MAIL_FROM"] or email
    if is_sender(sender):
        yield Finding("e-mail", f"on, by {masked('SMTP_URL', url)}, from {sender}")
        yield Finding("links", config["PUBLIC_URL"] or WITHOUT_PUBLIC_URL)
        return
    lack = f"is no sender: {email!r}" if email else "is empty"
    result = f"off: MAIL_FROM is unset, and the e-mail of the page Workshop {lack}"
    yield Finding("e-mail", result, ok=False)


def _seeds(config: Mapping[str, Any]) -> Iterator[Finding]:
    """Whether the files that `flask seed` reads are installed."""
    count = len(list(data_files.SEEDS.rglob("*.json")))
    result = f"{count} files in {data_files.SEEDS}"
    yield Finding("seeds", result, ok=count > 0)


def _settings(config: Mapping[str, Any]) -> Iterator[Finding]:
    """The profile, and the settings that the environment overrides."""
    profile = os.environ.get("GLASSFLOW_CONFIG") or "development"
    yield Finding("profile", f"{profile}, in {data_files.PROFILES}")
    overrides = [
        f"{name}={masked(name, os.environ[name])}"
        for name in sorted(set(load_settings()) & set(os.environ))
        if not (name == "MONGODB_URI" and store.embedded_uri())
    ]
    yield Finding("settings from the environment", ", ".join(overrides) or "none")
    resources = current_app.extensions["resources"]
    for remark in remarks(config, os.environ, [one.name for one in resources]):
        yield Finding("setting without its effect", remark, ok=False)


def _files(config: Mapping[str, Any]) -> Iterator[Finding]:
    """Whether other users of the machine may read what is in DATA_DIR."""
    folder = Path(config["DATA_DIR"])
    exposed = private_files.is_exposed(folder)
    result = f"open to other users of this machine: run `chmod -R go= {folder}`"
    yield Finding("DATA_DIR", result if exposed else "private", ok=not exposed)


def _disk(config: Mapping[str, Any]) -> Iterator[Finding]:
    """How much the disks of DATA_DIR and BACKUP_DIR have left."""
    for name, folder in disk.directories(config).items():
        free = disk.free_bytes(folder)
        if free is not None:
            fault = " is nearly full: free space" if disk.is_full(folder) else ""
            if disk.is_read_only(folder):
                fault = " is read-only: its disk may be failing"
            result = f"{free / 1e6:,.0f} MB free in {folder}{fault}"
            yield Finding(f"disk of the {name}", result, ok=not fault)


STORE_CHECKS: tuple[Check, ...] = (
    _store,
    _fitness,
    _speed,
    _migrations,
    _indexes,
    _admin,
    _dead_letters,
    _backup,
    _archives,
    _webhooks,
    _mail,
)
OTHER_CHECKS: tuple[Check, ...] = (_queue, _seeds, _files, _disk, _settings)


def masked(name: str, value: str) -> str:
    """Return a setting as it may be shown: no secret, no password in an address."""
    if name in SECRETS:
        return "***" if value else "(empty)"
    if name in ADDRESSES and "@" in value:
        url = urlsplit(value)
        return f"{url.scheme}://***@{url.netloc.rpartition('@')[2]}{url.path}"
    return value


def _first_clause(error: Exception) -> str:
    whole = str(error).partition(", full error")[0]
    return whole.partition(" (configured")[0].partition("\n")[0]

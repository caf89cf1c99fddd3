"""Settings that cannot have the effect that is meant: misspelt names, values that match nothing.

They do not prevent a start: `flask doctor` and gunicorn's master name them.
"""

import os
import re
from collections.abc import Collection, Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from glassflow.host.public_url import host_of, is_local

ORIGIN = re.compile(r"\*|https?://[^/\s]+")  # as browsers send it
# Former settings, and where their values are now.
MOVED = {"WORKSHOP_NAME": "the page Workshop of the office has the name"}
ALIKE = 0.85  # of 1, how much a misspelt name is like the setting


def remarks(
    settings: Mapping[str, Any],
    environment: Collection[str],
    resources: Collection[str] | None = None,
) -> Iterator[str]:
    """Yield a sentence for each setting that has no effect, or not the one that is meant.

    `environment` are the names of the environment variables, `resources` those of the
    lists of the API, where they are known.
    """
    for name in sorted(set(environment) - settings.keys()):
        if name in MOVED:
            yield f"{name} is no setting any more: {MOVED[name]}"
        elif found := get_close_matches(name, settings, n=1, cutoff=ALIKE):
            yield f"{name} is no setting: was {found[0]} meant?"
    for origin in settings["CORS_ORIGINS"]:
        if not ORIGIN.fullmatch(origin):
            yield (
                f"CORS_ORIGINS: {origin} is no origin: it has a scheme and no path, "
                "like https://example.com"
            )
    if settings["DEFAULT_PAGE_SIZE"] > settings["MAX_PAGE_SIZE"]:
        yield "DEFAULT_PAGE_SIZE is larger than MAX_PAGE_SIZE, which limits it"
    if settings["REDIS_URL"] and "://" not in settings["REDIS_URL"]:
        yield "REDIS_URL has no scheme: it is like redis://localhost:6379"
    if settings["PUBLIC_URL"] and is_local(host_of(settings["PUBLIC_URL"])):
        yield f"PUBLIC_URL: customers cannot open {settings['PUBLIC_URL']}"
    if settings["MAIL_FROM"] and not settings["SMTP_URL"]:
        yield "MAIL_FROM: without SMTP_URL no e-mail is sent"
    if settings["BACKUP_EVERY"]:
        folder = Path(settings["BACKUP_DIR"])
        there = next(one for one in (folder, *folder.parents) if one.exists())
        if not (there.is_dir() and os.access(there, os.W_OK)):
            yield f"BACKUP_DIR: {folder} cannot be written"
    for setting in ("DEFAULT_PAGE_SIZES", "REQUIRE_IF_MATCH") if resources else ():
        for name in settings[setting]:
            if name not in (resources or ()):
                yield f"{setting}: there is no list {name}"

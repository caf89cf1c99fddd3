"""`flask docs`: write the files that are printed from the code."""

from collections.abc import Iterable, Iterator

import click
from flask import Flask, current_app
from flask.cli import with_appcontext

from glassflow.cli.deletion_page import deletion_page
from glassflow.cli.error_codes_page import error_codes_page
from glassflow.cli.openapi_file import openapi_file
from glassflow.cli.page_modules import page_modules
from glassflow.domain import permissions
from glassflow.domain.panes import table
from glassflow.host.data_files import IN_WHEEL, REPOSITORY
from glassflow.services.records.restricted_fields import RESTRICTED
from glassflow.web import auth

PAGES = "glassflow/pages/static"

_INTRODUCTION = """\
# Who may do what

Printed from `glassflow/domain/permissions.py` and from the routes by `flask docs`.
A key of `:manage` implies the other keys of its resource; `*` implies all. `customers:names`
shows the short names of customers where they are populated, and nothing else of them;
`customers:view` implies it. `GET /api/roles/permissions` does not list it."""

_FIELDS_INTRODUCTION = """\
## Fields that need a further key

A caller who reads records without one of these keys is sent them without the fields, and
neither finds, filters nor sorts by them: in answers, files, history, events and papers. So
prices, and names, telephones and addresses of customers, are read by those who work with
them. On the board, `recipient` is null. A driver (`panes:scan`) is shown to whom and where a
delivery goes by `GET /api/deliveries/open`, its checklist and its note, as long as it can be
handed over or undone.

| Record | Fields | One of the keys |
| --- | --- | --- |"""

_ROUTES_INTRODUCTION = """\
## Every route, its key, and the roles that pass

A mark says that a token of this role as it is seeded passes the check of the key; without
it, the answer is 403. `device` is the account of a shared device by itself, which only
reads: who has identified there passes where both roles do. Some views ask for more, for
example that one's own claim is decided by somebody else.
"""
ROLES = {**permissions.SYSTEM_ROLES, **permissions.ACCOUNT_ROLES}


@click.command("docs")
@with_appcontext
def docs() -> None:
    """Write what is printed from the code: files in docs/, and modules of the pages."""
    if IN_WHEEL:
        raise click.ClickException("flask docs writes to the repository; run it there.")
    files = {
        "docs/pane-flow.md": table.describe(),
        "docs/permissions.md": permission_page(current_app),
        "docs/deletion.md": deletion_page(),
        "docs/errors.md": error_codes_page(),
        "docs/openapi.json": openapi_file(current_app.extensions["openapi"]()),
    }
    files |= {f"{PAGES}/{name}": text for name, text in page_modules().items()}
    for name, text in files.items():
        path = REPOSITORY / name
        changed = not path.exists() or path.read_text("utf-8") != text
        path.write_text(text, encoding="utf-8")
        click.echo(f"{name}: {'written' if changed else 'unchanged'}")


def permission_page(app: Flask) -> str:
    """Return the page of permission keys, system roles and routes, as Markdown."""
    parts = [_INTRODUCTION, "", *_keys(), "", *_fields(), "", *_routes(app), ""]
    return "\n".join(parts)


def _keys() -> Iterator[str]:
    yield "## The roles as they are seeded\n"
    yield f"| Key | {' | '.join(ROLES)} |"
    yield f"| --- | {' | '.join(':-:' for _ in ROLES)} |"
    for key in (*permissions.ALL_KEYS, permissions.CUSTOMER_NAMES):
        marks = _marks(permissions.holds(keys, key) for keys in ROLES.values())
        yield f"| `{key}` | {marks} |"


def _fields() -> Iterator[str]:
    yield _FIELDS_INTRODUCTION
    for model, found in RESTRICTED.items():
        paths, keys = ("`, `".join(one) for one in found)
        yield f"| {model} | `{paths}` | `{keys}` |"


def _routes(app: Flask) -> Iterator[str]:
    yield _ROUTES_INTRODUCTION
    yield f"| Method | Path | Key | {' | '.join(ROLES)} |"
    yield f"| --- | --- | --- | {' | '.join(':-:' for _ in ROLES)} |"
    for rule in sorted(app.url_map.iter_rules(), key=lambda rule: rule.rule):
        view = app.view_functions[rule.endpoint]
        key = getattr(view, "permission", "")
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
            marks = _marks(_passes(role, key) for role in ROLES)
            yield f"| {method} | `{rule.rule}` | {key} | {marks} |"


def _passes(role: str, permission: str) -> bool:
    """Return whether a token of a role passes the check of a route's keys."""
    if permission in (auth.PUBLIC, auth.ANY_WORKER):
        return True
    held = permissions.expand(ROLES[role])
    if role == permissions.DEVICE:
        held &= permissions.VIEW_KEYS
    return any(permissions.holds(held, key) for key in permission.split(" or "))


def _marks(allowed: Iterable[bool]) -> str:
    return " | ".join("✓" if one else "" for one in allowed)

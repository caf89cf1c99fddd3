"""`flask docs`: the tables in `docs/` that are printed from the code."""

from collections.abc import Iterator
from pathlib import Path

import click
from flask import Flask, current_app
from flask.cli import with_appcontext

from glassflow.domain import pane_table, permissions

DOCS = Path(__file__).resolve().parents[2] / "docs"

_INTRODUCTION = """\
# Who may do what

Printed from `glassflow/domain/permissions.py` and from the routes by `flask docs`.
A key of `:manage` implies the other keys of its resource; `*` implies all."""


@click.command("docs")
@with_appcontext
def docs() -> None:
    """Print the pane flow and the permissions to docs/."""
    pages = {
        "pane-flow.md": pane_table.describe(),
        "permissions.md": permission_page(current_app),
    }
    DOCS.mkdir(exist_ok=True)
    for name, text in pages.items():
        path = DOCS / name
        changed = not path.exists() or path.read_text("utf-8") != text
        path.write_text(text, encoding="utf-8")
        click.echo(f"docs/{name}: {'written' if changed else 'unchanged'}")


def permission_page(app: Flask) -> str:
    """Give the page of keys, system roles and routes, as Markdown."""
    return "\n".join([_INTRODUCTION, "", *_keys(), "", *_routes(app), ""])


def _keys() -> Iterator[str]:
    roles = permissions.SYSTEM_ROLES
    yield "## The system roles as they are seeded\n"
    yield f"| Key | {' | '.join(roles)} |"
    yield f"| --- | {' | '.join(':-:' for _ in roles)} |"
    for key in permissions.ALL_KEYS:
        held = ("✓" if permissions.holds(keys, key) else "" for keys in roles.values())
        yield f"| `{key}` | {' | '.join(held)} |"


def _routes(app: Flask) -> Iterator[str]:
    yield "## The key of every route\n"
    yield "| Method | Path | Key |"
    yield "| --- | --- | --- |"
    for rule in sorted(app.url_map.iter_rules(), key=lambda rule: rule.rule):
        view = app.view_functions[rule.endpoint]
        key = getattr(view, "permission", "")
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
            yield f"| {method} | `{rule.rule}` | {key} |"

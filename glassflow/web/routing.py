"""How URLs are matched to views: ids in paths, and the methods that a path has."""

from functools import cached_property

from flask import Flask, current_app, request
from werkzeug.exceptions import HTTPException
from werkzeug.routing import BaseConverter, MapAdapter, ValidationError


class RecordIdConverter(BaseConverter):
    """The id or number of a record in a path, `<oid:record_id>`.

    A segment that another route has literally is none: `PATCH /api/panes/batch-scan` is
    a method that the path does not have, and not a pane that does not exist.
    """

    @cached_property
    def _literal_segments(self) -> frozenset[str]:
        # read at the first request, when all routes are there
        segments = (rule.rule.rpartition("/")[2] for rule in self.map.iter_rules())
        return frozenset(one for one in segments if one and "<" not in one)

    def to_python(self, value: str) -> str:
        """Return the segment; raises `ValidationError`, so that the route is no match."""
        if value in self._literal_segments:
            raise ValidationError
        return value


def init_app(app: Flask) -> None:
    """Register the converter; call it before any route is added."""
    app.url_map.converters["oid"] = RecordIdConverter
    app.url_map.strict_slashes = False


def allowed_methods() -> list[str]:
    """Return the methods that the requested path really has.

    The router also counts those of routes whose converter refuses the path.
    """
    adapter = current_app.create_url_adapter(request)
    if adapter is None:
        return []
    return sorted(one for one in adapter.allowed_methods() if _matches(adapter, one))


def _matches(adapter: MapAdapter, method: str) -> bool:
    try:
        return bool(adapter.match(method=method))
    except HTTPException:
        return False

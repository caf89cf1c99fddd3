"""The dashboard's figures."""

from flask import Blueprint, Response, request

from glassflow.domain.errors import Invalid
from glassflow.services import dashboard
from glassflow.web.auth import require
from glassflow.web.envelope import reply

blueprint = Blueprint("dashboard", __name__, url_prefix="/api/dashboard")


@blueprint.get("/stats")
@require("orders:view")
def stats() -> Response:
    """Count the workshop."""
    chart_range = request.args.get("chartRange", "7d")
    if chart_range not in dashboard.RANGES:
        listed = ", ".join(dashboard.RANGES)
        fault = {"field": "chartRange", "message": f"Must be one of: {listed}."}
        raise Invalid([fault])
    return reply(dashboard.stats(chart_range=chart_range), "Dashboard")

"""The figures of the dashboard."""

from flask import Blueprint, Response, request

from glassflow.domain import texts
from glassflow.domain.errors import Forbidden, Invalid
from glassflow.schemas.answers.reports import DASHBOARD
from glassflow.schemas.answers.today import TODAY
from glassflow.schemas.answers.weekly import FLOW, LOSSES, ON_TIME, STOCK_USE
from glassflow.schemas.period import PeriodQuery
from glassflow.schemas.shapes import choice
from glassflow.services.reports import dashboard, stock_use
from glassflow.services.reports import flow as flow_of_panes
from glassflow.services.reports import losses as lost_panes
from glassflow.services.reports import on_time as orders_on_time
from glassflow.services.reports import today as morning
from glassflow.web.auth import current_identity, require
from glassflow.web.envelope import reply
from glassflow.web.operation import Parameter, describe

PERIOD_QUERY = PeriodQuery()

blueprint = Blueprint("dashboard", __name__, url_prefix="/api/dashboard")


@blueprint.get("/stats")
@require("orders:view")
@describe(
    "get_dashboard_stats",
    answer=DASHBOARD,
    query=(
        Parameter(
            name="chartRange",
            description="The time that the chart shows; 7d by default.",
            shape=choice(dashboard.RANGES),
        ),
    ),
)
def stats() -> Response:
    """Return the figures of the dashboard, as far as the caller holds their keys."""
    chart_range = request.args.get("chartRange", "7d")
    if chart_range not in dashboard.RANGES:
        listed = ", ".join(dashboard.RANGES)
        message = texts.ONE_OF.format(choices=listed)
        raise Invalid([{"field": "chartRange", "message": message}])
    figures = dashboard.stats(chart_range=chart_range, may=current_identity().may)
    return reply(figures, "Dashboard")


@blueprint.get("/today")
@require("orders:view")
@describe("get_today", answer=TODAY)
def today() -> Response:
    """Return the morning page, as far as the caller holds the keys of its parts."""
    return reply(morning.read(current_identity().may), "Today")


@blueprint.get("/flow")
@require("panes:view")
@describe("get_flow", query=PERIOD_QUERY, answer=FLOW)
def flow() -> Response:
    """Return how panes flowed in the last days, and how old those are that wait."""
    days = int(PERIOD_QUERY.read(request.args)["days"])
    return reply(flow_of_panes.read(days, current_identity().may), "Flow")


@blueprint.get("/on-time")
@require("requests:view")
@describe("get_on_time", query=PERIOD_QUERY, answer=ON_TIME)
def on_time() -> Response:
    """Count the orders that were complete by their deadlines in the last days."""
    days = int(PERIOD_QUERY.read(request.args)["days"])
    return reply(orders_on_time.read(days), "On time")


@blueprint.get("/losses")
@require("panes:view")
@describe("get_losses", query=PERIOD_QUERY, answer=LOSSES)
def losses() -> Response:
    """Add up the panes that were lost in the last days, by who found it, station and reason."""
    days = int(PERIOD_QUERY.read(request.args)["days"])
    return reply(lost_panes.read(days, current_identity().may), "Losses")


@blueprint.get("/stock-use")
@require("inventory:view")
@describe("get_stock_use", query=PERIOD_QUERY, answer=STOCK_USE)
def used_stock() -> Response:
    """Add up what was taken and written off of each material in the last days."""
    may = current_identity().may
    if not may("materials:view"):
        raise Forbidden()
    days = int(PERIOD_QUERY.read(request.args)["days"])
    return reply(stock_use.read(days, may), "Use of stock")

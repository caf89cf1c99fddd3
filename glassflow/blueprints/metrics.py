"""The metrics of the service, for Prometheus."""

import hmac

from flask import Blueprint, Response, current_app
from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4
from werkzeug.exceptions import NotFound

from glassflow.core.process.metrics import exposition
from glassflow.domain import texts
from glassflow.domain.errors import Unauthenticated
from glassflow.services.reports import store_metrics
from glassflow.settings_rules import serves_metrics
from glassflow.web.auth import bearer_token, public
from glassflow.web.gate import unlimited

blueprint = Blueprint("metrics", __name__)


@blueprint.get("/metrics")
@public
@unlimited
def metrics() -> Response:
    """Show the metrics of all processes to who knows METRICS_TOKEN."""
    _require_token()
    found = store_metrics.metrics(current_app.config)
    return Response(exposition(found), content_type=CONTENT_TYPE_PLAIN_0_0_4)


def _require_token() -> None:
    """Raise `NotFound` where the metrics are not shown at all: in production."""
    if not serves_metrics(current_app.config):
        raise NotFound
    expected = current_app.config["METRICS_TOKEN"]
    if expected and not hmac.compare_digest(bearer_token().encode(), expected.encode()):
        raise Unauthenticated(texts.NOT_AUTHENTICATED)

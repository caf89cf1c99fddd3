"""The composition root: the only file that knows everybody."""

import uuid
from collections.abc import Mapping
from typing import Any

import pymongo
from flask import Flask, Response, g, request
from flask_cors import CORS
from mongoengine import connect, disconnect
from werkzeug.middleware.proxy_fix import ProxyFix

from glassflow import blueprints, cli, realtime
from glassflow.core import embedded_store
from glassflow.services import deletion, farewells, identity, passwords, policy
from glassflow.settings import SettingsError, load_settings
from glassflow.web import errors, throttle

# Claims carry photos, so their bodies may be larger (MAX_CLAIM_BODY_BYTES).
LARGE_BODIES = frozenset({"orders.claim", "claims.from_pane", "claims.update"})
STORE_PATIENCE_MS = 4000  # a request answers within five seconds, store or no store
# All that one request waits for a store that is there and says nothing, in seconds. A
# lost race is known before (`core.unit_of_work.PATIENCE`), and answered as one.
REQUEST_PATIENCE = 4.0


def create_app(settings: Mapping[str, Any] | None = None) -> Flask:
    """Build the service from settings; without any, from the profile and environment.

    Raises `SettingsError`, with one clear sentence, for what it must not start with.
    """
    app = Flask("glassflow", static_folder=None)
    app.config.update(load_settings() if settings is None else settings)
    app.config["MAX_CONTENT_LENGTH"] = app.config["MAX_BODY_BYTES"]
    app.url_map.strict_slashes = False
    _connect_store(app.config)
    _configure_services(app.config)
    _guard_requests(app)
    errors.init_app(app)
    throttle.init_app(app)
    CORS(
        app,
        origins=app.config["CORS_ORIGINS"],
        expose_headers=["X-Request-ID", "Retry-After", "ETag"],
    )
    for blueprint in blueprints.ALL:
        app.register_blueprint(blueprint)
    cli.init_app(app)
    realtime.create(app, _sources())
    if app.config["TRUSTED_PROXIES"]:
        hops = app.config["TRUSTED_PROXIES"]
        app.wsgi_app = ProxyFix(  # type: ignore[method-assign]
            app.wsgi_app, x_for=hops, x_proto=hops, x_host=hops
        )
    return app


def _connect_store(config: Mapping[str, Any]) -> None:
    uri = config["MONGODB_URI"] or embedded_store.find(config["DATA_DIR"])
    if not uri:
        raise SettingsError(
            "There is no store: set MONGODB_URI, or start the service with `make run`."
        )
    disconnect()
    connect(
        config["MONGODB_DB"],
        host=uri,
        connect=False,
        retryWrites=True,
        serverSelectionTimeoutMS=STORE_PATIENCE_MS,
        uuidRepresentation="standard",
    )


def _configure_services(config: Mapping[str, Any]) -> None:
    identity.configure(
        identity.Tokens(config["JWT_SECRET"], float(config["JWT_EXPIRES_IN"]))
    )
    passwords.configure(config["ARGON2_TIME_COST"], config["ARGON2_MEMORY_KIB"])
    deletion.configure(farewells.ALL)
    policy.configure(
        policy.Policy(
            scan_policy=config["SCAN_POLICY"],
            delete_policy=config["DELETE_POLICY"],
            qr_prefix=config["QR_PREFIX"],
            scan_repeat_seconds=config["SCAN_REPEAT_SECONDS"],
            free_permission_keys=config["FREE_PERMISSION_KEYS"],
        )
    )


def _guard_requests(app: Flask) -> None:
    @app.before_request
    def begin() -> None:
        given = request.headers.get("X-Request-ID", "")
        plain = given.isascii() and given.isprintable() and 0 < len(given) <= 64
        g.request_id = given if plain else uuid.uuid4().hex
        if request.endpoint in LARGE_BODIES:
            request.max_content_length = app.config["MAX_CLAIM_BODY_BYTES"]
        g.patience = pymongo.timeout(REQUEST_PATIENCE)
        g.patience.__enter__()

    @app.teardown_request
    def over(_: BaseException | None) -> None:
        patience = g.pop("patience", None)
        if patience is not None:
            patience.__exit__(None, None, None)

    @app.after_request
    def end(response: Response) -> Response:
        response.headers["X-Request-ID"] = g.get("request_id", "")
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers.setdefault("Cache-Control", "no-store")
        return response


def _sources() -> list[realtime.Source]:
    """Tell the sockets which records are announced, under which event and key."""
    return [
        realtime.Source(
            kind=card.model.__name__, key=card.keys.view, channel=card.channel
        )
        for card in blueprints.CARDS
        if card.channel is not None
    ]

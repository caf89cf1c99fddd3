"""The composition root: builds the application from its settings."""

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from functools import partial
from ipaddress import ip_network
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from flask import Flask, Response
from flask_cors import CORS
from werkzeug.middleware.proxy_fix import ProxyFix

from glassflow import api_docs, blueprints, cli, pages, realtime
from glassflow.core.access.link_signer import LinkSigner
from glassflow.core.process.store_calls import StoreCalls
from glassflow.core.store import connection, transactions
from glassflow.core.store.migrations import UnusableStore
from glassflow.domain.mail import MailPolicy
from glassflow.domain.permissions import ALL_KEYS, CUSTOMER_NAMES, PermissionSets
from glassflow.domain.webhooks import WebhookPolicy
from glassflow.host.mail_settings import read_server
from glassflow.host.public_url import host_of
from glassflow.jobs.service_process import ServiceProcess
from glassflow.runtime import Policy, Runtime
from glassflow.services.auth.passwords import Argon2Passwords
from glassflow.services.events.room_map import AnnouncedModel
from glassflow.settings import load_settings
from glassflow.settings_rules import (
    SettingsError,
    require_mongodb_uri,
    serves_metrics,
)
from glassflow.web import (
    errors,
    gate,
    request_log,
    request_scope,
    routing,
    runtime_context,
    throttle,
)
from glassflow.web.tokens import Tokens

# The pages of the service are its own origin's; their session is no other page's.
CORS_PATHS = re.compile(r"/(?!floor(?:/|$))", re.IGNORECASE)
WORKER_BOOT_ERROR = 3  # gunicorn stops at it instead of starting workers for ever
CORS_HEADERS = [
    "X-Request-ID",
    "Retry-After",
    "ETag",
    "Location",
    "Content-Disposition",
    "Idempotency-Replayed",
    "Preference-Applied",
    "X-Label-Pages",
    "X-Label-Warnings",
]

# Of checks on the machine itself; no other machine is reached by these names.
OWN_HOSTS = ("localhost", "127.0.0.1", "[::1]")


class SyncFlask(Flask):
    """Flask for views and hooks that are plain functions, with a true `Allow`."""

    def make_default_options_response(self) -> Response:
        """Answer OPTIONS with the methods that the path has."""
        response = self.response_class()
        response.allow.update(routing.allowed_methods())
        return response

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function: no view is a coroutine, so the check would only take time."""
        return func


def create_app(settings: Mapping[str, Any] | None = None) -> Flask:
    """Build the application; without settings, from the profile and the environment.

    Raises `SettingsError`, with one clear sentence, for settings it must not start with.
    """
    app = SyncFlask("glassflow", static_folder=None)
    app.config.update(load_settings() if settings is None else settings)
    app.config["MAX_CONTENT_LENGTH"] = app.config["MAX_BODY_BYTES"]
    if app.config["ALLOWED_HOSTS"]:
        public_host = host_of(app.config["PUBLIC_URL"])
        named = [*app.config["ALLOWED_HOSTS"], *filter(None, [public_host])]
        app.config["TRUSTED_HOSTS"] = [*named, *OWN_HOSTS]
    routing.init_app(app)

    _connect_store(app.config)
    runtime = _runtime(app.config, Tokens(app))
    runtime_context.init_app(app, runtime)

    request_log.init_app(app)
    request_scope.init_app(app)
    errors.init_app(app)
    throttle.init_app(app)
    CORS(
        app,
        resources={CORS_PATHS: {"origins": app.config["CORS_ORIGINS"]}},
        expose_headers=CORS_HEADERS,
    )
    for blueprint in blueprints.ALL:
        app.register_blueprint(blueprint)
    app.extensions["resources"] = blueprints.RESOURCES
    pages.init_app(app)
    api_docs.init_app(app)
    cli.init_app(app)

    # called by config/worker.py
    process = ServiceProcess()
    app.extensions["begin"] = partial(_begin, app, process)
    app.extensions["end"] = process.stop
    app.extensions["end_transactions"] = transactions.stop
    app.extensions["warm_up"] = partial(_warm_up, app)
    announced = realtime.Realtime(app, _announced_models())
    runtime.publish_soon = announced.publisher.publish_soon
    runtime.event_names = announced.event_names
    runtime.publish_now = announced.flush
    _trust_proxies(app)
    return app


def _begin(app: Flask, process: ServiceProcess) -> None:
    """Register a process that is going to serve; end it while a backup is restored."""
    with app.app_context():
        try:
            process.start()
        except UnusableStore as error:
            print(f"glassflow: {error}", file=sys.stderr)
            sys.exit(WORKER_BOOT_ERROR)


def _warm_up(app: Flask) -> None:
    """Begin what a process that serves requests should have read before the first one."""
    with app.app_context():
        app.extensions["realtime"].start_jobs()


def _connect_store(config: Mapping[str, Any]) -> None:
    require_mongodb_uri(config)
    # a listener makes every command slower
    listeners = [StoreCalls()] if _is_measured(config) else []
    connection.connect(config["MONGODB_URI"], config["MONGODB_DB"], listeners)


def _is_measured(config: Mapping[str, Any]) -> bool:
    return serves_metrics(config) or config["ACCESS_LOG"]


def _runtime(config: Mapping[str, Any], tokens: Tokens) -> Runtime:
    return Runtime(
        policy=Policy(
            scan_policy=config["SCAN_POLICY"],
            delete_policy=config["DELETE_POLICY"],
            qr_prefix=config["QR_PREFIX"],
            scan_repeat_seconds=config["SCAN_REPEAT_SECONDS"],
            free_permission_keys=config["FREE_PERMISSION_KEYS"],
            read_all=config["READ_ALL"],
            permission_sets=_permission_sets(config["PERMISSION_SETS"]),
            timezone=ZoneInfo(config["TIMEZONE"]),
            webhooks=_webhook_policy(config),
            mail=_mail_policy(config),
            password_min_length=config["PASSWORD_MIN_LENGTH"],
            password_refuse_common=config["PASSWORD_REFUSE_COMMON"],
            pin_failures_per_day=config["PIN_FAILURES_PER_DAY"],
            max_array_length=config["MAX_ARRAY_LENGTH"],
        ),
        tokens=tokens,
        passwords=Argon2Passwords(
            time_cost=config["ARGON2_TIME_COST"],
            memory_kib=config["ARGON2_MEMORY_KIB"],
            before_hash=gate.leave,
        ),
        links=LinkSigner(
            secret=config["JWT_SECRET"], lifetime_s=config["PHOTO_LINK_LIFETIME"]
        ),
        event_retention=timedelta(seconds=config["EVENT_RETENTION"]),
        history_retention=timedelta(seconds=config["HISTORY_RETENTION"]),
        archive_folder=Path(config["DATA_DIR"], "archive"),
    )


def _webhook_policy(config: Mapping[str, Any]) -> WebhookPolicy:
    return WebhookPolicy(
        networks=tuple(map(ip_network, config["WEBHOOK_NETWORKS"])),
        allow_http=config["WEBHOOK_HTTP"],
        max_webhooks=config["MAX_WEBHOOKS"],
        retry_for_s=config["WEBHOOK_RETRY_FOR"],
        disable_after_s=config["WEBHOOK_DISABLE_AFTER"],
    )


def _mail_policy(config: Mapping[str, Any]) -> MailPolicy:
    url = config["SMTP_URL"]
    return MailPolicy(
        server=read_server(url) if url else None, sender=config["MAIL_FROM"]
    )


def _permission_sets(setting: Mapping[str, Sequence[str]]) -> PermissionSets:
    sets = tuple((name, frozenset(keys)) for name, keys in setting.items())
    granted = frozenset().union(*(keys for _, keys in sets))
    unknown = sorted(granted - {*ALL_KEYS, CUSTOMER_NAMES})
    if unknown:
        raise SettingsError(
            f"PERMISSION_SETS grants {', '.join(unknown)}, which the catalogue of "
            "permission keys does not have."
        )
    return sets


def _announced_models() -> list[AnnouncedModel]:
    """Return the models whose changes are sent as events, with their events and keys."""
    return [
        AnnouncedModel(
            kind=resource.model.__name__, key=resource.keys.view, events=resource.events
        )
        for resource in blueprints.RESOURCES
        if resource.events is not None
    ]


def _trust_proxies(app: Flask) -> None:
    hops = app.config["TRUSTED_PROXIES"]
    if hops:
        app.wsgi_app = ProxyFix(  # type: ignore[method-assign]
            app.wsgi_app, x_for=hops, x_proto=hops, x_host=hops
        )

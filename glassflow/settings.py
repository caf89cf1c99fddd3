"""Settings: profile files under config/, overridden by environment variables.

`load_settings` is the only reader of both. No code depends on the name of a profile: a
profile is nothing but the settings in it. marshmallow parses and checks all values: the
type of a setting is the type of its default, its further rule stands in `RULES`.
"""

import json
import os
import re
import runpy
from collections.abc import Callable, Mapping
from ipaddress import ip_network
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from marshmallow import Schema, ValidationError, fields
from marshmallow.validate import OneOf, Range

from glassflow.host import data_files
from glassflow.host.mail_settings import read_sender, read_server
from glassflow.host.public_url import read_public_url
from glassflow.labels.printers import parse_printers
from glassflow.labels.sheets import parse_sheets
from glassflow.settings_rules import (
    SettingsError,
    StartError,
    check,
    generated_secret,
)

__all__ = ["SettingsError", "StartError", "load_settings", "parse_duration"]

PROFILES = ("development", "testing", "production", "compat")
# Other names that container hosts use for a setting; the setting's own name wins.
ALIASES = {"WORKERS": "WEB_CONCURRENCY"}

MAX_DURATION_S = 100 * 365 * 86400  # dates end
_SECONDS_PER_UNIT = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}


def load_settings(
    profile: str | None = None, env: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """Read the defaults, the profile (or several, commas between) and the environment.

    Raises `SettingsError` that names each invalid setting.
    """
    env = os.environ if env is None else env
    settings = _read_profile("default")
    schema = Schema.from_dict({name: _field(name, settings[name]) for name in settings})
    for name in (profile or env.get("GLASSFLOW_CONFIG") or "development").split(","):
        settings |= _profile(name.strip(), known=settings)
    variables = {
        name: name if env.get(name) else ALIASES.get(name, name) for name in settings
    }
    for name, variable in variables.items():
        if env.get(variable):  # an empty one counts as not set
            settings[name] = env[variable]
    try:
        settings = dict(schema().load(settings))
    except ValidationError as error:
        invalid = error.normalized_messages().items()
        sentences = (f"{variables[name]} {texts[0]}" for name, texts in invalid)
        raise SettingsError(" ".join(sentences)) from None
    check(settings)
    data_dir = data_files.working_folder() / Path(settings["DATA_DIR"]).expanduser()
    settings["DATA_DIR"] = str(data_dir)
    backups = Path(settings["BACKUP_DIR"] or "backups").expanduser()
    settings["BACKUP_DIR"] = str(data_dir / backups)
    settings["JWT_SECRET"] = settings["JWT_SECRET"] or generated_secret(data_dir)
    return settings


def _read_profile(name: str) -> dict[str, Any]:
    values = runpy.run_path(str(data_files.PROFILES / f"{name}.py"))
    return {key: value for key, value in values.items() if key.isupper()}


def _profile(name: str, known: Mapping[str, Any]) -> dict[str, Any]:
    if name not in PROFILES:
        raise SettingsError(
            f"GLASSFLOW_CONFIG must be one of {', '.join(PROFILES)}, not {name!r}."
        )
    values = _read_profile(name)
    unknown = sorted(set(values) - set(known))
    if unknown:
        raise SettingsError(
            f"config/{name}.py sets {', '.join(unknown)}, which config/default.py "
            "does not know."
        )
    return values


class Parsed(fields.Field[Any]):
    """A value that is a text in the environment, and may be parsed already in a profile.

    `form` completes "must be" in the error.
    """

    def __init__(self, parse: Callable[[str], Any], form: str, **options: Any) -> None:
        super().__init__(**options)
        self._parse, self._form = parse, form

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> Any:
        try:
            return self._parse(value) if isinstance(value, str) else value
        except (ValueError, KeyError, TypeError, AttributeError):
            raise ValidationError(f"must be {self._form}, not {value!r}.") from None


def parse_duration(text: str) -> int:
    """Return the seconds of `7d`, `12h`, `30m`, `45s` or a plain number."""
    match = re.fullmatch(r"\s*(\d{1,9})\s*([smhdw]?)\s*", text.lower())
    seconds = int(match[1]) * _SECONDS_PER_UNIT[match[2]] if match else 0
    if not 0 < seconds <= MAX_DURATION_S:
        raise ValueError(text)
    return seconds


def _parse_optional_duration(text: str) -> int:
    return parse_duration(text) if text else 0


def _parse_list(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _by_name(text: str) -> dict[str, str]:
    pairs = (part.partition("=") for part in text.split(",") if part.strip())
    return {name.strip(): value for name, _, value in pairs}


def _parse_numbers(text: str) -> dict[str, int]:
    """Parse `panes=200,pane-logs=100`, or the same as a JSON object."""
    found = json.loads(text) if text.lstrip().startswith("{") else _by_name(text)
    return {str(name): int(value) for name, value in found.items()}


def _parse_lists(text: str) -> dict[str, list[str]]:
    """Parse `name=word word, other=word`, or the same as a JSON object."""
    if text.lstrip().startswith("{"):
        found = json.loads(text)
    else:
        found = {name: words.split() for name, words in _by_name(text).items()}
    for name, words in found.items():
        are_words = isinstance(words, list) and all(isinstance(w, str) for w in words)
        if not (name and words and are_words):
            raise ValueError(text)
    return dict(found)


def _at_least(least: int) -> Range:
    return Range(min=least, error="must be at least {min}, not {input}.")


def _between(least: int, most: int) -> Range:
    return Range(least, most, error="must be from {min} to {max}, not {input}.")


def _one_of(*choices: str) -> OneOf:
    return OneOf(choices, error="must be one of {choices}, not {input!r}.")


def _is_time_zone(name: str) -> None:
    try:
        ZoneInfo(name)
    # a name with ".." or a folder's is a ValueError or an OSError
    except (KeyError, ValueError, OSError):
        raise ValidationError(
            f"must be the name of a time zone like Asia/Bangkok, not {name!r}."
        ) from None


def _are_printers(value: Mapping[str, list[str]]) -> None:
    try:
        parse_printers(value)
    except ValueError as error:
        raise ValidationError(
            f"has {error}, which must be an address and, unless it has 203, the dpi 300 "
            "or 600, like zebra=tcp://192.168.1.50:9100 300."
        ) from None


def _are_sheets(value: Mapping[str, list[str]]) -> None:
    try:
        parse_sheets(value)
    except ValueError as error:
        raise ValidationError(
            f"has {error}, which must be columns and rows, the cell, the margin at the "
            "left and top, and the pitch, in mm on A4, like "
            "ours=3x7 63.5x38.1 7.2x15.1 66x38.1."
        ) from None


def _are_networks(words: list[str]) -> None:
    for word in words:
        try:
            ip_network(word)
        except ValueError:
            raise ValidationError(
                f"has {word!r}, which must be a network or an address, like "
                "192.168.1.0/24."
            ) from None


def _is_public_url(text: str) -> None:
    try:
        if text:
            read_public_url(text)
    except ValueError:
        raise ValidationError(
            "must be the address under which customers open the service, like "
            f"https://glass.example or https://glass.example:8443, not {text!r}."
        ) from None


def _is_mail_server(url: str) -> None:
    try:
        if url:
            read_server(url)
    except ValueError:  # the value is not shown: it may have a password
        raise ValidationError(
            "must be the address of an SMTP server, like smtp://user:password@host:587, "
            "smtp://host:25, smtps://user:password@host:465 or "
            "smtp://user:password@host:587?tls=required; special characters of the "
            "password are percent-encoded."
        ) from None


def _is_sender(text: str) -> None:
    try:
        if text:
            read_sender(text)
    except ValueError:
        raise ValidationError(
            "must be an e-mail address, like quotes@example.com or "
            f"Workshop <quotes@example.com>, not {text!r}."
        ) from None


RULES: Mapping[str, Callable[[Any], Any]] = {
    "PORT": _between(0, 65535),
    "HTTPS_PORT": _between(0, 65535),
    "WORKERS": _at_least(1),
    "TRUSTED_PROXIES": _at_least(0),
    "LOGIN_ATTEMPTS_PER_MINUTE": _at_least(1),
    "LOGIN_ATTEMPTS_PER_ADDRESS": _at_least(1),
    "LOGIN_ATTEMPTS_PER_USERNAME": _at_least(1),
    "DEVICE_ATTEMPTS_PER_MINUTE": _at_least(1),
    "PIN_ATTEMPTS_PER_MINUTE": _at_least(1),
    "PIN_FAILURES_PER_DAY": _at_least(1),
    "PASSWORD_MIN_LENGTH": _between(6, 64),
    "ARGON2_TIME_COST": _at_least(1),
    "ARGON2_MEMORY_KIB": _at_least(8),
    "TIMEZONE": _is_time_zone,
    "DELETE_POLICY": _one_of("restrict", "cascade"),
    "SCAN_POLICY": _one_of("guided", "lenient"),
    "SCAN_REPEAT_SECONDS": _at_least(0),
    "DEFAULT_PAGE_SIZE": _at_least(1),
    "MAX_PAGE_SIZE": _at_least(1),
    "MAX_ARRAY_LENGTH": _at_least(1),
    "MAX_BODY_BYTES": _at_least(1),
    "MAX_CLAIM_BODY_BYTES": _at_least(1),
    "EXPORT_MAX_ROWS": _at_least(1),
    "MAX_IMPORT_ROWS": _at_least(1),
    "MAX_IMPORT_BYTES": _at_least(1),
    "PRINTERS": _are_printers,
    "LABEL_SHEETS": _are_sheets,
    "WEBHOOK_NETWORKS": _are_networks,
    "MAX_WEBHOOKS": _at_least(0),
    "PUBLIC_URL": _is_public_url,
    "SMTP_URL": _is_mail_server,
    "MAIL_FROM": _is_sender,
    "BACKUP_KEEP": _at_least(1),
    "REQUESTS_AT_ONCE": _at_least(1),
    "SOCKET_EVENTS_PER_SECOND": _at_least(1),
    "SOCKET_ROOMS": _at_least(1),
    "SOCKETS_PER_WORKER": _at_least(1),
    "SOCKET_BACKLOG": _at_least(1),
    "LOG_LEVEL": _one_of("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"),
    "LOG_FORMAT": _one_of("text", "json"),
}
DURATIONS = (
    "JWT_EXPIRES_IN",
    "EVENT_RETENTION",
    "HISTORY_RETENTION",
    "ARCHIVE_AFTER",
    "PHOTO_LINK_LIFETIME",
    "DEVICE_IDLE_TIME",
    "WEBHOOK_RETRY_FOR",
    "WEBHOOK_DISABLE_AFTER",
    "BACKUP_EVERY",
)
NUMBERS = ("DEFAULT_PAGE_SIZES",)  # the other settings with names hold lists


def _field(name: str, default: Any) -> fields.Field[Any]:
    rule = RULES.get(name)
    if name in DURATIONS:
        parse = parse_duration if default else _parse_optional_duration
        return Parsed(parse, "a time like 7d, 12h, 30m or seconds")
    if name in NUMBERS:
        return Parsed(_parse_numbers, "numbers by name, like panes=200,pane-logs=100")
    match default:
        case bool():
            return fields.Boolean(
                error_messages={"invalid": "must be 1 or 0, not {input!r}."}
            )
        case int():
            return fields.Integer(
                error_messages={"invalid": "must be a whole number, not {input!r}."},
                validate=rule,
            )
        case list():
            return Parsed(_parse_list, "a list with commas", validate=rule)
        case dict():
            form = 'words by name, like {"a": ["b", "c"], "d": ["e"]} or a=b c,d=e'
            return Parsed(_parse_lists, form, validate=rule)
    return fields.String(validate=rule)

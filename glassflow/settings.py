"""Settings: profile files under config/, overridden by environment variables.

`load_settings` is the only reader of both. It knows no profile by name: what a profile
means is said by the settings in it.
"""

import json
import os
import re
import runpy
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from glassflow.settings_rules import SettingsError, check, kept_secret

__all__ = ["SettingsError", "load_settings", "parse_duration"]

ROOT = Path(__file__).resolve().parent.parent
PROFILES = ("development", "testing", "production", "compat")

DURATIONS = ("JWT_EXPIRES_IN", "EVENT_RETENTION")
# What hosts call a setting; its own name wins.
ALIASES = {"WORKERS": "WEB_CONCURRENCY"}

_UNITS = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}
_WORDS = dict.fromkeys(("1", "true", "yes", "on"), True) | dict.fromkeys(
    ("0", "false", "no", "off"), False
)


def load_settings(
    profile: str | None = None, env: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """Read the defaults, the profile (or several, commas between) and the environment.

    Raises `SettingsError` for what the service must not start with.
    """
    env = os.environ if env is None else env
    settings = _file("default")
    for name in (profile or env.get("GLASSFLOW_CONFIG") or "development").split(","):
        settings |= _profile(name.strip(), known=settings)
    for name, usual in list(settings.items()):
        given = name if env.get(name) else ALIASES.get(name, name)
        if env.get(given):  # an empty one counts as not set
            settings[name] = _typed(given, env[given], usual)
    check(settings)
    for name in DURATIONS:
        settings[name] = parse_duration(settings[name], name)
    settings["DATA_DIR"] = str(ROOT / Path(settings["DATA_DIR"]).expanduser())
    settings["JWT_SECRET"] = settings["JWT_SECRET"] or kept_secret(
        Path(settings["DATA_DIR"])
    )
    return settings


def parse_duration(text: str | int, name: str = "JWT_EXPIRES_IN") -> int:
    """Return the seconds meant by `7d`, `12h`, `30m`, `45s` or a plain number."""
    found = re.fullmatch(r"\s*(\d{1,9})\s*([smhdw]?)\s*", str(text).lower())
    seconds = int(found[1]) * _UNITS[found[2]] if found else 0
    if seconds <= 0:
        raise SettingsError(
            f"{name} must be a time like 7d, 12h, 30m or seconds, not {text!r}."
        )
    return seconds


def _file(name: str) -> dict[str, Any]:
    values = runpy.run_path(str(ROOT / "config" / f"{name}.py"))
    return {key: value for key, value in values.items() if key.isupper()}


def _profile(name: str, known: Mapping[str, Any]) -> dict[str, Any]:
    if name not in PROFILES:
        raise SettingsError(
            f"GLASSFLOW_CONFIG must be one of {', '.join(PROFILES)}, not {name!r}."
        )
    values = _file(name)
    unknown = sorted(set(values) - set(known))
    if unknown:
        raise SettingsError(
            f"config/{name}.py sets {', '.join(unknown)}, which config/default.py "
            "does not know."
        )
    return values


def _typed(name: str, text: str, usual: Any) -> Any:
    """Read an environment variable as the type its default has."""
    reader = _READERS[type(usual)]
    try:
        return reader(text)
    except (ValueError, KeyError):
        raise SettingsError(
            f"{name} must be {_SHAPES[type(usual)]}, not {text!r}."
        ) from None


def _numbers(text: str) -> dict[str, int]:
    """Read `panes=200,pane-logs=100`, or the same as a JSON object."""
    if text.lstrip().startswith("{"):
        return {str(key): int(value) for key, value in json.loads(text).items()}
    pairs = (part.partition("=") for part in text.split(",") if part.strip())
    return {key.strip(): int(value) for key, _, value in pairs}


_READERS: Mapping[type, Callable[[str], Any]] = {
    bool: lambda text: _WORDS[text.strip().lower()],
    int: int,
    str: str,
    list: lambda text: [part.strip() for part in text.split(",") if part.strip()],
    dict: _numbers,
}
_SHAPES = {
    bool: "1 or 0",
    int: "a whole number",
    str: "text",
    list: "a list with commas",
    dict: "numbers by name, like panes=200,pane-logs=100",
}

"""Settings: profile files under config/, overridden by environment variables.

`load_settings` is the only reader of both. No code depends on the name of a profile: a
profile is nothing but the settings in it.
"""

import json
import os
import re
import runpy
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from glassflow.host import data_files
from glassflow.settings_rules import (
    SettingsError,
    StartError,
    check,
    generated_secret,
)

__all__ = ["SettingsError", "StartError", "load_settings", "parse_duration"]

PROFILES = ("development", "testing", "production", "compat")

MAX_DURATION_S = 100 * 365 * 86400  # dates end
DURATIONS = (
    "JWT_EXPIRES_IN",
    "EVENT_RETENTION",
    "HISTORY_RETENTION",
    "PHOTO_LINK_LIFETIME",
    "DEVICE_IDLE_TIME",
    "WEBHOOK_RETRY_FOR",
    "WEBHOOK_DISABLE_AFTER",
)
OPTIONAL_DURATIONS = ("BACKUP_EVERY",)  # an empty one is 0: never
NAMED_LISTS = ("EVENT_ROOMS", "PERMISSION_SETS", "PRINTERS", "LABEL_SHEETS")
# Other names that container hosts use for a setting; the setting's own name wins.
ALIASES = {"WORKERS": "WEB_CONCURRENCY"}


_SECONDS_PER_UNIT = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}
_BOOLEANS = dict.fromkeys(("1", "true", "yes", "on"), True) | dict.fromkeys(
    ("0", "false", "no", "off"), False
)


def load_settings(
    profile: str | None = None, env: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """Read the defaults, the profile (or several, commas between) and the environment.

    Raises `SettingsError` for the first setting that is invalid.
    """
    env = os.environ if env is None else env
    settings = _read_profile("default")
    for name in (profile or env.get("GLASSFLOW_CONFIG") or "development").split(","):
        settings |= _profile(name.strip(), known=settings)
    for name, default in list(settings.items()):
        variable = name if env.get(name) else ALIASES.get(name, name)
        if env.get(variable):  # an empty one counts as not set
            kind = NamedLists if name in NAMED_LISTS else type(default)
            settings[name] = _parse(variable, env[variable], kind)
    check(settings)
    for name in DURATIONS:
        settings[name] = parse_duration(settings[name], name)
    for name in OPTIONAL_DURATIONS:
        settings[name] = parse_duration(settings[name], name) if settings[name] else 0
    data_dir = data_files.working_folder() / Path(settings["DATA_DIR"]).expanduser()
    settings["DATA_DIR"] = str(data_dir)
    backups = Path(settings["BACKUP_DIR"] or "backups").expanduser()
    settings["BACKUP_DIR"] = str(data_dir / backups)
    settings["JWT_SECRET"] = settings["JWT_SECRET"] or generated_secret(data_dir)
    return settings


def parse_duration(text: str | int, name: str = "JWT_EXPIRES_IN") -> int:
    """Return the seconds of `7d`, `12h`, `30m`, `45s` or a plain number.

    Raises `SettingsError` for anything else.
    """
    match = re.fullmatch(r"\s*(\d{1,9})\s*([smhdw]?)\s*", str(text).lower())
    seconds = int(match[1]) * _SECONDS_PER_UNIT[match[2]] if match else 0
    if not 0 < seconds <= MAX_DURATION_S:
        raise SettingsError(
            f"{name} must be a time like 7d, 12h, 30m or seconds, not {text!r}."
        )
    return seconds


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


def _parse(name: str, text: str, kind: type) -> Any:
    """Parse an environment variable as the type of the setting's default."""
    try:
        return _PARSERS[kind](text)
    except (ValueError, KeyError, TypeError):
        raise SettingsError(
            f"{name} must be {_DESCRIPTIONS[kind]}, not {text!r}."
        ) from None


def _parse_numbers(text: str) -> dict[str, int]:
    """Parse `panes=200,pane-logs=100`, or the same as a JSON object."""
    if text.lstrip().startswith("{"):
        return {str(key): int(value) for key, value in json.loads(text).items()}
    pairs = (part.partition("=") for part in text.split(",") if part.strip())
    return {key.strip(): int(value) for key, _, value in pairs}


class NamedLists(dict[str, list[str]]):
    """The type of settings that hold a list of words by name."""

    @classmethod
    def parse(cls, text: str) -> "NamedLists":
        """Parse `name=word word, other=word`, or the same as a JSON object."""
        if text.lstrip().startswith("{"):
            lists = json.loads(text)
            if not all(map(_is_list_of_words, lists.values())):
                raise ValueError("not a list of words")
        else:
            pairs = (part.partition("=") for part in text.split(",") if part.strip())
            lists = {name.strip(): words.split() for name, _, words in pairs}
        if not all(name and words for name, words in lists.items()):
            raise ValueError("a name or its words are missing")
        return cls(lists)


def _is_list_of_words(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(word, str) for word in value)


_PARSERS: Mapping[type, Callable[[str], Any]] = {
    bool: lambda text: _BOOLEANS[text.strip().lower()],
    int: int,
    str: str,
    list: lambda text: [part.strip() for part in text.split(",") if part.strip()],
    dict: _parse_numbers,
    NamedLists: NamedLists.parse,
}
_DESCRIPTIONS = {
    bool: "1 or 0",
    int: "a whole number",
    str: "text",
    list: "a list with commas",
    dict: "numbers by name, like panes=200,pane-logs=100",
    NamedLists: 'words by name, like {"a": ["b", "c"], "d": ["e"]} or a=b c,d=e',
}

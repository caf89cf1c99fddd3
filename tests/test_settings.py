"""Settings: profiles, the environment over them, and what is refused."""

import re
import stat
from pathlib import Path

import pytest

from glassflow.host.data_files import REPOSITORY
from glassflow.host.mail_settings import MailServer, read_sender, read_server
from glassflow.host.public_url import is_local, is_loopback, read_public_url
from glassflow.settings import SettingsError, load_settings, parse_duration
from glassflow.settings_rules import is_weak

STRONG = "f3a9c1e07b5d42868e1f9a6c3d7b0245"
SAFE = {
    "GLASSFLOW_CONFIG": "production",
    "JWT_SECRET": STRONG,
    "MONGODB_URI": "mongodb://db/?replicaSet=rs0",
}


def load(tmp_path, **env):
    return load_settings(env={"DATA_DIR": str(tmp_path), **env})


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("7d", 604800),
        ("12h", 43200),
        ("30m", 1800),
        ("45s", 45),
        ("3600", 3600),
        (" 2W ", 1209600),
    ],
)
def test_durations_have_a_unit_or_are_seconds(text, seconds):
    assert parse_duration(text) == seconds


@pytest.mark.parametrize(
    "text", ["", "soon", "99999w", "0", "-1", "1.5h", "7 days", "d", "1h30m"]
)
def test_a_malformed_duration_is_refused(text):
    with pytest.raises(ValueError, match=f"^{text}$"):
        parse_duration(text)


def test_every_invalid_setting_is_named(tmp_path):
    with pytest.raises(SettingsError) as refused:
        load(tmp_path, JWT_EXPIRES_IN="soon", WEB_CONCURRENCY="0")
    assert str(refused.value).split(". ") == [
        "WEB_CONCURRENCY must be at least 1, not 0",
        "JWT_EXPIRES_IN must be a time like 7d, 12h, 30m or seconds, not 'soon'.",
    ]


def test_development_is_the_default_profile(tmp_path):
    settings = load(tmp_path)
    assert (settings["HOST"], settings["PORT"]) == ("127.0.0.1", 8000)
    assert settings["JWT_EXPIRES_IN"] == 604800
    assert settings["DEMO"] is True


def test_the_environment_wins_and_is_parsed_as_the_type_of_the_default(tmp_path):
    settings = load(
        tmp_path,
        PORT="9001",
        DEMO="0",
        EXPAND_REFERENCES="true",
        CORS_ORIGINS="https://a.example, https://b.example",
        DEFAULT_PAGE_SIZES="panes=200, pane-logs=100",
        PERMISSION_SETS="users:view=workers:view roles:view, enter:*=panes:scan",
        MONGODB_DB="workshop",
        EVENT_ROOMS='{"order:updated": ["production"]}',
    )
    assert settings["PORT"] == 9001
    assert settings["DEMO"] is False
    assert settings["EXPAND_REFERENCES"] is True
    assert settings["CORS_ORIGINS"] == ["https://a.example", "https://b.example"]
    assert settings["DEFAULT_PAGE_SIZES"] == {"panes": 200, "pane-logs": 100}
    assert settings["PERMISSION_SETS"] == {
        "users:view": ["workers:view", "roles:view"],
        "enter:*": ["panes:scan"],
    }
    as_json = load(tmp_path, PERMISSION_SETS='{"enter:*": ["panes:scan"]}')
    assert as_json["PERMISSION_SETS"] == {"enter:*": ["panes:scan"]}
    assert settings["MONGODB_DB"] == "workshop"
    assert settings["EVENT_ROOMS"] == {"order:updated": ["production"]}


def test_an_empty_variable_counts_as_not_set(tmp_path):
    assert load(tmp_path, PORT="", DEMO="", QR_PREFIX="")["PORT"] == 8000


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("PORT", "http", "PORT must be a whole number, not 'http'."),
        ("PORT", "70000", "PORT must be from 0 to 65535, not 70000."),
        ("HTTPS_PORT", "70000", "HTTPS_PORT must be from 0 to 65535, not 70000."),
        ("HTTPS_PORT", "8000", "HTTPS_PORT must be another port than PORT."),
        ("DEMO", "maybe", "DEMO must be 1 or 0, not 'maybe'."),
        ("MAX_PAGE_SIZE", "0", "MAX_PAGE_SIZE must be at least 1, not 0."),
        (
            "SCAN_POLICY",
            "lax",
            "SCAN_POLICY must be one of guided, lenient, not 'lax'.",
        ),
        (
            "DEFAULT_PAGE_SIZES",
            "panes",
            "DEFAULT_PAGE_SIZES must be numbers by name, like "
            "panes=200,pane-logs=100, not 'panes'.",
        ),
        *(
            (
                "EVENT_ROOMS",
                text,
                "EVENT_ROOMS must be words by name, like "
                f'{{"a": ["b", "c"], "d": ["e"]}} or a=b c,d=e, not {text!r}.',
            )
            for text in ("order:updated", "[]", '{"x": "order"}', '{"x": [1]}')
        ),
        (
            "PERMISSION_SETS",
            "enter:*",
            "PERMISSION_SETS must be words by name, like "
            '{"a": ["b", "c"], "d": ["e"]} or a=b c,d=e, not \'enter:*\'.',
        ),
        (
            "GLASSFLOW_CONFIG",
            "staging",
            "GLASSFLOW_CONFIG must be one of development, testing, production, "
            "compat, not 'staging'.",
        ),
    ],
)
def test_an_invalid_value_is_refused_with_one_sentence(tmp_path, name, text, sentence):
    with pytest.raises(SettingsError) as refused:
        load(tmp_path, **{name: text})
    assert str(refused.value) == sentence


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"JWT_SECRET": ""}, "JWT_SECRET is not set"),
        ({"JWT_SECRET": STRONG[:31]}, "JWT_SECRET is too weak"),
        ({"JWT_SECRET": "x" * 64}, "JWT_SECRET is too weak"),
        ({"JWT_SECRET": "changeme" * 4}, "JWT_SECRET is too weak"),
        ({"JWT_SECRET": "0123456789abcdef" * 2}, "JWT_SECRET is too weak"),
        (
            {"JWT_SECRET": "please-change-this-secret-before-production"},
            "JWT_SECRET is too weak",
        ),
        (
            {"JWT_SECRET": "Your-Placeholder-0123456789-abcdef-XYZ"},
            "JWT_SECRET is too weak",
        ),
        ({"MONGODB_URI": ""}, "MONGODB_URI is not set"),
    ],
)
def test_production_refuses_to_start_unsafely(tmp_path, change, message):
    with pytest.raises(SettingsError, match=message):
        load(tmp_path, **(SAFE | change))
    assert not list(tmp_path.iterdir()), "and it generates nothing"


def test_production_starts_with_a_secret_and_a_store(tmp_path):
    settings = load(tmp_path, **SAFE)
    assert settings["JWT_SECRET"] == STRONG
    assert settings["HOST"] == "0.0.0.0"
    assert settings["DEMO"] is False


def test_compat_is_combined_with_production(tmp_path):
    settings = load(tmp_path, **SAFE)
    both = load(tmp_path, **(SAFE | {"GLASSFLOW_CONFIG": "production,compat"}))
    changed = {name for name in both if both[name] != settings[name]}
    assert changed == {
        "EXPAND_REFERENCES",
        "DELETE_POLICY",
        "SCAN_POLICY",
        "MAX_PAGE_SIZE",
        "DEFAULT_PAGE_SIZES",
        "FREE_PERMISSION_KEYS",
        "READ_ALL",
        "PERMISSION_SETS",
        "MAX_ARRAY_LENGTH",
        "MAX_BODY_BYTES",
        "CORS_ORIGINS",
        "INLINE_PHOTOS",
        "EVENT_ROOMS",
    }
    for name in (
        "EXPAND_REFERENCES",
        "INLINE_PHOTOS",
        "READ_ALL",
        "FREE_PERMISSION_KEYS",
    ):
        assert both[name] is True
    assert (both["DELETE_POLICY"], both["SCAN_POLICY"]) == ("cascade", "lenient")
    assert (both["MAX_PAGE_SIZE"], both["MAX_ARRAY_LENGTH"]) == (1000, 2000)
    assert both["MAX_BODY_BYTES"] == 10 * 1024 * 1024
    assert both["DEFAULT_PAGE_SIZES"] == {"panes": 200, "pane-logs": 100}
    assert both["EVENT_ROOMS"] == {"order:updated": ["production"]}


def test_a_generated_secret_is_stored_for_the_owner_only(tmp_path):
    folder = tmp_path / "ข้อมูล ของร้าน"
    first = load(folder)["JWT_SECRET"]
    assert not is_weak(first)
    assert load(folder)["JWT_SECRET"] == first
    kept = folder / "jwt_secret"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert [path.name for path in folder.iterdir()] == ["jwt_secret"]


def test_a_data_directory_that_cannot_be_written_is_refused_with_one_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(SettingsError, match=r"DATA_DIR .*file/var cannot be used"):
        load(tmp_path / "file" / "var")


def test_a_relative_data_directory_is_relative_to_the_repository(tmp_path):
    settings = load_settings(env=SAFE | {"DATA_DIR": "elsewhere"})
    assert settings["DATA_DIR"] == str(REPOSITORY / "elsewhere")


def test_the_page_of_settings_lists_each_one_once_with_its_default():
    page = (REPOSITORY / "docs/settings.md").read_text("utf-8")
    rows = re.findall(r"^\| `([A-Z0-9_]+)` \| `?([^|`]*)`? \|", page, re.MULTILINE)
    listed = {name: default.strip() for name, default in rows}
    assert len(listed) == len(rows)
    defaults = _defaults()
    assert set(listed) - {"GLASSFLOW_CONFIG"} == set(defaults)
    for name, value in defaults.items():
        assert listed[name] == _shown(value), name


def _defaults():
    scope = {}
    exec(Path(REPOSITORY / "config/default.py").read_text("utf-8"), scope)
    return {name: value for name, value in scope.items() if name.isupper()}


def _shown(value):
    if isinstance(value, bool):
        return str(int(value))
    return str(value) if value or value == 0 else "unset"


@pytest.mark.parametrize("name", ["Asia/Nowhere", "Asia", "+07:00", "../etc/passwd"])
def test_a_time_zone_that_does_not_exist_is_refused(tmp_path, name):
    with pytest.raises(SettingsError, match="TIMEZONE must be the name of a time zone"):
        load(tmp_path, TIMEZONE=name)


def test_the_time_zone_of_the_workshop_is_a_setting(tmp_path):
    assert load(tmp_path)["TIMEZONE"] == "Asia/Bangkok"
    assert load(tmp_path, TIMEZONE="Europe/Berlin")["TIMEZONE"] == "Europe/Berlin"


@pytest.mark.parametrize(
    ("url", "server"),
    [
        ("smtp://mail", MailServer("mail", 25)),
        ("smtp://mail:587?tls=required", MailServer("mail", 587, requires_tls=True)),
        (
            "smtp://ann:a%40b%3A@mail:587",
            MailServer("mail", 587, user="ann", password="a@b:"),
        ),
        (
            "smtps://ann:hush@mail",
            MailServer("mail", 465, is_tls=True, user="ann", password="hush"),
        ),
    ],
)
def test_smtp_url_names_server_encryption_and_login(tmp_path, url, server):
    assert read_server(load(tmp_path, SMTP_URL=url)["SMTP_URL"]) == server


@pytest.mark.parametrize(
    "url",
    [
        "mail:25",
        "http://ann:hush@mail",
        "smtp://ann:hush",
        "smtp://ann@mail",
        "smtp://:hush@mail",
        "smtp://ann:hu/sh@mail",
        "smtp://ann:hu#sh@mail",
        "smtp://ann:1?hush@mail",
        "smtp://ann:hush@mail:port",
        "smtp://ann:hush@mail:99999",
        "smtp://ann:hush@mail?tls=maybe",
        "smtp://ann:hush@mail?other=1",
        "smtp://ann:hu sh@mail",
    ],
)
def test_wrong_smtp_url_is_refused_without_its_password(tmp_path, url):
    with pytest.raises(
        SettingsError, match=r"^SMTP_URL must be the address"
    ) as refused:
        load(tmp_path, SMTP_URL=url)
    assert not re.search("hush|ann|sh@", str(refused.value))
    assert refused.value.__cause__ is None


@pytest.mark.parametrize(
    "text", ["a@b.example", "โรงกระจก <a@b.example>", '"A, B" <a@b.example>']
)
def test_sender_is_an_address_with_a_name_or_without(tmp_path, text):
    assert load(tmp_path, MAIL_FROM=text)["MAIL_FROM"] == text
    assert read_sender(text).addr_spec == "a@b.example"


@pytest.mark.parametrize(
    "text",
    [
        "nobody",
        "<>",
        "a@b.example, c@d.example",
        "a@b.example, C <c@d.example>",
        "a@b.example (A)",
        "a@b.example <a@b.example>",
        "A <a@b.example>\r\nBcc: c@d.example",
    ],
)
def test_wrong_sender_is_refused(tmp_path, text):
    with pytest.raises(SettingsError, match=r"^MAIL_FROM must be an e-mail address"):
        load(tmp_path, MAIL_FROM=text)


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("https://glass.example", "https://glass.example"),
        ("HTTPS://Glass.example:8443/", "https://glass.example:8443"),
        ("http://[2001:DB8::1]:8000", "http://[2001:db8::1]:8000"),
    ],
)
def test_public_url_is_scheme_host_and_port(tmp_path, text, url):
    assert read_public_url(load(tmp_path, PUBLIC_URL=text)["PUBLIC_URL"]) == url


@pytest.mark.parametrize(
    "text",
    [
        "glass.example",
        "ftp://glass.example",
        "https://",
        "https://glass.example/floor",
        "https://glass.example?a=b",
        "https://glass.example#a",
        "https://me:hush@glass.example",
        "https://glass.example:0",
        "https://glass.example:99999",
        "https://glass example",
        "https://glass.example\n",
    ],
)
def test_wrong_public_url_is_refused(tmp_path, text):
    with pytest.raises(SettingsError, match=r"^PUBLIC_URL must be the address under"):
        load(tmp_path, PUBLIC_URL=text)


def test_addresses_of_one_device_and_of_one_network_are_known():
    own = (
        "localhost",
        "localhost:8000",
        "a.localhost",
        "127.0.0.1:1",
        "[::1]:8000",
        "0.0.0.0",
    )
    near = ("floor", "floor:8000", "floor.LAN", "floor.local.", "a.internal:80", "10.0.0.1",
            "192.168.1.20:8000", "169.254.1.1", "100.64.0.1", "[fe80::1]", "[fd00::1]:80", "")  # fmt: skip
    far = (
        "glass.example",
        "glass.example:8443",
        "8.8.8.8:80",
        "[2606:4700::1]",
        "local.example",
    )
    assert [one for one in (*own, *near, *far) if is_loopback(one)] == [*own]
    assert [one for one in (*own, *near, *far) if is_local(one)] == [*own, *near]

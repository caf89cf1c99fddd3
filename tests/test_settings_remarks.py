"""Settings that are misspelt, or match nothing, are named."""

import pytest

from glassflow.settings import load_settings
from glassflow.settings_remarks import remarks


def found(**env):
    settings = load_settings("testing", env=env)
    return list(remarks(settings, env, ["panes", "orders"]))


@pytest.mark.parametrize(("env", "said"), [
    ({"TRUSTED_PROXY": "1"}, "TRUSTED_PROXY is no setting: was TRUSTED_PROXIES meant?"),
    ({"WORKSHOP_NAME": "กระจก"}, "the page Workshop of the office has the name"),
    ({"CORS_ORIGINS": "https://example.com/"}, "https://example.com/ is no origin"),
    ({"CORS_ORIGINS": "example.com"}, "example.com is no origin"),
    ({"DEFAULT_PAGE_SIZE": "500"}, "DEFAULT_PAGE_SIZE is larger than MAX_PAGE_SIZE"),
    ({"DEFAULT_PAGE_SIZES": "pnaes=100"}, "DEFAULT_PAGE_SIZES: there is no list pnaes"),
    ({"REQUIRE_IF_MATCH": "pane"}, "REQUIRE_IF_MATCH: there is no list pane"),
    ({"REDIS_URL": "localhost:6379"}, "REDIS_URL has no scheme"),
    ({"PUBLIC_URL": "http://192.168.1.20"}, "customers cannot open http://192.168.1.20"),
])  # fmt: skip
def test_setting_without_its_effect_is_named(env, said):
    (remark,) = found(**env)
    assert said in remark


def test_directory_of_backups_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "file").touch()
    env = {"BACKUP_DIR": str(tmp_path / "file" / "backups"), "BACKUP_EVERY": "1d"}
    (remark,) = found(**env)
    assert remark == f"BACKUP_DIR: {tmp_path}/file/backups cannot be written"
    assert found(**env | {"BACKUP_DIR": str(tmp_path / "backups")}) == []


def test_nothing_is_said_of_good_settings_and_other_variables():
    good = {
        "CORS_ORIGINS": "https://example.com, http://localhost:3000",
        "DEFAULT_PAGE_SIZES": "panes=100",
        "REQUIRE_IF_MATCH": "orders",
        "REDIS_URL": "redis://localhost:6379",
        "PUBLIC_URL": "https://glass.example:8443/",
    }
    assert found(**good) == []
    others = ["HOME", "HOSTNAME", "LANG", "LOGNAME", "PATH", "PWD", "TERM", "TMPDIR"]
    assert found(**dict.fromkeys(others, "x")) == []

"""What devices get to trust the service: the authority, where https is, and a QR code."""

import stat

import pytest

from glassflow.cli.pages import pages
from glassflow.host.tls_files import TlsFiles, require_certificate
from glassflow.settings_rules import SettingsError


@pytest.fixture
def page(app):
    return app.test_client()


@pytest.fixture
def run(app, setting, tmp_path):
    """Runs `flask floor` with a DATA_DIR of its own."""
    setting(DATA_DIR=str(tmp_path))
    return lambda *arguments: app.test_cli_runner().invoke(pages, arguments)


def test_without_a_certificate_there_is_no_https_and_no_authority(
    page, setting, tmp_path
):
    setting(DATA_DIR=str(tmp_path), HTTPS_PORT=8443)
    assert page.get("/floor/ca.crt").status_code == 404
    data = page.get("/floor/https").json["data"]
    assert (data["port"], data["names"], data["authority"]) == (None, [], None)


def test_certificate_is_made_and_described(page, setting, run, tmp_path):
    made = run("certificate", "glass.local", "192.168.1.20")
    assert made.exit_code == 0, made.output
    setting(HTTPS_PORT=8443)
    data = page.get("/floor/https").json["data"]
    assert (data["port"], data["names"]) == (8443, ["glass.local", "192.168.1.20"])
    assert data["authority"] in made.output
    assert data["expiresAt"][:10] in made.output
    assert page.get("/floor/ca.crt").mimetype == "application/x-x509-ca-cert"
    files = TlsFiles(str(tmp_path))
    for key in (files.key, files.authority_key):
        assert stat.S_IMODE(key.stat().st_mode) == 0o600
    require_certificate({"DATA_DIR": str(tmp_path), "HTTPS_PORT": 8443})


def test_second_certificate_is_of_the_same_authority(run, tmp_path):
    files = TlsFiles(str(tmp_path))
    assert run("certificate", "glass.local").exit_code == 0
    before = files.authority.read_bytes(), files.certificate.read_bytes()
    assert run("certificate", "other.local").exit_code == 0
    assert files.authority.read_bytes() == before[0]
    assert files.certificate.read_bytes() != before[1]
    refused = run("certificate", "glass.example")
    assert refused.exit_code == 1
    assert "--new-authority" in refused.output
    assert run("certificate", "glass.example", "--new-authority").exit_code == 0
    assert files.authority.read_bytes() != before[0]


def test_certificate_is_for_this_machine_by_default(run, page, setting):
    assert run("certificate").exit_code == 0
    setting(HTTPS_PORT=8443)
    names = page.get("/floor/https").json["data"]["names"]
    assert {"localhost", "127.0.0.1"} <= set(names)


def test_name_that_is_none_is_refused(run, tmp_path):
    refused = run("certificate", "http://glass.local")
    assert refused.exit_code == 1
    assert "no host name" in refused.output
    assert not TlsFiles(str(tmp_path)).folder.exists()


def test_https_needs_a_usable_certificate(tmp_path):
    settings = {"DATA_DIR": str(tmp_path), "HTTPS_PORT": 8443}
    with pytest.raises(SettingsError, match="flask floor certificate"):
        require_certificate(settings)
    files = TlsFiles(str(tmp_path))
    files.folder.mkdir()
    files.certificate.write_text("no certificate")
    files.key.write_text("no key")
    with pytest.raises(SettingsError, match="cannot be used"):
        require_certificate(settings)
    require_certificate({**settings, "HTTPS_PORT": 0})


def test_qr_code_is_a_picture(page):
    answer = page.get("/floor/secure.svg", base_url="http://192.168.1.20:8000")
    assert answer.mimetype == "image/svg+xml"
    assert answer.text.startswith("<svg")
    assert "script" not in answer.text

"""The workshop's authority and its certificates, as a client's TLS library takes them."""

import datetime as dt
import socket
import ssl
import threading

import pytest

from glassflow.core.process import certificates
from glassflow.core.process.certificates import parse_name

NOW = dt.datetime.now(dt.UTC)
NAMES = [parse_name(name) for name in ("glass.local", "127.0.0.1", "ร้าน.example")]


@pytest.fixture(scope="module")
def authority():
    return certificates.make_authority(NAMES, NOW)


def handshake(folder, trusted, made, name):
    """Connect to a server with a certificate, as a client that opens it by this name."""
    (folder / "c").write_bytes(made.certificate)
    (folder / "k").write_bytes(made.key)
    server = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    server.load_cert_chain(folder / "c", folder / "k")
    client = ssl.create_default_context(cadata=trusted.certificate.decode())
    one, other = socket.socketpair()

    def serve():
        try:
            server.wrap_socket(one, server_side=True).close()
        except OSError:
            one.close()

    serving = threading.Thread(target=serve)
    serving.start()
    try:
        client.wrap_socket(other, server_hostname=name).close()
    finally:
        other.close()
        serving.join()


def test_client_that_trusts_the_authority_trusts_the_certificate(authority, tmp_path):
    made = certificates.issue(authority, NAMES, NOW)
    for name in ("glass.local", "127.0.0.1"):
        handshake(tmp_path, authority, made, name)
    names = certificates.names_of(made.certificate)
    assert names[:2] == ["glass.local", "127.0.0.1"]
    assert names[2].startswith("xn--")


@pytest.mark.parametrize("name", ["localhost", "10.0.0.1"])
def test_certificate_is_for_its_names_only(authority, tmp_path, name):
    made = certificates.issue(authority, NAMES, NOW)
    with pytest.raises(ssl.SSLCertVerificationError):
        handshake(tmp_path, authority, made, name)


def test_client_that_does_not_trust_the_authority_refuses(authority, tmp_path):
    other = certificates.make_authority(NAMES, NOW)
    made = certificates.issue(authority, NAMES, NOW)
    with pytest.raises(ssl.SSLCertVerificationError):
        handshake(tmp_path, other, made, "glass.local")


def test_authority_cannot_sign_for_sites_of_others(authority, tmp_path):
    foreign = [parse_name("bank.example")]
    assert certificates.refused_names(authority.certificate, foreign) == [
        "bank.example"
    ]
    made = certificates.issue(authority, foreign, NOW)  # with a stolen key
    with pytest.raises(ssl.SSLCertVerificationError):
        handshake(tmp_path, authority, made, "bank.example")


def test_authority_can_sign_for_other_names_of_the_local_network(authority):
    local = [parse_name(name) for name in ("pc.lan", "192.168.7.9", "fd00::1")]
    assert certificates.refused_names(authority.certificate, local) == []
    assert certificates.refused_names(authority.certificate, [parse_name("8.8.8.8")])


def test_certificate_is_valid_for_397_days(authority):
    made = certificates.issue(authority, NAMES, NOW)
    left = certificates.expires_at(made.certificate) - NOW
    assert dt.timedelta(days=395) < left <= dt.timedelta(days=397)
    assert certificates.expires_at(authority.certificate) - NOW > dt.timedelta(
        days=3600
    )


@pytest.mark.parametrize("text", ["", "a b", "http://x", "-" * 300, "x/y"])
def test_what_is_no_name_is_refused(text):
    with pytest.raises(ValueError, match="is no host name and no address"):
        parse_name(text)

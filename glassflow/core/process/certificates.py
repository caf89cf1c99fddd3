"""Certificates of a workshop: an authority that devices trust, and one for the service.

Browsers give a page its service worker, and phones a page their camera, over https only,
and a name in a local network gets no certificate of a public authority. So the workshop
has its own. Its key could sign for any site; therefore the authority is limited to private
addresses, to names of local networks, and to those that it was made for (RFC 5280, name
constraints).
"""

import datetime as dt
import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

AUTHORITY_DAYS = 3650
CERTIFICATE_DAYS = 397  # browsers refuse longer ones
CLOCK_TOLERANCE = dt.timedelta(days=1)  # of a device whose clock is behind
LOCAL_NAMES = ("localhost", "local", "lan", "internal", "home.arpa")
PRIVATE_NETWORKS = (
    "10.0.0.0/8",
    "127.0.0.0/8",
    "169.254.0.0/16",
    "172.16.0.0/12",
    "192.168.0.0/16",
    "::1/128",
    "fc00::/7",
    "fe80::/10",
)

Name = x509.DNSName | x509.IPAddress


@dataclass(frozen=True, slots=True)
class Pair:
    """A certificate and its key, in PEM."""

    certificate: bytes
    key: bytes


def parse_name(text: str) -> Name:
    """Return a host name or an IP address; raises `ValueError` for anything else."""
    try:
        return x509.IPAddress(ipaddress.ip_address(text))
    except ValueError:
        pass
    try:
        ascii_name = text.strip().rstrip(".").encode("idna").decode()
    except UnicodeError:
        ascii_name = ""
    if not ascii_name or any(not (c.isalnum() or c in "-.") for c in ascii_name):
        raise ValueError(f"{text!r} is no host name and no address")
    return x509.DNSName(ascii_name.lower())


def make_authority(names: Sequence[Name], now: dt.datetime) -> Pair:
    """Make an authority that can sign for these names and for local ones. `now` is UTC."""
    key = ec.generate_private_key(ec.SECP256R1())
    owner = _owner("glassflow workshop")
    certificate = (
        _builder(owner, owner, key, now, AUTHORITY_DAYS)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_key_usage(signs_certificates=True), critical=True)
        .add_extension(
            x509.NameConstraints([*_local_names(), *names_as_limits(names)], None),
            critical=True,
        )
        .sign(key, hashes.SHA256())
    )
    return _pair([certificate], key)


def issue(authority: Pair, names: Sequence[Name], now: dt.datetime) -> Pair:
    """Issue a certificate for these names, followed by that of the authority."""
    issuer = x509.load_pem_x509_certificate(authority.certificate)
    issuer_key = serialization.load_pem_private_key(authority.key, None)
    assert isinstance(issuer_key, ec.EllipticCurvePrivateKey)
    key = ec.generate_private_key(ec.SECP256R1())
    usage = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH])
    certificate = (
        _builder(_owner("glassflow"), issuer.subject, key, now, CERTIFICATE_DAYS)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_key_usage(signs_certificates=False), critical=True)
        .add_extension(usage, critical=False)
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer_key.public_key()),
            critical=False,
        )
        .sign(issuer_key, hashes.SHA256())
    )
    return _pair([certificate, issuer], key)


def refused_names(authority: bytes, names: Sequence[Name]) -> list[str]:
    """List the names for which an authority may not sign."""
    limits = x509.load_pem_x509_certificate(authority).extensions
    allowed = limits.get_extension_for_class(x509.NameConstraints).value
    permitted = allowed.permitted_subtrees or []
    return [
        str(one.value) for one in names if not any(_fits(one, p) for p in permitted)
    ]


def names_of(certificate: bytes) -> list[str]:
    """Return the names and addresses that a certificate is for."""
    found = x509.load_pem_x509_certificate(certificate).extensions
    names = found.get_extension_for_class(x509.SubjectAlternativeName).value
    return [str(one.value) for one in names]


def expires_at(certificate: bytes) -> dt.datetime:
    """Return when a certificate ends, in UTC."""
    return x509.load_pem_x509_certificate(certificate).not_valid_after_utc


def as_der(certificate: bytes) -> bytes:
    """Return a certificate in the binary form, which phones install."""
    parsed = x509.load_pem_x509_certificate(certificate)
    return parsed.public_bytes(serialization.Encoding.DER)


def fingerprint(certificate: bytes) -> str:
    """Return the SHA-256 fingerprint as devices show it: `AB:CD:…`."""
    digest = x509.load_pem_x509_certificate(certificate).fingerprint(hashes.SHA256())
    return digest.hex(":").upper()


def names_as_limits(names: Sequence[Name]) -> list[x509.GeneralName]:
    """Return names as limits of an authority: an address as a network of its own."""
    return [
        x509.IPAddress(ipaddress.ip_network(one.value))
        if isinstance(one, x509.IPAddress)
        else one
        for one in names
    ]


def _local_names() -> list[x509.GeneralName]:
    networks = (ipaddress.ip_network(one) for one in PRIVATE_NETWORKS)
    return [
        *(x509.DNSName(one) for one in LOCAL_NAMES),
        *(x509.IPAddress(one) for one in networks),
    ]


def _fits(name: Name, limit: x509.GeneralName) -> bool:
    if isinstance(name, x509.DNSName):
        return isinstance(limit, x509.DNSName) and f".{name.value}".endswith(
            f".{limit.value}"
        )
    network = limit.value
    networks = (ipaddress.IPv4Network, ipaddress.IPv6Network)
    return isinstance(network, networks) and name.value in network


def _builder(
    subject: x509.Name,
    issuer: x509.Name,
    key: ec.EllipticCurvePrivateKey,
    now: dt.datetime,
    days: int,
) -> x509.CertificateBuilder:
    start = now - CLOCK_TOLERANCE
    public = key.public_key()
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(public)
        .serial_number(x509.random_serial_number())
        .not_valid_before(start)
        .not_valid_after(start + dt.timedelta(days=days))
        .add_extension(
            x509.SubjectKeyIdentifier.from_public_key(public), critical=False
        )
    )


def _owner(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


def _key_usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )


def _pair(chain: Sequence[x509.Certificate], key: ec.EllipticCurvePrivateKey) -> Pair:
    pem = serialization.Encoding.PEM
    plain = serialization.NoEncryption()
    form = serialization.PrivateFormat.PKCS8
    return Pair(
        b"".join(one.public_bytes(pem) for one in chain),
        key.private_bytes(pem, form, plain),
    )

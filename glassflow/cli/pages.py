"""`flask floor certificate`: the certificates with which HTTPS_PORT is served."""

import datetime as dt
import ipaddress
import os
import socket
from pathlib import Path

import click
from flask import current_app
from flask.cli import with_appcontext

from glassflow.core.process import certificates
from glassflow.core.process.certificates import Name, Pair
from glassflow.host.tls_files import TlsFiles

KEY_MODE, CERTIFICATE_MODE = 0o600, 0o644


@click.group("floor")
def pages() -> None:
    """Prepare the pages in the browser."""


@pages.command()
@click.argument("names", nargs=-1)
@click.option("--new-authority", is_flag=True, help="Make another authority, too.")
@with_appcontext
def certificate(names: tuple[str, ...], new_authority: bool) -> None:
    """Make a certificate for https, for 397 days.

    NAMES are the names and addresses by which devices open the service; by default those
    of this machine. It is signed by the workshop's authority, which is made once and is
    what devices have to trust.
    """
    files = TlsFiles(current_app.config["DATA_DIR"])
    wanted = _parse(names or own_names())
    now = dt.datetime.now(dt.UTC)
    authority = _authority(files, wanted, now, new_authority)
    made = certificates.issue(authority, wanted, now)
    _write(files.key, made.key, KEY_MODE)
    _write(files.certificate, made.certificate, CERTIFICATE_MODE)
    click.echo(f"Certificate: {files.certificate}")
    click.echo(f"  for     {', '.join(certificates.names_of(made.certificate))}")
    click.echo(f"  until   {certificates.expires_at(made.certificate):%Y-%m-%d}")
    click.echo(f"Authority: {files.authority}")
    click.echo(f"  SHA-256 {certificates.fingerprint(authority.certificate)}")
    click.echo("Set HTTPS_PORT, start the service again, and open /floor/secure.")


def own_names() -> list[str]:
    """Return the names and addresses of this machine in its networks."""
    host = socket.gethostname().partition(".")[0].lower()
    found = ["localhost", "127.0.0.1", "::1"]
    try:
        certificates.parse_name(host)
        found += [f"{host}.local", host] if host != "localhost" else []
    except ValueError:
        pass
    addresses = [*_resolved(host), *_address_of_default_route()]
    private = (one for one in addresses if ipaddress.ip_address(one).is_private)
    return list(dict.fromkeys([*found, *private]))


def _resolved(host: str) -> list[str]:
    try:
        return [
            str(info[4][0]).partition("%")[0] for info in socket.getaddrinfo(host, None)
        ]
    except OSError:
        return []


def _address_of_default_route() -> list[str]:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing
        except OSError:
            return []
        return [str(probe.getsockname()[0])]


def _parse(names: list[str] | tuple[str, ...]) -> list[Name]:
    try:
        return [certificates.parse_name(name) for name in names]
    except ValueError as error:
        raise click.ClickException(str(error)) from None


def _authority(
    files: TlsFiles, names: list[Name], now: dt.datetime, is_replaced: bool
) -> Pair:
    """Return the workshop's authority, made where there is none yet."""
    if files.authority.is_file() and files.authority_key.is_file() and not is_replaced:
        found = Pair(files.authority.read_bytes(), files.authority_key.read_bytes())
        if refused := certificates.refused_names(found.certificate, names):
            raise click.ClickException(
                f"The authority was not made for {', '.join(refused)}. Make another one "
                "with --new-authority; every device has to trust it again."
            )
        return found
    made = certificates.make_authority(names, now)
    files.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    _write(files.authority_key, made.key, KEY_MODE)
    _write(files.authority, made.certificate, CERTIFICATE_MODE)
    return made


def _write(path: Path, content: bytes, mode: int) -> None:
    """Replace a file, so that nobody reads half of it, or a key before it is protected."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f"{path.name}.new")
    new.unlink(missing_ok=True)
    with os.fdopen(
        os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb"
    ) as file:
        file.write(content)
    new.replace(path)

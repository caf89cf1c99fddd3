"""Where the certificates of https are: in `tls/` below DATA_DIR.

`flask floor certificate` makes them (`core/process/certificates.py`). Who has others puts
them there as `server.crt`, with the whole chain, and `server.key`.
"""

import ssl
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from glassflow.settings_rules import SettingsError


class TlsFiles:
    """The paths of the workshop's authority and of the service's certificate."""

    def __init__(self, data_dir: str) -> None:
        self.folder = Path(data_dir) / "tls"
        self.authority = self.folder / "ca.crt"
        self.authority_key = self.folder / "ca.key"
        self.certificate = self.folder / "server.crt"
        self.key = self.folder / "server.key"

    def server_context(self) -> ssl.SSLContext:
        """Return what a server needs; raises `OSError` for files that are not usable."""
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(self.certificate, self.key)
        return context


def require_certificate(settings: Mapping[str, Any]) -> None:
    """Raise `SettingsError` if HTTPS_PORT is set and there is no usable certificate."""
    if not settings["HTTPS_PORT"]:
        return
    files = TlsFiles(settings["DATA_DIR"])
    missing = [one for one in (files.certificate, files.key) if not one.is_file()]
    if missing:
        raise SettingsError(
            f"HTTPS_PORT needs a certificate, and {missing[0]} does not exist; "
            "`flask floor certificate` makes one."
        )
    try:
        files.server_context()
    except OSError as error:
        raise SettingsError(
            f"{files.certificate} and its key cannot be used: {error}."
        ) from error

"""How devices come to trust the service: its authority, and where https is served."""

from io import BytesIO

import segno
from flask import Blueprint, Response, current_app, request
from werkzeug.exceptions import NotFound

from glassflow.core.process import certificates
from glassflow.host.tls_files import TlsFiles
from glassflow.pages import files
from glassflow.web.auth import public
from glassflow.web.envelope import reply
from glassflow.web.gate import unlimited

blueprint = Blueprint("pages_certificate", __name__, url_prefix=files.PREFIX)


@blueprint.get("/ca.crt")
@public
@unlimited
def authority() -> Response:
    """Return the certificate of the authority, in the form that all devices install."""
    path = _tls_files().authority
    if not path.is_file():
        raise NotFound
    return Response(
        certificates.as_der(path.read_bytes()), mimetype="application/x-x509-ca-cert"
    )


@blueprint.get("/https")
@public
@unlimited
def https() -> Response:
    """Tell where https is served, for which names, and how to recognise the authority."""
    tls, port = _tls_files(), current_app.config["HTTPS_PORT"]
    served = port and tls.certificate.is_file()
    certificate = tls.certificate.read_bytes() if served else b""
    own = tls.authority.is_file()
    data = {
        "port": port if served else None,
        "names": certificates.names_of(certificate) if served else [],
        "expiresAt": certificates.expires_at(certificate) if served else None,
        "authority": certificates.fingerprint(tls.authority.read_bytes())
        if own
        else None,
    }
    return reply(data, "How https is served")


@blueprint.get("/secure.svg")
@public
@unlimited
def code() -> Response:
    """Return a QR code that leads a phone to this page at the same address."""
    address = f"{request.scheme}://{request.host}{files.PREFIX}/secure"
    drawing = BytesIO()
    segno.make(address, micro=False).save(
        drawing, kind="svg", xmldecl=False, scale=4, border=4, light="#fff"
    )
    return Response(drawing.getvalue(), mimetype="image/svg+xml")


def _tls_files() -> TlsFiles:
    return TlsFiles(current_app.config["DATA_DIR"])

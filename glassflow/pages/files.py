"""The files of the pages: read and compressed once, served by the hash of them all.

The hash of the whole tree is a part of every URL, and imports between the files are
relative. So each file is immutable under its URL, and a page never mixes two releases.

`make pages` joins the modules into one file for each area, below `joined/`. They are served
in place of the modules while they fit them, and the modules themselves otherwise.
"""

import gzip
import hashlib
import json
import logging
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath

from flask import Response, request
from werkzeug.exceptions import NotFound

ROOT = Path(__file__).with_name("static")
SHELL = Path(__file__).with_name("shell.html")
WORKER = Path(__file__).with_name("sw.js")
JOINED = Path(__file__).with_name("joined")
PREFIX = "/floor"
# What is served, and as what; anything else in the directory is not.
MIME_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".map": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".ttf": "font/ttf",
    ".txt": "text/plain; charset=utf-8",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
# What a start without network does not need; the decoder is kept once it has been used.
NOT_PRELOADED = re.compile(
    r"vendor/(LICENSE|LOCK|zxing)|fonts/LICENSE|label_fonts/|icons/|\.(webmanifest|map)$"
)
DIGEST_LENGTH = 20
MIN_SAVING = 0.9  # of the size: what hardly gets smaller is sent as it is
# The areas that are opened for a working day: the first part of their path, and their entry.
# Their shell has their own modules and styles loaded beside those of every page.
AREAS = {
    "board": "js/pages/board/board.js",
    "deliveries": "js/pages/deliveries/deliveries.js",
    "labels": "js/pages/labels/labels.js",
    "office": "js/pages/office/pages.js",
    "s": "js/pages/station/station.js",
}
IMMUTABLE = "public, max-age=31536000, immutable"
REVALIDATE = "no-cache"

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self' 'wasm-unsafe-eval'",
        "style-src 'self'",
        "img-src 'self' blob: data:",
        "font-src 'self'",
        "connect-src 'self'",
        "worker-src 'self'",
        "media-src 'self' blob:",
        "manifest-src 'self'",
        "frame-src 'self' blob:",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
SECURITY_HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(self), microphone=(), geolocation=()",
    "Referrer-Policy": "no-referrer",
}
# `import … from "./x.js"` and `import "./x.js"`; not `import("./x.js")`, which is lazy.
STATIC_IMPORT = re.compile(
    r"""^(?:import|export)\b(?!\()[^'"();]*['"](\.[^'"]+)['"]""", re.MULTILINE
)
STYLES = re.compile(r"^export const styles = (\[.*\]);", re.MULTILINE)
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ServedFile:
    """A file with its type, its digest, and its compressed form if that is smaller."""

    body: bytes
    mime_type: str
    digest: str
    compressed: bytes | None

    @classmethod
    def of(cls, body: bytes, mime_type: str, *, small: bool = True) -> "ServedFile":
        """Compute the digest of a body, and compress it if it is to be small."""
        packed = gzip.compress(body, mtime=0) if small else body
        compressed = packed if len(packed) < MIN_SAVING * len(body) else None
        digest = hashlib.sha256(body).hexdigest()[:DIGEST_LENGTH]
        return cls(body, mime_type, digest, compressed)


@dataclass(frozen=True, slots=True)
class Pages:
    """The shell, the service worker, and all files by their path below `static/`.

    `version` is the hash of them all; `shells` are those of the `AREAS`. `are_joined` says
    whether an area is one file.
    """

    version: str
    files: Mapping[str, ServedFile]
    shell: ServedFile
    shells: Mapping[str, ServedFile]
    worker: ServedFile
    are_joined: bool

    def shell_of(self, path: str) -> ServedFile:
        """Return the shell for a path below `PREFIX`."""
        return self.shells.get(path.partition("/")[0], self.shell)


@cache
def pages() -> Pages:
    """Read all files, once in each process."""
    written = _read(ROOT)
    joined, addresses = _joined(written)
    unchanged = {name: one for name, one in written.items() if name not in addresses}
    files = unchanged | joined
    main = "js/joined/main.js" if joined else "js/main.js"
    whole = hashlib.sha256(SHELL.read_bytes() + WORKER.read_bytes())
    for name, file in files.items():
        whole.update(f"{name} {file.digest}\n".encode())
    version = whole.hexdigest()[:16]

    def shell(page: str = "") -> ServedFile:
        modules = [main, *static_imports(main, files)]
        styles: list[str] = []
        if page:
            modules += [page, *static_imports(page, files)]
            styles = json.loads(STYLES.findall(written[page].body.decode())[0])
        needed = dict.fromkeys(name for name in modules if name not in addresses)
        return _shell(_base(version), list(needed), styles)

    shells = {path: shell(page) for path, page in AREAS.items() if page in files}
    needed = [name for name in files if name not in addresses]
    worker = ServedFile.of(_worker(version, needed), MIME_TYPES[".js"])
    return Pages(version, files, shell(), shells, worker, are_joined=bool(joined))


def _read(folder: Path) -> dict[str, ServedFile]:
    """Read the files of a folder that are served, by their path below it."""
    return {
        path.relative_to(folder).as_posix(): ServedFile.of(
            path.read_bytes(),
            mime_type,
            small=path.suffix != ".map",  # only a debugger asks for these
        )
        for path in sorted(folder.rglob("*"))
        if (mime_type := MIME_TYPES.get(path.suffix)) and path.is_file()
    }


def _joined(
    written: Mapping[str, ServedFile],
) -> tuple[dict[str, ServedFile], Collection[str]]:
    """Return the joined files, and those of them that only export another one again.

    There are none where `make pages` has not run, or ran with other modules.
    """
    try:
        about = json.loads((JOINED / "about.json").read_bytes())
    except FileNotFoundError:
        return {}, ()
    for name, digest in about["modules"].items():
        if name not in written or written[name].digest != digest[:DIGEST_LENGTH]:
            log.warning("pages: served as written, %s is not as joined", name)
            return {}, ()
    files = _read(JOINED)
    del files["about.json"]
    return files, set(about["modules"]) - set(about["files"])


def static_imports(entry: str, files: Mapping[str, ServedFile]) -> list[str]:
    """Return the modules that a module imports, directly or not, in the order of use."""
    found: dict[str, None] = {}
    pending = [entry]
    while pending:
        name = pending.pop(0)
        for target in STATIC_IMPORT.findall(files[name].body.decode()):
            imported = _resolve(PurePosixPath(name).parent, target)
            if imported not in found:
                found[imported] = None
                pending.append(imported)
    return list(found)


def _resolve(folder: PurePosixPath, target: str) -> str:
    parts: list[str] = list(folder.parts)
    for part in target.split("/"):
        if part == "..":
            parts.pop()
        elif part != ".":
            parts.append(part)
    return "/".join(parts)


def _base(version: str) -> str:
    return f"{PREFIX}/static/{version}"


def _worker(version: str, files: Iterable[str]) -> bytes:
    """Return the service worker, with the files that it fetches in advance."""
    urls = [
        f"{_base(version)}/{name}" for name in files if not NOT_PRELOADED.search(name)
    ]
    text = WORKER.read_text("utf-8").replace("{{version}}", version)
    return text.replace('["{{files}}"]', json.dumps(urls)).encode()


def _shell(base: str, modules: Sequence[str], styles: Sequence[str]) -> ServedFile:
    """Return the shell that starts the first module, and has these loaded with it."""
    links = [f'<link rel="modulepreload" href="{base}/{name}">' for name in modules[1:]]
    links += [  # the modules are needed first
        f'<link rel="preload" href="{base}/js/{name}.css" as="style" fetchpriority="low">'
        for name in styles
    ]
    text = SHELL.read_text("utf-8").replace("{{main}}", f"{base}/{modules[0]}")
    text = text.replace("{{base}}", base).replace("{{preloaded}}", "\n".join(links))
    return ServedFile.of(text.encode(), "text/html; charset=utf-8")


def serve(file: ServedFile, cache_control: str) -> Response:
    """Return the answer with a file: compressed for who accepts it, or 304."""
    packed = file.compressed
    if packed is not None and request.accept_encodings.quality("gzip") <= 0:
        packed = None
    response = Response(
        file.body if packed is None else packed, content_type=file.mime_type
    )
    if packed is not None:
        response.headers["Content-Encoding"] = "gzip"
    if file.compressed is not None:
        response.headers["Vary"] = "Accept-Encoding"
    response.headers["Cache-Control"] = cache_control
    response.set_etag(file.digest if packed is None else f"{file.digest}-gzip")
    response.make_conditional(request)
    return response


def serve_static(version: str, name: str) -> Response:
    """Return a file of this version; raises `NotFound` for another one."""
    file = pages().files.get(name) if version == pages().version else None
    if file is None:
        raise NotFound
    return serve(file, IMMUTABLE)


def set_security_headers(response: Response) -> Response:
    """Set the headers that every answer below `PREFIX` has, refusals included."""
    if request.path == PREFIX or request.path.startswith(f"{PREFIX}/"):
        response.headers.update(SECURITY_HEADERS)
    return response

"""What glassflow is delivered with: writes docs/licences.md and a CycloneDX file.

`make sbom` runs it where everything is installed. The Python packages are those that
setup.cfg requires, with what they require themselves in the Python of the image
(deploy/Dockerfile); the vendored ones are in the lock files that `make vendor` writes.
"""

import base64
import json
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.metadata import Distribution, distribution
from pathlib import Path

from cyclonedx.model import HashAlgorithm, HashType
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.model.license import LicenseExpression
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "licences.md"
BILL = ROOT / "build" / "glassflow.cdx.json"
LOCKS = (
    "glassflow/pages/static/vendor/LOCK.json",
    "glassflow/api_docs/static/LOCK.json",
    "glassflow/drawing/fonts/LOCK.json",
)
# The extras of setup.cfg that are more than test tools; "" has what all need.
PARTS = {
    "": "The service",
    "embedded": "The embedded store, a program of its own",
    "demo": "`make demo` only",
}
# Said below the table of the store.
EXTENSION = """
The embedded store is optional (`pip install 'glassflow[embedded]'`) and is not needed where
`MONGODB_URI` is set. The service starts it as a separate program and uses it over a socket.

`glassflow/embedded/store_extension` is a part of glassflow that runs in this program and
replaces functions of it. So it has the licence of the program, GPL-2.0-only. The service
does not load it."""
# Said below the table of what is vendored.
VENDORED = """
The pages load nothing from other hosts: these files are delivered in
`glassflow/pages/static/vendor`, `glassflow/pages/static/fonts`, `glassflow/api_docs/static`
and `glassflow/drawing/fonts`."""
# The Python of the image: what a package requires depends on it.
IMAGE = {
    "python_version": "3.11",
    "python_full_version": "3.11.99",
    "implementation_name": "cpython",
    "platform_python_implementation": "CPython",
    "sys_platform": "linux",
    "platform_system": "Linux",
    "platform_machine": "x86_64",
    "os_name": "posix",
}
# The SPDX expressions of packages whose metadata has another text, or none.
LICENCES = {
    "itsdangerous": "BSD-3-Clause",
    "jinja2": "BSD-3-Clause",
    "pypdfium2": "(Apache-2.0 OR BSD-3-Clause) AND LicenseRef-pdfium-third-party",
    "reportlab": "BSD-3-Clause",
    "segno": "BSD-3-Clause",
    "uharfbuzz": "Apache-2.0",
}
MIT = "License :: OSI Approved :: MIT License"
PURE_SPDX = re.compile(r"MIT|Apache-2\.0|MPL-2\.0")

INTRODUCTION = """\
# Licences

glassflow has the MIT licence ([LICENSE](../LICENSE)). One package of it,
`glassflow/embedded/store_extension`, has the licence GPL-2.0-only
([text](../LICENSES/GPL-2.0-only.txt)).

The tables list the packages that glassflow is delivered with. `make sbom` writes this page
from the installed packages and the lock files of the vendored ones. Licences are SPDX
expressions. The texts are in each Python package (`*.dist-info`), and beside the vendored
files. `make sbom` also writes `build/glassflow.cdx.json`, the same as a software bill of
materials (CycloneDX 1.6)."""


@dataclass(frozen=True, slots=True)
class Package:
    """A package that is delivered: `kind` is its registry as in package URLs."""

    kind: str
    name: str
    version: str
    licence: str
    requires: tuple[str, ...] = ()
    sha512: str = ""

    @property
    def url(self) -> PackageURL:
        """The package URL, which scanners look up."""
        namespace, _, name = self.name.rpartition("/")
        return PackageURL(self.kind, namespace or None, name, self.version)


def python_packages(extra: str) -> list[Package]:
    """Return what an extra of setup.cfg installs, by name; "" is what all need."""
    found: dict[str, Package] = {}
    pending = sorted(required_by(distribution("glassflow"), extra, only=True))
    while pending:
        name = pending.pop()
        if name not in found:
            found[name] = _python_package(distribution(name))
            pending += found[name].requires
    return sorted(found.values(), key=lambda package: package.name)


def required_by(
    installed: Distribution, extra: str = "", *, only: bool = False
) -> set[str]:
    """Return the names that a package requires in the image.

    `only`: without what it requires for every extra.
    """
    names: set[str] = set()
    for text in installed.requires or ():
        requirement = Requirement(text)
        marker = requirement.marker
        applies = marker is None or marker.evaluate(IMAGE | {"extra": extra})
        always = marker is None or marker.evaluate(IMAGE | {"extra": ""})
        if applies and not (only and extra and always):
            names.add(canonicalize_name(requirement.name))
    return names


def _python_package(installed: Distribution) -> Package:
    return Package(
        kind="pypi",
        name=canonicalize_name(installed.metadata["Name"]),
        version=installed.version,
        licence=_licence(installed),
        requires=tuple(sorted(required_by(installed))),
    )


def _licence(installed: Distribution) -> str:
    """Return the SPDX expression; raises `LookupError` if there is none anywhere."""
    name = canonicalize_name(installed.metadata["Name"])
    stated = _first(installed, "License")
    if expression := _first(installed, "License-Expression") or LICENCES.get(name):
        return expression
    if PURE_SPDX.fullmatch(stated):
        return stated
    if MIT in installed.metadata.get_all("Classifier", []):
        return "MIT"
    raise LookupError(f"Add the SPDX expression of {name} to LICENCES: {stated!r}")


def _first(installed: Distribution, name: str) -> str:
    """Return the value of a name in the metadata; empty if it is not there."""
    return next(iter(installed.metadata.get_all(name, [])), "")


def vendored_packages() -> list[Package]:
    """Return what is vendored for browsers and labels, by name."""
    found = {}
    for lock in LOCKS:
        packages = json.loads((ROOT / lock).read_text("utf-8"))["packages"]
        for name, entry in packages.items():
            digest = base64.b64decode(entry["integrity"].removeprefix("sha512-"))
            found[name] = Package(
                kind="npm",
                name=name,
                version=entry["version"],
                licence=entry["license"],
                sha512=digest.hex(),
            )
    return sorted(found.values(), key=lambda package: package.name)


def page() -> str:
    """Return docs/licences.md."""
    return "\n".join([INTRODUCTION, *_tables(), ""])


def _tables() -> Iterator[str]:
    for extra, title in PARTS.items():
        yield from _table(title, python_packages(extra))
        if extra == "embedded":
            yield EXTENSION
    yield from _table("JavaScript and fonts", vendored_packages())
    yield VENDORED


def _table(title: str, packages: Iterable[Package]) -> Iterator[str]:
    yield f"\n## {title}\n"
    yield "| Package | Version | Licence |"
    yield "| --- | --- | --- |"
    for package in packages:
        yield f"| {package.name} | {package.version} | {package.licence} |"


def bill() -> str:
    """Return the software bill of materials, as CycloneDX in JSON."""
    packages = {
        (package.kind, package.name): package
        for extra in PARTS
        for package in python_packages(extra)
    } | {(package.kind, package.name): package for package in vendored_packages()}
    components = {key: _component(package) for key, package in packages.items()}
    own = distribution("glassflow")
    root = Component(
        type=ComponentType.APPLICATION,
        bom_ref="glassflow",
        name="glassflow",
        version=own.version,
        licenses=[LicenseExpression(_licence(own))],
    )
    made = Bom(components=components.values())
    made.metadata.component = root
    made.register_dependency(root, _direct(own, components))
    for (kind, name), package in packages.items():
        needed = (components[kind, one] for one in package.requires)
        made.register_dependency(components[kind, name], needed)
    return JsonV1Dot6(made).output_as_string(indent=2)


def _direct(
    own: Distribution, components: dict[tuple[str, str], Component]
) -> list[Component]:
    """Return the components that glassflow itself requires or contains."""
    required = set().union(*(required_by(own, extra) for extra in PARTS))
    return [
        component
        for (kind, name), component in components.items()
        if kind == "npm" or name in required
    ]


def _component(package: Package) -> Component:
    hashes = [HashType(alg=HashAlgorithm.SHA_512, content=package.sha512)]
    return Component(
        type=ComponentType.LIBRARY,
        bom_ref=str(package.url),
        name=package.name,
        version=package.version,
        purl=package.url,
        licenses=[LicenseExpression(package.licence)],
        hashes=hashes if package.sha512 else [],
    )


def main() -> None:
    """Write both files."""
    PAGE.write_text(page(), encoding="utf-8")
    BILL.parent.mkdir(exist_ok=True)
    BILL.write_text(bill() + "\n", encoding="utf-8")
    for path in (PAGE, BILL):
        print(f"{path.relative_to(ROOT)}: written", file=sys.stderr)


if __name__ == "__main__":
    main()

"""The network printers of a workshop, as the setting PRINTERS names them."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

DEFAULT_PORT = 9100
DPI = (203, 300, 600)


class Printer(NamedTuple):
    """A printer that takes ZPL over TCP; `dpi` are the dots of its head."""

    name: str
    host: str
    port: int
    dpi: int


def parse_printers(setting: Mapping[str, Sequence[str]]) -> dict[str, Printer]:
    """Read `zebra=tcp://host:9100 300`; raises `ValueError` that names the first bad one."""
    return {name: _parse(name, words) for name, words in setting.items()}


def _parse(name: str, words: Sequence[str]) -> Printer:
    address, dpi = words[0], words[1] if len(words) > 1 else str(DPI[0])
    found = re.fullmatch(
        r"tcp://([A-Za-z0-9.\-]{1,253}|\[[0-9A-Fa-f:.]+\])(?::(\d{1,5}))?/?", address
    )
    port = int(found[2] or DEFAULT_PORT) if found else 0
    known = re.fullmatch(r"[\w-]{1,40}", name) and dpi.isdecimal() and int(dpi) in DPI
    if not found or not known or not 0 < port < 65536 or len(words) > 2:
        raise ValueError(name)
    return Printer(name, found[1].strip("[]"), port, int(dpi))

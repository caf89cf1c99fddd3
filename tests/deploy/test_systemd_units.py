"""deploy/systemd: the units as systemd itself reads them."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

from deployment import DEPLOY
from glassflow.host.data_files import REPOSITORY
from optional_tools import require_systemd
from service import PROCFILE_COMMAND

UNITS = DEPLOY / "systemd"
PORTS = (8001, 8002)
MOST_EXPOSURE = 20  # in tenths, of 100: systemd calls more than that no longer OK


def test_units_are_valid_and_confined(tmp_path):
    require_systemd()
    for unit in UNITS.iterdir():
        text = unit.read_text("utf-8")
        bin_folder = str(Path(sys.executable).parent)
        text = text.replace("/srv/glassflow/.venv/bin", bin_folder)
        (tmp_path / unit.name).write_text(text)
    names = [f"glassflow@{PORTS[0]}.{kind}" for kind in ("socket", "service")]
    paths = [str(tmp_path / name) for name in names]
    verify = ["systemd-analyze", "verify", "--man=no", *paths]
    done = subprocess.run(verify, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    security = ["systemd-analyze", "security", "--offline=yes"]
    threshold = f"--threshold={MOST_EXPOSURE}"
    done = subprocess.run([*security, threshold, paths[1]], capture_output=True)
    assert done.returncode == 0, done.stdout.decode()


def test_page_enables_each_unit_that_starts_with_the_system():
    page = (REPOSITORY / "docs" / "operations.md").read_text("utf-8")
    command = page.partition("systemctl enable --now")[2].partition("```")[0]
    assert set(re.findall(r"glassflow@\S+", command)) == {
        unit.name.replace("@", f"@{port}")
        for unit in UNITS.iterdir()
        if "[Install]" in unit.read_text("utf-8")
        for port in PORTS
    }
    named = re.findall(r"(?:systemctl|journalctl)[\w\s-]*?'?(glassflow[@\w.]*)", page)
    assert len(named) > 3
    assert all(one.startswith("glassflow@") for one in named), named


def test_each_unit_serves_the_port_where_nginx_looks_for_it():
    socket = (UNITS / "glassflow@.socket").read_text("utf-8")
    upstream = (DEPLOY / "nginx" / "upstream.conf").read_text("utf-8")
    listens = re.search(r"^ListenStream=(.*)$", socket, re.MULTILINE)[1]
    assert re.findall(r"server (\S+);", upstream) == [
        listens.replace("%i", str(port)) for port in PORTS
    ]
    service = (UNITS / "glassflow@.service").read_text("utf-8")
    command = shlex.split(re.search(r"^ExecStart=(.*)$", service, re.MULTILINE)[1])
    assert [Path(command[0]).name, *command[1:]] == shlex.split(PROCFILE_COMMAND)

"""The dashboard and the alerts of deploy/ name metrics and labels that exist."""

import json
import re
import shutil
import subprocess

import pytest
import yaml

from deployment import DEPLOY
from glassflow.core.process import metrics
from glassflow.host.data_files import REPOSITORY
from glassflow.services.reports import store_metrics
from optional_tools import require

PROMETHEUS = DEPLOY / "prometheus"
DASHBOARD = DEPLOY / "grafana/glassflow.json"
OPERATIONS = REPOSITORY / "docs/operations.md"
SERIES = re.compile(r"\bglassflow_[a-z0-9_]+")
#: Labels that Prometheus adds.
ADDED = {"instance", "job", "le"}


@pytest.fixture
def families(app):
    """The labels of each metric, by its name."""
    found = {
        one._name: set(one._labelnames) for one in metrics._REGISTRY._collector_to_names
    }
    config = app.config | {"DATA_DIR": str(REPOSITORY)}  # a directory that is there
    for one in store_metrics.metrics(config):
        found[one.name] = {name for sample in one.samples for name in sample.labels}
    return found | {"glassflow_processes": set()}


def rules():
    document = yaml.safe_load((PROMETHEUS / "alerts.yml").read_text("utf-8"))
    return [rule for group in document["groups"] for rule in group["rules"]]


def panels():
    return json.loads(DASHBOARD.read_text("utf-8"))["panels"]


def expressions():
    yield from (rule["expr"] for rule in rules())
    for panel in panels():
        yield from (target["expr"] for target in panel["targets"])


def upstream(name):
    """The addresses of the processes in a file of nginx."""
    text = (DEPLOY / "nginx" / name).read_text("utf-8")
    return re.findall(r"server (\S+);", text)


def family_of(series):
    return re.sub(r"_(total|bucket|count|sum)$", "", series)


def test_every_metric_and_label_of_dashboard_and_alerts_exists(families):
    named = set()
    for text in expressions():
        series = {family_of(one) for one in SERIES.findall(text)}
        assert series <= families.keys() or series == {"up"}, text
        labels = set(re.findall(r"(\w+)=?[=!]~?\"", text))
        for grouped in re.findall(r"by \(([^)]*)\)", text):
            labels |= set(grouped.split(", "))
        allowed = set().union(ADDED, *(families[one] for one in series))
        assert labels <= allowed, text
        named |= series
    assert named == families.keys(), "what nobody watches need not be counted"


def test_panels_do_not_overlap_and_are_explained():
    taken = set()
    for panel in panels():
        place = panel["gridPos"]
        cells = {
            (x, y)
            for x in range(place["x"], place["x"] + place["w"])
            for y in range(place["y"], place["y"] + place["h"])
        }
        assert not cells & taken, panel["title"]
        assert max(x for x, _ in cells) < 24
        assert panel["description"], panel["title"]
        taken |= cells
    assert len({panel["id"] for panel in panels()}) == len(panels())


def test_operations_page_lists_every_metric_and_says_what_to_do_at_every_alert(
    families,
):
    page = OPERATIONS.read_text("utf-8")
    for name in families:
        assert f"`{name.removeprefix('glassflow_')}" in page, name
    for rule in rules():
        assert f"| {rule['alert']} |" in page
        assert rule["labels"]["severity"] in ("warning", "critical")
        assert rule["annotations"]["summary"]


def test_scrape_settings_find_the_metrics():
    text = (PROMETHEUS / "prometheus.yml").read_text("utf-8")
    settings = yaml.safe_load(text)
    (job,) = settings["scrape_configs"]
    assert (job["job_name"], job["metrics_path"]) == ("glassflow", "/metrics")
    assert "authorization" in job
    assert settings["rule_files"] == ["alerts.yml"]
    # one target for each process that nginx knows: of the units, which a test of theirs
    # compares with nginx too, and of the containers, which have only names to add
    (targets,) = (one["targets"] for one in job["static_configs"])
    assert targets == upstream("upstream.conf")
    for containers in (text, OPERATIONS.read_text("utf-8")):
        assert all(one in containers for one in upstream("upstream.compose.conf"))
        assert "network" in containers
        assert "glassflow_web" in containers


def test_every_alert_fires_in_a_test_of_promtool():
    document = yaml.safe_load((PROMETHEUS / "alerts_test.yml").read_text("utf-8"))
    fired = {
        one["alertname"]
        for test in document["tests"]
        for one in test["alert_rule_test"]
        if one["exp_alerts"]
    }
    assert fired == {rule["alert"] for rule in rules()}


@pytest.mark.slow
def test_promtool_accepts_settings_and_alerts_and_these_fire(tmp_path):
    promtool = shutil.which("promtool")
    require(promtool, "promtool", "prometheus")
    # the dashboard's expressions, with values for Grafana's variables
    shown = [
        {
            "record": f"panel:{number}",
            "expr": text.replace("$__rate_interval", "1m").replace("$instance", ".*"),
        }
        for number, text in enumerate(expressions())
    ]
    panel_rules = tmp_path / "panels.yml"
    groups = {"groups": [{"name": "panels", "rules": shown}]}
    panel_rules.write_text(yaml.safe_dump(groups), "utf-8")
    for arguments in (
        ["check", "config", "--syntax-only", "prometheus.yml"],
        ["check", "rules", "alerts.yml"],
        ["check", "rules", str(panel_rules)],
        ["test", "rules", "alerts_test.yml"],
    ):
        done = subprocess.run(
            [promtool, *arguments], cwd=PROMETHEUS, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout + done.stderr

"""A second chance for a test that failed: it runs once more, alone, at the end of the run.

With `--second-chance` (`make test`), each failed test is run again in a process of its own,
after all others and after the workers of pytest-xdist have ended. If it passes then, it
does not fail the run; its first failure is shown, and the last lines say `flaky: NAME` with
the reason.
A run with more than `MOST` failed tests fails, and none of them is repeated: that many fail
because of a change. An error of the collection is not repeated either.
"""

import os
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest

MOST = 3  # failed tests that are repeated
TIMEOUT_S = 600  # of a repeated test, with its fixtures
FAILURES = ("failed", "error")  # the terminal reporter's kinds of reports
FLAKY = "flaky"


def add_option(parser):
    """Add `--second-chance`."""
    parser.addoption(
        "--second-chance",
        action="store_true",
        help="run failed tests once more at the end, each in a process of its own",
    )


def register(config):
    """Give failed tests of this run a second chance if `--second-chance` is set.

    Workers of pytest-xdist have the option too; only the controller repeats tests.
    """
    if config.getoption("second_chance") and not hasattr(config, "workerinput"):
        config.pluginmanager.register(SecondChance(config), "second_chance")


@dataclass
class SecondChance:
    """The plugin: repeats what failed, and reports what passed then.

    `flaky` maps the id of a test that passed the second time to the report of its first
    failure, `again` that of another one to what its second run printed.
    """

    config: pytest.Config
    flaky: dict[str, pytest.TestReport] = field(default_factory=dict)
    again: dict[str, str] = field(default_factory=dict)

    @pytest.hookimpl(trylast=True)  # pytest-xdist has ended its workers by then
    def pytest_sessionfinish(self, session, exitstatus):
        """Repeat the failed tests; the run passes if all of them pass."""
        reporter = self.config.pluginmanager.get_plugin("terminalreporter")
        failed = _failed_tests(reporter.stats)
        if exitstatus != pytest.ExitCode.TESTS_FAILED or not 0 < len(failed) <= MOST:
            return
        for name, report in failed.items():
            reporter.ensure_newline()
            reporter.write_line(f"second chance: {name}")
            passed, output = _run_alone(name, self.config.rootpath)
            if passed:
                self.flaky[name] = report
                _move_reports(reporter.stats, name)
            else:
                self.again[name] = output
        if not self.again:
            session.exitstatus = pytest.ExitCode.OK
            session.testsfailed = 0

    def pytest_terminal_summary(self, terminalreporter):
        """Name the flaky tests, and show what failed again."""
        for name, output in self.again.items():
            terminalreporter.section(f"failed again, alone: {name}")
            terminalreporter.write_line(output)
        for name, report in self.flaky.items():
            terminalreporter.section(f"first failure, passed alone: {name}")
            report.toterminal(terminalreporter._tw)
            for title, captured in report.sections:
                terminalreporter.section(title, sep="-")
                terminalreporter.write_line(captured)
        if self.flaky:
            terminalreporter.section("passed at the second attempt")
        for name, report in self.flaky.items():
            terminalreporter.write_line(f"flaky: {name}: {_reason(report)}")


def _failed_tests(stats):
    """Map the ids of failed tests to the report of their first failure.

    Empty if something failed that is no test, as the collection of a file.
    """
    failed = {}
    for report in (report for kind in FAILURES for report in stats.get(kind, ())):
        if not isinstance(report, pytest.TestReport):
            return {}
        failed.setdefault(report.nodeid, report)
    return failed


def _reason(report):
    """Return the first line of the message of a failure."""
    crash = getattr(report.longrepr, "reprcrash", None)
    message = crash.message if crash else report.longreprtext
    return next((line for line in message.splitlines() if line.strip()), "no reason")


def _move_reports(stats, name):
    """Count the failures of a test as flaky."""
    for kind in FAILURES:
        reports = stats.pop(kind, [])
        moved = [report for report in reports if report.nodeid == name]
        rest = [report for report in reports if report.nodeid != name]
        if moved:
            stats.setdefault(FLAKY, []).extend(moved)
        if rest:
            stats[kind] = rest


def _run_alone(name, rootpath: Path):
    """Run one test in a process of its own; return whether it passed, and the output.

    A test that is skipped has not passed.
    """
    command = [sys.executable, "-m", "pytest", "-n", "0", "-p", "no:randomly", name]
    given = {key: text for key, text in os.environ.items() if key[:7] != "PYTEST_"}
    try:
        done = subprocess.run(
            command,
            cwd=rootpath,
            env=given,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=TIMEOUT_S,
        )
    except subprocess.TimeoutExpired as error:
        output = error.stdout or b""
        text = output if isinstance(output, str) else output.decode(errors="replace")
        return False, f"{text}\nended after {TIMEOUT_S} s"
    passed = done.returncode == 0 and re.search(r"\b1 passed\b", done.stdout)
    return bool(passed), done.stdout

"""A headless Chromium with tabs, driven by commands (drive.mjs)."""

import json
import subprocess
from pathlib import Path

import gevent

from waiting import STOP_TIMEOUT_S, WAIT_TIMEOUT_S

DRIVER = Path(__file__).with_name("drive.mjs")
#: The service worker fetches all files of all pages, 300, into each new profile: most of
#: what a short story takes.
WITHOUT_SERVICE_WORKER = {"serviceWorkers": "block"}


class Chromium:
    """The browser, with command line switches of its own if need be.

    `profile` forgets everything, `tab` opens a page.
    """

    def __init__(self, path, *switches):
        self.process = subprocess.Popen(
            ["node", DRIVER, path, *switches],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def call(self, name, *arguments):
        """Run a command of the driver and return its value."""
        self.process.stdin.write(json.dumps([name, *arguments]) + "\n")
        self.process.stdin.flush()
        with gevent.Timeout(2 * WAIT_TIMEOUT_S):
            line = self.process.stdout.readline()
        assert line, "the driver of the browser has ended"
        outcome, value = json.loads(line)
        assert outcome == "ok", (name, arguments, value)
        return value

    def profile(self, **options):
        """Begin with empty cookies and storage; options of Playwright's newContext."""
        self.call("profile", WITHOUT_SERVICE_WORKER | options)
        return self

    def new_profile(self, **options):
        """Begin with an empty cache as well."""
        self.call("profile", WITHOUT_SERVICE_WORKER | options, False, True)
        return self

    def second_profile(self, **options):
        """Begin another one besides, for another person; tabs of the first stay open."""
        self.call("profile", WITHOUT_SERVICE_WORKER | options, True)
        return self

    def tab(self, address):
        return Tab(self, self.call("tab", address))

    def office_tab(self, address):
        """A tab with a page of the office, which is loaded once for many stories.

        The page begins without storage and with nobody logged in. One in which a story has
        changed more, such as its language or a function, is loaded again.
        """
        return Tab(self, self.call("officeTab", address))

    def has_ended(self):
        """Whether the driver has ended, as it does when the browser crashes."""
        return self.process.poll() is not None

    def close(self):
        self.process.stdin.close()
        try:
            self.process.wait(STOP_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait(STOP_TIMEOUT_S)
        self.process.stdout.close()


class Tab:
    """One page; its methods are the driver's commands: `tab.click("button")`."""

    def __init__(self, browser, number):
        self._browser, self._number = browser, number

    def __getattr__(self, name):
        return lambda *arguments: self._browser.call(name, self._number, *arguments)

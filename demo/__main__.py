"""``python -m demo``: a working day against a running service, or a temporary one."""

from gevent import monkey

monkey.patch_all()  # first: dozens of screens and workers share one process

import argparse  # noqa: E402
import signal  # noqa: E402
import sys  # noqa: E402
import threading  # noqa: E402

from socketio.exceptions import SocketIOError  # noqa: E402

from demo.client import Api, NoResponse, RequestRefused  # noqa: E402
from demo.day import Day  # noqa: E402
from demo.plan import JOBS  # noqa: E402
from demo.report import Report  # noqa: E402
from demo.service import is_glassflow, temporary_service  # noqa: E402
from demo.workshop import demo_passwords  # noqa: E402

PROGRESS_INTERVAL_S = 2


def main(argv: list[str] | None = None) -> int:
    """Run the demo.

    Returns the exit code: 0 only if every check passed, 1 for problems, 2 if the login
    fails.
    """
    options = parser().parse_args(argv)
    if is_glassflow(options.url):
        return run_day(options.url, options)
    print(f"No service at {options.url}: starting a temporary one …", flush=True)
    try:
        with temporary_service() as service:
            result = run_day(service.url, options)
            if result and service.log_tail():
                print(f"The end of the service's log:\n{service.log_tail()}")
            return result
    except RuntimeError as error:
        print(error, file=sys.stderr)
        return 1


def run_day(url: str, options: argparse.Namespace) -> int:
    """Log in, run the day and print the report; returns the exit code."""
    try:
        admin = Api.login(url, "admin", demo_passwords()["admin"])
    except (NoResponse, RequestRefused) as error:
        print(f"Cannot log in as the admin of the demo workshop: {error}")
        return 2
    day = Day(admin, requests=options.requests, panes_each=options.panes)
    print(f"Watch the day on the board: {admin.url}/floor/board", flush=True)
    ended = threading.Event()
    threading.Thread(
        target=show_progress, args=(day.report, ended), daemon=True
    ).start()
    try:
        day.run()
    except (
        NoResponse,
        RequestRefused,
        LookupError,
        RuntimeError,
        SocketIOError,
    ) as error:
        stage = day.report.stage
        day.report.problems.append(f"the day was aborted while {stage}: {error}")
    ended.set()
    print(f"\n{day.report.text()}", flush=True)
    return 1 if day.report.problems else 0


def show_progress(report: Report, ended: threading.Event) -> None:
    """Print a line about the running day every `PROGRESS_INTERVAL_S` seconds."""
    while not ended.wait(PROGRESS_INTERVAL_S):
        print(report.progress(), flush=True)


def parser() -> argparse.ArgumentParser:
    """The command's options."""
    made = argparse.ArgumentParser(prog="python -m demo", description=__doc__)
    made.add_argument("--url", default="http://127.0.0.1:8000")
    made.add_argument("--requests", type=int, default=len(JOBS))
    made.add_argument("--panes", type=int, default=10, help="panes of each request")
    return made


if __name__ == "__main__":
    # an exception, so that temporary_service stops the service
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)

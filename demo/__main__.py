"""``python -m demo``: a working day against a running service, or a temporary one."""

from gevent import monkey

monkey.patch_all()  # first: dozens of screens and workers share one process

import argparse  # noqa: E402
import signal  # noqa: E402
import sys  # noqa: E402

from socketio.exceptions import SocketIOError  # noqa: E402

from demo.client import Api, NoResponse, RequestRefused  # noqa: E402
from demo.day import Day  # noqa: E402
from demo.plan import JOBS  # noqa: E402
from demo.report import ProgressDisplay, final_report  # noqa: E402
from demo.service import is_glassflow, temporary_service  # noqa: E402
from demo.workshop import demo_passwords  # noqa: E402


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
        admin = Api.login(url, options.username, options.password)
    except (NoResponse, RequestRefused) as error:
        print(f"Cannot log in as {options.username}: {error}", file=sys.stderr)
        print("Give --username and --password of an admin.", file=sys.stderr)
        return 2
    day = Day(
        admin,
        requests=options.requests,
        panes_each=options.panes,
        count_events=options.count_events,
    )
    try:
        with ProgressDisplay(day):
            day.run()
    except (NoResponse, RequestRefused, RuntimeError, SocketIOError) as error:
        day.results.add_problem(f"the day was aborted while {day.stage}: {error}")
    text, ok = final_report(day)
    print(f"\n{text}", flush=True)
    return 0 if ok else 1


def parser() -> argparse.ArgumentParser:
    """The command's options."""
    made = argparse.ArgumentParser(prog="python -m demo", description=__doc__)
    made.add_argument("--url", default="http://127.0.0.1:8000")
    made.add_argument(
        "--username", default="admin", help="a worker with every permission"
    )
    made.add_argument("--password", default=demo_passwords()["admin"])
    made.add_argument("--requests", type=int, default=len(JOBS))
    made.add_argument("--panes", type=int, default=10, help="panes of each request")
    made.add_argument(
        "--count-events",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="compare the received events with the expected ones (not if the service"
        " is restarted meanwhile)",
    )
    return made


if __name__ == "__main__":
    # an exception, so that temporary_service stops the service
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)

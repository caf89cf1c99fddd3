"""``python -m demo``: a working day against the running service, or one of its own."""

from gevent import monkey

monkey.patch_all()  # first of all: dozens of screens and workers live in one process

import argparse  # noqa: E402
import signal  # noqa: E402
import sys  # noqa: E402

from socketio.exceptions import SocketIOError  # noqa: E402

from demo import workshop  # noqa: E402
from demo.client import Api, NoAnswer, Refused  # noqa: E402
from demo.day import Day  # noqa: E402
from demo.plan import JOBS  # noqa: E402
from demo.report import Progress, finish  # noqa: E402
from demo.service import answers, own_service  # noqa: E402


def main(argv: list[str] | None = None) -> int:
    """Run the demo; 0 only if every pane is finished and every event counted."""
    options = parser().parse_args(argv)
    if answers(options.url):
        return spend_the_day(options.url, options)
    print(f"No service at {options.url}: starting one for the day …", flush=True)
    try:
        with own_service() as service:
            result = spend_the_day(service.url, options)
            if result and service.last_words():
                print(f"The service said last:\n{service.last_words()}")
            return result
    except RuntimeError as error:
        print(error, file=sys.stderr)
        return 1


def spend_the_day(url: str, options: argparse.Namespace) -> int:
    """Log in, let the day take place and report on it."""
    try:
        admin = Api.login(url, options.username, options.password)
    except (NoAnswer, Refused) as error:
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
        with Progress(day):
            day.take_place()
    except (NoAnswer, Refused, RuntimeError, SocketIOError) as error:
        day.tally.problem(f"the day broke off while {day.stage}: {error}")
    text, good = finish(day)
    print(f"\n{text}", flush=True)
    return 0 if good else 1


def parser() -> argparse.ArgumentParser:
    """The options of the command."""
    made = argparse.ArgumentParser(prog="python -m demo", description=__doc__)
    made.add_argument("--url", default="http://127.0.0.1:8000")
    made.add_argument("--username", default="admin", help="somebody who may do all")
    made.add_argument("--password", default=workshop.demo_passwords()["admin"])
    made.add_argument("--requests", type=int, default=len(JOBS))
    made.add_argument("--panes", type=int, default=10, help="panes of each request")
    made.add_argument(
        "--count-events",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="hold what was heard against what was done (not if the service is away)",
    )
    return made


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # own_service has to end
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)

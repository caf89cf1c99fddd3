"""What `make run` does before the service answers: indexes, seeds, the demo workshop.

Run as `python -m config.prepare` in a process of its own. All steps are Flask commands
that may be repeated at will, so a second start only finds that nothing is to be done.
"""

from wsgi import app  # isort: skip  (gevent patches before the driver is imported)

import sys
from collections.abc import Iterator

from glassflow.models.station import Station

ALWAYS = (["indexes"], ["seed", "roles"])
WITH_DEMO = (["seed", "workers"], ["seed", "demo"])
WITHOUT_DEMO = (["seed", "admin"],)


def steps() -> Iterator[list[str]]:
    """Give the steps that this store needs.

    The demo workshop goes into a store that has no stations yet: what people delete
    from it later, a worker with a known password above all, does not come back.
    """
    yield from ALWAYS
    if not app.config["DEMO"]:
        yield from WITHOUT_DEMO
    elif Station.objects.first() is None:
        yield from WITH_DEMO


def main() -> int:
    """Run the steps, show what each one says, stop at the first that fails."""
    runner = app.test_cli_runner()
    for step in steps():
        result = runner.invoke(args=step)
        for line in result.output.splitlines():
            print(f"  {line}", flush=True)
        if result.exit_code:
            print(f"glassflow: `flask {' '.join(step)}` failed", file=sys.stderr)
            if result.exception and not isinstance(result.exception, SystemExit):
                raise result.exception
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""The parent process of `make run`, without a service."""

import signal
import subprocess
import sys

from glassflow.embedded.run import ParentProcess

# Ends by the second signal, as Python does while it exits: its handlers are gone then.
# Not with `print`: the signal can come while it still writes "ready", and then it raises.
EXITING = """
import os, signal, time
def on_stop(signum, frame):
    signal.signal(signum, signal.SIG_DFL)
    os.write(1, b"handled\\n")
signal.signal(signal.SIGINT, on_stop)
os.write(1, b"ready\\n")
while True:
    time.sleep(1)
"""


def test_second_interrupt_during_the_exit_of_gunicorn_is_no_failure():
    parent = ParentProcess({})
    with subprocess.Popen(
        [sys.executable, "-c", EXITING], stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout.readline() == "ready\n"
        parent._gunicorn, parent._answered = child, True
        child.send_signal(signal.SIGINT)  # by the terminal
        assert child.stdout.readline() == "handled\n"
        assert parent._stop_gunicorn(signal.SIGINT) == 0

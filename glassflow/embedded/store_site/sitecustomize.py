"""Makes the embedded store print the Python stacks of its threads on SIGUSR1.

Python imports this module when it starts a program whose PYTHONPATH has this folder
(`embedded/process.py`). So the log tells where a store hung, and the store remains a
program of its own, which glassflow does not import.
"""

import faulthandler
import signal

faulthandler.register(signal.SIGUSR1, all_threads=True)

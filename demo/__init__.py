"""A working day in the workshop, driven from outside through REST and Socket.IO.

The demo imports nothing of the service, so whatever it proves holds for any other
client too. Run it with ``python -m demo``. Its screens use the published client of
Socket.IO, ``clients/python``.
"""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / "clients" / "python"))

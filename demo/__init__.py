"""A working day in the workshop, driven from outside through REST and Socket.IO.

The demo imports nothing of the service, so whatever it proves holds for any other
client too. Run it with ``python -m demo``.
"""

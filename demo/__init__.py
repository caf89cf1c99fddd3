"""A working day in the workshop, driven from outside through REST and Socket.IO.

The demo is a client only: it imports nothing of the service, so what it proves
holds for any other client too. Run it with ``python -m demo``.
"""

"""What gunicorn's master and the parent process of `make run` may import.

These modules know neither the store nor a web framework, and load no libraries. The
service imports them too.
"""

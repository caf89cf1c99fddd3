"""The embedded store and the parent process of `make run`.

Nothing here is loaded where MONGODB_URI is set, but for `glassflow.embedded.run` itself.
"""

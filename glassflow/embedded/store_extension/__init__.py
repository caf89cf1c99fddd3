"""The extension of the embedded store's program, loaded in the store's process only.

SPDX-License-Identifier: GPL-2.0-only

SecantusDB is GPL-2.0-only, so this package is, too; the rest of glassflow is not part of
it. `python -m glassflow.embedded.store_extension` is the store's program with it. The
service never imports it (an import contract).
"""

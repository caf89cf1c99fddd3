"""The files of the pages as they are written, and as `make pages` joins them."""

from functools import cache

import pytest

from glassflow.pages import files
from optional_tools import require


@cache
def written_pages():
    """What a service has where `make pages` has not run."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(files, "JOINED", files.ROOT / "nowhere")
        return files.pages.__wrapped__()


def joined_pages():
    """What this service has; skip the test unless `make pages` joined these modules."""
    require(files.JOINED.is_dir(), "pages/joined (make pages)", "nodejs")
    require(
        files.pages().are_joined, "joined pages of these modules (make pages)", "nodejs"
    )
    return files.pages()

"""Usernames: letters of one script only.

A name such as `аdmin`, with a Cyrillic first letter, looks like another person's.
"""

import unicodedata

from glassflow.domain import texts
from glassflow.domain.errors import Invalid


def require_one_script(username: str) -> None:
    """Raise `Invalid` for a username with letters of two scripts."""
    if not username.isascii() and len(_scripts(username)) > 1:
        raise Invalid([{"field": "username", "message": texts.USERNAME_SCRIPTS}])


def _scripts(text: str) -> set[str]:
    """Return the scripts of the letters of a text: the first words of their names."""
    letters = (one for one in text if one.isalpha())
    return {unicodedata.name(one, "UNKNOWN").partition(" ")[0] for one in letters}

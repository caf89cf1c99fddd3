"""The headers of every answer, whoever gives it: the application, Socket.IO or gunicorn.

gunicorn's master loads this module, so it must load no framework.
"""

from collections.abc import Mapping
from types import MappingProxyType

# An answer that runs nothing, loads nothing and is shown in no frame, is read as the type
# that it names, and is kept by nobody, nor found by a search engine. What needs more sets a header of its own: the
# pages, the documentation, and files that may be cached.
COMMON_HEADERS: Mapping[str, str] = MappingProxyType(
    {
        "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
        "X-Frame-Options": "DENY",
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Cache-Control": "no-store",
        "X-Robots-Tag": "noindex",
    }
)

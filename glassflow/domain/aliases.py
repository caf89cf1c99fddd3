"""Types that modules of all layers name."""

from collections.abc import Callable, Mapping
from typing import Any

#: A record, or a part of one, in stored form or that of the wire; a condition of the store.
Raw = Mapping[str, Any]
#: Tells whether the caller holds a permission key.
May = Callable[[str], bool]

"""The records that are cached in the process: see `core.process.record_cache`."""

from glassflow.core.process.record_cache import RecordCache
from glassflow.models.base import Record
from glassflow.models.material import Material
from glassflow.models.role import Role
from glassflow.models.station import Station
from glassflow.models.worker import Worker


def _cache(model: type[Record]) -> RecordCache:
    return RecordCache(model.__name__, model.collection_name())


WORKERS, ROLES = _cache(Worker), _cache(Role)
STATIONS, MATERIALS = _cache(Station), _cache(Material)

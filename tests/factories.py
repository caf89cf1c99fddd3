"""Records stored directly, with defaults for what a test does not specify."""

from functools import cache
from itertools import count

from bson import ObjectId

from glassflow.core.process import clock
from glassflow.core.store import outbox
from glassflow.domain.permissions import SYSTEM_ROLES
from glassflow.models import BY_NAME
from glassflow.services import records
from glassflow.services.auth import passwords

PASSWORD = "correct horse 9"


def save(record):
    """Store a record as a use case does, and return it."""
    records.store(record)
    return record


def delete(record):
    """Delete a record as a use case does, whatever refers to it."""
    records.delete(type(record), [record.stored_form()])


class Workshop:
    """Creates records; the system roles exist from the start."""

    def __init__(self):
        self._serial = count(1)
        self._hash = _hash_of_password()
        self.roles = _store_system_roles()

    def make(self, kind, /, **values):
        """Store a record of a model, by the model's name, without publishing it."""
        token = outbox._open.set(outbox.Outbox())
        try:
            return save(BY_NAME[kind](**values))
        finally:
            outbox._open.reset(token)

    def next(self, prefix):
        """Return a name with this prefix that no other record has."""
        return f"{prefix}-{next(self._serial)}"

    def role(self, **values):
        name = values.setdefault("name", self.next("role"))
        values.setdefault("slug", name.lower())
        return self.make("Role", **values)

    def worker(self, **values):
        values.setdefault("name", self.next("Worker"))
        values.setdefault("username", self.next("worker"))
        values.setdefault("position", "Floor")
        role = values.pop("role", None) or self.roles["worker"]
        return self.make("Worker", role=role.pk, password_hash=self._hash, **values)

    def worker_with(self, slug):
        return self.worker(role=self.roles[slug], username=self.next(slug))

    def customer(self, **values):
        values.setdefault("name", self.next("Customer"))
        return self.make("Customer", **values)

    def material(self, **values):
        values.setdefault("name", self.next("Glass"))
        values.setdefault("unit", "sheet")
        values.setdefault("reorder_point", 0)
        return self.make("Material", **values)

    def template(self, **values):
        values.setdefault("name", self.next("Template"))
        return self.make("StationTemplate", **values)

    def station(self, **values):
        values.setdefault("name", self.next("Station"))
        template = values.pop("template", None) or self.template()
        return self.make("Station", template_id=template.pk, **values)

    def stations(self, count):
        template = self.template()
        return [self.station(template=template) for _ in range(count)]


@cache
def _hash_of_password():
    return passwords.hash_password(PASSWORD)


@cache
def _system_roles():
    """The documents of the system roles as their model stores them, without ids."""
    made = []
    for slug, keys in SYSTEM_ROLES.items():
        role = BY_NAME["Role"](
            name=slug.title(), slug=slug, permissions=list(keys), is_system=True
        )
        role.stamp()
        made.append(dict(role.to_mongo()))
    return made


def _store_system_roles():
    """Store the system roles with one command: nearly every test begins with them."""
    model, moment = BY_NAME["Role"], clock.now()
    roles = [
        role | {"_id": ObjectId(), "createdAt": moment, "updatedAt": moment}
        for role in _system_roles()
    ]
    model.collection().insert_many(roles)
    return {role["slug"]: model.from_stored(role) for role in roles}

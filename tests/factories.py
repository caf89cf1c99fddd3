"""Records made straight in the store, with only what a test does not care about."""

from itertools import count

from glassflow.core import outbox
from glassflow.domain.permissions import SYSTEM_ROLES
from glassflow.models import BY_NAME
from glassflow.services import passwords

PASSWORD = "correct horse 9"


class Workshop:
    """A workshop to test in; records are made when they are first asked for."""

    def __init__(self):
        self._serial = count(1)
        self._hash = passwords.hashed(PASSWORD)
        self.roles = {
            slug: self.role(
                name=slug.title(), slug=slug, permissions=list(keys), is_system=True
            )
            for slug, keys in SYSTEM_ROLES.items()
        }

    def make(self, kind, **values):
        """Store a record of a model, by the model's name; nobody is told of it."""
        opened = outbox._open.set(outbox.Outbox())
        try:
            return BY_NAME[kind](**values).save()
        finally:
            outbox._open.reset(opened)

    def next(self, word):
        return f"{word}-{next(self._serial)}"

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

"""Types of what glassflow uses of MongoEngine, which has none itself.

Only mypy reads these files. What is missing here is reported where it is used: add it.
"""

from mongoengine.connection import connect as connect
from mongoengine.connection import disconnect as disconnect
from mongoengine.document import Document as Document
from mongoengine.fields import BooleanField as BooleanField
from mongoengine.fields import DateTimeField as DateTimeField
from mongoengine.fields import IntField as IntField
from mongoengine.fields import ListField as ListField
from mongoengine.fields import ObjectIdField as ObjectIdField
from mongoengine.fields import StringField as StringField

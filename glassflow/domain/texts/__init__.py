"""Texts that users read, each in English and Thai. Names in braces are filled in.

The first text is the message that clients compare; the other language stands beside it.
Each module has the texts of one group; all of them are read as `texts.NAME`.
"""

from glassflow.domain.texts.accounts import *
from glassflow.domain.texts.billing import *
from glassflow.domain.texts.calls import *
from glassflow.domain.texts.claims import *
from glassflow.domain.texts.customers import *
from glassflow.domain.texts.cutting import *
from glassflow.domain.texts.cutting_paper import *
from glassflow.domain.texts.deletion import *
from glassflow.domain.texts.deliveries import *
from glassflow.domain.texts.documents import *
from glassflow.domain.texts.field_labels import *
from glassflow.domain.texts.fields import *
from glassflow.domain.texts.http import *
from glassflow.domain.texts.idempotency import *
from glassflow.domain.texts.labels import *
from glassflow.domain.texts.lists import *
from glassflow.domain.texts.load import *
from glassflow.domain.texts.makeability import *
from glassflow.domain.texts.notifications import *
from glassflow.domain.texts.orders import *
from glassflow.domain.texts.panes import *
from glassflow.domain.texts.quotes import *
from glassflow.domain.texts.racks import *
from glassflow.domain.texts.scans import *
from glassflow.domain.texts.sockets import *
from glassflow.domain.texts.statuses import *
from glassflow.domain.texts.stock import *
from glassflow.domain.texts.tables import *
from glassflow.domain.texts.webhooks import *
from glassflow.domain.texts.workers import *
from glassflow.domain.texts.workshop import *

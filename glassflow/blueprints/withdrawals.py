"""Withdrawals: material taken out of the store room."""

from glassflow.core.channel import Channel
from glassflow.models.withdrawal import Withdrawal
from glassflow.schemas.withdrawal import WithdrawalSchema
from glassflow.services import withdrawals
from glassflow.web.resource import Keys, Resource

resource = Resource(
    name="withdrawals",
    model=Withdrawal,
    schema=WithdrawalSchema(),
    keys=Keys.of("withdrawals"),
    channel=Channel("withdrawal:updated", rooms=("dashboard", "withdrawal")),
    create_with=withdrawals.create,
    update_with=withdrawals.update,
    delete_with=withdrawals.delete,
)
blueprint = resource.blueprint()

"""Requests: what customers ask the workshop for."""

from mongoengine import DateTimeField, StringField

from glassflow.models.base import Choice, ObjectField, Record, Ref

STATUSES = ("draft", "pending", "in_progress", "completed", "cancelled")


class Request(Record):
    """A customer's request; `details` is {type, quantity, estimatedPrice in baht}.

    `reference_id` is the customer's own purchase order number.
    """

    meta = {
        "collection": "requests",
        "indexes": [
            {"fields": ["request_number"], "unique": True, "sparse": True},
            "customer",
            "assigned_to",
            "status",
        ],
    }
    label = "Request"
    numbered = ("request_number", "REQ")

    request_number = StringField()
    details = ObjectField(required=True)
    customer = Ref("Customer", required=True)
    deadline = DateTimeField()
    delivery_location = StringField()
    assigned_to = Ref("Worker")
    expected_delivery_date = DateTimeField()
    reference_id = StringField()
    status = Choice(*STATUSES, default="pending")
    cancel_reason = StringField()
    cancelled_by = Ref("Worker")
    deadline_change_reason = StringField()

"""The floor: what the store has to do for a request, by the bare driver.

The same documents are read and written in the same transactions as by the service, with
plain pymongo: no validation, no permissions, no HTTP. A request of the service costs this
much at least; the ratio to it is what the service adds. The documents are those that the
service would leave, but for the outbox, the event log and the counters, which are copies
with a prefix: the service would publish the floor's batches otherwise.
"""

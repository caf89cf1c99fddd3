"""The demo workshop at work: what fills its store, by the use cases of the services."""

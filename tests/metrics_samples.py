"""Reads the answer of `/metrics`."""

from prometheus_client.parser import text_string_to_metric_families


class Metrics:
    """The samples of one scrape."""

    def __init__(self, text):
        self.families = list(text_string_to_metric_families(text))
        self.samples = [one for family in self.families for one in family.samples]

    def sum(self, name, **labels):
        """The sum of the samples of this name, without its prefix, that have the labels."""
        return sum(
            one.value
            for one in self.samples
            if one.name == f"glassflow_{name}" and labels.items() <= one.labels.items()
        )

    def label_values(self, name, label):
        """The values that a label has in the samples of this name."""
        samples = (one for one in self.samples if one.name == f"glassflow_{name}")
        return {one.labels[label] for one in samples}


class Watched:
    """What the metrics have grown by since this was made."""

    def __init__(self, scrape):
        self._scrape, self._before = scrape, scrape()

    def growth(self, name, **labels):
        return self._scrape().sum(name, **labels) - self._before.sum(name, **labels)

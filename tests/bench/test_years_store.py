"""The store of `bench.years_store` is one that the service can have written."""

import pytest
from click.testing import CliRunner

from bench import years_store
from glassflow.cli.figures import figures
from glassflow.embedded import store

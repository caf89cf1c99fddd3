"""The files of deploy/, as the tests of images, containers and nginx read them."""

import json
import shlex
from io import BytesIO

from dockerfile_parse import DockerfileParser

from glassflow.host.data_files import REPOSITORY

DEPLOY = REPOSITORY / "deploy"
IMAGE_FOLDER = "/app/"


def instructions():
    """Return the instructions of the Dockerfile: (name, value) for each, in order."""
    content = BytesIO((DEPLOY / "Dockerfile").read_bytes())
    return [
        (one["instruction"], one["value"])
        for one in DockerfileParser(fileobj=content).structure
        if one["instruction"] != "COMMENT"
    ]


def last_stage():
    """Return the instructions that make the image itself."""
    found = instructions()
    starts = [index for index, (name, _) in enumerate(found) if name == "FROM"]
    return found[starts[-1] :]


def value_of(instruction):
    """Return what the image has for an instruction that it has once."""
    (value,) = (value for name, value in last_stage() if name == instruction)
    return value


def shipped():
    """Return the names in the repository that the image has under the same names."""
    copied = (shlex.split(value) for name, value in last_stage() if name == "COPY")
    return [source for source, *_ in copied if not source.startswith("--")]


def image_command():
    """Return what a container runs."""
    return json.loads(value_of("CMD"))


def health_check():
    """Return the command by which the container host asks whether it is well."""
    return json.loads(value_of("HEALTHCHECK").partition("CMD ")[2])

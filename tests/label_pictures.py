"""Labels as pictures, and the codes that a scanner reads in them."""

import io

import zxingcpp
from PIL import Image

from glassflow.labels import job
from glassflow.labels.template import read_template

QR = {"type": "qr", "x": 1, "y": 1, "width": 22, "height": 22, "content": "{{qrCode}}"}
PANE = {"paneNumber": "PNE-0107", "qrCode": "STDPLUS:PNE-0107", "width": "1200"}


def template(*elements, width=60, height=40, name="t"):
    """A checked template of these stored elements."""
    return read_template(name=name, width=width, height=height, elements=elements)


def make(*elements, values=PANE, count=1, **options):
    """Make labels of one template: `job.make` with the fields of `Job`."""
    labels = [job.Wanted(f"L{n}", template(*elements), values) for n in range(count)]
    return job.make(job.Job(labels, **options))


def codes_in(picture):
    """The texts of all codes that are found in a picture, or in the file of one."""
    if isinstance(picture, bytes):
        picture = Image.open(io.BytesIO(picture))
    return [one.text for one in zxingcpp.read_barcodes(picture.convert("L"))]


def codes_of_warnings(made):
    return [one.warning.code for one in made.warnings]

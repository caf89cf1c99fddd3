"""QR codes on labels: read back from the dots that a printer prints."""

import io
import json
import re
import zlib
from base64 import b64decode
from binascii import crc_hqx

import pytest
from PIL import Image, ImageChops

from glassflow.domain.errors import Invalid
from glassflow.drawing import qr
from glassflow.host.data_files import SEEDS
from glassflow.labels import cards, job, raster
from glassflow.labels.layout import lay_out
from glassflow.labels.template import read_template
from label_pictures import PANE, QR, codes_in, codes_of_warnings, make
from label_pictures import template as sticker

SEEDED = json.loads((SEEDS / "demo" / "sticker_templates.json").read_text("utf-8"))
TEMPLATES = [read_template(**one) for one in SEEDED]
CARDS = [cards.POSTER, cards.RACK, cards.BADGE, cards.COMMAND_CARD]
PAYLOADS = (
    "STDPLUS:PNE-0107",
    "STDPLUS:PNE-0107-A",
    "STDPLUS:PNE-123456-AB",
    "http://192.168.1.20:8000/floor/s/0123456789abcdef01234567",
    "STDPLUS-WORKER:0123456789ABCDEF01234567",
)


def zpl_pictures(content):
    """Undo Z64: the pictures of all labels, as a printer prints them, and their copies."""
    found = re.findall(
        rb"\^XA\^PW(\d+)\^LL(\d+)\^LH0,0\^PQ(\d+)\^FO0,0"
        rb"\^GFA,(\d+),(\d+),(\d+),:Z64:([^:]+):([0-9A-F]{4})\^FS\^XZ\n",
        content,
    )
    for width, height, copies, total, used, row, text, crc in found:
        assert int(crc, 16) == crc_hqx(text, 0)
        data = zlib.decompress(b64decode(text))
        assert len(data) == int(total) == int(used) == int(row) * int(height)
        size = (int(width), int(height))
        yield ImageChops.invert(Image.frombytes("1", size, data)), int(copies)


@pytest.mark.parametrize("dpi", [203, 300])
@pytest.mark.parametrize("template", TEMPLATES, ids=lambda one: one.name)
def test_every_code_of_a_seeded_template_is_read_from_its_dots(template, dpi):
    labels = [
        job.Wanted(one, template, {**PANE, "qrCode": one}) for one in PAYLOADS[:3]
    ]
    made = job.make(job.Job(labels, format="zpl", dpi=dpi))
    pictures = [picture for picture, _ in zpl_pictures(made.content)]
    assert [codes_in(one) for one in pictures] == [[text] for text in PAYLOADS[:3]]


@pytest.mark.parametrize("dpi", [203, 300])
@pytest.mark.parametrize("template", CARDS, ids=lambda one: one.name)
def test_every_code_of_a_card_is_read_from_its_dots(template, dpi):
    labels = [job.Wanted(one, template, {"qrCode": one}) for one in PAYLOADS]
    for number, text in enumerate(PAYLOADS, start=1):
        made = job.make(job.Job(labels, format="png", dpi=dpi, page=number))
        picture = raster.black_and_white(Image.open(io.BytesIO(made.content)))
        assert codes_in(picture) == [text]


@pytest.mark.parametrize(
    ("payload", "modules"),
    [
        ("STDPLUS:PNE-0107", 21),
        ("STDPLUS:PNE-0107-A", 21),
        ("stdplus:pne-0107-a", 25),
    ],
)
def test_payload_in_upper_case_makes_the_smaller_code(payload, modules):
    assert len(qr.modules(payload)) == modules


@pytest.mark.parametrize("dpi", [203, 300, 600])
def test_modules_are_whole_dots_and_begin_at_a_dot(dpi):
    per_mm = job.DOTS_PER_MM[dpi]
    (code,) = lay_out(sticker({**QR, "x": 1.37}), PANE, dots_per_mm=per_mm).items
    for length in (code.module, code.x, code.y):
        assert length * per_mm == pytest.approx(round(length * per_mm))
    quiet = qr.QUIET_MODULES * code.module
    assert code.x - quiet >= 1.37 - 0.5 / per_mm
    assert code.x + 21 * code.module + quiet <= 1.37 + 22 + 0.5 / per_mm


def test_code_below_three_dots_a_module_is_warned_of():
    def warned(side, **options):
        return codes_of_warnings(make({**QR, "width": side, "height": side}, **options))

    assert warned(11, dpi=203) == []
    assert warned(10.5, dpi=203) == ["CODE_TOO_SMALL"]
    assert warned(8, dpi=300) == []


def test_text_that_no_code_can_hold_is_refused():
    with pytest.raises(Invalid) as refused:
        make({**QR, "content": "ก" * 1500})
    assert refused.value.faults[0]["message"] == "The text is too long for a QR code"


def test_zpl_is_the_same_picture_as_the_png():
    text = {
        "type": "text",
        "x": 26,
        "y": 3,
        "content": "น้ำ {{paneNumber}}",
        "width": 30,
    }
    zpl = make(QR, text, format="zpl", copies=3)
    png = make(QR, text, format="png")
    ((printed, copies),) = zpl_pictures(zpl.content)
    seen = raster.black_and_white(Image.open(io.BytesIO(png.content)))
    assert (copies, printed.size) == (3, (480, 320))
    assert printed.tobytes() == seen.tobytes()
    assert len(zpl.content) < 5000


@pytest.mark.parametrize("dpi", [203, 300])
def test_barcodes_are_read_from_their_dots(dpi):
    one = {"type": "barcode", "x": 2, "y": 3, "height": 12, "content": "{{qrCode}}"}
    turned = {**one, "x": 50, "width": 34, "rotation": 90, "content": "PNE-0107"}
    made = make(one, format="zpl", dpi=dpi), make(turned, format="zpl", dpi=dpi)
    for content, text in zip(made, (PANE["qrCode"], "PNE-0107"), strict=True):
        ((picture, _),) = zpl_pictures(content.content)
        assert codes_in(picture) == [text]
        assert codes_of_warnings(content) == []


def test_barcode_that_is_too_narrow_or_has_no_code_is_said():
    one = {"type": "code128", "x": 2, "y": 2, "content": "PNE-0107"}
    assert codes_of_warnings(make({**one, "width": 15}, format="png")) == [
        "CODE_TOO_SMALL"
    ]
    for text in ("เลขที่ 5", "x" * 81):
        made = make({**one, "content": text}, format="png")
        assert codes_of_warnings(made) == ["CODE_LEFT_OUT"]
        assert codes_in(made.content) == []

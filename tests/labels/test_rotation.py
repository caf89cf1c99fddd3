"""Elements that are turned: on the preview as on the print, in both dialects."""

import io

import pytest
from PIL import Image, ImageChops

from glassflow.labels import job, raster
from glassflow.labels.layout import lay_out
from label_pictures import PANE, QR, codes_in, make, template
from labels.test_codes import zpl_pictures

PX_PER_MM = 96 / 25.4
BAR = {"type": "rect", "fill": "#000"}


def picture(*elements, **size):
    made = make_sized(elements, size, format="png", dpi=203)
    return raster.black_and_white(Image.open(io.BytesIO(made.content)))


def make_sized(elements, size, **options):
    label = job.Wanted("L", template(*elements, **size), PANE)
    return job.make(job.Job([label], **options))


def same(one, other):
    assert one.size == other.size
    assert ImageChops.logical_xor(one, other).getbbox() is None


def same_but_an_edge(one, other):
    """An edge between two dots may be drawn on either of them."""
    assert one.size == other.size
    left, top, right, bottom = ImageChops.logical_xor(one, other).getbbox() or [0] * 4
    assert min(right - left, bottom - top) <= 1


@pytest.mark.parametrize(
    ("angle", "upright"),
    [
        (90, {"x": 16, "y": 20, "width": 4, "height": 20}),
        (180, {"x": 0, "y": 16, "width": 20, "height": 4}),
        (-90, {"x": 20, "y": 0, "width": 4, "height": 20}),
        (450, {"x": 16, "y": 20, "width": 4, "height": 20}),
    ],
)
def test_element_is_turned_clockwise_about_its_corner(angle, upright):
    turned = {**BAR, "x": 20, "y": 20, "width": 20, "height": 4, "rotation": angle}
    same_but_an_edge(picture(turned), picture({**BAR, **upright}))


def test_both_dialects_turn_alike():
    turned = {**BAR, "x": 30, "y": 10, "width": 20, "height": 4, "rotation": 30}
    px = {
        name: value * PX_PER_MM if name in ("x", "y", "width", "height") else value
        for name, value in turned.items()
    }
    same(picture(turned), picture({**px, "text": ""}))  # `text` makes it the second
    angle = {**px, "text": "", "angle": px["rotation"]}
    del angle["rotation"]
    same(picture(turned), picture(angle))


@pytest.mark.parametrize("angle", [90, 180, 270])
def test_code_in_a_quarter_turn_has_the_dots_of_an_upright_one(angle):
    upright = picture(QR, width=40, height=40)
    corner = {90: (39, 1), 180: (39, 39), 270: (1, 39)}[angle]
    turned = {**QR, "x": corner[0], "y": corner[1], "rotation": angle}
    found = picture(turned, width=40, height=40)
    assert codes_in(found) == [PANE["qrCode"]]
    ink = [ImageChops.invert(one) for one in (found, upright.rotate(-angle))]
    same(*(one.crop(one.getbbox()) for one in ink))


@pytest.mark.parametrize("angle", [90, 37])
def test_turned_label_is_printed_as_it_is_previewed(angle):
    text = {
        "type": "text",
        "x": 45,
        "y": 4,
        "width": 30,
        "content": "กระจกนิรภัย {{paneNumber}}",
        "rotation": angle,
    }
    code = {**QR, "x": 26, "y": 5, "rotation": angle}
    preview = picture(text, code)
    zpl = make(text, code, format="zpl", dpi=203)
    ((printed, _),) = zpl_pictures(zpl.content)
    same(preview, printed)
    assert codes_in(printed) == [PANE["qrCode"]]
    assert not zpl.warnings


def test_turned_thai_text_looks_as_upright_text_that_is_turned():
    text = {"type": "text", "content": "ญี่ปุ่น ที่ผู้ซื้อ", "fontSize": 30, "width": 38}
    upright = picture({**text, "x": 1, "y": 1}, width=40, height=40)
    turned = picture({**text, "x": 39, "y": 1, "rotation": 90}, width=40, height=40)
    boxes = [ImageChops.invert(one).getbbox() for one in (upright.rotate(-90), turned)]
    # glyphs are smoothed along the rows of a picture: an edge may be a dot further
    assert all(abs(a - b) <= 1 for a, b in zip(*boxes, strict=True))


def test_text_without_a_width_has_the_room_to_the_edge_in_its_direction():
    def size(**element):
        text = {"type": "text", "content": "W" * 12, "fontSize": 20, **element}
        (found,) = lay_out(template(text, width=60, height=20), {}).items
        return getattr(found, "items", (found,))[0].size

    upright = size(x=5, y=5)
    assert size(x=55, y=15, rotation=180) == pytest.approx(upright)
    assert size(x=30, y=2, rotation=90) < upright

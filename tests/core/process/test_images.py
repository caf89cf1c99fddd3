"""Pictures without their metadata."""

import io

import pytest
from PIL import ExifTags, Image, PngImagePlugin

from glassflow.core.process.images import MAX_PIXELS, BrokenImage, HugeImage, clean

SECRET = "13.7563N 100.5018E"
FORMATS = ("JPEG", "PNG", "WEBP")


def photo(name, orientation=1, size=(60, 40)):
    """A picture with metadata of every kind; its upper left corner is red."""
    image = Image.new("RGB", size, "white")
    image.paste("red", (0, 0, 20, 20))
    exif = Image.Exif()
    exif[ExifTags.Base.ImageDescription] = SECRET
    exif[ExifTags.Base.Orientation] = orientation
    options = {"exif": exif}
    if name == "PNG":
        text = PngImagePlugin.PngInfo()
        text.add_text("Comment", SECRET)
        options["pnginfo"] = text
    else:
        options["xmp"] = f"<x>{SECRET}</x>".encode()
    if name == "JPEG":
        options["comment"] = SECRET
    written = io.BytesIO()
    image.save(written, name, **options)
    return written.getvalue()


def opened(content):
    return Image.open(io.BytesIO(content))


@pytest.mark.parametrize("name", FORMATS)
def test_metadata_is_removed_and_the_picture_stays(name):
    content = photo(name)
    assert SECRET.encode() in content
    cleaned, media_type = clean(content)
    assert media_type == f"image/{name.lower()}"
    assert SECRET.encode() not in cleaned
    image = opened(cleaned)
    assert (image.format, image.size, len(image.getexif())) == (name, (60, 40), 0)
    red, green, _ = image.convert("RGB").getpixel((5, 5))
    assert red > 200
    assert green < 60
    assert clean(content)[0] == cleaned  # the same content, when it is sent again


@pytest.mark.parametrize("name", FORMATS)
def test_picture_is_turned_upright(name):
    """Orientation 6: the camera was turned, the top is at the right of the content."""
    image = opened(clean(photo(name, orientation=6))[0])
    assert image.size == (40, 60)
    assert len(image.getexif()) == 0
    red, green, _ = image.convert("RGB").getpixel((35, 5))
    assert red > 200
    assert green < 60


def test_further_pictures_of_a_jpeg_are_removed():
    first, second = (Image.new("RGB", (40, 30), color) for color in ("red", "blue"))
    written = io.BytesIO()
    first.save(written, "MPO", save_all=True, append_images=[second])
    cleaned, media_type = clean(written.getvalue())
    image = opened(cleaned)
    assert (media_type, image.format) == ("image/jpeg", "JPEG")
    assert getattr(image, "n_frames", 1) == 1
    assert image.getpixel((5, 5))[0] > 200


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xd8\xff\xe0" + b"x" * 50,
        photo("JPEG")[:300],
        photo("PNG")[:-40],
        photo("WEBP")[:60],
        b"<svg xmlns='http://www.w3.org/2000/svg'/>",
    ],
)
def test_what_cannot_be_decoded_is_refused(content, capfd):
    with pytest.raises(BrokenImage):
        clean(content)
    assert capfd.readouterr().err == ""  # no traceback in the log


def test_other_formats_are_refused():
    written = io.BytesIO()
    Image.new("RGB", (5, 5)).save(written, "GIF")
    with pytest.raises(BrokenImage):
        clean(written.getvalue())


def test_small_file_with_a_huge_picture_is_refused():
    written = io.BytesIO()
    side = int(MAX_PIXELS**0.5) + 1
    Image.new("1", (side, side)).save(written, "PNG")
    assert len(written.getvalue()) < 100_000
    with pytest.raises(HugeImage):
        clean(written.getvalue())

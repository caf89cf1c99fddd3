"""Photos as clients send them: parsed, or refused with a sentence."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glassflow.domain import photos, request_attachments
from glassflow.domain.bilingual import Bilingual
from glassflow.domain.photos import PhotoLink, Picture
from pictures import to_data_url

PICTURES = {
    "image/jpeg": b"\xff\xd8\xff\xe0\x00\x10JFIF",
    "image/png": b"\x89PNG\r\n\x1a\n\x00\x00",
    "image/webp": b"RIFF\x24\x00\x00\x00WEBPVP8 ",
    "image/gif": b"GIF89a\x01\x00",
}
CLAIM = "0123456789abcdef01234567"


@pytest.mark.parametrize("media_type", PICTURES)
def test_picture_in_a_data_url_is_decoded(media_type):
    picture = photos.parse(to_data_url(PICTURES[media_type], media_type))
    assert picture == Picture(PICTURES[media_type], media_type)
    assert photos.parse(picture.data_url) == picture


@pytest.mark.parametrize(
    "header",
    [
        "data:image/jpg;base64",
        "DATA:IMAGE/PNG;BASE64",
        "data:image/png;name=a.png;base64",
    ],
)
def test_type_of_a_picture_is_that_of_its_content(header):
    _, _, encoded = to_data_url(PICTURES["image/gif"]).partition(",")
    assert photos.parse(f"{header},{encoded}").media_type == "image/gif"


HEIC = b"\x00\x00\x00\x24ftypheic\x00\x00\x00\x00"


@pytest.mark.parametrize("media_type", ["image/heic", "image/HEIF", "image/jpeg"])
@pytest.mark.parametrize("parse", [photos.parse, request_attachments.parse])
def test_heic_is_named_in_its_refusal(parse, media_type):
    with pytest.raises(ValueError, match="HEIC photos are not accepted"):
        parse(to_data_url(HEIC, media_type))


SVG = b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "not a photo",
        "ftp://example.com/a.jpg",
        "javascript:alert(1)",
        "blob:https://example.com/1",
        "file:///etc/passwd",
        "https://",
        "https://example.com/a b",
        "https://example.com/<script>",
        "/api/claims",
        f"/api/claims/{CLAIM}/photos/",
        f"/api/claims/{CLAIM}/photos/x",
        "/api/claims/1/photos/1",
        "https://example.com/" + "a" * photos.MAX_URL_LENGTH,
        "data:",
        "data:,",
        "data:image/png;base64,",
        "data:image/png;base64,AAAA",
        "data:image/png;base64,iVBORw0KGgo",  # without its padding
        "data:image/png;base64,iVBO Rw0KGgo=",
        "data:image/png;base64,ภาพ=",
        "data:image/png,%89PNG%0D%0A%1A%0A",
        to_data_url(SVG, "image/svg+xml"),
        to_data_url(SVG, "image/png"),
        to_data_url(PICTURES["image/png"], "text/html"),
        to_data_url(PICTURES["image/png"], "image/svg+xml"),
        to_data_url(b"RIFF\x24\x00\x00\x00WAVEfmt ", "image/webp"),
    ],
)
def test_everything_else_is_refused(text):
    with pytest.raises(ValueError, match=r"^(Must|The|Longer) "):
        photos.parse(text)


@given(st.text() | st.text().map("data:image/png;base64,{}".format))
def test_no_text_causes_another_error(text):
    refusal = None
    try:
        photos.parse(text)
    except ValueError as error:  # every other one fails the test
        refusal = error.args[0]
    assert refusal is None or isinstance(refusal, Bilingual)


@pytest.mark.parametrize("origin", ["", "https://works.example", "http://h:8000/base"])
@pytest.mark.parametrize("query", ["", "?signature=1.ab", "?signature="])
def test_link_of_a_photo_is_recognized_whatever_its_signature(origin, query):
    text = f"{origin}/api/claims/{CLAIM}/photos/12{query}"
    assert photos.parse(text) == PhotoLink(CLAIM, 12)


def test_url_is_kept_as_it_is():
    text = "HTTPS://example.com/ก.jpg?a=1#b"
    assert photos.parse(text) == text


@pytest.mark.parametrize(
    ("text", "picture"),
    [
        (
            to_data_url(PICTURES["image/gif"]),
            Picture(PICTURES["image/gif"], "image/gif"),
        ),
        (to_data_url(SVG, "image/svg+xml"), Picture(SVG, photos.UNKNOWN_TYPE)),
        ("data:text/plain,a%20b", Picture(b"a b", photos.UNKNOWN_TYPE)),
        ("data:image/png;base64,?", Picture(b"?", photos.UNKNOWN_TYPE)),
        ("data:", Picture(b"", photos.UNKNOWN_TYPE)),
    ],
)
def test_data_url_of_an_earlier_release_keeps_its_content(text, picture):
    assert photos.decode_stored(text) == picture

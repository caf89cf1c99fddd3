"""The workshop itself, one document: its name, what its paper says, its logo and target."""

from collections.abc import Mapping
from typing import Any

from glassflow.core.identity import Identity
from glassflow.core.process import images
from glassflow.domain import texts
from glassflow.domain.bilingual import Bilingual
from glassflow.domain.errors import Invalid
from glassflow.domain.photos import Picture, decode_stored
from glassflow.models.workshop import Workshop
from glassflow.services import customers
from glassflow.services.records import singleton

MAX_LOGO_BYTES = 200 * 1024
LOGO_TYPES = frozenset({"image/png", "image/jpeg"})


def settings() -> Workshop:
    """Return the workshop. A transaction is opened only to create it, with the defaults."""
    return singleton.read(Workshop)


def names() -> dict[str, str]:
    """Return the name by language, `th` and `en`; of the defaults where none is stored.

    For each login of a page, which needs no logo.
    """
    found = _read("name", "nameEnglish")
    return {"th": found.name, "en": found.name_english or found.name}


def email() -> str:
    """Return the e-mail address, empty where none is stored. Writes nothing."""
    return _read("email").email


def is_entered() -> bool:
    """Return whether paper has a name of its own, and an address. Writes nothing."""
    found = _read("name", "address")
    return bool(found.address) and found.name != Workshop.name.default


def mail_has_link() -> bool:
    """Return whether e-mails with quotes have their link. Writes nothing."""
    return _read("mailHasLink").mail_has_link


def daily_target() -> int | None:
    """Return how many panes are to be finished on a working day, if any. Writes nothing."""
    return _read("dailyTarget").daily_target


def _read(*names: str) -> Workshop:
    """Return the workshop with these stored fields only; the others have the defaults."""
    wanted = dict.fromkeys(names, 1)
    raw = Workshop.collection().find_one({"_id": singleton.ID}, wanted)
    return Workshop.from_stored(raw or {})


def as_party(shop: Workshop, *, is_english: bool) -> dict[str, str]:
    """Return what a document says about the workshop: the fields of `documents.Party`."""
    return {
        "name": (is_english and shop.name_english) or shop.name,
        "address": (is_english and shop.address_english) or shop.address,
        "tax_id": shop.tax_id,
        "branch": shop.branch,
        "phone": shop.phone,
        "email": shop.email,
    }


def logo(shop: Workshop) -> bytes | None:
    """Return the picture file of the logo."""
    return decode_stored(shop.logo).content if shop.logo else None


def update(*, values: Mapping[str, Any], actor: Identity) -> Workshop:
    """Change the fields that are given; None stands for the default.

    Raises `Invalid` for a wrong tax id, branch or logo, and `Stale` if the caller expects
    another version.
    """
    checked = customers.with_tax_data(values)
    if checked.get("logo") is not None:
        checked["logo"] = _stored_logo(checked["logo"])
    return singleton.update(Workshop, checked, actor)


def _stored_logo(picture: Picture) -> str:
    """Return a logo as it is stored: a data URL without metadata.

    The stored one stays as it is: a JPEG that is encoded again is another one.
    """
    if picture.data_url == settings().logo:
        return picture.data_url
    if len(picture.content) > MAX_LOGO_BYTES:
        raise _invalid(texts.LOGO_TOO_LARGE.format(maximum=MAX_LOGO_BYTES // 1024))
    if picture.media_type not in LOGO_TYPES:
        raise _invalid(texts.NOT_A_LOGO)
    try:
        return Picture(*images.clean(picture.content)).data_url
    except images.HugeImage:
        raise _invalid(
            texts.TOO_MANY_PIXELS.format(maximum=f"{images.MAX_PIXELS:,}")
        ) from None
    except images.BrokenImage:
        raise _invalid(texts.NOT_A_LOGO) from None


def _invalid(message: Bilingual) -> Invalid:
    return Invalid([{"field": "logo", "message": message}])

"""The text of the PDFs that the service makes."""

import pypdfium2


def text_of_pdf(api, path, headers=None, **query):
    """The text of all pages of a PDF."""
    answer = api.session.get(
        f"{api.url}{path}", headers=headers, params=query, timeout=60
    )
    assert answer.status_code == 200, answer.text[:300]
    assert answer.headers["Content-Type"] == "application/pdf"
    with pypdfium2.PdfDocument(answer.content) as document:
        return "\n".join(page.get_textpage().get_text_range() for page in document)

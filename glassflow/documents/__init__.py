"""Documents on A4 as PDF: values in, bytes out, without store and web.

`quote.py` has the values of a quote, `quote_pages.py` makes the PDF; delivery notes and job cards
have the same two. The modules that draw import large libraries; import them where a document is
made, not at the start.
"""

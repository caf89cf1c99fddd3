"""The drawing kit of labels and documents: items with positions in mm, set text, PDF.

Pure: values in, bytes out, no store and no web. `pdf.py` and `typesetting.py` import large
libraries; import them where something is drawn, not at the start.
"""

"""Labels as drawings: templates laid out in mm, then drawn as PDF, PNG or ZPL.

Pure: values in, bytes out, no store and no web. `job.py` is the entry. The modules that
draw import large libraries; import them where a label is made, not at the start.
"""

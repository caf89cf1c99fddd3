"""Answers of the routes of labels."""

from glassflow.schemas.shapes import (
    ANYTHING,
    BOOLEAN,
    COUNT,
    INTEGER,
    LOCAL,
    MESSAGE,
    NUMBER,
    TEXT,
    TIME,
    array,
    described,
    members,
    nullable,
)

_WARNING = members(
    {"code": TEXT, "element": TEXT, "detail": TEXT, "label": TEXT, "labels": COUNT},
    title="LabelWarning",
    description="Why a label may not look as meant, and how many labels that concerns.",
)
_LABEL = members(
    {"id": nullable(TEXT), "name": TEXT, "labelledAt": nullable(TIME)}, title="Label"
)
_SIZE = {"width": NUMBER, "height": NUMBER}
LABELS = members(
    {
        "count": COUNT,
        "pages": COUNT,
        "template": members({"name": TEXT, **_SIZE}, title="LabelTemplate"),
        "labels": array(_LABEL),
        "warnings": array(_WARNING),
    },
    title="Labels",
)
PRINTED = members(
    {
        "count": COUNT,
        "printer": TEXT,
        "labelledAt": nullable(TIME),
        "warnings": array(_WARNING),
    },
    title="PrintedLabels",
)
TEMPLATE_PREVIEW = members(
    {
        "image": described(nullable(TEXT), "A PNG as a data URL; null with faults."),
        "elements": described(array(ANYTHING), "The elements in the first dialect."),
        "isConverted": described(BOOLEAN, "Whether they were in another one."),
        "fields": array(
            members(
                {"name": TEXT, "value": TEXT, "aliases": array(TEXT)},
                title="TemplateField",
                description="A variable of templates, with its value in the preview.",
            )
        ),
        "faults": array(
            members({"field": TEXT, **MESSAGE}, optional=LOCAL, title="TemplateFault")
        ),
        "warnings": array(_WARNING),
    },
    title="TemplatePreview",
    description="A sticker template as it is printed, and what keeps it from that.",
)
_LAYOUT = members(
    {
        "name": TEXT,
        "columns": INTEGER,
        "rows": INTEGER,
        "cell": members(_SIZE),
        "margin": members({"left": NUMBER, "top": NUMBER}),
        "pitch": members({"x": NUMBER, "y": NUMBER}),
        "page": members(_SIZE),
    },
    optional=("columns", "rows", "cell", "margin", "pitch", "page"),
    title="LabelLayout",
    description="A sheet of labels in mm; `single` is a page for each label.",
)
LAYOUTS = members(
    {
        "layouts": array(_LAYOUT),
        "printers": array(members({"name": TEXT, "dpi": INTEGER}, title="Printer")),
    },
    title="LabelLayouts",
)

"""Exports and imports through the API, and the tables that they carry."""

import csv
import io

import openpyxl

CSV = "text/csv"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
MEDIA_TYPES = {"csv": CSV, "xlsx": XLSX}


def export(api, resource, format="csv", **params):
    """The content of an export that must succeed."""
    response = export_response(api, resource, format, **params)
    assert response.status_code == 200, response.text[:500]
    return response.content


def export_response(api, resource, format="csv", **params):
    url = f"{api.url}/api/{resource}/export.{format}"
    return api.session.get(url, params=params, timeout=600)


def exported_rows(api, resource, format="csv", **params):
    """The rows of an export, by the names of their columns."""
    return rows_of(export(api, resource, format, **params), format)


def rows_of(content, format="csv"):
    names, *rows = csv_table(content) if format == "csv" else xlsx_table(content)
    return [dict(zip(names, row, strict=True)) for row in rows]


def csv_table(content):
    text = content.decode("utf-8-sig")
    return list(csv.reader(io.StringIO(text, newline="")))


def xlsx_table(content):
    book = openpyxl.load_workbook(io.BytesIO(content), read_only=True)
    rows = [list(row) for row in book.worksheets[0].iter_rows(values_only=True)]
    book.close()
    return rows


def to_csv(rows):
    """A CSV file of rows, given by the names of their columns."""
    buffer = io.StringIO(newline="")
    names = list(dict.fromkeys(name for row in rows for name in row))
    writer = csv.DictWriter(buffer, names)
    writer.writeheader()
    writer.writerows(rows)
    return buffer.getvalue().encode()


def to_xlsx(rows):
    """An XLSX file of rows, given by the names of their columns."""
    book = openpyxl.Workbook()
    names = list(dict.fromkeys(name for row in rows for name in row))
    book.active.append(names)
    for row in rows:
        book.active.append([row.get(name) for name in names])
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def send_table(api, resource, content, format="csv", headers=None, **params):
    """Import a file; return the answer."""
    return api.call(
        "POST",
        f"/api/{resource}/import",
        data=content,
        headers={"Content-Type": MEDIA_TYPES[format], **(headers or {})},
        params=params,
    )


def import_rows(api, resource, rows, format="csv", **options):
    content = to_csv(rows) if format == "csv" else to_xlsx(rows)
    return send_table(api, resource, content, format, **options)

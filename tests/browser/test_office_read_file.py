"""The list of a customer is read into the grid of a quote; by a browser."""

import io

import openpyxl
import pytest

from browser.pages import choose, see, unexpected, value
from waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]

#: How far the headings are below the top of the grid that is scrolled, and the pane below the grid.
PLACES = """
    const grid = document.querySelector("#field-panes").parentElement;
    grid.scrollTop = 1000;
    const head = grid.querySelector("th").getBoundingClientRect();
    const pane = document.querySelector(".pane-editor").getBoundingClientRect();
    const box = grid.getBoundingClientRect();
    return [head.top - box.top, pane.top - box.bottom];
"""
SAVE = ".card .form-buttons .main-button"
READ = ".read-file"
CHOOSE_FILE = """
    const [selector, name, content] = given;
    const files = new DataTransfer();
    files.items.add(new File([new Uint8Array(content)], name));
    const input = document.querySelector(selector);
    input.files = files.files;
    input.dispatchEvent(new Event("change", { bubbles: true }));
"""
HEADS = ["ลำดับ", "ตำแหน่ง", "กว้าง", "สูง", "จำนวน", "ชนิดกระจก", "หนา"]
# Cells as people write them: right ones, and those that have to be looked at.
RIGHT = {
    2: {"กว้าง": "1,850", "หนา": "6 มม.", "จำนวน": "2 แผ่น"},
    5: {"กว้าง": "120.5 cm"},
}
WRONG = {
    7: {"กว้าง": "1.200"},
    11: {"กว้าง": 12_000},
    23: {"ชนิดกระจก": "ใส"},
    31: {"กว้าง": None},
    44: {"จำนวน": "สอง"},
}


def customers_list():
    """An XLSX file of 60 rows as a customer sends it, with 5 cells to look at."""
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(["รายการกระจก บ้านคุณสมชาย"])
    sheet.append(["วันที่", "29/11/2569"])
    sheet.append([])
    sheet.append(HEADS)
    for number in range(1, 61):
        row = [number, f"W{number:02}", 600 + 10 * number, 900, 1, "Clear", 6]
        named = dict(zip(HEADS, row, strict=True))
        own = {**RIGHT.get(number, {}), **WRONG.get(number, {})}
        sheet.append(list({**named, **own}.values()))
        if number == 30:
            sheet.append([])
    sheet.append([None, "รวม", None, None, 61])
    sheet.append(["กรุณาเสนอราคาภายในวันศุกร์"])
    book.create_sheet("แปลน")
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def cell(column, row):
    return f"#field-panes [data-row='{row}'][data-column='{column}']"


def read_file(tab, name, content):
    tab.wait(f"{READ} input[type=file]")
    tab.run(CHOOSE_FILE, [f"{READ} input[type=file]", name, list(content)])


def shown(tab, row, *columns):
    return [value(tab, cell(one, row)) for one in columns]


def focused(tab):
    return tab.run(
        "return [document.activeElement.dataset.row, document.activeElement.dataset.column]",
        None,
    )


@pytest.fixture(autouse=True)
def _prices(admin):
    prices = {"glassPrices": {"Clear": {"6mm": {"pricePerSqFt": 100}}}}
    assert admin.put("/api/pricing-settings", prices).status == 200


def test_list_of_a_customer_becomes_a_quote_once_its_wrong_cells_are_right(
    open_office, chromium, admin, workshop
):
    workshop.customer(name="Somchai")
    tab = open_office(admin.worker, "quotes/new")
    choose(tab, "#field-customer", "Somchai")
    read_file(tab, "letter.csv", b"Dear Sirs,\nfive panes please\n")
    see(tab, f"{READ} .fault", "letter.csv: there is no line with the heads")
    read_file(tab, "list.xlsx", b"PK\x03\x04")
    see(tab, f"{READ} .fault", "BadZipFile")
    many = ["W,H,Qty", *["900,900,100"] * 6]
    read_file(tab, "many.csv", "\n".join(many).encode())
    see(tab, f"{READ} .fault", "600 panes: at most 500 in one request or quote")
    assert tab.count("#field-panes tbody tr") == 1

    read_file(tab, "list.xlsx", customers_list())
    see(tab, READ, "60 rows read from list.xlsx. Only the sheet “Sheet” was read.")
    see(tab, READ, "3 cells to correct · 2 doubtful cells")
    assert tab.count("#field-panes tbody tr") == 60
    assert tab.count(f"{READ} details li") == 2
    assert shown(tab, 1, "mark", "width", "height", "quantity", "thickness") == [
        "W02", "1850", "900", "2", "6",
    ]  # fmt: skip
    assert shown(tab, 4, "width") == ["1205"]
    tab.click(SAVE)
    see(tab, ".fault li", "Row 7")
    assert admin.get("/api/quotes").data == []
    marked = {
        "width": ["6", "10", "30"],
        "glassType": ["22"],
        "quantity": ["43"],
    }
    for column, rows in marked.items():
        of_column = f"[data-column={column}]:is([aria-invalid=true], [data-level])"
        found = tab.run(
            "return [...document.querySelectorAll(given)].map((one) => one.dataset.row)",
            f"#field-panes {of_column}",
        )
        assert found == rows, column

    corrections = ("1200", "1205", "Clear", "1000", "2")
    for text in corrections:
        tab.click(f"{READ} button:has-text('Next marked cell')")
        row, column = focused(tab)
        tab.fill(cell(column, row), text)
    wait_until(lambda: tab.count(f"{READ} .status-line") == 0)
    see(tab, ".sum", "62 panes")
    # the rows scroll below their headings, and the pane of a row is near them
    head_after, pane_below = tab.run(PLACES)
    assert head_after == pytest.approx(0, abs=2)
    assert pane_below < 600
    tab.click(SAVE)
    see(tab, "h1", "QUO-")
    (made,) = admin.get("/api/quotes", populate="customer").data
    assert made["customer"]["name"] == "Somchai"
    sizes = [one["dimensions"]["width"] for one in made["panes"]]
    expected = {2: 1850, 5: 1205, 7: 1200, 11: 1205, 31: 1000}
    assert sizes == [expected.get(one, 600 + 10 * one) for one in range(1, 61)]
    assert {one["rawGlass"]["glassType"] for one in made["panes"]} == {"Clear"}
    marks = [one["mark"] for one in made["panes"]]
    assert marks == [f"W{one:02}" for one in range(1, 61)]
    assert sum(one["quantity"] for one in made["panes"]) == 62
    assert unexpected(chromium) == []

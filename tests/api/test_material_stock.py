"""Stock by material: the lots that hold something, and their sums."""

from stock_api import create_lot

PATH = "/api/materials/stock"


def figures(api, **query):
    """Name, sum, whether it is low, and the quantities of its lots, of each material."""
    rows = api.get(PATH, sort="name", **query).data
    return [
        (row["name"], row["quantity"], row["isLow"], [one["quantity"] for one in row["lots"]])
        for row in rows
    ]  # fmt: skip


def test_materials_are_listed_with_their_lots_and_sums(admin, worker, workshop):
    clear = workshop.material(name="clear", reorder_point=10)
    float_glass = workshop.material(name="float", reorder_point=0.8)
    workshop.material(name="none", reorder_point=0)
    for quantity in (4, 0, 5):
        create_lot(admin, clear, quantity)
    create_lot(admin, clear, 8, isActive=False)
    for quantity in (0.7, 0.1):
        create_lot(admin, float_glass, quantity)
    everything = [
        ("clear", 9, True, [4, 5, 8]),
        ("float", 0.8, False, [0.7, 0.1]),
        ("none", 0, False, []),
    ]
    assert figures(worker) == everything
    assert figures(worker, low="true") == everything[:1]
    assert figures(worker, search="flo") == everything[1:2]
    paged = worker.get(PATH, sort="name", limit=1, page=2)
    assert [row["name"] for row in paged.data] == ["float"]
    assert paged.body["pagination"]["total"] == 3
    one = worker.get(f"/api/materials/{clear.pk}/stock").data
    assert one == worker.get(PATH, sort="name").data[0]
    assert worker.get(f"/api/materials/{'0' * 24}/stock").status == 404


def test_material_out_of_use_is_not_low(admin, workshop):
    workshop.material(name="old", reorder_point=5, is_active=False)
    assert figures(admin) == [("old", 0, False, [])]
    assert figures(admin, low="true") == []


def test_stock_needs_the_keys_of_materials_and_lots(client_with_keys, workshop):
    paths = (PATH, f"/api/materials/{workshop.material().pk}/stock")
    for keys, status in (
        (("materials:view",), 403),
        (("inventory:view",), 403),
        (("materials:view", "inventory:view"), 200),
    ):
        client = client_with_keys(*keys)
        assert [client.get(path).status for path in paths] == [status, status]

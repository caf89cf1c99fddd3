"""How soon there is a cutting plan, and how many sheets it needs.

Panes of order lines, in turns with packingsolver and rectpack, and on request the instances
of the ROADEF challenge of 2018. No service runs: the search has a core for itself, and
packingsolver two.
"""

from __future__ import annotations

import csv
import json
import math
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

from bench.figures import number, table
from bench.section import ROOT, Measured
from glassflow.domain.cutting import check
from glassflow.domain.cutting.heuristic import plans
from glassflow.domain.cutting.plan import Box, Measures, Piece, Plan, Stock, tenths
from glassflow.planner.messages import Answer, Task

SIZES, SEEDS = (20, 100, 400), (1, 2)
QUICK_SIZES, QUICK_SEEDS = (20, 100), (1,)
SUMMED, LARGE = 100, 400  # panes of the instances that have limits
SOON_S, SOON_LARGE_S, LATER_S, QUICK_LATER_S = 3.0, 5.0, 30.0, 3.0
MOST_SHEETS = 1.12  # times the bound, of the last plan
MOST_SOLVED = 1.06  # the same of the better plan of search and solver, of `LARGE` panes
SHEET = (2438, 3658)  # mm
MEASURES = Measures(distance=tenths(20))
# How often of a hundred times, and from which to which size in mm.
KINDS = {
    "window": (35, (400, 1200), (500, 1500)),
    "door": (15, (700, 1000), (1900, 2400)),
    "shower": (15, (300, 900), (1800, 2100)),
    "rail": (15, (900, 1500), (850, 1100)),
    "shelf": (12, (150, 400), (400, 1200)),
    "top": (8, (500, 1000), (800, 1800)),
}
QUANTITIES = (1, 1, 1, 2, 2, 4, 6, 8)  # of order lines

RECTPACK = "rectpack==0.2.2"
RECTPACK_ENVIRONMENT = ROOT / "build" / "rectpack"

SOLVER_ENVIRONMENT = ROOT / ".venv-planner"  # make setup-planner

ROADEF = os.environ.get("ROADEF", "")
ROADEF_SHEET = (6000, 3210)  # mm
PLATES = 1.5  # times the bound: of more, the search chooses those without defects

HEAD = (
    "bound",
    "first plan s",
    "its sheets",
    f"after {SOON_S:g} s, {LARGE}: {SOON_LARGE_S:g} s",
)


class Instance(NamedTuple):
    """Panes to be cut, and the sheets that there are for them."""

    name: str
    pieces: Sequence[Piece]
    stocks: Sequence[Stock]

    @property
    def area(self) -> float:
        """The area of the panes, in sheets."""
        return sum(one.width * one.height for one in self.pieces) / self.stocks[0].area

    @property
    def bound(self) -> int:
        """The number of sheets that the area needs at least."""
        return math.ceil(self.area)

    @property
    def soon_s(self) -> float:
        """The time after which a good plan is expected."""
        return SOON_S if len(self.pieces) < LARGE else SOON_LARGE_S


class Planned(NamedTuple):
    """The sheets of the first plan, of the one that is expected soon, and of the last one.

    `wrong` says what the proof of these plans has found, `solved` what the solver needs.
    """

    instance: Instance
    first_s: float
    first: int
    soon: int
    later: int
    wrong: Sequence[str] = ()
    solved: Sequence[Solved] = ()

    def cells(self) -> list[str]:
        """Return the row of the table."""
        sheets = (self.first, self.soon, self.later)
        used = f"{100 * self.instance.area / self.later:.1f}"
        bound, first_s = f"{self.instance.bound}", number(self.first_s)
        return [self.instance.name, bound, first_s, *map(str, sheets), used]


class Solved(NamedTuple):
    """The sheets of the solver's last plan after so many seconds; 0 where it has none."""

    seconds: float
    sheets: int
    wrong: Sequence[str] = ()


class Packed(NamedTuple):
    """The sheets of the best plan of rectpack, and how long it took for all."""

    sheets: int
    seconds: float


def section(quick: bool) -> Measured:
    """Measure plans of a workshop, and those of ROADEF if there is a folder of them."""
    challenge = read_roadef(Path(ROADEF)) if ROADEF else []
    later_s = QUICK_LATER_S if quick else LATER_S
    head = (*HEAD, f"after {later_s:g} s", "used %")
    plates_head = ("ROADEF 2018", *head)
    python = rectpack_python(RECTPACK_ENVIRONMENT, RECTPACK)
    rows, cells, solver_s = [], [], (later_s,) if quick else (SOON_LARGE_S, later_s)
    sizes, seeds = (QUICK_SIZES, QUICK_SEEDS) if quick else (SIZES, SEEDS)
    for instance in (workshop(size, seed) for size in sizes for seed in seeds):
        planned = plan(instance, later_s)
        solved = [solve(SOLVER_ENVIRONMENT, instance, seconds) for seconds in solver_s]
        packed = pack(python, instance) if python else None
        rows.append(planned._replace(solved=[one for one in solved if one]))
        its = [f"{one.sheets}" if one else "solver not installed" for one in solved]
        theirs = [f"{packed.sheets}", number(packed.seconds)] if packed else ["", ""]
        cells.append([*planned.cells(), *its, *theirs])
    solver_head = [f"packingsolver {seconds:g} s" for seconds in solver_s]
    head = ("order lines", *head, *solver_head, "rectpack", "its s")
    lines = [*table(head, cells), ""]
    if python is None:
        lines += ["rectpack: not available.", ""]
    plates = [plan(one, later_s) for one in (challenge[:2] if quick else challenge)]
    if plates:
        lines += table(plates_head, [one.cells() for one in plates])
    else:
        lines += ["ROADEF 2018: not measured."]
    wrong = [fault for one in plates for fault in one.wrong]
    return Measured(lines, [*faults(rows), *wrong])


def faults(rows: Sequence[Planned]) -> Iterator[str]:
    """Yield what is wrong with plans, and the limits that are not kept.

    Where there are few sheets one of them is a large share, so such plans count together.
    """
    for row in rows:
        yield from row.wrong
        for one in row.solved:
            yield from one.wrong
        soon_s = row.instance.soon_s
        if len(row.instance.pieces) >= SUMMED and row.first_s > soon_s:
            first_s = number(row.first_s)
            yield f"{row.instance.name}: first plan after {first_s} s, not {soon_s:g}"
        if row.solved and _size(row) == LARGE:
            solved = [one.sheets for one in row.solved if one.sheets]
            sheets = min([row.later, *solved])  # the planner takes the better plan
            most = MOST_SOLVED * row.instance.bound
            if sheets > most:
                text = f"{sheets} sheets with the solver, not {number(most)}"
                yield f"{row.instance.name}: {text}"
    limited = [(one.instance.name, [one]) for one in rows if _size(one) == LARGE]
    summed = [one for one in rows if _size(one) == SUMMED]
    if len(summed) > 1:
        limited.append((f"{SUMMED} panes, all seeds", summed))
    for name, some in limited:
        sheets = sum(one.later for one in some)
        most = MOST_SHEETS * sum(one.instance.bound for one in some)
        if sheets > most:
            yield f"{name}: {sheets} sheets in the end, not {number(most)}"


def _size(row: Planned) -> int:
    return len(row.instance.pieces)


def workshop(size: int, seed: int) -> Instance:
    """Return so many panes of order lines, the last one cut short."""
    chosen = Random(seed)
    pieces: list[Piece] = []
    shares = [share for share, _, _ in KINDS.values()]
    while len(pieces) < size:
        [(_, widths, heights)] = chosen.choices(list(KINDS.values()), shares)
        width, height = chosen.randint(*widths), chosen.randint(*heights)
        quantity = chosen.choice(QUANTITIES)
        pieces += [Piece(tenths(width), tenths(height))] * quantity
    stock = Stock(*map(tenths, SHEET), sheets=size)
    return Instance(f"{size} panes, seed {seed}", pieces[:size], [stock])


def plan(instance: Instance, later_s: float) -> Planned:
    """Plan for so many seconds, and prove the plans that count."""
    started = time.monotonic()
    search = plans(instance.pieces, instance.stocks, MEASURES)
    first = soon = later = next(search).plan
    first_s = passed_s = time.monotonic() - started
    while passed_s < later_s:
        found = next(search).plan
        passed_s = time.monotonic() - started
        if passed_s <= instance.soon_s:
            soon = found
        if passed_s <= later_s:
            later = found
    quoted = {"first": first, "soon": soon, "later": later}
    wrong = [
        f"{instance.name}, {name} plan: {text}"
        for name, one in quoted.items()
        for text in _wrong(one, instance)
    ]
    sheets = (len(one.sheets) for one in quoted.values())
    return Planned(instance, first_s, *sheets, wrong)


def _wrong(found: Plan, instance: Instance) -> Iterator[str]:
    if found.left_out:
        yield f"{len(found.left_out)} panes left out"
    for one in check.faults(found, instance.pieces, instance.stocks, MEASURES):
        yield f"{one.kind} (sheet {one.sheet}, piece {one.piece})"


def solve(folder: Path, instance: Instance, seconds: float) -> Solved | None:
    """Let packingsolver plan for so many seconds, and prove its plan.

    None where the folder is no environment that has it.

    Raises `subprocess.CalledProcessError`.
    """
    if not (folder / ".installed").exists():
        return None
    task = Task(instance.pieces, instance.stocks, MEASURES, seconds)
    program = Path(__file__).with_name("solver_plans.py")
    done = subprocess.run(
        [folder / "bin" / "python", program],
        input=task.encode(),
        stdout=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        check=True,
    )
    lines = done.stdout.splitlines()
    if not lines:
        return Solved(seconds, 0)
    found = Answer.decode(lines[-1]).found.plan
    wrong = [f"{instance.name}, solver: {text}" for text in _wrong(found, instance)]
    return Solved(seconds, len(found.sheets), wrong)


def rectpack_python(folder: Path, requirement: str) -> Path | None:
    """Return the Python of an environment with rectpack; None if pip cannot get it."""
    python = folder / "bin" / "python"
    make = [sys.executable, "-m", "venv", "--without-pip", str(folder)]
    subprocess.run(make, check=True)
    pip = [sys.executable, "-m", "pip", "--python", str(python)]
    options = ["--quiet", "--disable-pip-version-check", "--retries", "1"]
    install = [*pip, "install", *options, requirement]
    done = subprocess.run(install, capture_output=True)
    return None if done.returncode else python


def pack(python: Path, instance: Instance) -> Packed:
    """Let rectpack plan the panes, in all the ways that it has for guillotine cuts.

    Raises `subprocess.CalledProcessError`.
    """
    stock = instance.stocks[0]
    panes = [(one.width, one.height) for one in instance.pieces]
    given = json.dumps({"sheet": (stock.width, stock.height), "panes": panes})
    program = Path(__file__).with_name("rectpack_sheets.py")
    started = time.monotonic()
    done = subprocess.run(
        [python, program], input=given, stdout=subprocess.PIPE, text=True, check=True
    )
    return Packed(int(done.stdout), time.monotonic() - started)


def read_roadef(folder: Path) -> list[Instance]:
    """Return the instances of set A that are in a folder or below it.

    Each plate is a lot of its own, with its defects; only the first ones are given.
    Raises `FileNotFoundError`.
    """
    batches = sorted(
        folder.rglob("A*_batch.csv"), key=lambda one: (len(one.name), one.name)
    )
    if not batches:
        raise FileNotFoundError(f"no A*_batch.csv in {folder}")
    return [_read_instance(batch) for batch in batches]


def _read_instance(batch: Path) -> Instance:
    name = batch.name.removesuffix("_batch.csv")
    pieces = [
        Piece(*(tenths(float(row[side])) for side in ("LENGTH_ITEM", "WIDTH_ITEM")))
        for row in _rows(batch)
    ]
    defects: dict[int, list[Box]] = {}
    for row in _rows(batch.with_name(f"{name}_defects.csv")):
        sides = (tenths(float(row[side])) for side in ("X", "Y", "WIDTH", "HEIGHT"))
        defects.setdefault(int(row["PLATE_ID"]), []).append(Box(*sides))
    width, height = map(tenths, ROADEF_SHEET)
    bound = Instance(name, pieces, [Stock(width, height)]).bound
    plates = [
        Stock(width, height, defects=defects.get(n, ()))
        for n in range(math.ceil(PLATES * bound) + 1)
    ]
    return Instance(f"{name}, {len(pieces)} panes", pieces, plates)


def _rows(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter=";"))

"""Text set in Sarabun: measured as HarfBuzz shapes it, shortened and broken in lines.

Thai writes no spaces between words, and its vowels and tone marks stand above and below
their consonant: a text is never cut inside of such a cluster, and lines break at spaces
first, then between the phrases that BudouX finds.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import budoux
import uharfbuzz

FONTS = Path(__file__).parent / "fonts"
FONT_FILES = {False: FONTS / "Sarabun-Regular.ttf", True: FONTS / "Sarabun-Bold.ttf"}
MM_PER_PT = 25.4 / 72
# Of the font, in parts of its size: above and below the baseline.
ASCENT, DESCENT = 1.068, 0.232
LINE_HEIGHT = ASCENT + DESCENT
SMALLEST = 0.7  # of the size that a template gives
ELLIPSIS = "…"

_MARKS = "\u0e31\u0e33-\u0e3a\u0e47-\u0e4e\u0300-\u036f\u200d\ufe0f"
CLUSTER = re.compile(f"[\u0e40-\u0e44]?[^{_MARKS}][{_MARKS}]*|[{_MARKS}]+", re.DOTALL)
MARK = re.compile(f"[{_MARKS}]")


class Fitted(NamedTuple):
    """Lines that fit, their size in points, and whether any text is missing."""

    lines: tuple[str, ...]
    size: float
    is_cut: bool


@cache
def _font(bold: bool) -> Any:
    blob = uharfbuzz.Blob.from_file_path(str(FONT_FILES[bold]))
    return uharfbuzz.Font(uharfbuzz.Face(blob))


@lru_cache(maxsize=20_000)
def _shape(text: str, bold: bool) -> tuple[float, bool]:
    """Return the width at size 1, and whether the font lacks a character."""
    buffer = uharfbuzz.Buffer()
    buffer.add_str(text)
    buffer.guess_segment_properties()
    font = _font(bold)
    uharfbuzz.shape(font, buffer)
    advances = (one.x_advance for one in buffer.glyph_positions or ())
    return sum(advances) / font.face.upem, any(
        one.codepoint == 0 for one in buffer.glyph_infos or ()
    )


def width_mm(text: str, *, size: float, bold: bool) -> float:
    """Return the width of a text at a size in points."""
    return _shape(text, bold)[0] * size * MM_PER_PT


def lacks_characters(text: str, *, bold: bool) -> bool:
    """Return whether the font has no picture for a character of the text."""
    return _shape(text, bold)[1]


def fit_line(text: str, *, width: float, size: float, bold: bool) -> Fitted:
    """Fit a text into one line of a width in mm: smaller first, then cut."""
    natural = width_mm(text, size=size, bold=bold)
    if natural <= width:
        return Fitted((text,), size, False)
    if natural * SMALLEST <= width:
        return Fitted((text,), size * width / natural, False)
    size *= SMALLEST
    return Fitted((cut(text, width=width, size=size, bold=bold),), size, True)


def cut(text: str, *, width: float, size: float, bold: bool) -> str:
    """Return the longest begin of a text that fits with `…` after it."""
    clusters = CLUSTER.findall(text)
    low, high = 0, len(clusters)
    while low < high:
        middle = (low + high + 1) // 2
        candidate = "".join(clusters[:middle]).rstrip() + ELLIPSIS
        if width_mm(candidate, size=size, bold=bold) <= width:
            low = middle
        else:
            high = middle - 1
    return "".join(clusters[:low]).rstrip() + ELLIPSIS


def fit_lines(
    text: str, *, width: float, height: float, size: float, bold: bool
) -> Fitted:
    """Break a text into lines of a width in mm that fit a height: smaller, then cut."""
    for factor in (1.0, 0.9, 0.8, SMALLEST):
        smaller = size * factor
        lines = break_lines(text, width=width, size=smaller, bold=bold)
        allowed = max(1, int(height / (smaller * LINE_HEIGHT * MM_PER_PT) + 0.01))
        if len(lines) <= allowed:
            return Fitted(tuple(lines), smaller, False)
    rest = " ".join(lines[allowed - 1 :])
    last = cut(rest, width=width, size=smaller, bold=bold)
    return Fitted((*lines[: allowed - 1], last), smaller, True)


def break_lines(text: str, *, width: float, size: float, bold: bool) -> list[str]:
    """Break a text into lines: at line ends and spaces, then phrases, then clusters."""
    lines: list[str] = []
    for paragraph in text.splitlines():
        line = ""
        for word in paragraph.split():
            joined = f"{line} {word}" if line else word
            if width_mm(joined, size=size, bold=bold) <= width:
                line = joined
                continue
            if width_mm(word, size=size, bold=bold) <= width:
                lines.append(line)
                line = word
                continue
            line = f"{line} " if line else ""
            for part in _parts(word, width=width, size=size, bold=bold):
                if line and width_mm(line + part, size=size, bold=bold) > width:
                    lines.append(line.rstrip())
                    line = ""
                line += part
        lines.append(line.rstrip())
    return [line for line in lines if line] or [""]


def _parts(word: str, *, width: float, size: float, bold: bool) -> Iterator[str]:
    """Yield the parts that a word may be broken into, each no wider than the line."""
    for phrase in _phrases(word):
        if width_mm(phrase, size=size, bold=bold) <= width:
            yield phrase
        else:
            clusters: Iterable[str] = CLUSTER.findall(phrase)
            yield from clusters


@cache
def _thai_parser() -> Any:
    return budoux.load_default_thai_parser()


@lru_cache(maxsize=2000)
def _phrases(word: str) -> tuple[str, ...]:
    """Break a run of letters into phrases, never before a mark."""
    joined: list[str] = []
    for phrase in _thai_parser().parse(word):
        if joined and MARK.match(phrase):
            joined[-1] += phrase
        else:
            joined.append(phrase)
    return tuple(joined)

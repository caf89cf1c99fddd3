"""Random pieces, lots and rules of cutting plans, for tests of all that makes plans."""

from hypothesis import strategies as st

from glassflow.domain.cutting.plan import Box, Measures, Piece, Stock

SIDES = st.integers(1500, 20000)
PIECES = st.lists(
    st.builds(Piece, SIDES, SIDES, st.booleans()), min_size=1, max_size=14
)


@st.composite
def stocks(draw: st.DrawFn) -> Stock:
    """Draw a lot: whole sheets with trims, or a remnant, some of them with defects."""
    width, height = draw(st.integers(4000, 24000)), draw(st.integers(4000, 36000))
    is_remnant = draw(st.booleans())
    defects = draw(
        st.lists(
            st.builds(
                Box,
                st.integers(0, width - 100),
                st.integers(0, height - 100),
                st.integers(1, 3000),
                st.integers(1, 3000),
            ),
            max_size=2,
        )
    )
    return Stock(
        width,
        height,
        sheets=1 if is_remnant else draw(st.integers(1, 12)),
        trim=0 if is_remnant else draw(st.sampled_from((0, 100, 250))),
        defects=defects,
        is_remnant=is_remnant,
    )


LOTS = st.lists(stocks(), min_size=1, max_size=4)
RULES = st.builds(
    Measures,
    distance=st.sampled_from((0, 150, 300)),
    kerf=st.sampled_from((0, 0, 20)),
    least_use=st.sampled_from((0.0, 0.5, 0.9)),
)

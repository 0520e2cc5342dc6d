"""Lines of sight over made-up towns: alike from both ends, and the store never changes an answer."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from battlesim.board.board import Board
from battlesim.board.model import Area, Obstacle, SightLine
from battlesim.board.sight import Sight
from tests.board.handmade import PLAYED, Draft, House, lattice

# -- properties over towns -----------------------------------------------------------------------------------------------

small_towns = st.builds(
    Draft,
    nodes=st.just(lattice(8, 8, 450)),
    houses=st.lists(
        st.builds(
            House,
            x=st.integers(0, 60).map(lambda i: 50 * i),
            y=st.integers(0, 60).map(lambda i: 50 * i),
            w=st.sampled_from([300, 450, 600]),
            h=st.sampled_from([300, 450, 600]),
            floors=st.integers(1, 3),
            sides=st.sampled_from([(0,), (1, 3), (0, 2), (0, 1, 2, 3)]),
            flat_roof=st.booleans(),
        ),
        max_size=5,
    ),
    obstacles=st.lists(
        st.builds(
            Obstacle,
            kind=st.sampled_from(["wall", "hedge", "fence"]),
            a=st.tuples(st.integers(0, 3500), st.integers(0, 3500)),
            b=st.tuples(st.integers(0, 3500), st.integers(0, 3500)),
            height=st.sampled_from([50, 100, 150]),
        ),
        max_size=3,
    ),
    areas=st.lists(
        st.builds(
            lambda kind, x, y, s, h: Area(kind, ((x, y), (x + s, y), (x + s, y + s), (x, y + s)), h),
            st.sampled_from(["woods", "hill", "rough"]),
            st.integers(0, 3000),
            st.integers(0, 3000),
            st.sampled_from([300, 700]),
            st.sampled_from([100, 250]),
        ),
        max_size=2,
    ),
)
few = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def pairs(data: st.DataObject, board: Board, count: int) -> list[tuple[int, int]]:
    space = st.integers(0, len(board.spaces) - 1)
    return data.draw(st.lists(st.tuples(space, space), min_size=count, max_size=count))


def down(data: st.DataObject, board: Board) -> frozenset[int]:
    if not board.sections:
        return frozenset()
    return data.draw(st.frozensets(st.integers(0, len(board.sections) - 1)))


@few
@given(small_towns, st.data())
def test_what_is_kept_never_changes_an_answer(draft: Draft, data: st.DataObject) -> None:
    board = draft.build()
    kept = Sight(board, PLAYED)
    for a, b in pairs(data, board, 6):
        for fallen in (down(data, board), frozenset[int](), down(data, board)):
            wanted = tuple(
                line for line in Sight(board, PLAYED).lines(a, b) if fallen.issuperset(line.blockers)
            )
            if data.draw(st.booleans()):
                assert kept.sees(a, b, fallen) == bool(wanted)
            assert kept.clear_lines(a, b, fallen) == wanted
            assert kept.sees(a, b, fallen) == bool(wanted)
            assert kept.best(a, b, fallen) == (wanted[0] if wanted else None)


@few
@given(small_towns, st.data())
def test_sight_is_the_same_from_both_ends(draft: Draft, data: st.DataObject) -> None:
    board = draft.build()
    sight = board.sight

    def real(lines: tuple[SightLine, ...], turned: bool) -> list[tuple[object, ...]]:
        found = []
        for line in lines:
            ends = ((line.from_side, line.from_opening), (line.to_side, line.to_opening))
            if all(opening >= 0 or side < 0 for side, opening in ends):
                found.append((*(ends[::-1] if turned else ends), line.distance, line.blockers))
        return sorted(found)

    for a, b in pairs(data, board, 8):
        assert real(sight.lines(a, b), False) == real(sight.lines(b, a), True)
        fallen = down(data, board)
        assert sight.has_view(a, b, fallen) == sight.has_view(b, a, fallen)


@few
@given(small_towns, st.data())
def test_what_is_learnt_at_one_end_holds_at_the_other(draft: Draft, data: st.DataObject) -> None:
    board = draft.build()
    kept = Sight(board, PLAYED)
    for a, b in pairs(data, board, 8):
        (kept.clear_lines if data.draw(st.booleans()) else kept.sees)(b, a)
        for fallen in (frozenset[int](), down(data, board)):
            wanted = tuple(
                line for line in Sight(board, PLAYED).lines(a, b) if fallen.issuperset(line.blockers)
            )
            assert kept.sees(a, b, fallen) == bool(wanted)
            assert kept.clear_lines(a, b, fallen) == wanted


@few
@given(small_towns, st.data())
def test_a_fall_opens_lines_and_closes_none(draft: Draft, data: st.DataObject) -> None:
    board = draft.build()
    some, more = down(data, board), down(data, board)
    for a, b in pairs(data, board, 8):
        before, after = board.sight.clear_lines(a, b, some), board.sight.clear_lines(a, b, some | more)
        assert [line for line in after if line in before] == list(before)
        assert list(after) == sorted(
            after, key=lambda o: (o.distance, o.from_side, o.from_opening, o.to_side, o.to_opening)
        )


@few
@given(small_towns, st.data())
def test_no_line_is_shorter_than_the_hint(draft: Draft, data: st.DataObject) -> None:
    board = draft.build()
    for a, b in pairs(data, board, 8):
        for line in board.sight.lines(a, b):
            assert line.distance >= board.sight.min_distance(a, b)

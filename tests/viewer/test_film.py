"""Films of records: what they show after every moment is the replayed position, on all four rulebooks."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from battlesim import play
from battlesim.board.board import Board
from battlesim.core.apply import apply
from battlesim.core.events import StructureSet
from battlesim.core.frozen import frozen
from battlesim.core.geometry import distance
from battlesim.core.state import State, Structure, burning, fallen
from battlesim.engine.origin import board_of
from battlesim.engine.record import Record, parse_record, read_record
from battlesim.engine.replay import initial_state
from battlesim.rulesets.finder import find_ruleset
from battlesim.viewer.film import Film, film_of
from battlesim.viewer.page import watch_page
from battlesim.viewer.picture import draw_picture
from battlesim.viewer.spots import Spots
from battlesim.viewer.standing import Standing
from battlesim.viewer.story import Story
from battlesim.viewer.symbols import SYMBOLS, badges_of, unit_mark
from battlesim.viewer.wording import find_wording
from tests.shipped import load

GOLDEN = Path(__file__).parents[1] / "golden" / "records"
RULESETS = ("orderdice", "squadhex", "armorclass", "regiment")
NAMES = ("skirmish", "square", "outpost", "watch-house")


@cache
def shown(name: str) -> tuple[Record, Board, Film]:
    record = parse_record(play(load(name), ("greedy", "rush"), seed=5).record(), "x")
    board = board_of(record, None)
    return record, board, film_of(record, board)


def states(record: Record) -> list[State]:
    """The state before the first event, and after each."""
    state = initial_state(record.header)
    found = [state.clone()]
    for event in record.events:
        apply(state, event)
        found.append(state.clone())
    return found


@pytest.mark.parametrize("name", NAMES)
def test_values_after_each_moment_are_those_of_the_replayed_state(name: str) -> None:
    record, board, film = shown(name)
    after = states(record)
    values = dict(film.start)
    for moment in film.moments:
        values.update(moment.changes)
        state = after[moment.event + 1]
        assert values["p"] == list(state.points)
        for unit in state.units.values():
            assert values[f"m{unit.id}"] == unit.models
            where = values[f"u{unit.id}"]
            if unit.alive and unit.place >= 0:
                space = board.spaces[unit.place]
                assert where[:2] == [space.x, space.y]
                assert where[5] == space.floor
            elif unit.alive:
                assert where is None
        for section in board.sections:
            wanted = 2 if section.id in fallen(state) else int(section.id in burning(state))
            assert values[f"s{section.id}"] == wanted or section.burning


@pytest.mark.parametrize("name", NAMES)
def test_changes_only_say_what_changes(name: str) -> None:
    _, _, film = shown(name)
    values = dict(film.start)
    for moment in film.moments:
        for key, value in moment.changes.items():
            assert values[key] != value, key
        values.update(moment.changes)
        assert moment.changes or moment.effects or moment.sentences


@pytest.mark.parametrize("name", NAMES)
def test_a_film_tells_every_sentence_once_and_in_order(name: str) -> None:
    record, _, film = shown(name)
    story = Story(record.header)
    wanted = [sentence for event in record.events for sentence in story.read(event)]
    wanted += story.close()
    assert [sentence for moment in film.moments for sentence in moment.sentences] == wanted


def test_moves_end_where_the_unit_stands_and_losses_are_counted() -> None:
    _, _, film = shown("skirmish")
    lost = dict.fromkeys(film.full, 0)
    values = dict(film.start)
    for moment in film.moments:
        values.update(moment.changes)
        for effect in moment.effects:
            if effect["kind"] == "move":
                assert effect["path"][-1][:2] == values[f"u{effect['unit']}"][:2]
            if effect["kind"] in ("lost", "fell"):
                lost[effect["unit"]] += effect["lost"]
    assert all(film.full[n] - values[f"m{n}"] == lost[n] for n in film.full)
    assert sum(lost.values()) > 0


def test_who_holds_an_objective_is_who_is_there_alone() -> None:
    record, _, film = shown("skirmish")
    state = states(record)[-1]
    values = dict(film.start)
    for moment in film.moments:
        values.update(moment.changes)
    there = {state.units[n].side for place in film.goals[0].places for n in state.at.get(place, ())}
    assert values["g0"] == (2 if len(there) == 2 else next(iter(there), -1))


@pytest.mark.parametrize("count", range(1, 13))
def test_marks_on_one_space_keep_apart(count: int) -> None:
    for name in ("square", "village"):
        board = load("square").board if name == "square" else load("skirmish").board
        ground = next(space for space in board.spaces if space.kind == "ground")
        spots = Spots(board).at(ground.id, count)
        assert len(spots) == count
        for one in spots:
            for other in spots:
                if one is not other:
                    apart = abs(one.x - other.x) >= one.wide or abs(one.y - other.y) >= one.wide * 66 // 100
                    assert apart


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_kind_of_unit_has_a_symbol(ruleset: str) -> None:
    import tomllib

    kinds = tomllib.loads((find_ruleset(ruleset).folder / "data" / "units.toml").read_text(encoding="utf-8"))
    assert set(find_wording(ruleset).symbols) == set(kinds)
    assert set(find_wording(ruleset).symbols.values()) <= set(SYMBOLS)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_badges_read_fields_that_units_have(ruleset: str) -> None:
    fields = find_ruleset(ruleset).own.__struct_fields__
    for row in find_wording(ruleset).badges:
        assert row["field"] in fields
        assert row["tone"] in ("good", "bad")


def test_badges_say_how_a_unit_is() -> None:
    table = find_wording("orderdice").badges
    assert badges_of(table, {"pins": 0, "order": "advance"}, 1) == ()
    pinned = badges_of(table, {"pins": 3, "order": "down"}, 1)
    assert [(badge.sign, badge.says, badge.good) for badge in pinned] == [
        ("3", "pinned (3)", False),
        ("▼", "down", False),
    ]
    later = find_wording("armorclass").badges
    assert [b.says for b in badges_of(later, {"suppressed": 2, "detected": True}, 2)] == ["suppressed"]
    assert badges_of(later, {"suppressed": 2, "detected": True}, 3) == ()


def test_a_mark_shows_strength_and_keeps_names_text() -> None:
    mark = unit_mark(1, "infantry", "<b>", "A & B", 5, 10)
    assert "<title>&lt;b&gt;</title>" in mark
    assert "A &amp; B" in mark
    assert ">5</text>" in mark
    assert 'class="bar" x="-38" y="18.5" width="38"' in mark


@pytest.mark.parametrize(
    ("name", "breach", "field"),
    [("outpost", 1, "breaches"), ("outpost", 0, "holes"), ("skirmish", 0, "made")],
)
def test_openings_that_were_made_lie_in_their_walls(name: str, breach: int, field: str) -> None:
    record, board, film = shown(name)
    state = initial_state(record.header)
    section = next(s for s in board.sections if len(s.spaces) > 1)
    pairs = ((0, 1), (1, 0), (0, 99))  # the last names no wall
    state.structures[section.id] = Structure(section.id, own=frozen({field: pairs}))
    wording = find_wording(record.header.ruleset.name)
    walls = Standing(state, board, wording, film.goals).everything()[f"o{section.id}"]
    assert [(wall[4], wall[5]) for wall in walls] == [(0, breach), (1, breach)]
    for (_, side), (x1, y1, x2, y2, *_) in zip(pairs, walls, strict=False):
        a, b = section.sides[side].a, section.sides[side].b
        for p in ((x1, y1), (x2, y2)):
            assert abs(distance(a, p) + distance(p, b) - distance(a, b)) <= 2  # on the wall
        assert distance((x1, y1), (x2, y2)) > 20
    state.structures[section.id] = Structure(section.id, fallen=True, own=frozen({field: pairs}))
    assert Standing(state, board, wording, film.goals).everything()[f"o{section.id}"] == []


def test_flames_stand_on_no_destroyed_floor() -> None:
    record, board, film = shown("outpost")
    state, wording = initial_state(record.header), find_wording("armorclass")
    section = next(s for s in board.sections if len(s.spaces) > 1)
    taken = tuple((place, 1) for place in section.spaces[:2])
    state.extra = frozen({**state.extra, "fires": ({"number": 0, "taken": taken},)})
    for gone, burning_floors in ((None, [0, 1]), (1, [0]), (0, [])):
        if gone is not None:
            state.structures[section.id] = Structure(section.id, own=frozen({"gone": gone}))
        fires = Standing(state, board, wording, film.goals).fires()
        assert [floor for _, _, floor in fires] == burning_floors


def test_an_opening_is_drawn_from_when_it_is_made() -> None:
    record = read_record(GOLDEN / "annihilation.jsonl")
    board = board_of(record)
    film = film_of(record, board)
    made = [
        (n, key)
        for n, m in enumerate(film.moments)
        for key, wall in m.changes.items()
        if key[0] == "o" and wall
    ]
    assert made
    for number, _ in made:
        event = record.events[film.moments[number].event]
        assert isinstance(event, StructureSet)
        assert event.own["made"]
    assert 'class="wall"' in draw_picture(board, record.header, film)
    assert "an opening that was made in the battle" in watch_page(record, board)
    assert "an opening that was made" not in watch_page(*shown("watch-house")[:2])

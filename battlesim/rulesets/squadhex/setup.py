"""From a scenario to the first state, and what the rules forbid of a scenario (SH-SCEN-1, SH-HOUSE-UNITS, SH-HOUSE-STACK).

Read `check` for what may go wrong, `setup` for how a battle begins. Units have the numbers of `scenario.forces`.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from battlesim.board.board import Board
from battlesim.core.dice import Dice
from battlesim.core.errors import Fault, did_you_mean
from battlesim.core.items import Entry
from battlesim.core.state import State, Structure, Unit, standing_at
from battlesim.rules.activation import Alternate
from battlesim.rules.contract import Chapter
from battlesim.rules.forces import Force, Goal, Scenario
from battlesim.rulesets.squadhex import placing, victory
from battlesim.rulesets.squadhex.data import TYPES, UnitType
from battlesim.rulesets.squadhex.ground import TABLE, is_dense
from battlesim.rulesets.squadhex.hexes import misfits
from battlesim.rulesets.squadhex.model import Extra, Own

OPTIONS = ("destructible", "scoring", "actions", "first", "fall_cover")
BUILT = ("heavy", "light")
MOST_ACTIONS = 6
MOST_FLOORS = 3
MOST_HEXES = 3_000
PLAYED = ("open", "road", "woods", "rubble", "water")


# ---- check -----------------------------------------------------------------------------------------------------------


def check(scenario: Scenario, board: Board) -> list[Fault]:
    """Everything the rules have against a scenario, every fault at once; `place` says where in its file."""
    faults = _check_map(scenario, board)
    if any(fault.level == "error" for fault in faults):
        return faults  # nothing else can be said of a map without hexes
    faults += _check_options(scenario, board)
    for number, force in enumerate(scenario.forces):
        first = number == 0 or scenario.forces[number - 1].entry != force.entry
        kind = TYPES.get(force.type)
        if kind is None:
            if first:
                what = f"squadhex has no unit type {force.type!r}"
                faults.append(_at(force, "type", what, did_you_mean(force.type, TYPES)))
            continue
        if first:
            faults += _check_strength(force, kind)
        faults += _check_place(scenario, force, kind)
    faults += _check_room(scenario, board)
    for name in [section.name for section in board.sections if scenario.is_burning(section.id)]:
        faults.append(_fault("buildings", f"{name!r} burns, and squadhex has no fire", "leave burning out"))
    faults += _check_goals(scenario, board)
    return faults


def _fault(place: str, what: str, remedy: str = "", level: str = "error") -> Fault:
    return Fault(what, remedy, place=place, level=level)


def _at(force: Force, key: str, what: str, remedy: str = "") -> Fault:
    return _fault(f"forces[{force.entry}].{key}", what, remedy)


def _check_map(scenario: Scenario, board: Board) -> list[Fault]:
    """A hex map, each building section one hex of it with one to three floors."""
    if board.unit != "hex" or any(way.kind == "ground" and way.length != 100 for way in board.ways):
        what = f"map {board.name!r} is no hex map"
        return [_fault("map", what, "give one with unit hex and ground of kind hex")]
    faults = []
    hexes = sum(space.kind == "ground" for space in board.spaces) + len(board.sections)
    if hexes > MOST_HEXES:
        what = f"map {board.name!r} has {hexes:,} hexes"
        faults.append(_fault("map", what, f"{MOST_HEXES:,} are played"))
    for number in dict.fromkeys(misfits(board)):
        what = f"section {board.sections[number].name!r} of map {board.name!r} does not fit one hex"
        faults.append(_fault("map", what, "give it hex: [column, row]"))
    for section in board.sections:
        floors = len(section.spaces) - section.flat_roof
        if section.flat_roof:
            what = f"section {section.name!r} has a flat roof, which squadhex does not play"
            faults.append(_fault("map", what, "leave flat_roof out"))
        if floors > MOST_FLOORS:
            what = f"section {section.name!r} has {floors} floors"
            faults.append(_fault("map", what, f"levels 0 to 2 are played: {MOST_FLOORS} floors at most"))
        table = section.own.get(TABLE)
        if table is not None and not (
            isinstance(table, dict) and set(table) <= {"built"} and table.get("built", "heavy") in BUILT
        ):
            what = f"section {section.name!r}: {TABLE} {table!r} means nothing"
            faults.append(_fault("map", what, f"give {TABLE}: {{built: heavy}} or {{built: light}}"))
    odd = sorted({space.terrain for space in board.spaces if space.kind == "ground"} - set(PLAYED))
    for terrain in odd:
        what = f"map {board.name!r} has {terrain} ground, which squadhex does not know"
        faults.append(_fault("map", what, "use open, road, woods, rubble or water"))
    if board.obstacles:
        what = f"squadhex does not mind the {board.obstacles[0].kind} of map {board.name!r}"
        faults.append(_fault("map", what, "leave it out, or let it be", "warning"))
    return faults


def _check_options(scenario: Scenario, board: Board) -> list[Fault]:
    faults = []
    options = scenario.options
    for option in options:
        if option not in OPTIONS:
            what = f"squadhex has no option {option!r}"
            faults.append(_fault(f"options.{option}", what, did_you_mean(option, OPTIONS)))
    wanted = options.get("destructible", False)
    names = wanted if isinstance(wanted, list) else []
    if not isinstance(wanted, bool | list):
        faults.append(
            _fault("options.destructible", f"{wanted!r} means nothing", "say yes, no, or list buildings")
        )
    for i, name in enumerate(names):
        place = f"options.destructible[{i}]"
        known = [*board.buildings, *board.section_by_name]
        if not isinstance(name, str) or name not in known:
            what = f"map {board.name!r} has no building or section {name!r}"
            faults.append(_fault(place, what, did_you_mean(str(name), known)))
        elif not all(is_dense(board, section) for section in _sections(board, name)):
            what = f"{name!r} is no building of a dense-urban board"
            faults.append(_fault(place, what, f"give it own: {{{TABLE}: {{built: heavy}}}} on the map"))
    if wanted is True and not any(is_dense(board, section.id) for section in board.sections):
        what = f"map {board.name!r} has no dense-urban building"
        remedy = f"give one own: {{{TABLE}: {{built: heavy}}}} on the map"
        faults.append(_fault("options.destructible", what, remedy))
    if options.get("scoring", "end") not in ("end", "rounds"):
        faults.append(
            _fault("options.scoring", f"{options['scoring']!r} means nothing", "give end or rounds")
        )
    actions = options.get("actions", 3)
    if isinstance(actions, bool) or not isinstance(actions, int) or not 1 <= actions <= MOST_ACTIONS:
        faults.append(
            _fault("options.actions", f"{actions!r} actions cannot be", f"give 1 to {MOST_ACTIONS}")
        )
    sides = [side.name for side in scenario.sides]
    if options.get("first", sides[0]) not in sides:
        what = f"there is no side {options['first']!r}"
        faults.append(_fault("options.first", what, did_you_mean(str(options["first"]), sides)))
    if not isinstance(options.get("fall_cover", False), bool):
        faults.append(
            _fault("options.fall_cover", f"{options['fall_cover']!r} means nothing", "say yes or no")
        )
    if scenario.extra_turn:
        faults.append(_fault("extra_turn", "squadhex has no extra round", "leave it out"))
    return faults


def _sections(board: Board, name: str) -> tuple[int, ...]:
    return board.buildings.get(name) or (board.section_by_name[name],)


def _check_strength(force: Force, kind: UnitType) -> list[Fault]:
    faults = []
    if force.quality:
        what = "squadhex has no qualities"
        faults.append(_at(force, "quality", what, "leave it out; elite figures are types of their own"))
    if force.models > kind.strength:
        what = f"a {kind.title} has {kind.strength} figures, not {force.models}"
        faults.append(_at(force, "models", what, f"give 1 to {kind.strength}"))
    if force.officer >= 0:
        what = "officers are figures in squadhex"
        faults.append(_at(force, "officer", what, "leave it out, or use an officer's squad"))
    if force.reserve:
        faults.append(_at(force, "reserve", "squadhex has no reserves", "begin on the board"))
    if force.aboard >= 0:
        faults.append(_at(force, "aboard", "squadhex has no transports", "begin on the board"))
    if force.opening >= 0:
        faults.append(_at(force, "opening", "squadhex asks for no openings", "leave it out"))
    return faults


def _check_place(scenario: Scenario, force: Force, kind: UnitType) -> list[Fault]:
    """A place of its own: in its zone, of a kind it can stand on."""
    if force.place < 0:
        return []
    board, info = scenario.board, scenario.sides[force.side]
    space = board.spaces[force.place]
    faults = []
    drawn = [zone for zone in info.zones if zone.spaces]
    if drawn and not any(force.place in zone.spaces for zone in drawn):
        what = f"{space.name!r} is in no zone of side {info.name!r}"
        faults.append(_at(force, "at", what, "enlarge the zone or move the unit"))
    if not placing.can_stand(scenario, kind, force.place):
        what = f"a {kind.title} cannot be on {space.name!r}"
        faults.append(_at(force, "at", what, "place it elsewhere"))
    return faults


def _check_room(scenario: Scenario, board: Board) -> list[Fault]:
    """SH-HOUSE-STACK, and room for all that begin in a zone."""
    faults = []
    standing: dict[int, list[tuple[int, UnitType]]] = {}
    for force in scenario.forces:
        kind = TYPES.get(force.type)
        if force.place < 0 or kind is None:
            continue
        here = standing.setdefault(force.place, [])
        if not placing.holds(board, force.place, here, force.side, kind):
            what = f"{board.spaces[force.place].name!r} has no room for {force.name!r}"
            remedy = "a floor holds one squad, a hex three, or a vehicle and a squad"
            faults.append(_at(force, "at", what, remedy))
        here.append((force.side, kind))
    entries: dict[int, list[Force]] = {}
    for force in placing.unplaced(scenario):
        entries.setdefault(force.entry, []).append(force)
    for units in entries.values():
        what = f"zone {units[0].zone!r} has no room for {len(units)} of the units"
        faults.append(_at(units[0], "zone", what, "enlarge the zone, or use fewer units"))
    return faults


def _check_goals(scenario: Scenario, board: Board) -> list[Fault]:
    faults = []
    for number, goal in enumerate(scenario.objectives):
        place = f"objectives[{number}]"
        if goal.kind == "destroy" and goal.sections:
            if goal.side < 0:
                faults.append(_fault(place, "nobody is named to score for the buildings", "add side"))
            standing = [board.sections[n].name for n in goal.sections if n not in destructible(scenario)]
            if standing:
                what = f"{standing[0]!r} cannot be destroyed in this scenario"
                faults.append(_fault(place, what, "see options: {destructible: ...}"))
        if goal.kind == "exit" and not any(goal.edge in space.edge for space in board.spaces):
            faults.append(_fault(f"{place}.edge", "no place of the map lies on that edge", "name another"))
    return faults


def destructible(scenario: Scenario) -> tuple[int, ...]:
    """The sections that may be destroyed: those of dense-urban buildings that the scenario names, or all of them (SH-SCEN-1)."""
    board, wanted = scenario.board, scenario.options.get("destructible", False)
    if wanted is True:
        return tuple(section.id for section in board.sections if is_dense(board, section.id))
    names = wanted if isinstance(wanted, list) else []
    known = [name for name in names if name in board.buildings or name in board.section_by_name]
    return tuple(sorted({section for name in known for section in _sections(board, name)}))


# ---- setup -----------------------------------------------------------------------------------------------------------


def setup(scenario: Scenario, board: Board, dice: Dice) -> State:
    """The first state. The dice are those of the scenario's variation, never the battle's: they only fill the zones."""
    from battlesim.rulesets.squadhex.turn import ROUND_PRIORITY, RoundStart

    def lots(purpose: str, side: int, n: int) -> Sequence[int]:
        return [number for _, number in dice.ranking(0, side, purpose, n) if number < n]

    where = placing.placed(scenario, lots)
    units = {
        number: _unit(number, force, where.get(number, force.place))
        for number, force in enumerate(scenario.forces)
    }
    options = scenario.options
    sides = [side.name for side in scenario.sides]
    first = sides.index(options["first"]) if "first" in options else 0
    goals = tuple(_with_ruins(board, goal) for goal in scenario.objectives)
    state = State(
        units=units,
        structures={
            section.id: Structure(section.id, own={"closed": True})
            for section in board.sections
            if scenario.is_closed(section.id)
        },
        extra=Extra(
            play=Alternate(first, options.get("actions", 3)),
            first=first,
            turns=scenario.turns,
            margin=scenario.margin,
            objectives=goals,
            each_round=options.get("scoring", "end") == "rounds",
            destructible=destructible(scenario),
            fall_cover=options.get("fall_cover", False),
        ),
        agenda=(Entry(0, ROUND_PRIORITY, 0, RoundStart()),),
        serial=1,
        at=standing_at(units),
    )
    held = victory.holders(state, goals, (-1,) * len(goals))
    return replace(state, extra=replace(state.extra, held=held))


def _with_ruins(board: Board, goal: Goal) -> Goal:
    """An objective with the ruins of the hexes its floors are on, so that it stays one when they fall (SH-FALL-4)."""
    ruins = (
        board.sections[board.spaces[p].section].ruin for p in goal.places if board.spaces[p].kind == "floor"
    )
    return replace(goal, places=tuple(sorted({*goal.places, *ruins})))


def _unit(number: int, force: Force, place: int) -> Unit:
    kind = TYPES[force.type]
    models = force.models or kind.strength
    return Unit(
        id=number,
        side=force.side,
        name=force.name,
        kind=force.type,
        place=place,
        models=models,
        own=Own(full=kind.strength, shots=kind.shots or -1),
    )


CHAPTER = Chapter(owns=("SH-HOUSE-UNITS",))

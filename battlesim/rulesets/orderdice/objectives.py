"""How objectives give places and units worth under these rules (OD-HOUSE-VICTORY, OD-HOUSE-EXIT). For players; it decides no
rule. Read `stakes_of`."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from battlesim.board.board import Board
from battlesim.core.geometry import INCH
from battlesim.core.state import State, Unit, fallen
from battlesim.evaluation.objectives import Scale, chance_to_reach, lateness, objective_values
from battlesim.evaluation.stakes import Shares, Stakes, Ways
from battlesim.evaluation.time_left import ARRIVED, another_turn
from battlesim.rulesets.orderdice import check, estimates, ground, move, vehicles
from battlesim.rulesets.orderdice.armament import ARMOURED, armament_of
from battlesim.rulesets.orderdice.judgement import Judgement
from battlesim.rulesets.orderdice.model import battle_state, type_of, unit_state

FAR = 60 * INCH
"""Progress is counted over this distance; anything farther counts as this far."""
CLOSE = 12 * INCH
"""A unit this close to a unit or building that it has to destroy is near enough."""
DETOUR = 1.25
"""How much longer than the straight line a way is assumed to be where none is known."""


class Distances(Struct, frozen=True):
    """The distance of every space to the nearest of some places, for one kind of movement, while some sections are down."""

    down: frozenset[int]

    def __call__(self, board: Board, movement: str, places: tuple[int, ...]) -> list[int]:
        return board.routes.distance_field(ground.PACES[movement], places, self.down)


def can_harm(unit: Unit, foe: Unit) -> bool:
    """Whether a unit has a weapon that can pierce an enemy's side or top, a strike, or men who can harm it in contact. A vehicle
    always counts: it can ram the enemy, or carry units that can harm it."""
    armour, kind = type_of(foe).armour, type_of(unit)
    if armour < ARMOURED or kind.vehicle or (kind.strike and not unit_state(unit).called):
        return True
    weapons = [arm.weapon for arm in armament_of(unit).arms]
    # A tank shows its side to somebody, but its rear to hardly anybody.
    return check.in_contact(kind, armour) or any(
        check.can_pierce(weapon, armour, vehicles.SIDE) for weapon in weapons
    )


def stakes_of(state: State, board: Board, side: int, foes: Sequence[Unit], judgement: Judgement) -> Stakes:
    """The stakes of a side; `foes`: the enemies on the board.

    What is held at the end scores, so objectives count more as the battle goes on. An exit attracts only units that still have
    time to reach it."""
    j, extra, down = judgement, battle_state(state), fallen(state)
    point = j.point * lateness(state.turn, extra.turns, j.early, j.late)
    scale = Scale(point, j.denied * point, j.exit * point, j.hunt * point, j.raze * point)
    values = objective_values(extra.objectives, side, state.units, board, down, scale, can_harm)
    left = max(1, extra.turns - state.turn + 1)
    draws = FAR if another_turn(state.turn, extra.turns, extra.extra_turn) else ARRIVED

    def leaves(unit: Unit, edge: tuple[int, ...]) -> float:
        pace = ground.PACES[type_of(unit).drive or "foot"]
        moves = left - (unit.side != side and unit_state(unit).order != "")
        far, limit = board.routes.distance_field(pace, edge, down)[unit.place], pace.options[0].limit
        if not move.can_move(unit):
            return 0.0
        chance = chance_to_reach(far, moves * limit)
        # The extra turn is played with a chance of one half.
        return (chance + chance_to_reach(far, (moves + 1) * limit)) / 2 if extra.extra_turn else chance

    ways = Ways(
        movement=lambda unit: type_of(unit).drive or "foot",
        distances=Distances(down),
        reach=lambda movement, value: (
            left * ground.PACES[movement].options[0].limit if value.leaves else draws
        ),
        close=CLOSE,
        detour=DETOUR,
        leaves=leaves,
    )
    shares = Shares(j.point, j.alone, j.shared, j.crowded, j.contested)
    goals, worth, damaged = extra.objectives, estimates.worth, frozenset[int]()
    riders: dict[int, list[Unit]] = {}
    for unit in (*state.living(0), *state.living(1)):
        carrier = unit.own.aboard
        if carrier >= 0:
            riders.setdefault(carrier, []).append(unit)
    return Stakes(board, side, values, goals, state.units, foes, down, damaged, shares, ways, worth, riders)

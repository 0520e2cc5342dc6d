"""The quick player: legal under every rulebook, repeatable, better than chance, and what its rules of thumb say."""

from __future__ import annotations

from typing import Any

import pytest

from battlesim import InputError, find_agent, find_ruleset, play, quick_answer
from battlesim.core.answers import Confirm, Face
from battlesim.core.geometry import facing_towards
from battlesim.engine.record import parse_record
from battlesim.engine.verify import verify
from battlesim.rulesets.armorclass.model import Through
from battlesim.rulesets.orderdice.model import AMBUSH
from battlesim.rulesets.squadhex.model import ADVANCE, ADVANCE_FIRE
from battlesim.rulesets.squadhex.move import WhereTo
from battlesim.search import quick_policy
from tests.fifth.install import installed
from tests.rulesets.squadhex import kit as squadhex
from tests.shipped import FIFTH, load

SMALL = ("stairwell", "square", "drones", "watch-house")
"""One scenario a rulebook."""


@pytest.fixture(autouse=True, scope="module")
def _fifth() -> Any:
    """The fifth rulebook, from a package of its own."""
    with installed():
        yield


@pytest.mark.parametrize("name", [*SMALL, FIFTH, "breakthrough", "firebreak"])
def test_it_plays_every_rulebook_by_the_rules_and_the_same_again(name: str) -> None:
    game = play(name, ("quick", "quick"), seed=4)
    assert not game.faults
    verdict = verify(parse_record(game.record(), "x"), True, load(name))
    assert verdict.same, str(verdict)


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_it_beats_chance(name: str) -> None:
    won = sum(
        play(name, ("random", "quick") if swapped else ("quick", "random"), seed=seed).outcome.winner
        == int(swapped)
        for seed in range(15)
        for swapped in (False, True)
    )
    assert won >= 20  # of 30; it wins some four of five


def test_its_rules_of_thumb() -> None:
    """Where nobody has a shot the unit nearest to an enemy is picked; an ambush is kept, nobody goes down or stays down, faces
    turn to the nearest enemy."""
    seen = dict.fromkeys(("WhichUnit", "KeepOrder", "GoDown", "FaceWhere"), 0)

    class Watched:
        def start(self, board: Any, side: int, chance: Any) -> None:
            self.board, self.side = board, side

        def choose(self, view: Any, ask: Any, answers: Any) -> Any:
            said = quick_answer(view, self.board, ask, answers)
            kind = type(ask).__name__
            if len(answers) == 1 or kind not in seen:
                return said
            seen[kind] += 1
            foes = [u for u in view.units.values() if u.side != self.side and u.alive and u.place >= 0]

            def far(unit: Any) -> int:
                return min(self.board.distance(unit.place, foe.place) for foe in foes)

            if kind == "WhichUnit" and foes:
                volley = find_ruleset(view.ruleset).glance(view, self.board)
                asked = [view.units[a.unit] for a in answers if hasattr(a, "unit")]
                placed = [unit for unit in asked if unit.place >= 0]
                if placed and not any(volley(u, u.place, foe, False) for u in placed for foe in foes):
                    assert far(view.units[said.unit]) == min(map(far, placed))
            if kind == "GoDown":
                assert said == Confirm(False)
            if kind == "KeepOrder":
                assert said == Confirm(view.units[ask.unit].own.order == AMBUSH)
            if kind == "FaceWhere" and foes:
                me = view.units[ask.unit]
                spaces = self.board.spaces
                near = [foe for foe in foes if self.board.distance(me.place, foe.place) == far(me)]
                wanted = {facing_towards(spaces[me.place].point, spaces[foe.place].point) for foe in near}
                if wanted & {a.facing for a in answers if isinstance(a, Face)}:
                    assert said.facing in wanted
            return said

    for name in ("stairwell", "village", "watch-house"):
        assert not play(name, (Watched, Watched), seed=5).faults
    assert min(seen.values()) > 0, seen


def test_it_goes_where_it_fires_best_when_it_fires_after_the_move(monkeypatch: pytest.MonkeyPatch) -> None:
    """Under squads and hexes too, whose move question names an action: were shots after a move worth no more than later ones,
    units that advance and fire would go elsewhere, those that only advance would not."""
    asked = {ADVANCE_FIRE: 0, ADVANCE: 0}
    others = {ADVANCE_FIRE: 0, ADVANCE: 0}

    class Watched:
        def start(self, board: Any, side: int, chance: Any) -> None:
            self.board = board

        def choose(self, view: Any, ask: Any, answers: Any) -> Any:
            said = quick_answer(view, self.board, ask, answers)
            if isinstance(ask, WhereTo):
                asked[ask.action] += 1
                with monkeypatch.context() as patched:
                    patched.setattr(quick_policy, "SHOT", quick_policy.LATER)
                    others[ask.action] += quick_answer(view, self.board, ask, answers) != said
            return said

    for seed in range(3):
        assert not play("square", (Watched, Watched), seed=seed).faults
    assert min(asked.values()) > 0, asked
    assert others[ADVANCE_FIRE] > 0
    assert others[ADVANCE] == 0


def test_who_advances_and_fires_among_squads_has_half_its_dice_wherever_it_goes() -> None:
    """Staying where it is does not make its fire better, as it does where it is not asked for a move with fire."""
    table = squadhex.Table(
        squadhex.unit("rifle_squad", at="g3.2"), squadhex.unit("rifle_squad", side=1, at="g5.2")
    )
    ruleset, here = find_ruleset("squadhex"), table.unit(0).place
    view = ruleset.observe(table.state, table.board, 0, ())
    shots = {}
    for action in (ADVANCE_FIRE, ADVANCE):
        view.stack = (WhereTo(0, action, side=0),)
        volley = ruleset.glance(view, table.board)
        shots[action] = [volley(view.units[0], here, view.units[1], moved) for moved in (False, True)]
    assert shots[ADVANCE][0] > shots[ADVANCE][1] > 0
    assert shots[ADVANCE_FIRE] == [shots[ADVANCE][1]] * 2


@pytest.mark.slow
def test_where_estimates_are_cheap_it_fires_through_walls_where_that_is_better() -> None:
    """Under armour classes (`Ruleset.aimed`) it never fires worse, by estimates, than it could through a wall, and sometimes
    does that."""
    ruleset = find_ruleset("armorclass")
    through = chosen = 0

    class Watched:
        def start(self, board: Any, side: int, chance: Any) -> None:
            self.board = board

        def choose(self, view: Any, ask: Any, answers: Any) -> Any:
            nonlocal through, chosen
            said = quick_answer(view, self.board, ask, answers)
            walls = [a for a in answers if isinstance(a, Through)]
            if type(ask).__name__ == "AtWhom" and walls:
                through += 1
                chosen += isinstance(said, Through)
                values = [one.dealt for one in ruleset.features(view, self.board, ask, [said, *walls])]
                assert values[0] >= max(values[1:]) - 1e-9
            return said

    for name in ("bastion", "village-armour"):
        assert not play(name, (Watched, "rush"), seed=2).faults
    assert through > chosen > 0, (through, chosen)


@pytest.mark.slow
@pytest.mark.parametrize("agent", ["planner,width=2,samples=8", "searcher,first=2,samples=8"])
def test_players_that_imagine_may_play_on_by_it(agent: str) -> None:
    small = f"{agent},turns=0.3,questions=150"

    def played(playout: str, seed: int) -> Any:
        return play("square", (f"{small},playout={playout}", "rush"), seed=seed)

    games = [played("quick", seed) for seed in range(3, 7)]
    assert not any(game.faults for game in games)
    # Few samples seldom change an answer, so several games are looked at.
    assert any(game.log != played("greedy", seed).log for seed, game in enumerate(games, 3))
    assert play("square", (small, "rush"), seed=3).log == played("greedy", 3).log
    with pytest.raises(InputError, match="give one of greedy, quick"):
        find_agent(f"{agent},playout=slow").make()

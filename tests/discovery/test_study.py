"""Studies of tactics on real games: what is planted is found, a study goes on where it was stopped, cards can be played."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Iterator
from pathlib import Path
from shutil import copytree, rmtree
from typing import Any

import pytest
from msgspec.structs import replace

from battlesim import InputError, find_agent, load_scenario, play
from battlesim.batch.lists import plan_of
from battlesim.cli.main import main
from battlesim.core.errors import Fault
from battlesim.discovery.cards import Book, cards_of, write_cards
from battlesim.discovery.cards_page import page
from battlesim.discovery.intervention import effect_of, is_confirmed, judged
from battlesim.discovery.study import (
    PAIRS,
    advance,
    begin_study,
    confirmed,
    effects,
    is_played,
    mined,
    pairs_of,
    phase_folder,
    retried,
    subjects,
)
from battlesim.discovery.study_asked import Asked, check
from battlesim.discovery.telling import lines, markdown
from battlesim.discovery.watching import play_watched, watched_rows
from battlesim.engine.record import read_record
from battlesim.engine.source import code
from battlesim.engine.verify import verify
from battlesim.jobs.folder import RunFolder
from battlesim.jobs.job import Job, JobResult
from tests.discovery.measure_evidence import shuffled_finds

pytestmark = pytest.mark.slow
LAME = "tactician,base=greedy,tactics=never at:any; never go:charge"
"""A player that never shoots and never charges. What beats that is known: to shoot."""
PLANTED = Asked(
    ("skirmish",), ("always at:any", "never order:rally"), LAME, confirmed=14, answered=1, moved=6
)


class StopError(Exception):
    """A session is killed."""


class Inline:
    """Plays games in this process, and stops after some."""

    workers = 1

    def __init__(self, most: int = 10**9) -> None:
        self.left = most

    def run(self, jobs: Iterable[Job]) -> Iterator[list[JobResult]]:
        for job in jobs:
            if self.left <= 0:
                raise StopError
            self.left -= 1
            yield [JobResult(job.number, play_watched(job.spec, lambda actor: None), 0.01)]

    def close(self) -> None:
        pass


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    """A study in which the base player was forbidden what wins."""
    run = begin_study(tmp_path_factory.mktemp("studies") / "planted", PLANTED)
    advance(run, lambda plan: Inline())
    return run


@pytest.fixture(scope="module")
def book(run: RunFolder) -> Book:
    book = cards_of(run)
    write_cards(run, book)
    return book


def test_what_is_known_to_win_is_confirmed_on_dice_that_were_not_used_before(run: RunFolder) -> None:
    assert [str(one.tactic) for one in confirmed(run)] == ["always at:any"]
    effect = confirmed(run)[0].confirmed
    assert effect is not None
    assert effect.score.value > 0.25
    assert effect.dosed == 1.0


def test_what_does_nothing_is_tried_and_not_confirmed(run: RunFolder) -> None:
    idle = retried(run)[1]
    assert str(idle.tactic) == "never order:rally"
    assert idle.confirmed is not None
    assert idle.confirmed.q > 0.2


def test_a_tactic_that_does_harm_is_told_as_its_opposite(run: RunFolder, tmp_path: Path) -> None:
    asked = replace(PLANTED, tactics=("never at:any",), answered=0, moved=0)
    other = begin_study(tmp_path / "harm", asked)
    advance(other, lambda plan: Inline())
    (one,), (planted,) = confirmed(other), confirmed(run)
    assert (one.tactic, one.turned) == (planted.tactic, True)
    assert one.confirmed is not None
    assert planted.confirmed is not None
    assert one.confirmed.score == planted.confirmed.score
    (card,), (told,) = cards_of(other).cards, cards_of(run).cards
    assert (card.why, card.clauses, card.agent) == (told.why, told.clauses, told.agent)


def test_shuffled_labels_of_the_same_games_confirm_nothing_more_often_than_the_rate(run: RunFolder) -> None:
    """Chance of more than 14 of 120, at the declared rate of one in twenty, is below 1%."""
    folder = phase_folder(run, "confirmation")
    assert folder is not None
    finds = shuffled_finds(watched_rows(folder), list(subjects(folder).values()), 120)
    assert sum(map(bool, finds)) <= 14


def test_a_study_goes_on_where_it_was_stopped_to_the_same_end(run: RunFolder, tmp_path: Path) -> None:
    other = begin_study(tmp_path / "planted", PLANTED)
    for _ in range(2):
        with pytest.raises(StopError):
            advance(other, lambda plan: Inline(50))
    advance(other, lambda plan: Inline())
    assert is_played(phase_folder(other, "transfer"))
    for phase in ("confirmation", "responses", "transfer"):
        one, two = phase_folder(run, phase), phase_folder(other, phase)
        assert one is not None
        assert two is not None
        assert one.store(read_only=True).digest() == two.store(read_only=True).digest()
        assert (one.path / PAIRS).read_bytes() == (two.path / PAIRS).read_bytes()


def test_a_card_says_when_what_why_and_how_often(book: Book) -> None:
    (card,) = book.cards
    assert card.words == "A unit always shoots at something."
    assert card.scenario == "skirmish"
    assert any("enemy models lost" in why.what and why.figure.value > 0 for why in card.why)
    assert card.counter is not None
    assert card.counter.player
    assert [str(one.tactic) for one in book.rest] == ["never order:rally"]
    assert (book.tried, book.again, book.broken) == (2, 2, 0)
    assert set(book.done) == {"confirmation", "responses", "transfer"}


def test_a_card_is_an_agent(run: RunFolder, book: Book) -> None:
    agent = find_agent(f"card:{run.path}/1")
    assert agent.name == book.cards[0].agent
    assert agent.name.endswith("tactics=always at:any; never at:any; never go:charge")
    assert not play("skirmish", (agent, "greedy"), seed=2).faults


def test_the_game_to_watch_is_the_one_in_the_middle_and_its_record_is_sound(
    run: RunFolder, book: Book
) -> None:
    game = book.cards[0].game
    assert game is not None
    record = read_record(str(run.path / game.record))
    assert record.header.seeds.battle == game.seed
    assert verify(record, True, load_scenario("skirmish")).same
    folder = phase_folder(run, "confirmation")
    assert folder is not None
    rows = watched_rows(folder)
    pairs = [pair for pair in subjects(folder)[0] if rows[pair.one].dose[pair.side][0]]
    margins = sorted((1 - 2 * pair.side) * rows[pair.one].margin for pair in pairs)
    shown = next(
        pair
        for pair in pairs
        if pair.seed == game.seed and game.side == load_scenario("skirmish").sides[pair.side].name
    )
    assert (1 - 2 * shown.side) * rows[shown.one].margin == margins[len(margins) // 2]


def test_a_record_that_is_there_is_kept(run: RunFolder, book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run is shown although its agents have changed since."""

    def refuse(pin: object) -> object:
        raise InputError(Fault("the agent has changed", "put it back"))

    monkeypatch.setattr("battlesim.discovery.cards.pinned_agent", refuse)
    assert cards_of(run) == book


def test_the_book_is_told_in_lines_on_a_page_and_as_text(book: Book) -> None:
    told = "\n".join(lines(book, "runs/planted"))
    html, text = page(book, "planted <b>"), markdown(book, "Planted")
    for shown in (told, html, text):
        assert "A unit always shoots at something." in shown
        assert "chance to win" in shown
    assert "planted &lt;b&gt;" in html
    assert "<b>" not in html
    assert "card:runs/planted/1" in told
    assert '--tactic "always at:any"' in told
    game = book.cards[0].game
    assert game is not None
    given = shlex.split(game.command)
    sides = zip(book.cards[0].sides, game.agents, strict=True)
    assert given == [
        *("battlesim", "play", "skirmish"),
        *(word for side, name in sides for word in ("--agent", f"{side}={name}")),
        *("--seed", str(game.seed)),
    ]


def test_the_rows_of_a_game_say_how_often_a_tactic_bore(run: RunFolder) -> None:
    folder = phase_folder(run, "confirmation")
    assert folder is not None
    rows, pairs = watched_rows(folder), subjects(folder)[0]
    for pair in pairs:
        # The side itself, its opposite, and the opponent, which keeps to the base player's own tactics.
        bore, changed = rows[pair.one].dose[pair.side]
        assert bore >= changed > 0
        bore, changed = rows[pair.other].dose[pair.side]
        assert bore > changed == 0  # the base player never does it either
        assert rows[pair.one].dose[1 - pair.side][0] > 0
        assert rows[pair.base].score in (0.0, 0.5, 1.0)


def test_only_what_survives_and_helps_is_confirmed(run: RunFolder) -> None:
    effect = confirmed(run)[0].confirmed
    assert effect is not None
    worse = replace(effect.score, value=-0.3, low=-0.4)
    assert is_confirmed(effect)
    assert not is_confirmed(replace(effect, q=0.06))
    assert not is_confirmed(replace(effect, score=worse))
    assert not is_confirmed(None)


def test_a_planted_tactic_is_mined_tried_and_confirmed(tmp_path: Path) -> None:
    """The same from the beginning: nothing but the player is given. All that is hopeful is tried again: more than shooting helps
    who may not shoot."""
    asked = Asked(
        ("skirmish",),
        (),
        LAME,
        pairs=90,
        candidates=6,
        buildings=0,
        tried=20,
        keep=6,
        confirmed=40,
        answered=1,
        seed=2,
    )
    run = begin_study(tmp_path / "planted", asked)
    advance(run, lambda plan: Inline())
    found, looked = mined(run)
    assert looked > 100
    assert len(found) == 6
    told = [str(one.tactic) for one in confirmed(run)]
    trials, again = phase_folder(run, "trials"), phase_folder(run, "confirmation")
    assert trials is not None
    assert again is not None
    seeds = [{pair.seed for pair in pairs_of(folder).contrasts} for folder in (run, trials, again)]
    assert len(set.union(*seeds)) == sum(map(len, seeds))
    assert any(text.startswith(("always at:", "always order:fire", "always order:move")) for text in told), (
        told
    )


# ---- the verb


def test_a_study_is_asked_for_shown_and_gone_on_with(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = str(tmp_path / "one")
    words = [
        "stairwell",
        "--tactic",
        "never order:rally",
        "--answered",
        "0",
        "--moved",
        "0",
        "--confirmed",
        "12",
        "--workers",
        "1",
    ]
    assert main(["tactics", *words, "--out", out, "--quiet"]) == 0
    assert "1 tactic asked for" in capsys.readouterr().out
    assert main(["tactics", out, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["asked"]["scenarios"] == ["stairwell"]
    assert main(["tactics", "--resume", out, "--quiet"]) == 0
    assert main(["runs", out]) == 0
    assert "always and never" in capsys.readouterr().out
    assert main(["export", out]) == 2
    assert "no table of games" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "nothing to study"),
        (["nowhere"], "nowhere"),
        (["runs/nowhere"], "there is no such run or scenario"),
        (["stairwell", "stairwell"], "named twice"),
        (["stairwell", "--tactic", "always up"], "names no question"),
        (["stairwell", "--base", "nobody"], "nobody"),
        (["stairwell", "--confirmed", "3"], "--confirmed: 3 will not do"),
        (["stairwell", "--moved", "5"], "so few seeds tell nothing"),
        (["stairwell", "--tactic", "always order:wide"], "orderdice has no order:wide"),
        (["stairwell", "--tactic", "never at:lob"], "orderdice has no at:lob"),
        (["stairwell", "--tactic", "never order:run", "--tactic", "always order:run"], "are one question"),
        (["stairwell", "--tactic", "never order:run", "--tactic", "never  order:run"], "are one question"),
        (["stairwell", "--resume", "x"], "goes on with"),
        (["stairwell", "--workers", "1", "--cluster", "tcp://x:1"], "contradict"),
    ],
)
def test_a_bad_study_has_one_message_and_leaves_nothing(
    words: list[str],
    told: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["tactics", *words, "--quiet"]) == 2
    assert told in capsys.readouterr().err
    assert not list(tmp_path.rglob("*.json"))


def test_a_folder_that_is_no_run_does_not_hide_a_scenario(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "stairwell").mkdir()
    (tmp_path / "notes").mkdir()
    assert main(["tactics", "stairwell", "--confirmed", "3", "--quiet"]) == 2
    assert "--confirmed: 3 will not do" in capsys.readouterr().err
    assert main(["tactics", "notes", "--quiet"]) == 2
    assert "notes" in capsys.readouterr().err


def test_phases_of_two_programs_are_not_mixed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = begin_study(tmp_path / "old", replace(PLANTED, answered=1, moved=0))
    advance(other, lambda plan: Inline(), lambda phase, *_: None)
    for phase in ("responses", "transfer"):
        rmtree(other.path / phase, ignore_errors=True)
    now = code()
    monkeypatch.setattr("battlesim.batch.inputs.code", lambda: replace(now, digest="0" * 32))
    with pytest.raises(InputError, match="battlesim"):
        advance(other, lambda plan: Inline(0))
    assert not (other.path / "responses").exists()


def test_a_study_is_listed_with_the_games_of_all_its_phases(
    run: RunFolder, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def row(folder: Path) -> dict[str, Any]:
        capsys.readouterr()
        assert main(["runs", "--folder", str(folder), "--json"]) == 0
        found: list[dict[str, Any]] = json.loads(capsys.readouterr().out)
        return found[0]

    every = row(run.path.parent)
    played, whole = map(int, every["games"].split("/"))
    assert (every["kind"], every["state"], played) == ("tactics", "finished", whole)
    assert played > plan_of(run).games  # of the first phase
    copytree(run.path, tmp_path / "cut")
    rmtree(tmp_path / "cut" / "transfer")
    (tmp_path / "cut" / "cards.json").unlink(missing_ok=True)
    assert row(tmp_path)["state"] == "interrupted"


def test_responses_and_other_scenarios_are_judged_apart(run: RunFolder) -> None:
    """A response that surely helps makes no other scenario likelier."""
    folder = phase_folder(run, "transfer")
    assert folder is not None
    whole, apart = effects(folder), effects(folder, family=lambda subject: subject)
    assert whole.keys() == apart.keys()
    for subject, one in apart.items():
        assert one is not None
        alone = judged([effect_of(watched_rows(folder), subjects(folder)[subject])])
        assert [one] == alone


def test_runs_of_other_kinds_and_damaged_ones_are_told(run: RunFolder, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="scenario"):
        check(Asked(()))
    with pytest.raises(InputError, match="will not do"):
        check(Asked(("stairwell",), buildings=13))
    check(Asked(("stairwell",), candidates=2))  # the default for buildings is more than that
    path: Any = tmp_path / "copy"
    other = begin_study(path, PLANTED)
    (path / PAIRS).write_bytes(b"{")
    with pytest.raises(InputError, match="cannot be read"):
        pairs_of(other)
    (path / "study.json").unlink()
    with pytest.raises(InputError, match="not a study"):
        advance(other, lambda plan: Inline())

"""Records: whole or refused, replayed without rules, each enough on its own."""

from __future__ import annotations

import gzip
import shutil
import tracemalloc
from hashlib import blake2b
from pathlib import Path

import msgspec
import pytest

from battlesim import play
from battlesim.core.codec import dump_state, position
from battlesim.core.errors import InputError
from battlesim.core.events import Scheduled, TurnEnded
from battlesim.engine import record_file
from battlesim.engine.game import Game
from battlesim.engine.origin import board_of, scenario_of
from battlesim.engine.record import PlainFact, parse_record, read_record, record_bytes
from battlesim.engine.replay import replay
from battlesim.engine.verify import verify
from battlesim.rules.scenario import Scenario
from tests import toy


@pytest.mark.parametrize("name", ["battle.jsonl", "battle.jsonl.gz"])
def test_what_is_written_is_read(game: Game, tmp_path: Path, name: str) -> None:
    game.save(tmp_path / name)
    record = read_record(tmp_path / name)
    assert record.header == game.header
    assert record.outcome == game.outcome
    assert record.digest == game.record_hash
    assert len(record.events) == len(game.log)
    assert [type(e) for e in record.events if not isinstance(e, PlainFact)] == [
        type(e) for e in game.log if not isinstance(e, toy.Fired)
    ]
    assert [path.name for path in tmp_path.iterdir()] == [name]  # no draft is left


def test_packed_records_are_the_same_bytes_each_time(game: Game, tmp_path: Path) -> None:
    game.save(tmp_path / "a.jsonl.gz")
    game.save(tmp_path / "b.jsonl.gz")
    assert (tmp_path / "a.jsonl.gz").read_bytes() == (tmp_path / "b.jsonl.gz").read_bytes()


def test_a_record_taken_bit_by_bit_is_the_record_made_at_once(game: Game) -> None:
    assert game.record() == record_bytes(game.header, game.log, game.outcome)


def test_a_ruleset_s_own_facts_and_steps_stay_plain(game: Game) -> None:
    record = parse_record(game.record(), "x")
    fired = next(e for e in record.events if isinstance(e, PlainFact))
    assert fired.name == "Fired"
    assert set(fired.fields) == {"unit", "target", "hits"}
    assert fired.clauses == ("TOY-1",)
    scheduled = next(e for e in record.events if isinstance(e, Scheduled))
    assert isinstance(scheduled.entry.step, dict)


def test_a_replay_needs_neither_rules_nor_dice_and_meets_every_quiet_state(toy_scenario: Scenario) -> None:
    for seed in range(12):
        game = play(toy_scenario, ("random", "random"), seed)
        states = list(replay(parse_record(game.record(), "x")))
        assert len(states) == sum(isinstance(e, TurnEnded) for e in game.log) + 1
        assert position(states[-1]) == position(game.state)
        assert dump_state(states[-1]) == dump_state(game.state)
        assert states[-1].at == game.state.at


def test_a_record_that_counts_the_questions_of_both_sides_as_one_is_replayed(game: Game) -> None:
    """As older ones do."""
    start = msgspec.Raw(bytes(game.header.start).replace(b'"questions":[0,0]', b'"questions":0'))
    assert start != game.header.start
    header = msgspec.structs.replace(game.header, start=start)
    states = list(replay(parse_record(record_bytes(header, game.log, game.outcome), "x")))
    assert position(states[-1]) == position(game.state)


def test_a_replay_notices_a_change_that_the_digest_was_made_to_fit(game: Game) -> None:
    spoilt = list(game.log)
    at = next(n for n, e in enumerate(spoilt) if type(e).__name__ == "UnitSet")
    spoilt[at] = msgspec.structs.replace(spoilt[at], own={"pins": 9})
    record = parse_record(record_bytes(game.header, spoilt, game.outcome), "x.jsonl")
    with pytest.raises(
        InputError, match=r"x\.jsonl:\d+: event \d+ does not fit .* the position at the end of turn"
    ):
        list(replay(record))


# ---- damage --------------------------------------------------------------------------------------------------------


def refused(data: bytes) -> str:
    with pytest.raises(InputError) as caught:
        parse_record(data, "r.jsonl")
    (fault,) = caught.value.faults
    assert fault.file == "r.jsonl"
    assert fault.line > 0
    assert fault.remedy
    return str(caught.value)


@pytest.mark.slow
def test_any_altered_byte_is_noticed(toy_scenario: Scenario) -> None:
    data = play(toy_scenario, ("random", "random"), 1).record()
    for at in [*range(0, len(data), 97), *range(len(data) - 140, len(data))]:
        for other in (data[at] ^ 1, ord("\n"), 0xFF):
            if other != data[at]:
                refused(data[:at] + bytes([other]) + data[at + 1 :])


def test_any_cut_is_noticed(game: Game) -> None:
    data = game.record()
    ends = [n for n, byte in enumerate(data) if byte == ord("\n")]
    for at in [*range(0, len(data) - 1, 211), *(end + 1 for end in ends[:-1]), *ends]:
        assert "cut" in (message := refused(data[:at])) or "empty" in message or "not a record" in message


def test_the_messages_name_the_line(game: Game) -> None:
    lines = game.record().split(b"\n")
    lines[6] = lines[6].replace(b'"', b"'", 1)
    assert "r.jsonl:7: the record was altered" in refused(b"\n".join(lines))
    assert "r.jsonl:1: the record is empty" in refused(b"\n \n")
    assert "r.jsonl:1: not a record" in refused(b"\x89PNG\r\n\x1a\n")
    assert "r.jsonl:1: not a record" in refused(b'{"name": "a map"}\n')
    other = game.record().replace(b'"format":3', b'"format":5', 1)
    assert "r.jsonl:1: a record of format 5; this version reads formats 1 to 4" in refused(other)
    with pytest.raises(InputError, match="no such record"):
        read_record("nowhere.jsonl")


def test_a_forged_outcome_is_noticed(game: Game) -> None:
    other = msgspec.structs.replace(game.outcome, points=(99, 0))
    assert "its last event is not the outcome" in refused(record_bytes(game.header, game.log, other))


@pytest.mark.parametrize(
    ("event", "message"),
    [
        (b'{"event":"Placed","unit":"seven","place":1,"facing":0}', "not an event"),
        (b'{"event":7}', "not an event"),
        (b"[]", "not an event"),
    ],
)
def test_a_forged_event_is_refused_with_its_line(game: Game, event: bytes, message: str) -> None:
    lines = game.record().split(b"\n")
    body = b"\n".join([lines[0], event, *lines[2:-2]]) + b"\n"
    last = lines[-2].replace(game.record_hash.encode(), blake2b(body, digest_size=16).hexdigest().encode())
    assert f"r.jsonl:2: {message}" in refused(body + last + b"\n")


def test_damaged_packed_records_are_refused(game: Game, tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl.gz"
    whole = gzip.compress(game.record(), mtime=0)
    for damaged in (
        b"",
        whole[:-3],
        whole[: len(whole) // 2],
        whole + b"x",
        b"plain text",
        whole[:200] + b"\0\0" + whole[202:],
    ):
        path.write_bytes(damaged)
        with pytest.raises(InputError, match=r"r\.jsonl\.gz"):
            read_record(path)


def test_a_name_that_says_something_else_of_packing_is_told(game: Game, tmp_path: Path) -> None:
    (tmp_path / "packed.jsonl").write_bytes(gzip.compress(game.record(), mtime=0))
    with pytest.raises(
        InputError, match=r"is compressed, which its name does not say; name it .*packed\.jsonl\.gz"
    ):
        read_record(tmp_path / "packed.jsonl")
    (tmp_path / "plain.jsonl.gz").write_bytes(game.record())
    with pytest.raises(
        InputError, match=r"is not compressed, though its name says so; name it .*plain\.jsonl$"
    ):
        read_record(tmp_path / "plain.jsonl.gz")


def test_a_record_that_cannot_be_written_leaves_nothing_behind(game: Game, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be written"):
        game.save(tmp_path / "no" / "folder.jsonl")
    (tmp_path / "folder.jsonl").mkdir()
    with pytest.raises(InputError, match="cannot be written"):
        game.save(tmp_path / "folder.jsonl")
    assert [p.name for p in tmp_path.iterdir()] == ["folder.jsonl"]


# ---- a record on its own ---------------------------------------------------------------------------------------------


def test_one_file_can_be_sent_to_a_friend(tmp_path: Path) -> None:
    """A battle on an own map: replayed, drawn and verified where neither map nor scenario is."""
    home = tmp_path / "home"
    home.mkdir()
    folder = Path(__file__).parents[2] / "maps"
    (home / "mine.yaml").write_bytes(
        (folder / "stairwell.yaml").read_bytes().replace(b"name: stairwell", b"name: mine")
    )
    text = (folder / "scenarios" / "stairwell.yaml").read_text(encoding="utf-8")
    (home / "my-fight.yaml").write_text(
        text.replace("../stairwell.yaml", "mine.yaml").replace("name: stairwell", "name: my-fight"),
        encoding="utf-8",
    )
    game = play(home / "my-fight.yaml", ("random", "random"), seed=3)
    sent = tmp_path / "sent.jsonl.gz"
    game.save(sent)
    shutil.rmtree(home)
    record = read_record(sent)
    assert verify(record).same
    assert verify(record, agents=True).same
    assert board_of(record).name == "mine"
    assert scenario_of(record).name == "my-fight"
    assert position(list(replay(record))[-1]) == position(game.state)


def test_a_record_of_the_first_format_is_still_read() -> None:
    record = read_record(Path(__file__).parent / "format_1.jsonl")
    assert record.header.format == 1
    assert [state.turn for state in replay(record)]
    with pytest.raises(InputError, match="--scenario FILE"):
        verify(record)
    found = verify(record, scenario=Path(__file__).parents[1] / "golden" / "points.yaml")
    assert any("format 1" in note for note in found.notes)


def test_a_record_of_the_second_format_is_read_and_its_positions_are_met() -> None:
    """It writes the whole bag where a die leaves it."""
    record = read_record(Path(__file__).parent / "format_2.jsonl")
    assert record.header.format == 2
    *_, last = replay(record)
    assert last.outcome == record.outcome
    found = verify(record)
    assert (found.same, found.what) == (False, "event")  # the header is met, format and all
    assert '"event":"ListChanged"' in found.rebuilt
    assert any("a record of format 2" in note for note in found.notes)


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("options", "faults"), "x"),
        (("options", "faults"), None),
        (("scenario", "says"), {}),
        (("scenario", "says"), {"forces": "nobody"}),
        (("map", "says"), {"name": "m"}),
        (("map", "says"), [[[]]]),
    ],
)
def test_a_damaged_header_is_answered(place: tuple[str, str], value: object) -> None:
    game = play("stairwell", ("random", "random"), seed=1)
    first, *lines = game.record().split(b"\n")
    header = msgspec.json.decode(first)
    header[place[0]][place[1]] = value
    body = b"\n".join([msgspec.json.encode(header), *lines[:-2], b""])
    last = msgspec.json.decode(lines[-2])
    last["end"]["digest"] = blake2b(body, digest_size=16).hexdigest()
    with pytest.raises(InputError):
        verify(parse_record(body + msgspec.json.encode(last) + b"\n", "x.jsonl"))


# ---- what no record holds ------------------------------------------------------------------------------------------

DEEP = b"[" * 200_000 + b"]" * 200_000


def forged(game: Game, header: bytes | None = None, event: bytes | None = None) -> bytes:
    """The record with another header or first event, its digest made anew."""
    lines = game.record().split(b"\n")
    lines[0] = header or lines[0]
    lines[1] = event or lines[1]
    body = b"\n".join(lines[:-2]) + b"\n"
    last = lines[-2].replace(game.record_hash.encode(), blake2b(body, digest_size=16).hexdigest().encode())
    return body + last + b"\n"


@pytest.mark.parametrize("event", [DEEP, b'{"event":"Odd","a":' + DEEP + b"}", b'{"event":' + DEEP + b"}"])
def test_an_event_nested_too_deeply_is_refused(game: Game, event: bytes) -> None:
    assert "r.jsonl:2: not an event: it is nested too deeply" in refused(forged(game, event=event))
    assert "r.jsonl:2" in refused(game.record().replace(game.record().split(b"\n")[1], event, 1))


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (b'"faults":10', b'"faults":"x"', "Expected `int`, got `str` - at `$.options.faults`"),
        (b'"faults":10', b'"faults":null', "$.options.faults"),
        (b'"faults":10', b'"faults":true', "$.options.faults"),
        (b'"faults":10', b'"faults":0', "$.options.faults"),
        (b'"seconds":0.0', b'"seconds":"x"', "$.options.seconds"),
        (b'"seconds":0.0', b'"seconds":[]', "$.options.seconds"),
        (b'"seconds":0.0', b'"seconds":-1', "$.options.seconds"),
        (b'"start":', b'"start":' + DEEP + b',"begin":', "cut or damaged in its first line"),
        (b'"start":', b'"start":null,"begin":', "the header is damaged"),
        (b'"options":', b'"options":7,"old":', "the header is damaged"),
        (b'{"record"', DEEP + b'{"record"', "not a record"),
    ],
)
def test_a_header_with_odd_values_is_refused(game: Game, old: bytes, new: bytes, words: str) -> None:
    header = game.record().split(b"\n")[0]
    assert old in header
    assert words in refused(forged(game, header=header.replace(old, new, 1)))


def test_a_compressed_record_that_expands_without_end_is_refused_early(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(record_file, "MAX_BYTES", 4_000_000)
    bomb = gzip.compress(b"\n" * 200_000_000, 1, mtime=0)
    (tmp_path / "r.jsonl.gz").write_bytes(bomb)
    (tmp_path / "r.jsonl").write_bytes(b"x" * 8_000_000)
    tracemalloc.start()
    try:
        for name in ("r.jsonl.gz", "r.jsonl"):
            with pytest.raises(
                InputError, match=r"the record is larger than 4,000,000 bytes; no battle is so long"
            ):
                read_record(tmp_path / name)
        assert tracemalloc.get_traced_memory()[1] < 12_000_000
    finally:
        tracemalloc.stop()

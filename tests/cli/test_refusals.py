"""Flags and files that do not go together are refused in one message, with exit code 2 and nothing written."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from battlesim import play
from battlesim.board.load import maps_folder
from battlesim.cli.main import main
from battlesim.engine.record_file import is_record
from battlesim.engine.saved import SavedGame


def refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """The one message of a command that is refused."""
    assert main(words) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 1
    return told.err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            "play skirmish --seed x",
            "play: --seed: 'x' is not a whole number; write --seed N; see battlesim play --help",
        ),
        (
            "play skirmish --seed",
            "play: --seed: expected one argument; write --seed N; see battlesim play --help",
        ),
        ("play a b c", "play: unexpected words: b c; it takes [SCENARIO]; see battlesim play --help"),
        ("bench foo", "bench: unexpected words: foo; it takes only flags; see battlesim bench --help"),
        (
            "map check",
            "map check: required: MAP; write battlesim map check MAP; see battlesim map check --help",
        ),
        (
            "merge",
            "merge: required: RUN, --out; write battlesim merge RUN [RUN ...] --out FOLDER; see battlesim merge --help",
        ),
        ("map frob", "map: there is no verb 'frob'; known: check, draw, import; see battlesim map --help"),
    ],
)
def test_a_wrong_use_is_told_in_one_line(words: str, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(words.split())
    assert ended.value.code == 2
    said = capsys.readouterr()
    assert (said.out, said.err) == ("", f"battlesim {told}\n")


def test_merging_into_a_file_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "plain.txt").write_text("kept\n", encoding="utf-8")
    told = refused(["merge", str(tmp_path), "--out", str(tmp_path / "plain.txt")], capsys)
    assert "plain.txt: --out: this is a file; runs are merged into a folder; name a folder" in told
    assert (tmp_path / "plain.txt").read_text(encoding="utf-8") == "kept\n"


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        (
            "code.py",
            '"""Words."""\n\nimport x\n',
            "code.py: this is a Python file; battlesim play SCENARIO --agent code.py",
        ),
        (
            "code.txt",
            '"""Words."""\n\nimport x\n',
            "code.txt:1: not YAML: text stands where a file of keys begins",
        ),
        ("README.md", "Words: and: words\n", "README.md:1: not YAML: a colon stands where no key can be"),
        ("notes", "words\n", "notes:1: a map file is a table of keys; begin with 'key: value' lines"),
    ],
)
def test_a_file_that_is_no_map_is_told_as_such(
    name: str,
    text: str,
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Also one whose name has neither a folder nor .yaml."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert main(["map", "check", name]) != 0
    assert told in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("tactics stairwell --moved 4", "--moved: 4 will not do: so few seeds tell nothing; give 6 or more"),
        ("tactics stairwell --buildings 40", "--buildings: 40 will not do; give 0 to 12, the candidates"),
        ("discover stairwell --bins 1", "--bins: 1 is not valid; input should be greater than or equal to 2"),
        ("discover stairwell --emitters foo", "--emitters: 'foo' is unknown; known: 'mutation'"),
        ("discover stairwell --aim win --rules 2", "--rules: it does nothing where the aim is to win"),
        (
            "discover stairwell --select-on a --select-on a",
            "--select-on: one is named twice; name each once",
        ),
        ("compare greedy rush --elo0 30", "--elo1: elo0 30 is not below elo1 20; give an elo1 above elo0"),
        ("compare greedy rush --games 3", "--games: 3 games do not make whole pairs; give 4"),
        ("compare greedy greedy", "agents: 'greedy' is named twice; name each once"),
        ("tournament --agents greedy rush --scenarios stairwell --games 3", "--games: 3 games do not make"),
    ],
)
def test_a_flag_that_is_refused_is_named_as_it_was_typed(
    words: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert refused(words.split(), capsys).startswith(f"battlesim: {told}")


def test_a_file_of_a_run_is_told_as_such(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "resolved.json").write_text("{}")
    file = tmp_path / "results.sqlite"
    file.write_bytes(b"\xfd")
    told = f"battlesim: {file}: this is a file of a run; battlesim runs {tmp_path} shows the run\n"
    assert refused(["tactics", str(file)], capsys) == refused(["discover", str(file)], capsys) == told


@pytest.mark.parametrize("folder", ["balance-skirmish", "upset-skirmish", "discover-skirmish"])
def test_a_misspelt_search_is_told_what_was_meant(
    folder: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = tmp_path / folder
    made.mkdir()
    name = {"balance": "balance-asked.json", "upset": "upset.json", "discover": "discover-asked.json"}
    (made / name[folder.partition("-")[0]]).write_text("{}")
    told = refused(["runs", folder[:-1], "--folder", str(tmp_path)], capsys)
    assert f"there is no such run; did you mean '{folder}'?" in told


def test_a_setting_of_a_file_is_not_named_as_a_flag(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "t.toml"
    file.write_text('agents = ["greedy", "rush"]\nscenarios = ["stairwell"]\ngames = 3\n')
    assert f"{file}:3: games: 3 games do not make" in refused(["tournament", str(file)], capsys)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["skirmish", "--resume", "r"], "skirmish and --resume are given together"),
        (["--factors", "skirmish", "--resume", "r"], "--resume and --factors are given together"),
        ([], "a stress test needs a file"),
    ],
)
def test_stress_takes_one_of_file_run_and_factors(
    words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert told in refused(["stress", *words], capsys)


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        (["--quiet"], "--explain is told in the story, which --quiet leaves out"),
        (["--json"], "--explain is told in the story, which --json leaves out"),
        (["--agent", "human"], "--explain would tell a person who plays what the enemy thinks"),
    ],
)
def test_explain_is_refused_where_no_story_is_told(
    flags: list[str],
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert told in refused(["play", "skirmish", "--explain", *flags], capsys)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("flag", ["--map", "--scenario"])
def test_replay_takes_a_map_only_for_a_picture(
    flag: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = str(tmp_path / "r.jsonl")
    play("stairwell", ("random", "random"), seed=1).save(record)
    assert f"{flag} is for a picture" in refused(["replay", record, flag, "silo"], capsys)


def test_a_picture_on_another_map_than_the_record_s_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record, picture = str(tmp_path / "r.jsonl"), str(tmp_path / "end.svg")
    play("stairwell", ("random", "random"), seed=1).save(record)
    told = refused(["replay", record, "--map", "silo", "--picture", picture], capsys)
    assert "map 'silo' is not the one of this record" in told
    assert not Path(picture).exists()


@pytest.fixture
def locked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that this user may not look into, whoever runs the tests."""
    folder = tmp_path / "locked"
    folder.mkdir()
    stat = os.stat

    def refusing(path: Any, *args: Any, **more: Any) -> os.stat_result:
        if not isinstance(path, int) and folder in Path(path).parents:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return stat(path, *args, **more)

    monkeypatch.setattr(os, "stat", refusing)
    return folder


@pytest.mark.parametrize(
    "words",
    [
        ["runs", "INSIDE"],
        ["watch", "INSIDE"],
        ["discover", "INSIDE"],
        ["tactics", "INSIDE"],
        ["play", "skirmish", "--agent", "INSIDE.py"],
        ["tournament", "--agents", "random", "greedy", "--scenarios", "skirmish", "--out", "INSIDE"],
    ],
)
def test_a_path_that_this_user_cannot_reach_is_told_in_one_message(
    words: list[str], locked: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    inside = str(locked / "one")
    told = refused([word.replace("INSIDE", inside) for word in words], capsys)
    assert told.startswith(f"battlesim: {inside}")
    assert "Permission denied; name a file or folder that this user can reach" in told


def test_a_name_that_is_too_long_is_told_in_one_message(capsys: pytest.CaptureFixture[str]) -> None:
    assert "File name too long" in refused(["runs", "a" * 300], capsys)


def test_runs_skips_a_folder_that_this_user_may_not_look_into(
    locked: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["runs", "--folder", str(locked.parent)]) == 0
    assert "no runs in" in capsys.readouterr().out


@pytest.mark.parametrize(
    "words",
    [
        ["atlas", "--games", "5"],
        ["atlas", "--dry-run"],
        ["atlas", "skirmish"],
        ["balance", "--frontier"],
        ["balance", "--seed", "7"],
        ["compare", "--control", "2"],
        ["discover", "--games", "9"],
        ["fair", "--bound", "0.7"],
        ["stress", "--seed", "3"],
        ["tactics", "--elsewhere", "skirmish"],
        ["tournament", "--salt"],
    ],
)
def test_what_resume_would_ignore_is_refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    told = refused([*words, "--resume", "nowhere"], capsys)
    assert "--resume goes on with what the " in told
    assert "was asked for; give nothing else but --workers" in told


@pytest.mark.slow
@pytest.mark.parametrize("verb", ["play", "watch"])
def test_a_record_replaces_only_records(
    verb: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("mine", encoding="utf-8")
    words = [verb, "skirmish", "--agent", "rush", "--json", "--record"]
    told = refused([*words, str(notes)], capsys)
    remedy = "give it a name of its own, or remove that file first"
    assert told == f"battlesim: {notes}: the record would replace a file that is not a record; {remedy}\n"
    assert notes.read_text(encoding="utf-8") == "mine"
    # An empty file, an older record, and a record that was cut are replaced, compressed or not.
    for name in ("one.jsonl", "one.jsonl.gz"):
        file = tmp_path / name
        file.touch()
        for _ in range(2):
            assert main([*words, str(file)]) == 0
            assert is_record(file)
        data = file.read_bytes()
        file.write_bytes(data[: len(data) // 2])
        assert main([*words, str(file)]) == 0
        assert file.read_bytes() == data
    capsys.readouterr()


def test_none_of_several_records_replaces_another_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "r-4.jsonl").write_text("mine", encoding="utf-8")
    words = ["play", "skirmish", "--seed", "3", "--games", "2", "--record", str(tmp_path / "r.jsonl")]
    assert "r-4.jsonl: the record would replace a file that is not a record" in refused(words, capsys)
    assert not (tmp_path / "r-3.jsonl").exists()


def test_a_saved_game_is_no_record(tmp_path: Path) -> None:
    game = play("skirmish", ("rush", "rush"), seed=1)
    file = tmp_path / "evening.saved"
    SavedGame(game.header, ()).save(file)
    assert not is_record(file)
    game.save(file)
    assert is_record(file)
    assert not is_record(tmp_path / "nothing")


@pytest.mark.parametrize(
    "words",
    [["play", "SCENARIO", "--record", "SCENARIO"], ["watch", "SCENARIO", "--record", "SCENARIO"]],
)
def test_a_record_does_not_replace_its_scenario(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shipped = maps_folder() / "scenarios" / "skirmish.yaml"
    file = tmp_path / "mine.yaml"
    text = shipped.read_text(encoding="utf-8").replace("map: ../", f"map: {maps_folder()}/")
    file.write_text(text, encoding="utf-8")
    told = refused([word.replace("SCENARIO", str(file)) for word in words], capsys)
    assert "the record would replace the scenario" in told
    assert file.read_text(encoding="utf-8") == text


def test_a_name_that_lacks_its_ending_is_told_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mill.yaml").write_text("name: mill\n", encoding="utf-8")
    for words in (["map", "check", "mill"], ["scenarios", "mill"], ["exam", "greedy", "--on", "mill"]):
        assert main(words) == 2
        assert "for the file of that name, write 'mill.yaml'" in capsys.readouterr().err


def test_map_alone_lists_its_verbs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["map"]) == 0
    assert "import" in capsys.readouterr().out


@pytest.mark.parametrize("verb", ["tournament", "stress", "atlas", "tactics", "discover", "fair", "compare"])
def test_an_empty_address_is_not_taken_for_no_cluster(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A script whose variable is empty would have played everything on one machine."""
    with pytest.raises(SystemExit) as ended:
        main([verb, "stairwell", "--cluster", ""])
    assert ended.value.code == 2
    assert "--cluster: '' is no address of a scheduler, such as tcp://host:8786" in capsys.readouterr().err


@pytest.mark.parametrize("cost", ["nan", "inf", "1e999", "0", "-1"])
def test_a_cost_that_is_no_number_above_0_is_refused(
    cost: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    told = refused(["balance", "stairwell", "--tune", "turns=4..6", "--cost", f"turns={cost}"], capsys)
    assert f"--cost turns={cost} is not" in told
    assert "give a number above 0" in told
    assert not list(tmp_path.iterdir())


def test_fewer_than_no_games_to_confirm_an_atlas_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as ended:
        main(["atlas", "stairwell", "--confirm", "-1"])
    assert ended.value.code == 2
    assert "--confirm: '-1' is less than 0; write --confirm N" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())

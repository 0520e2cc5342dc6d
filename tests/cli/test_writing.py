"""What verbs write goes through pipes and links, and replaces plain files only."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import threading
from pathlib import Path

import pytest

from battlesim.cli.main import main
from battlesim.cli.targets import check_book
from tests.tournament.runs import ROOT, battlesim, command

posix = pytest.mark.skipif(os.name != "posix", reason="pipes and links")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A record, a run, and footprints of one house."""
    folder = tmp_path_factory.mktemp("made")
    words = [
        "--agents",
        "rush",
        "random",
        "--scenarios",
        "stairwell",
        "--games",
        "2",
        "--control",
        "0",
        "--quiet",
    ]
    assert (
        main(["tournament", *words, "--records", "all", "--out", str(folder / "run"), "--workers", "1"]) == 0
    )
    ring = [[10.0, 50.0], [10.0005, 50.0], [10.0005, 50.0003], [10.0, 50.0003], [10.0, 50.0]]
    house = {
        "type": "Feature",
        "properties": {"building": "yes"},
        "geometry": {"type": "Polygon", "coordinates": [ring]},
    }
    (folder / "town.geojson").write_text(json.dumps({"type": "FeatureCollection", "features": [house]}))
    record = next((folder / "run" / "records").iterdir())
    return {"record": str(record), "run": str(folder / "run"), "houses": str(folder / "town.geojson")}


def read_from(pipe: Path) -> tuple[threading.Thread, list[bytes]]:
    found: list[bytes] = []
    reader = threading.Thread(target=lambda: found.append(pipe.read_bytes()), daemon=True)
    reader.start()
    return reader, found


VERBS: dict[str, tuple[str, ...]] = {
    "play": ("play", "stairwell", "--agent", "random", "--quiet", "--record"),
    "replay": ("replay", "{record}", "--picture"),
    "export": ("export", "{run}", "--to"),
    "import": (
        "map",
        "import",
        "{houses}",
        "--centre",
        "10",
        "50",
        "--size",
        "40",
        "40",
        "--overwrite",
        "--out",
    ),
}


@posix
@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_writes_into_a_pipe(
    tmp_path: Path, verb: str, capsys: pytest.CaptureFixture[str], made: dict[str, str]
) -> None:
    words = [word.format(**made) for word in VERBS[verb]]
    pipe = tmp_path / "pipe.csv"
    os.mkfifo(pipe)
    reader, found = read_from(pipe)
    assert main([*words, str(pipe)]) == 0, capsys.readouterr().err
    assert stat.S_ISFIFO(pipe.stat().st_mode), "it was replaced"
    reader.join(60)
    start = {"play": b"{", "replay": b"<", "export": b"number,", "import": b"name"}[verb]
    assert found[0].startswith(start)


@posix
def test_the_drawing_of_a_map_goes_through_a_link(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    real = tmp_path / "real.svg"
    assert main(["map", "draw", "stairwell", "--out", str(real)]) == 0
    before = real.read_text()
    (tmp_path / "stairwell-0.svg").symlink_to(real)
    assert main(["map", "draw", "stairwell", "--out", str(tmp_path), "--floor", "0"]) == 0
    assert (tmp_path / "stairwell-0.svg").is_symlink()
    assert real.read_text() != before


@posix
def test_several_records_do_not_go_into_one_pipe(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert main(["play", "stairwell", "--games", "2", "--record", str(pipe)]) == 2
    assert "2 records do not go into one pipe or device; name a file" in capsys.readouterr().err
    assert [p.name for p in tmp_path.iterdir()] == ["pipe"]


def test_nothing_replaces_its_own_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    battlesim("play", "stairwell", "--agent", "random", "--record", "r.jsonl", "--quiet")
    before = Path("r.jsonl").read_bytes()
    told = battlesim("replay", "r.jsonl", "--picture", "./r.jsonl", code=2)
    assert "the picture would replace the record" in told.stderr
    assert Path("r.jsonl").read_bytes() == before
    Path("r.svg").write_bytes(before)
    told = battlesim("replay", "r.svg", "--picture", "r.svg", code=2)
    assert "the picture would replace the record" in told.stderr
    assert Path("r.svg").read_bytes() == before
    Path("if.json").write_text("{}")
    told = battlesim("watch", "r.jsonl", "--asked", "if.json", "--out", "if.json", code=2)
    assert "the page would replace a file of --asked" in told.stderr
    assert Path("if.json").read_text() == "{}"
    maps = ROOT / "maps"
    text = (maps / "scenarios" / "stairwell.yaml").read_text(encoding="utf-8")
    Path("mine.yaml").write_text(
        text.replace("../stairwell.yaml", str(maps / "stairwell.yaml")), encoding="utf-8"
    )
    told = battlesim("play", "mine.yaml", "--record", "mine.yaml", "--quiet", code=2)
    assert "the record would replace the scenario" in told.stderr
    for verb, flag in (("watch", "--out"), ("whatif", "--json")):
        told = battlesim(verb, "r.jsonl", "--scenario", "mine.yaml", flag, "mine.yaml", code=2)
        assert "would replace the scenario" in told.stderr


OWN: dict[str, tuple[tuple[str, ...], str]] = {
    "record": (("play", "stairwell", "--agent", "random", "--quiet", "--record"), "r.jsonl.gz"),
    "page": (("watch", "{record}", "--plain", "--out"), "p.html"),
    "answer": (("whatif", "{record}", "--json"), "a.json"),
    "picture": (("replay", "{record}", "--picture"), "p.svg"),
    "scenario": (("scenarios", "stairwell", "--picture"), "s.svg"),
    "png": (("map", "draw", "stairwell", "--out"), "m.png"),
    "floors": (("map", "draw", "stairwell", "--floor", "0", "--out"), "stairwell-0.svg"),
    "table": (("export", "{run}", "--to"), "t.csv"),
    "parquet": (("export", "{run}", "--to"), "t.parquet"),
}


@pytest.mark.parametrize("kind", [pytest.param(k, marks=pytest.mark.slow) if k == "png" else k for k in OWN])
def test_only_a_file_of_its_own_is_replaced(
    tmp_path: Path, kind: str, capsys: pytest.CaptureFixture[str], made: dict[str, str]
) -> None:
    """A command may write twice to one file. Notes, and a file of the same kind by another hand, stay."""
    if kind == "png":
        pytest.importorskip("resvg_py")
    if kind == "parquet":
        pytest.importorskip("pyarrow")
    words, name = OWN[kind]
    file = tmp_path / name
    call = [*(word.format(**made) for word in words), str(tmp_path if kind == "floors" else file)]
    assert main(call) == 0, capsys.readouterr().err
    assert main(call) == 0, capsys.readouterr().err
    others = {
        ".html": "<!DOCTYPE html><title>mine</title>",
        ".json": '{"record": 1}',
        ".svg": '<svg xmlns="http://www.w3.org/2000/svg"/>',
        ".csv": "number,mine\r\n",
        ".png": "\x89PNG\r\n\x1a\n",
        ".parquet": "PAR1",
    }
    for notes in ("my notes", others.get(file.suffix, "{}")):
        file.write_bytes(notes.encode("latin-1"))
        capsys.readouterr()
        assert main(call) == 2
        assert f"{file}: the " in (told := capsys.readouterr().err)
        assert "would replace a file that is not " in told
        assert "give it a name of its own, or remove that file first" in told
        assert file.read_bytes() == notes.encode("latin-1")
    file.write_bytes(b"")
    assert main(call) == 0, "an empty file holds nothing"


def test_pages_of_a_run_do_not_replace_notes(
    made: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    notes = Path(made["record"].removesuffix(".jsonl.gz") + ".html")
    notes.write_text("my notes")
    assert main(["watch", made["run"], "--plain"]) == 2
    assert (
        f"{notes}: the page would replace a file that is not the page of a record" in capsys.readouterr().err
    )
    assert [page.read_text() for page in notes.parent.glob("*.html")] == ["my notes"]
    notes.unlink()


def test_a_saved_game_a_book_and_failures_replace_no_notes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    notes = tmp_path / "README.md"
    notes.write_text("my notes")
    book = tmp_path / "book.toml"
    page = (
        'name = "one"\ntitle = "One"\nwhy = "x"\nscenarios = ["stairwell"]\ntactics = ["never order:run"]\n'
    )
    book.write_text(f'title = "B"\n[[page]]\n{page}')
    assert main(["tactics", "--book", str(book), "--out", str(tmp_path / "runs")]) == 2
    assert "the index would replace a file that is not the index of a book" in capsys.readouterr().err
    assert main(["play", "stairwell", "--agent", "Red=human", "--save", str(notes)]) == 2
    assert "the saved game would replace a file that is not a saved game" in capsys.readouterr().err
    failure = tmp_path / "squadhex-1.json"
    failure.write_text('{"ruleset": "mine"}')
    assert (
        main(["fuzz", "squadhex", "--cases", "1", "--quiet", "--workers", "1", "--out", str(tmp_path)]) == 2
    )
    assert "the failures would replace a file that is not one that `fuzz` wrote" in capsys.readouterr().err
    assert notes.read_text() == "my notes"
    assert failure.read_text() == '{"ruleset": "mine"}'
    assert not (tmp_path / "runs").exists()
    for made in ROOT.joinpath("docs", "tactics").glob("*.md"):
        check_book(made.parent, [made.stem] if made.name != "README.md" else [])


@pytest.mark.slow
@posix
def test_a_full_device_gets_one_message() -> None:
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            command("scenarios"), stdout=full, stderr=subprocess.PIPE, text=True, cwd=ROOT, check=False
        )
    assert done.returncode == 2
    assert done.stderr == "battlesim: the output cannot be written: No space left on device; make room\n"


@pytest.mark.slow
def test_a_record_on_standard_output_stands_alone(tmp_path: Path) -> None:
    words = command("play", "stairwell", "--record", "/dev/stdout")
    done = subprocess.run(words, capture_output=True, cwd=ROOT, check=True)
    assert b"victory" in done.stderr or b"draw" in done.stderr, "the story goes beside it"
    assert all(line.startswith(b"{") and line.endswith(b"}") for line in done.stdout.splitlines())
    (tmp_path / "r.jsonl").write_bytes(done.stdout)
    assert "the record is correct" in battlesim("verify", str(tmp_path / "r.jsonl")).stdout
    mixed = battlesim("play", "stairwell", "--json", "--record", "/dev/stdout", code=2)
    assert "--json would mix the record with the row" in mixed.stderr
    assert mixed.stdout == ""

"""What is wrong with settings is told once, with its line, as the user wrote it, and with what would do."""

from __future__ import annotations

from pathlib import Path

import pytest

from battlesim.batch.settings import Settings, parse_settings
from battlesim.cli.main import main
from battlesim.core.errors import InputError

TOP = 'scenario = "stairwell"\ngames = 4\n'
FACTOR = '\n[[factors]]\npath = "forces.Red.units[0].present"\n'


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(list(words)) == 2
    said = capsys.readouterr()
    assert said.out == ""
    return said.err.removeprefix("battlesim: ").removesuffix("\n")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            f'{TOP}{FACTOR}\n[[factors]]\npath = "turns"\nlevles = [4, 6]\n',
            "9: factors[1].levles: there is no setting 'levles'; did you mean 'levels'?",
        ),
        (
            TOP.replace("4", '"4"') + FACTOR,
            "2: games: '4' is not valid; give it without quotes: games = 4",
        ),
        (TOP.replace("4", '"four"') + FACTOR, "2: games: 'four' is not valid; give a whole number"),
        (TOP.replace("4", "true") + FACTOR, "2: games: True is not valid; give a whole number"),
        (
            f'{TOP}{FACTOR}\n[[factors]]\npath = "turns"\nrange = ["4", "6"]\n',
            "9: factors[1].range: ['4', '6'] is not valid; give a number",
        ),
        (
            f'{TOP}{FACTOR}\n[[factors]]\npath = "turnz"\nlevels = [4, 6]\n',
            "8: factors[1].path: 'turnz' names nothing that can be varied; did you mean 'turns'?",
        ),
        (
            f'{TOP}{FACTOR}\n[[factors]]\npath = "turns"\nlevels = ["four", 6]\n',
            "9: factors[1].levels: at forces.Red.units[0].present = True, turns = 'four' (and at 1 more point alike): "
            "turns: 'four' does not fit; should be a whole number",
        ),
        (
            f'{TOP}{FACTOR}\n[[factors]]\npath = "turns"\nrange = [8, 3]\n',
            "7: factors[1]: the range 8 to 3 holds nothing; give the least first, and more than that",
        ),
    ],
)
def test_a_file_of_a_stress_test_is_told_its_line(
    text: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "bad.toml"
    file.write_text(text)
    assert refused(capsys, "stress", str(file), "--dry-run") == f"{file}:{told}"


def test_a_book_is_told_its_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "book.toml"
    file.write_text(
        'about = "x"\n\n[[page]]\nname = "stairwell"\ntitel = "Floor by floor"\nwhy = "Who?"\nscenarios = ["stairwell"]\n'
    )
    assert refused(capsys, "tactics", "--book", str(file)).splitlines() == [
        f'{file}: title: the setting is missing; give title = "..."',
        f'{file}:3: page[0].title: the setting is missing; give title = "..."',
        f"{file}:5: page[0].titel: there is no setting 'titel'; did you mean 'title' or 'tried'?",
    ]
    file.write_text('title = "x"\n\n[[page]]\nname = "a"\ntitle = "A"\nwhy = "?"\nscenarios = ["no-such"]\n')
    assert refused(capsys, "tactics", "--book", str(file)).startswith(f"{file}:3: ")


def test_flags_are_told_as_the_user_wrote_them(capsys: pytest.CaptureFixture[str]) -> None:
    told = refused(capsys, "balance", "stairwell", "--tune", "turns=8..3")
    assert told.startswith("--tune turns=8..3: the range 8 to 3 holds nothing; ")
    told = refused(capsys, "stress", "stairwell", "--vary", "turnz=4,6", "--dry-run")
    assert told.startswith("--vary turnz=4,6: 'turnz' names nothing that can be varied; ")
    told = refused(capsys, "stress", "stairwell", "--vary", "turns=4,6", "--vary", "turns=5,7", "--dry-run")
    assert told.startswith("--vary turns=5,7: two factors contradict: ")


def test_a_word_that_is_unknown_is_told_once_with_those_that_are_known(
    capsys: pytest.CaptureFixture[str],
) -> None:
    told = refused(capsys, "discover", "stairwell", "--emitters", "foo")
    assert told == "--emitters: 'foo' is unknown; known: 'mutation', 'cma' or 'cma-mae'"


class Made(Settings):
    names: tuple[str, ...]
    count: int
    share: float = 0.5


def test_what_is_missing_is_told_in_its_own_form_and_what_is_long_ends_between_words() -> None:
    with pytest.raises(InputError) as found:
        parse_settings(Made, {})
    assert [fault.remedy for fault in found.value.faults] == ["give names = [...]", "give count = a number"]
    with pytest.raises(InputError) as found:
        parse_settings(Made, {"names": {f"name{n}": n for n in range(20)}, "count": 1})
    (fault,) = found.value.faults
    assert fault.what.endswith("... is not valid")
    assert len(fault.what) < 80
    assert parse_settings(Made, {"names": ["a"], "count": 1, "share": 1}).share == 1

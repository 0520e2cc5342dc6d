"""`battlesim why` on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from battlesim import play
from battlesim.cli.main import main

ROOT = Path(__file__).parents[2]
RECORD = str(ROOT / "tests" / "golden" / "records" / "barrage-fells.jsonl")


def test_it_tells_the_chain_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["why", RECORD, "tower"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("In turn 3 tower collapses into rubble because the barrage called by Red observer")
    assert "Red, question 2: which order does Red observer get? fire" in out
    assert "[strike 3+: 3; reach: 6]" in out.replace("\n    ", " ")
    assert "Before that, tower:" in out
    assert "\nOD-BARR-3\n" not in out
    assert max(map(len, out.splitlines())) <= 110


def test_the_page_shows_what_it_prints(capsys: pytest.CaptureFixture[str]) -> None:
    page = (ROOT / "docs" / "ask.md").read_text(encoding="utf-8")
    shown = page.partition("a chain of causes. It begins\n\n```\n")[2].partition("```")[0]
    assert main(["why", RECORD, "tower"]) == 0
    assert capsys.readouterr().out.startswith(shown)
    assert len(shown) > 200


def test_a_nuclear_warhead_is_named_as_the_cause(capsys: pytest.CaptureFixture[str]) -> None:
    """Its sentence began with "A flash: ", which was dropped as a heading: the unit was lost because everything was gone."""
    assert main(["why", RECORD.replace("barrage-fells", "armorclass-annihilation"), "Blue", "militia"]) == 0
    told = capsys.readouterr().out.partition("\n\n")[0].replace("\n", " ")
    assert told == (
        'In turn 1 Blue militia is destroyed because a nuclear flash destroys everything within 5".'
    )


def test_it_gives_the_text_of_clauses_on_demand(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["why", RECORD, "tower", "--clauses"]) == 0
    assert "\nOD-BARR-3\n  " in capsys.readouterr().out


def test_a_name_of_several_words_needs_no_quotes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["why", RECORD, "red", "observer", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["about"] == "Red observer"
    assert found["chain"][-1]["event"] == found["event"]
    named = {clause for link in found["chain"] for clause in link["clauses"]}
    assert named == set(found["clauses"])


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((RECORD, "towre"), "did you mean 'tower'?"),
        ((RECORD, "500000"), "events are numbered from 0 to"),
        (("nowhere.jsonl", "tower"), "nowhere.jsonl"),
    ],
)
def test_what_it_cannot_find_is_said_with_exit_code_2(
    words: tuple[str, ...], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["why", *words]) == 2
    caught = capsys.readouterr()
    assert caught.out == ""
    assert told in caught.err


def test_a_number_is_an_event_s_and_a_unit_of_that_name_is_asked_for_as_unit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (ROOT / "maps" / "scenarios" / "stairwell.yaml").read_text(encoding="utf-8")
    text = (
        text.replace("../stairwell.yaml", "stairwell")
        .replace("Red yard", '"7"')
        .replace("Red corner", '"90000"')
    )
    (tmp_path / "named.yaml").write_text(text, encoding="utf-8")
    record = str(tmp_path / "r.jsonl")
    play(tmp_path / "named.yaml", ("greedy", "greedy"), seed=1).save(record)
    found = []
    for words in (("7",), ("unit", "7"), ("Unit 7",)):
        assert main(["why", record, *words, "--json"]) == 0
        found.append(json.loads(capsys.readouterr().out))
    assert found[0]["event"] == 7
    assert found[1] == found[2]
    assert found[1]["about"] == "7"
    assert found[1]["event"] != 7
    assert main(["why", record, "90000"]) == 2
    assert "for the unit say 'unit 90000'" in capsys.readouterr().err

"""The worked studies can be made again: what they play is sound, and what they show is there."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from battlesim.cli.main import parser
from battlesim.stress.config import read_config
from battlesim.stress.plan import resolve_stress
from battlesim.stress.tuning import tuning_of

STUDIES = Path(__file__).resolve().parents[2] / "docs" / "studies"
PAGES = sorted(STUDIES.glob("*.md"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_command_of_a_study_is_sound_and_its_picture_is_there(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    commands = re.findall(r"^battlesim (?:stress|balance) (?:.*\\\n)*.*$", text, re.MULTILINE)
    assert commands
    for command in commands:
        words = shlex.split(command.replace("\\\n", " "))[1:]
        args = parser(words[0]).parse_args(words)
        if words[0] == "stress":
            asked, _ = read_config(STUDIES.parents[1] / args.what)
            design, _ = resolve_stress(asked, STUDIES)
            assert f"{len(design.points) * design.games:,} games" in text
        else:
            asked_for = {
                "scenario": args.scenario,
                "tune": args.tune,
                "cost": args.cost,
                "frontier": args.frontier,
            }
            assert tuning_of(asked_for).knobs
    pictures = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", text)
    assert pictures
    assert all((STUDIES / picture).is_file() for picture in pictures)


def test_there_are_studies() -> None:
    assert PAGES

"""Changes of sections in exams: the rulebook knows what it keeps of them, and the position must be possible."""

from __future__ import annotations

from pathlib import Path

import pytest

from battlesim.core.errors import InputError
from battlesim.exams.load import exams_folder, load_exam


def test_a_house_in_an_exam_falls_wholly_or_not_at_all(tmp_path: Path) -> None:
    """Under armour classes a fallen section has lost its floors, too. Marked as fallen alone, units could still enter it."""
    exam = load_exam("finish-the-breach").path
    text = Path(exam).read_text().replace("../maps/", f"{exams_folder()}/maps/")
    dents = "{store.1: {dents: [[0, 0, 2]]}}"
    assert dents in text
    file = tmp_path / "fallen.yaml"
    file.write_text(text.replace(dents, "{store.1: {fallen: true}}"))
    with pytest.raises(InputError, match=r"impossible position: section .*lowest floor gone") as caught:
        load_exam(file)
    assert "fallen.yaml" in str(caught.value)
    file.write_text(text.replace(dents, "{store.1: {fallen: true, gone: 0}}"))
    assert load_exam(file).start.down == {1}


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ("dentz: 1", "a section has no 'dentz'"),
        ("gone: low", "'low' does not fit: Expected `int`"),
        ("dents: 5", "5 does not fit: Expected `array`"),
        ("holes: [[0, 0, 4]]", "does not fit: Expected `array` of length 2"),
        ("breaches: [[0, 99]]", "no such floor or wall: [(0, 99)]"),
        ("gone: 77", "it has no floor 77"),
    ],
)
def test_a_section_keeps_only_what_its_rulebook_knows(tmp_path: Path, change: str, says: str) -> None:
    """Wrong values ended in a traceback or lost questions, misspelt names did nothing."""
    text = (
        Path(load_exam("finish-the-breach").path).read_text().replace("../maps/", f"{exams_folder()}/maps/")
    )
    file = tmp_path / "bad.yaml"
    file.write_text(text.replace("dents: [[0, 0, 2]]", change))
    with pytest.raises(InputError) as caught:
        load_exam(file)
    assert says in str(caught.value)
    assert "bad.yaml:" in str(caught.value)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ("units: {team: {spent: [99]}}", "exam.units.team: .*: spent cannot be .99,."),
        ("units: {team: {spent: [0, 0]}}", "exam.units.team: .*: spent cannot be .0, 0."),
        ("units: {team: {moved: 7}}", "exam.units.team: .*: moved cannot be 7"),
        ("units: {team: {cohesion: 3}}", "exam.units.team: .*: cohesion cannot be 3"),
        ("units: {team: {arrives: -1}}", "exam.units.team: .*: arrives cannot be -1"),
        ("units: {team: {facing: 12}}", "exam.units.team: .*: facing cannot be 12; it is 0 to 7"),
        (
            "sections: {store.1: {burning: true}}",
            "exam.sections.store.1: .*: burning, but the battle has no fires",
        ),
    ],
)
def test_senseless_values_are_refused_at_their_place(tmp_path: Path, change: str, says: str) -> None:
    """They were taken: units then fired without weapons, and houses burnt in a battle without fires."""
    exam = Path(load_exam("finish-the-breach").path)
    was = (
        "units: {team: {detected: true}}"
        if "units" in change
        else "sections: {store.1: {dents: [[0, 0, 2]]}}"
    )
    text = exam.read_text().replace("../maps/", f"{exams_folder()}/maps/")
    assert was in text
    file = tmp_path / "bad.yaml"
    file.write_text(text.replace(was, change))
    remedy = "give values as the rulebook's page lists them"
    with pytest.raises(InputError, match=rf"bad.yaml:\d+: {says}.*; {remedy}"):
        load_exam(file)

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

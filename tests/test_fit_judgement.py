"""The fit of judgement: it finds what is planted, finds nothing where nothing is, and its questions are of real games."""

from __future__ import annotations

from pathlib import Path
from random import Random

import msgspec
import pytest

from battlesim import find_ruleset, parameters
from tests.fit_judgement import HERE, Job, Judged, main, of_features, of_parameters, questions_of


def _planted(number: int, dealt: float, hold: float, dice: Random) -> Judged:
    """A question of four answers: a point of `dealt` and one of `hold` are worth so much, and the playouts are noisy."""
    points = [(dice.uniform(0, 20), dice.uniform(0, 20)) for _ in range(4)]
    points.sort(key=lambda pair: -sum(pair))
    return Judged(
        scenario="made-up",
        seed=0,
        number=number,
        ask="WhichOrder",
        answers=["a", "b", "c", "d"],
        scores=[a + b for a, b in points],
        changes={"dealt": [a / 4 for a, _ in points], "hold": [b / 4 for _, b in points]},
        worths=[[0.5 + dealt * a + hold * b + dice.gauss(0, 0.1) for _ in range(6)] for a, b in points],
    )


def test_a_feature_that_is_worth_more_than_its_weight_is_found() -> None:
    dice = Random(1)
    found = [_planted(number, 0.001, 0.004, dice) for number in range(400)]
    (_, _, dealt, dealt_error), (_, _, hold, hold_error) = of_parameters(found, 100.0)
    assert dealt < -4 * dealt_error
    assert hold > 4 * hold_error
    worth = [float(line.split("|")[3]) for line in of_features(found, 100.0)]
    assert abs(worth[0] - 1.0) < 0.5
    assert abs(worth[1] - 4.0) < 0.5


def test_right_weights_ask_for_nothing() -> None:
    """Of 100 parameters over studies in which all points are worth the same, one in some twenty is beyond two errors."""
    dice, beyond = Random(2), 0
    for _ in range(50):
        found = [_planted(number, 0.002, 0.002, dice) for number in range(60)]
        beyond += sum(abs(slope) > 2 * error for _, _, slope, error in of_parameters(found, 100.0))
    assert beyond <= 12


def test_an_answer_that_is_never_given_does_not_count() -> None:
    dice = Random(3)
    found = [_planted(number, 0.001, 0.004, dice) for number in range(100)]
    never = [msgspec.structs.replace(one, scores=[*one.scores[:3], -1e6]) for one in found]
    assert len(of_parameters(never, 100.0)) == 2
    assert all(abs(slope) < 100 for _, _, slope, _ in of_parameters(never, 100.0))


def test_questions_are_of_real_games() -> None:
    job = Job(str(HERE / "regiment-keep.yaml"), seed=7, questions=2, playouts=2, turns=1)
    found = questions_of(job)
    assert len(found) == 2
    for one in found:
        assert list(one.changes) == [
            parameter.name for parameter in parameters(find_ruleset("regiment").name)
        ]
        assert one.scores == sorted(one.scores, reverse=True)
        assert len(one.worths) == len(one.answers) == len(one.scores) > 1
        assert all(0 <= value <= 1 and len(values) == 2 for values in one.worths for value in values)


def test_a_file_of_questions_is_read_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dice, file = Random(4), tmp_path / "kept.jsonl"
    found = [_planted(number, 0.001, 0.004, dice) for number in range(40)]
    file.write_bytes(b"".join(msgspec.json.encode(one) + b"\n" for one in found))
    assert main(["regiment", "--read", str(file)]) == 0
    out = capsys.readouterr().out
    assert "| hold | 40 | +" in out
    assert "| dealt | 40 | -" in out
    assert "| WhichOrder | 40 |" in out

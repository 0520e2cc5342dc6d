"""The format of an exam file: a scenario with one more table, `exam`. Read `ExamSpec`.

    name: leave-the-burning-house
    ruleset: orderdice
    map: ../maps/yard.yaml
    ...                                     # sides, forces, objectives: as in any scenario file
    exam:
      side: Red                             # who is examined
      why: The next hit brings the house down on those who stay.
      passes: {away: {guard: ["house.*"]}}  # what a good player's answers, or their end, look like
      right: [order run, go g3.4]           # one good line of answers, and the tempting bad ones
      wrong:
        stays and fires: [order fire]

Answers are written as `battlesim.exams.words.in_words` writes them, with `*` for any text.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from battlesim.board.yamlfile import FileModel, Title, refuse
from battlesim.scenario.file import ScenarioFile, Word

Pattern = Annotated[str, Field(min_length=1, max_length=120, pattern=r"^[^\x00-\x1f\x7f]+$")]
"""An answer in words, or the name of a place; `*` stands for anything."""
Patterns = Annotated[tuple[Pattern, ...], Field(min_length=1, max_length=50)]
Settings = dict[str, Any]
"""What a state keeps of a unit or section, by field; the rulebook's records say what fits."""


class PassSpec(FileModel):
    """What has to be true when the window of the exam closes; all that is given."""

    said: Patterns | None = Field(None, description="one of these answers was given")
    never: Patterns | None = Field(None, description="none of these answers was given")
    at: Annotated[dict[Word, Patterns], Field(description="unit -> places it then stands in one of")] = Field(
        default_factory=dict
    )
    away: Annotated[dict[Word, Patterns], Field(description="unit -> places it then stands in none of")] = (
        Field(default_factory=dict)
    )

    @model_validator(mode="after")
    def _something(self) -> PassSpec:
        if not (self.said or self.never or self.at or self.away):
            raise refuse("nothing is asked for", "give said, never, at or away")
        return self


class ExamSpec(FileModel):
    """The position, the question put, and what is known of the answers."""

    side: Word = Field(description="the side that is examined")
    why: Title = Field(description="why the right answer is right, in one sentence")
    clauses: Annotated[tuple[Word, ...], Field(description="the clauses that matter")] = ()
    seed: Annotated[int, Field(strict=True, ge=0, description="of set-up and of the dice of the lead")] = 1
    units: dict[Word, Settings] = Field(
        default_factory=dict,
        description="changes after set-up: unit -> models, facing, or what its rules keep",
    )
    sections: dict[Word, Settings] = Field(
        default_factory=dict,
        description="changes after set-up: section -> fallen, burning, or what its rules keep",
    )
    lead: Annotated[
        tuple[Pattern, ...],
        Field(description="answers that lead to the question, each after its side: `Blue: order fire`"),
    ] = ()
    asks: Word = Field(
        "", description="the kind of question that the lead comes to, where that depends on dice"
    )
    window: Literal["activation", "turn", "battle"] = Field(
        "activation", description="how long the examined side's answers are looked at"
    )
    passes: PassSpec
    right: Patterns = Field(description="a good line: answers in order")
    wrong: Annotated[dict[Title, Patterns], Field(min_length=1, description="what tempts -> its answers")]
    worth: Literal["wins", "points"] = Field(
        "wins", description="what the lines are compared by when they are played on"
    )


class ExamFile(ScenarioFile):
    """An exam file."""

    exam: ExamSpec

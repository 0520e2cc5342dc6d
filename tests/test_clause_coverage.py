"""Uses of clauses are counted in incidents: one a root, none for what is told before the first question."""

from __future__ import annotations

from collections import Counter

from battlesim.core.events import Answered, Asked, Event, ModelsLost, TurnEnded
from battlesim.rules.registry import Clause
from tests.clause_coverage import Uses, incidents, widest


def lost(clauses: tuple[str, ...], cause: int) -> Event:
    return ModelsLost(1, 1, 3, clauses=clauses, cause=cause)


def test_what_follows_from_one_answer_is_one_use() -> None:
    log: list[Event] = [
        lost(("A",), -1),  # how the battle stands
        Asked(0, None, 2, clauses=("Q",)),
        Answered(0, "at 1", cause=1),
        lost(("A", "B"), 2),
        lost(("A",), 3),  # by way of another event
        Asked(1, None, 2, cause=4),
        Answered(1, "say no", cause=5),
        lost(("A",), 6),  # what the enemy answered is a root of its own
        TurnEnded(1, "", clauses=("T",)),
        lost(("A",), 8),
    ]
    assert incidents(log) == Counter({"A": 3, "B": 1, "T": 1})


def test_the_widest_use_is_the_largest_share_of_a_scenario() -> None:
    reached = {"hill": Counter({"A": 5, "B": 1}), "wood": Counter({"A": 2})}
    used = Uses(Counter(), Counter(), reached, Counter({"hill": 10, "wood": 2}))
    assert widest("A", used) == (1.0, "wood")
    assert widest("B", used) == (0.1, "hill")
    assert widest("C", used) == (0.0, "")


def test_clauses_that_only_forbid_and_those_of_the_house_are_never_called_rare() -> None:
    assert Clause("X-1", "book", "").rare
    assert not Clause("X-1", "book", "", share=0.02).rare
    assert not Clause("X-1", "book", "", forbids=True).rare
    assert not Clause("X-1", "house", "").rare

"""Merging the parts of a tournament. Read `merge`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from battlesim.batch.parts import inputs_differ, merge_runs
from battlesim.jobs.folder import RunFolder
from battlesim.tournament.driver import plan_of
from battlesim.tournament.resolve import ResolvedTournament, with_part


def merge(target: Path, parts: Sequence[RunFolder]) -> tuple[RunFolder, int]:
    """Put the games of `parts` into the run at `target`, as `batch.parts.merge_runs` does."""
    return merge_runs(target, parts, _differ, _whole)


def _whole(part: RunFolder) -> Mapping[str, Any]:
    found: dict[str, Any] = msgspec.to_builtins(with_part(plan_of(part).resolved, (1, 1)))
    return found


def _differ(one: RunFolder, other: RunFolder) -> str:
    a, b = plan_of(one).resolved, plan_of(other).resolved
    if a.identity == b.identity:
        return ""
    return inputs_differ(
        ((a.version, a.code), (b.version, b.code)), (_agents(a), _agents(b)), (_scenarios(a), _scenarios(b))
    )


def _agents(resolved: ResolvedTournament) -> list[str]:
    return [agent.digest for agent in resolved.agents]


def _scenarios(resolved: ResolvedTournament) -> list[str]:
    return [entry.source.digest for entry in resolved.scenarios]

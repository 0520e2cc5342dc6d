"""Recognises the folder of a study of tactics. It needs no extra."""

from __future__ import annotations

from battlesim.jobs.folder import RunFolder

STUDY = "study.json"
"""The file with the settings of a study."""


def is_study(run: RunFolder) -> bool:
    """Whether a run's folder holds a study of tactics."""
    return (run.path / STUDY).is_file()

"""Kills its process as the machine would."""

from __future__ import annotations

import os
import signal
from typing import Any


class Agent:
    def start(self, board: Any, side: int, chance: Any) -> None:
        pass

    def choose(self, view: Any, ask: Any, answers: Any) -> Any:
        os.kill(os.getpid(), signal.SIGKILL)

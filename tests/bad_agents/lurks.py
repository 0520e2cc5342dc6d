"""Starts a thread that ends the process while somebody else thinks."""

from __future__ import annotations

import os
import threading
import time
from typing import Any


class Agent:
    def start(self, board: Any, side: int, chance: Any) -> None:
        threading.Thread(target=lurk, daemon=True).start()

    def choose(self, view: Any, ask: Any, answers: Any) -> Any:
        return answers[0]


def lurk() -> None:
    time.sleep(0.002)
    os._exit(7)

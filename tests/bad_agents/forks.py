"""Leaves a copy of its process running, and a child of that copy, and writes their numbers down."""

from __future__ import annotations

import os
import time
from typing import Any


class Agent:
    def __init__(self, file: str = "") -> None:
        self.file = file

    def start(self, board: Any, side: int, chance: Any) -> None:
        for _ in range(2):
            if os.fork() == 0:
                if os.fork() and self.file:
                    os._exit(0)  # the child of the child goes on without its parent
                with open(self.file, "a", encoding="utf-8") as file:
                    file.write(f"{os.getpid()}\n")
                time.sleep(600)
                os._exit(0)

    def choose(self, view: Any, ask: Any, answers: Any) -> Any:
        return answers[0]

"""Jobs that go well and jobs that do not, for the executors' tests."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from battlesim.core.errors import Fault, InputError, RuleError
from battlesim.jobs.job import JobOutput, Watch

FUNCTION = "tests.jobs.work:work"


def work(spec: Any, watch: Watch) -> JobOutput:
    what, number = spec["do"], spec["number"]
    watch(spec.get("actor", -1))
    if what == "hang":
        while True:
            time.sleep(60)
    elif what == "child":
        started = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        Path(spec["file"]).write_text(str(started.pid))
        os._exit(5)
    elif what == "exit":
        os._exit(spec.get("code", 5))
    elif what == "fall":
        ctypes.string_at(0)
    elif what == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    elif what == "kill once":
        mark = Path(spec["mark"])
        if not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
    elif what == "eat":
        hoard = []
        while True:
            hoard.append(bytearray(32_000_000))
    elif what == "leak":
        LEAKED.append(bytearray(spec["megabytes"] * 1_000_000))
    elif what == "raise":
        raise RuleError("it cannot be")
    elif what == "interrupt":
        raise KeyboardInterrupt
    elif what == "refuse":
        raise InputError(Fault("the file is gone", "put it back"))
    return JobOutput(b'{"number":%d}' % number, b"file" if what == "file" else None)


LEAKED: list[bytearray] = []

"""`python -m battlesim`, and the program `battlesim`."""

import sys


def run() -> int:
    """Run one command; its exit code. It imports the command line itself, so that Ctrl-C while it is loaded ends in one line."""
    try:
        from battlesim.cli.main import main

        return main()
    except KeyboardInterrupt:
        print("battlesim: interrupted", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(run())

"""The command line: one thin module for each command. `main.py` is the entry.

Each such module has two functions. `add(parser)` tells argparse which arguments the command takes. `run(args)` does the command
and returns the exit code (`main` lists the codes). It may raise InputError, which `main` prints as one message with code 2.
Modules import what a command needs inside `run`, so that `battlesim --help` and other commands start fast.
"""

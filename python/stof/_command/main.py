"""The parser of `python -m stof`, and its commands."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import NoReturn

from ..bench import cli as bench
from . import compile, export, run, show
from .errors import CommandError, guard

_COMMANDS = {"export": export, "compile": compile, "run": run, "bench": bench, "show": show}
_DESCRIPTION = "Models to MLIR, to packages and to numbers; masks as pictures. `python -m stof COMMAND --help` has more."


class Parser(argparse.ArgumentParser):
    """A parser whose errors are those of commands."""

    def error(self, message: str) -> NoReturn:
        raise CommandError(f"{message}\n{self.format_usage().rstrip()}")


def make_parser() -> argparse.ArgumentParser:
    parser = Parser(prog="python -m stof", description=_DESCRIPTION)
    commands = parser.add_subparsers(metavar="COMMAND", required=True, dest="command")
    for name, command in _COMMANDS.items():
        command.add_arguments(commands.add_parser(name, help=command.SUMMARY, description=command.DESCRIPTION))
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command, and returns its exit status."""

    def act() -> int:
        parsed = make_parser().parse_args(arguments)
        return _COMMANDS[parsed.command].run(parsed)

    return guard("stof", act)

"""`python -m stof.bench`."""

import sys

from .._command.errors import guard
from .._command.main import Parser
from . import cli


def main() -> int:
    def act() -> int:
        parser = Parser(prog="python -m stof.bench", description=cli.DESCRIPTION)
        cli.add_arguments(parser)
        return cli.run(parser.parse_args())

    return guard("stof.bench", act)


sys.exit(main())

"""`python -m stof`."""

import sys

from ._command.main import main

sys.exit(main())

"""commands.py COMMAND...: runs commands of `python -m stof` in one process, which imports torch once. Of what they print on
standard error only errors are shown."""

import contextlib
import io
import shlex
import sys

from stof._command.main import main

for command in sys.argv[1:]:
    error = io.StringIO()
    with contextlib.redirect_stderr(error):
        status = main(shlex.split(command))
    text = error.getvalue()
    if status:
        print(f"status {status}: {text[text.find('stof: ') :].rstrip()}")
    sys.stdout.flush()

"""Prints the first MLIR example of a Markdown file."""

import re
import sys

with open(sys.argv[1]) as file:
    print(re.search(r"```mlir\n(.*?)```", file.read(), re.S).group(1))

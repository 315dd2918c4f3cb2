"""Draws by the hash of the commit: what takes too long for every run of the suite has its turn."""

import functools
import hashlib
import pathlib
import subprocess


@functools.cache
def read_commit():
    """The commit of this tree; nothing where there is no clone or no git."""
    command = ["git", "-C", pathlib.Path(__file__).parent, "rev-parse", "-q", "--verify", "HEAD"]
    try:
        return subprocess.run(command, capture_output=True, text=True).stdout.strip()
    except FileNotFoundError:
        return ""


def rank(name):
    """A number of 256 bits for `name`, another one at each commit."""
    return int(hashlib.sha256(f"{read_commit()} {name}".encode()).hexdigest(), 16)


def is_drawn(name, part):
    """Whether `name` is of the one in `part` whose turn it is."""
    return rank(name) % part == 0

"""check_book.py ROOT: the blocks of pages are what the commands next to them print.

A block of IR, of commands or of Python says where it is from, in the line before it:

    `stof-opt lib/../layer.mlir --stof-plan`:     the block is a part of what the command prints; the command ends the line
    <!-- run: COMMAND -->                         the same, where the text does not name the command
    <!-- file: NAME -->                           the block is a file, for commands of the same page
    <!-- run by: TEST -->                         a test of the suite runs it, with all of its options, or by the page's name
    <!-- not run: REASON -->

In a `console` block, commands follow `$ `, and each is followed by what it prints. Commands run in a folder of the page, in which the
files of ROOT can be named as from ROOT.

A block may be shortened and is compared as FileCheck would: a line `...` leaves out lines, `...` in a line leaves out a part of it. White
space and comments do not matter, nor do names of values (`%keys`) and aliases (`#mma`), as long as one name is one value."""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import tree

# Languages of blocks that are IR, commands or programs.
CHECKED = {"mlir", "console", "sh", "bash", "python", "c", "c++", "cmake", ""}
TOOLS = r"(?:stof-[a-z-]+|mlir-opt|cat|grep|sed)"
FENCE = re.compile(r"^(?P<indent> *)```(?P<language>[\w+-]*)\n(?P<text>.*?)^(?P=indent)```$", re.M | re.S)
PROMPT = re.compile(r"(?m)^\$ ")
OPTION = re.compile(r"(?<!\S)--[a-z-]+")
MARK = re.compile(r"<!-- (?P<kind>run by|run|file|not run): (?P<what>.+?) -->$")
COMMAND = re.compile(rf"`(?P<what>{TOOLS} [^`]+)`:$")
# A value, with whether it is defined here; an alias of an attribute; what is left out; white space; anything else.
TOKEN = re.compile(r"(?P<value>%[\w$]+)(?P<defined>(?=:\S|:\s\w|\s=\s))?|(?P<alias>#[a-z_]\w*(?![\w.]))|(?P<gap>\.\.\.)|(?P<space>\s+)|(?P<rest>.)", re.S)


class Names:
    """What names of a block stand for, in the order in which it is matched."""

    def __init__(self):
        self.known = {}
        self.groups = 0

    def pattern(self, text):
        """A regular expression for a part of a block, and the group of each name that it defines."""
        groups, parts = {}, []
        for token in TOKEN.finditer(text):
            name = token["value"] or token["alias"]
            if name and (token["defined"] is not None or name not in self.known.keys() | groups.keys()):
                self.groups += 1
                groups[name] = f"g{self.groups}"
                parts.append(rf"(?P<{groups[name]}>{re.escape(name[0])}[\w$]+)")
            elif name:
                parts.append((f"(?P={groups[name]})" if name in groups else re.escape(self.known[name])) + r"(?![\w$])")
            else:
                parts.append(r"[^\n]*?" if token["gap"] else r"\s+" if token["space"] else re.escape(token["rest"]))
        return re.compile(r"^[ \t]*" + "".join(parts) + r"[ \t]*$", re.M), groups

    def search(self, text, output, start):
        """Where `text` ends in `output`, or None."""
        pattern, groups = self.pattern(text)
        found = pattern.search(output, start)
        if not found:
            return None
        self.known.update((name, found[group]) for name, group in groups.items())
        return found.end()


def without_comments(text):
    return re.sub(r"(?m)(^|\s+)//.*$", "", text)


def compare(block, output):
    """The first line of `block` that `output` has not, or None."""
    output = without_comments(output)
    names, position = Names(), 0
    for part in re.split(r"(?m)^\s*\.\.\.\s*$", without_comments(block)):
        lines = part.strip().splitlines()
        if not lines:
            continue
        end = names.search("\n".join(lines), output, position)
        if end is None:
            # As many lines as there are.
            fits = next(n for n in reversed(range(len(lines))) if n == 0 or names.search("\n".join(lines[:n]) + "...", output, position))
            return lines[fits].strip()
        position = end
    return None


def run(command, folder):
    """What `command` prints, and whether it succeeded."""
    result = subprocess.run(["bash", "-c", command], cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    return result.stdout + result.stderr, result.returncode == 0


def blocks(page):
    """(line number, language, text, kind, what) of each block of a page."""
    text = page.read_text()
    for match in FENCE.finditer(text):
        before = text[: match.start()].rstrip().splitlines()
        mark = before and (MARK.search(before[-1].strip()) or COMMAND.search(before[-1].strip()))
        kind = mark.groupdict().get("kind", "run") if mark else None
        number = text.count("\n", 0, match.start()) + 1
        indent = match["indent"]
        body = "".join(line.removeprefix(indent) for line in match["text"].splitlines(keepends=True))
        yield number, match["language"], body, kind, mark and mark["what"]


def commands(text):
    """(command, what it prints) of a console block."""
    for entry in PROMPT.split(text)[1:]:
        command = re.match(r"(?:.*\\\n)*.*\n?", entry)[0]
        yield command.strip(), entry[len(command):]


def check_page(page):
    """The number of blocks that were compared, and what is wrong with a page."""
    complaints, compared, files = [], 0, {}
    name = page.relative_to(root)

    def check_output(number, command, expected, folder):
        output, succeeded = run(command, folder)
        missing = compare(expected, output)
        if missing is not None:
            complaints.append(f"{name}:{number}: '{command}' does not print '{missing}'")
        elif not succeeded:
            complaints.append(f"{name}:{number}: '{command}' fails: {output.strip()[-200:]}")

    with tempfile.TemporaryDirectory() as folder:
        for entry in root.iterdir():
            os.symlink(entry, pathlib.Path(folder) / entry.name)
        for number, language, text, kind, what in blocks(page):
            if language not in CHECKED and kind is None:
                if PROMPT.search(text):
                    complaints.append(f"{name}:{number}: expects commands in a block of console")
                continue
            if language == "" and kind is None:
                complaints.append(f"{name}:{number}: expects a block with a language, or a mark of what runs it")
            elif kind == "not run":
                continue
            elif kind == "run by":
                if not (root / what).is_file():
                    complaints.append(f"{name}:{number}: there is no {what}")
                    continue
                test = (root / what).read_text()
                lacks = set(OPTION.findall(text)) - set(OPTION.findall(test)) if str(name) not in test else set()
                complaints += [f"{name}:{number}: {what} has no {option}" for option in sorted(lacks)]
            elif kind == "file":
                files[what] = number
                (pathlib.Path(folder) / what).write_text(text)
            elif kind == "run":
                files = {file: line for file, line in files.items() if file not in what}
                compared += 1
                check_output(number, what, text, folder)
            elif language == "console":
                for command, expected in commands(text):
                    files = {file: line for file, line in files.items() if file not in command}
                    compared += 1
                    check_output(number, command, expected, folder)
            else:
                complaints.append(f"{name}:{number}: expects a mark of what runs the block")
        complaints += [f"{name}:{number}: no command takes '{file}'" for file, number in files.items()]
    return compared, complaints


if __name__ == "__main__":
    root = tree.root_from(sys.argv[1])
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        results = list(pool.map(check_page, tree.pages(root)))
    tree.verdict([complaint for _, found in results for complaint in found], sum(compared for compared, _ in results), "blocks")

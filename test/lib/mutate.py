"""Plants one-token mutations in a copy of the tree, each behind the environment variable STOF_MUTANT.

    mutate.py SOURCE BUILD COPY --seed=S --count=N

copies SOURCE to COPY and rewrites N places of its lib, spread evenly over the libraries and drawn by the seed: an operator, a
comparison, a number or a bool becomes another one if STOF_MUTANT is the number of the mutation. One build of the copy then holds
all mutants, and run_mutants.py asks the suite about each. BUILD has the compile_commands.json of SOURCE.
COPY/mutants.json lists them: number, file, line, column, what it was, what it is.
"""

import argparse
import collections
import itertools
import json
import pathlib
import random
import shutil

from clang import cindex

SWAPS = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&",
    "+": "-", "-": "+", "*": "+", "/": "*", "%": "/", "&": "|", "|": "&", "<<": ">>", ">>": "<<",
    "+=": "-=", "-=": "+=", "*=": "+=", "&=": "|=", "|=": "&=",
}
FUNCTION = """
// Which mutation is on: the number in STOF_MUTANT.
#include <cstdlib>
namespace {
[[maybe_unused]] bool stofMutant(int number) {
  static const char *chosen = std::getenv("STOF_MUTANT");
  return chosen && std::atoi(chosen) == number;
}
} // namespace
"""
Site = collections.namedtuple("Site", "start end line column was now text")


def spelling(data, cursor):
    return data[cursor.extent.start.offset:cursor.extent.end.offset].decode()


def operator_site(data, cursor):
    """A builtin binary operation with its operator swapped, or none."""
    left, right = cursor.get_children()
    between = data[left.extent.end.offset:right.extent.start.offset].decode().strip()
    if between not in SWAPS:
        return None
    was, now = spelling(data, left), spelling(data, right)
    swapped = f"({was} {SWAPS[between]} {now})", f"({was} {between} {now})"
    return between, SWAPS[between], swapped


def literal_site(data, cursor):
    """A number, one more; a bool, the other one."""
    text = spelling(data, cursor)
    if cursor.kind == cindex.CursorKind.CXX_BOOL_LITERAL_EXPR:
        other = {"true": "false", "false": "true"}.get(text)
    else:
        other = str(int(text) + 1) if text.isdigit() else None
    return other and (text, other, (other, text))


def negation_site(data, cursor):
    text = spelling(data, cursor)
    return ("!", "", (f"bool({text[1:]})", text)) if text.startswith("!") else None


READERS = {
    cindex.CursorKind.BINARY_OPERATOR: operator_site,
    cindex.CursorKind.COMPOUND_ASSIGNMENT_OPERATOR: operator_site,
    cindex.CursorKind.INTEGER_LITERAL: literal_site,
    cindex.CursorKind.CXX_BOOL_LITERAL_EXPR: literal_site,
    cindex.CursorKind.UNARY_OPERATOR: negation_site,
}
# Where a condition of run time may not stand.
FIXED = {
    cindex.CursorKind.CASE_STMT, cindex.CursorKind.TEMPLATE_REF, cindex.CursorKind.TYPE_REF,
    cindex.CursorKind.STATIC_ASSERT, cindex.CursorKind.ENUM_CONSTANT_DECL, cindex.CursorKind.FIELD_DECL,
    cindex.CursorKind.PARM_DECL,
}


def sites(cursor, data, path, inside=False):
    """The places of the bodies of functions in `path` where one token may be another."""
    for child in cursor.get_children():
        where = child.location
        if where.file is None or where.file.name != path:
            if child.kind != cindex.CursorKind.UNEXPOSED_DECL:
                continue
        body = inside or child.kind == cindex.CursorKind.COMPOUND_STMT
        if child.kind in FIXED or "constexpr" in spelling(data, child)[:40].split("(")[0]:
            continue
        if body and child.kind in READERS:
            found = READERS[child.kind](data, child)
            if found:
                was, now, (mutant, original) = found
                extent = child.extent
                yield Site(extent.start.offset, extent.end.offset, extent.start.line, extent.start.column, was, now,
                           f"(stofMutant(@) ? {mutant} : {original})")
        yield from sites(child, data, path, body)


def parse(index, command):
    """The translation unit of a compile command, without the precompiled header's flags."""
    arguments = command["command"].split()[1:]
    flags = [a for a in arguments if a.startswith(("-I", "-D", "-std", "-U", "-isystem"))]
    return index.parse(command["file"], args=flags + ["-isystem", "/usr/lib/llvm-22/include", "-w"])


def draw(source, build, seed, count):
    """`count` sites as (file, site), the libraries in turn, files of a library by their length."""
    commands = {c["file"]: c for c in json.loads((build / "compile_commands.json").read_text())}
    libraries = collections.defaultdict(list)
    for path in sorted((source / "lib").rglob("*.cpp")):
        if str(path) in commands:
            libraries[path.relative_to(source / "lib").parts[0]].append(path)
    generator, index = random.Random(seed), cindex.Index.create()
    known, drawn = {}, {}
    for library in itertools.cycle(sorted(libraries)):
        if len(drawn) == count:
            return list(drawn)
        paths = libraries[library]
        path = generator.choices(paths, [p.stat().st_size for p in paths])[0]
        if path not in known:
            unit = parse(index, commands[str(path)])
            known[path] = list(sites(unit.cursor, path.read_bytes(), str(path)))
        free = [s for s in known[path]
                if all(p != path or s.end <= t.start or t.end <= s.start for p, t in drawn)]
        if free:
            drawn[(path, generator.choice(free))] = None


def plant(source, copy, drawn):
    """Rewrites the files of `copy`, the last place of a file first."""
    table = []
    for number, (path, site) in sorted(enumerate(drawn, 1), key=lambda pair: -pair[1][1].start):
        target = copy / path.relative_to(source)
        text = target.read_bytes()
        code = site.text.replace("@", str(number)).encode()
        target.write_bytes(text[:site.start] + code + text[site.end:])
        table.append({"number": number, "file": str(path.relative_to(source)), "line": site.line,
                      "column": site.column, "was": site.was, "now": site.now})
    for path in {path for path, _ in drawn}:
        target = copy / path.relative_to(source)
        target.write_text(FUNCTION + target.read_text())
    (copy / "mutants.json").write_text(json.dumps(sorted(table, key=lambda row: row["number"]), indent=1))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("source", "build", "copy"):
        parser.add_argument(name, type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--count", type=int, required=True)
    options = parser.parse_args()
    shutil.copytree(options.source, options.copy, ignore=shutil.ignore_patterns("build", ".git"))
    plant(options.source, options.copy, draw(options.source, options.build, options.seed, options.count))
    for row in json.loads((options.copy / "mutants.json").read_text()):
        print(f"{row['number']:3} {row['file']}:{row['line']}:{row['column']}: '{row['was']}' becomes '{row['now']}'")


if __name__ == "__main__":
    main()

"""check_links.py ROOT: a relative link of a page leads to a file of ROOT, and to a heading in it."""

import re
import sys

import tree

FENCE = re.compile(r"^ *```.*?^ *```$", re.M | re.S)
CODE = re.compile(r"`[^`\n]*`")
LINK = re.compile(r"\[(?:[^\[\]]|\[[^\[\]]*\])*\]\(<?([^()\s>]+)>?\)")
HEADING = re.compile(r"^#+ +(.*?) *(?:\{#([\w:-]+)\})?$", re.M)
ELSEWHERE = re.compile(r"[a-z+]+:")


def blank(match):
    """As many lines without contents."""
    return "\n" * match[0].count("\n")


def anchors(text):
    """What links to the headings of a page are called, as on GitHub."""
    found = set()
    for title, given in HEADING.findall(FENCE.sub(blank, text)):
        name = re.sub(r"[^\w\- ]", "", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title)).strip().lower().replace(" ", "-")
        number = sum(other == name or re.fullmatch(re.escape(name) + r"-\d+", other) is not None for other in found)
        found.add(f"{name}-{number}" if name in found else name)
        if given:
            found.add(given)
    return found


def links(text):
    """(line number, target) of each link."""
    text = CODE.sub("", FENCE.sub(blank, text))
    for match in LINK.finditer(text):
        yield text.count("\n", 0, match.start()) + 1, match[1]


if __name__ == "__main__":
    root = tree.root_from(sys.argv[1])
    complaints, checked = [], 0
    for page in tree.pages(root):
        for number, target in links(page.read_text()):
            if ELSEWHERE.match(target):
                continue
            checked += 1
            name, _, anchor = target.partition("#")
            path = (page.parent / name).resolve() if name else page
            if not path.exists() or not path.is_relative_to(root):
                complaints.append(f"{page.relative_to(root)}:{number}: there is no {name}")
            elif anchor and (path.suffix != ".md" or anchor not in anchors(path.read_text())):
                complaints.append(f"{page.relative_to(root)}:{number}: {path.relative_to(root)} has no heading '{anchor}'")
    tree.verdict(complaints, checked, "links")

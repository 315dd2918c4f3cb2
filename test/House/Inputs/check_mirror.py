"""check_mirror.py ROOT: include/stof/X, lib/X and test/X are one library X, which has a page; other folders are on one."""

import re
import sys

import tree

# Headers without code, and the list of everything.
HEADERS_ONLY = {"InitAll"}
# Tests of no library: of the tree, of programs, of whole models.
WHOLE = {"Embedding", "Fuzz", "GPU", "House", "Inputs", "Integration", "Python", "Tools", "lib"}

root = tree.root_from(sys.argv[1])


def folders(where):
    return {path.name for path in (root / where).iterdir() if path.is_dir() and path.name not in ("__pycache__", "cmake")}


complaints = []
libraries = folders("lib")
for name in sorted(folders("include/stof") - libraries):
    complaints.append(f"include/stof/{name}: has no lib/{name}")
for name in sorted(libraries - folders("include/stof") - HEADERS_ONLY - {"CAPI"}):
    complaints.append(f"lib/{name}: has no include/stof/{name}")
for name in sorted(folders("test") - libraries - WHOLE):
    complaints.append(f"test/{name}: has no lib/{name}")
for name in sorted(libraries - folders("test") - HEADERS_ONLY):
    complaints.append(f"lib/{name}: has no test/{name}")
# A library has a page, and a folder in it or in test is named on one.
for name in sorted(libraries):
    if not (root / "lib" / name / "README.md").exists():
        complaints.append(f"lib/{name}: has no README.md")
for where, inside in [("lib", "*/*"), ("test", "*"), ("tools", "*"), ("python", "*")]:
    page = root / ("test" if where == "test" else "lib") / "README.md"
    named = set(re.findall(r"[\w-]+", page.read_text() if page.exists() else ""))
    for path in sorted((root / where).glob(inside)):
        if path.is_dir() and path.name not in named | libraries and path.name != "__pycache__":
            complaints.append(f"{path.relative_to(root)}: is not named in {page.relative_to(root)}")
# A header lies in the folder that its guard and its library say.
for path in tree.files(root, ["include/stof"], {".h"}):
    name = path.relative_to(root / "include/stof")
    source = root / "lib" / name.with_suffix(".cpp")
    if len(name.parts) > 1 and not source.parent.is_dir():
        complaints.append(f"include/stof/{name}: has no folder {source.parent.relative_to(root)}")
tree.verdict(complaints, len(libraries), "libraries")

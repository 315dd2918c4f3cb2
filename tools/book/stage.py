"""stage.py ROOT REFERENCE OUT: the pages of ROOT and the generated ones of REFERENCE as the sources of one site in OUT.

Pages keep their places, so that links between them stay what they are. A file that a page links to is copied along; a link to a
folder, of which a site has none, becomes its text. The first page is README.md, with the contents of the site behind it."""

import pathlib
import re
import shutil
import sys

LIBRARIES = ["Support", "IR", "Tile", "Scalar", "Size", "Fusion", "Mask", "CostModel", "Transforms", "Conversion", "Target", "Search",
             "Pipelines", "InitAll", "CAPI", "Runtime"]
CONTENTS = [
    ("stof", ["lib/README", "lib/GLOSSARY", "lib/REMARKS", "python/README", "test/README"]),
    ("Rationale", ["include/stof/IR/Rationale", "include/stof/Tile/Rationale"]),
    ("Libraries", [*(f"lib/{library}/README" for library in LIBRARIES), "lib/Runtime/PACKAGES"]),
]
REFERENCE = {
    "StofDialect": "Dialect stof", "TileDialect": "Dialect tile", "MaskInterfaces": "Interfaces of masks",
    "KernelOpInterface": "Interface of operations with kernels", "SharedMemoryOpInterface": "Interface of operations on shared memory",
    "LayoutInterface": "Interface of layouts of fragments", "StofTransforms": "Passes on tensors", "StofHost": "Passes on host functions",
    "StofTileTransforms": "Passes on tiles", "StofConversion": "Passes between levels", "StofTarget": "Passes of targets",
    "StofSearch": "Passes of the search",
}
LINK = re.compile(r"(\[(?:[^\[\]]|\[[^\[\]]*\])*\])\(([^()\s#:]+)(#[^()\s]*)?\)")


def stage_page(root, page, out):
    """Copies a page, and the files that it links to."""
    text = page.read_text()

    def copy(link):
        path = page.parent / link[2]
        if path.is_dir():
            return link[1][1:-1]
        if path.is_file() and path.suffix != ".md":
            target = out / path.resolve().relative_to(root)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
        return link[0]

    target = out / page.relative_to(root)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(LINK.sub(copy, text))


def stage_reference(page, title, out):
    """A page of mlir-tblgen: passes have no title, and a table of contents is the site's."""
    text = re.sub(r"^\[TOC\]$", "", page.read_text(), flags=re.M)
    text = re.sub(r"^# .*$", "", text, count=1, flags=re.M) if re.search(r"^# ", text, re.M) else text.replace("\n###", "\n##")
    (out / page.name).write_text(f"# {title}\n\n{text}")


def tree_of(title, names):
    return "\n".join(["```{toctree}", ":hidden:", f":caption: {title}", "", *names, "```", ""])


def find_pages(root):
    """The names of all pages, without those that are inputs of tests."""
    pages = [path for folder in ("include", "lib", "python", "test", "tools") for path in (root / folder).rglob("*.md")]
    return {str(path.relative_to(root).with_suffix("")) for path in pages if "Inputs" not in path.parts}


if __name__ == "__main__":
    root, reference, out = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
    listed = [name for _, names in CONTENTS for name in names]
    made = {page.name.removesuffix(".md") for page in reference.glob("*.md")}
    if unlisted := sorted(find_pages(root) - set(listed)) + sorted(made - REFERENCE.keys()):
        sys.exit(f"stage.py: expects all pages in the contents, but lacks {', '.join(unlisted)}")
    shutil.rmtree(out, ignore_errors=True)
    (out / "reference").mkdir(parents=True)
    contents = [*CONTENTS, ("Reference", [])]
    for page in ["README", *listed]:
        stage_page(root, root / f"{page}.md", out)
    for name, title in REFERENCE.items():
        if (reference / f"{name}.md").exists():
            stage_reference(reference / f"{name}.md", title, out / "reference")
            contents[-1][1].append(f"reference/{name}")
    with open(out / "README.md", "a", encoding="utf-8") as first:
        first.write("\n" + "\n".join(tree_of(title, names) for title, names in contents if names))

"""How Sphinx makes a site of what stage.py has put together."""

from pygments.lexer import RegexLexer, words
from pygments.token import Comment, Keyword, Name, Number, Operator, String, Text


class MlirLexer(RegexLexer):
    """Enough of MLIR to be read: Pygments has none."""

    name, aliases = "MLIR", ["mlir"]
    tokens = {"root": [
        (r"//.*", Comment),
        (r'"[^"]*"', String),
        (r"%[\w$.#-]+", Name.Variable),
        (r"\^\w+", Name.Label),
        (r"@[\w$.:@-]+", Name.Function),
        (r"[#!][\w.]+", Name.Class),
        (r"\b0x[0-9A-Fa-f]+|-?\b\d[\d.e+-]*\b", Number),
        (words(("tensor", "memref", "vector", "index", "f16", "bf16", "f32", "f64", "i1", "i8", "i16", "i32", "i64"), r"\b", r"\b"),
         Keyword.Type),
        (r"\b[a-z_]+\.[\w.]+", Keyword),
        (r"\b(func|module|return)\b", Keyword),
        (r"->|[=:<>{}()\[\],?*+-]", Operator),
        (r"\s+|\w+|.", Text),
    ]}


def setup(app):
    app.add_lexer("mlir", MlirLexer)


project = "stof"
extensions = ["myst_parser"]
root_doc = "README"
source_suffix = {".md": "markdown"}
html_theme = "alabaster"
html_theme_options = {"page_width": "1500px", "body_max_width": "none", "sidebar_width": "260px", "fixed_sidebar": True, "description": "transformers with masked attention"}
html_show_copyright = False
# Leads to the first page.
html_extra_path = ["index.html"]
# Headings are anchors, named as on GitHub.
myst_heading_anchors = 4
# Pages of mlir-tblgen skip levels of headings; text and output have no grammar.
suppress_warnings = ["myst.header", "misc.highlighting_failure"]

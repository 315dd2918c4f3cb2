"""Makes archives of a package, whole and damaged, in the ways of tar and of its format.

    damage_archive.py PACKAGE FOLDER
"""

import io
import pathlib
import sys
import tarfile

package, folder = (pathlib.Path(argument) for argument in sys.argv[1:])
BLOCK = 512


def write(name, files=None, *, prefix="", links=(), **options):
    """An archive of `files`, by default those of the package."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w", **options) as archive:
        for path in files or sorted(package.iterdir()):
            archive.add(path, prefix + path.name)
        for link in links:
            member = tarfile.TarInfo(link)
            member.type, member.linkname = tarfile.SYMTYPE, "manifest.json"
            archive.addfile(member)
    (folder / name).write_bytes(stream.getvalue())
    return stream.getvalue()


long_path = "a-folder-with-a-long-name/" * 8
write("posix.tar", format=tarfile.PAX_FORMAT, prefix=long_path, pax_headers={"comment": "for all"})
write("gnu.tar", format=tarfile.GNU_FORMAT, prefix=long_path)
whole = write("ustar.tar", format=tarfile.USTAR_FORMAT)
(folder / "without-end.tar").write_bytes(whole[: whole.rstrip(b"\0").__len__() // BLOCK * BLOCK + BLOCK])
(folder / "changed.tar").write_bytes(whole.replace(b"\x00\x00\x20\x41", b"\x00\x00\x30\x41"))
(folder / "cut.tar").write_bytes(whole[: 3 * BLOCK])
(folder / "cut-header.tar").write_bytes(whole[: BLOCK - 1])
(folder / "none.tar").write_bytes(b"manifest.json" * BLOCK)
(folder / "empty.tar").write_bytes(b"")
write("twice.tar", [package / "manifest.json"] * 2)
write("link.tar", links=["link"])


def write_records(name, records):
    """An archive that starts with a member of records."""
    member = tarfile.TarInfo("records")
    member.type, member.size = tarfile.XHDTYPE, len(records)
    (folder / name).write_bytes(member.tobuf() + records.ljust(BLOCK, b"\0") + whole)


write_records("records.tar", b"30 path=manifest.json\n")
write_records("no-records.tar", b"path=manifest.json\n")

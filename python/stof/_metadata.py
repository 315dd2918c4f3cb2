"""The entry points of a stof that is imported from its sources, where no installation has written them."""

from typing import Any

# An installed stof has the same, from its build.
_FILES = {
    "METADATA": "Metadata-Version: 2.1\nName: stof\nVersion: 0\n",
    "entry_points.txt": "[torch_dynamo_backends]\nstof = stof._torch.backend:stof\n",
}


class SourceFinder:
    """A finder of distributions for sys.meta_path, by which torch finds the backend when it looks for one."""

    @staticmethod
    def find_spec(name: str, path: Any = None, target: Any = None) -> None:
        """No module: others find them."""

    @staticmethod
    def find_distributions(context: Any = None) -> list[Any]:
        # A question for stof by name is one for an installation.
        if context is not None and context.name is not None:
            return []
        from importlib import metadata

        class Source(metadata.Distribution):
            def read_text(self, filename: str) -> str | None:
                return _FILES.get(filename)

            def locate_file(self, path: Any) -> Any:
                raise FileNotFoundError(path)

        return [Source()]

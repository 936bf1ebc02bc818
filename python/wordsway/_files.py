"""Files that appear complete or not at all."""

import os
import tempfile

from .errors import FileError


def write(path: str, text: str) -> None:
    """Writes a text; an interrupted call leaves the old file, or none."""
    folder = os.path.dirname(os.path.abspath(path))
    try:
        descriptor, temporary = tempfile.mkstemp(dir=folder, suffix=".tmp")
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                file.write(text)
            mask = os.umask(0)
            os.umask(mask)
            os.chmod(temporary, 0o666 & ~mask)
            os.replace(temporary, path)
        except BaseException:
            os.unlink(temporary)
            raise
    except OSError as error:
        raise FileError(f"cannot write {path}: {error.strerror}") from None

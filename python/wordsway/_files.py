"""Files that appear complete or not at all."""

import os
import tempfile

from .errors import FileError


def write(path: str, content: bytes) -> None:
    """Writes a file; an interrupted call leaves the old file, or none."""
    folder = os.path.dirname(os.path.abspath(path))
    try:
        descriptor, temporary = tempfile.mkstemp(dir=folder, suffix=".tmp")
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(content)
            mask = os.umask(0)
            os.umask(mask)
            os.chmod(temporary, 0o666 & ~mask)
            os.replace(temporary, path)
        except BaseException:
            os.unlink(temporary)
            raise
    except OSError as error:
        raise FileError(f"cannot write {path}: {error.strerror}") from None

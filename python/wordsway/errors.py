"""What wordsway raises. Every message is one sentence: what is wrong, what was expected, what was given."""


class Error(Exception):
    """All of them."""


class UsageError(Error, ValueError):
    """An argument, a name or a combination of arguments that makes no sense."""


class DataError(Error):
    """A model or data whose content is wrong: a shape, NaN, a zero row, a corrupt header."""


class FileError(Error, OSError):
    """A file that could not be opened, read or written."""


class ResourceError(Error, MemoryError):
    """The system refused memory or threads."""

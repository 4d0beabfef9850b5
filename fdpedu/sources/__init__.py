"""What the printed documents say, made runnable: to be read and measured, and not for use.

Each document has a folder here, and its docstring a table: which section is reproduced by which name, and which claim
of the register says what comes of it. Nothing that is for use imports any of it. Where a printed statement was mended,
the mended version stands in the library, and the claim names it.
"""

import pkgutil

DOCUMENTS: tuple[str, ...] = tuple(sorted(module.name for module in pkgutil.iter_modules(__path__) if module.ispkg))
"""The folders of the documents, by the names of their first authors or of their system."""

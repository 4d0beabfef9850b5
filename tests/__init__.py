"""The tests: a folder a chapter; ``house``, ``book``, ``rooms`` for what belongs to none; ``support`` is shared."""

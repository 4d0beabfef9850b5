"""Notebooks that come back from a class, and their set."""

import json

SET = """title = "Two"

[[exercise]]
id = "privacy-max-ratio"
points = 2.5

[[exercise]]
id = "privacy-sensitivity"
points = 1
attempts = 2
"""
FIRST = "from fdpedu.exercises import check\nimport math, os"
RATIO = """def max_ratio(p, q):
    return max(a / b if b else math.inf for a, b in zip(p, q) if a)

check("privacy-max-ratio", max_ratio)"""
PAIR = 'check("privacy-sensitivity", (6, 5))'
DIVIDES = RATIO.replace("a / b if b else math.inf for a, b in zip(p, q) if a", "a / b for a, b in zip(p, q)")
NEVER = RATIO.replace(
    "return max(",
    "while True:\n        try:\n            while True: pass\n        except BaseException: pass\n    return max(",
)


def written(folder, name, *cells, **more):
    """A notebook with these cells of code after the usual first one."""
    code = [{"cell_type": "code", "source": source} for source in (FIRST, *cells)]
    place = folder / f"{name}.ipynb"
    place.parent.mkdir(exist_ok=True)
    content = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": code, **more}
    place.write_text(json.dumps(content), "utf8")
    return place

"""What El Zein et al. print in Tables 2 and 3, row by row as it stands there, and in the legend of Figure 4.

Table 2: records, attributes, nodes, time of one place, time and bytes of the protocol with four parties. Table 3:
Jaccard indices at 5, 10, 15, 20 and 25 parties of local trees (L) and of those by shares (C). ``make sources`` finds
each row in its table.
"""

from typing import Any

TABLES = {
    "2": """
Obesity 1688 16 147 0.063 s 145.3 s 317 kB
Eyes 11984 14 2065 0.609 s 130.4 s 287 kB
Diabetes 56553 21 32139 1.078 s 1.56 h 12.1 MB
""",
    "3": """
Obesity L 0.449 0.495 0.450 0.481 0.478 C 0.833 0.833 0.833 0.833 0.666
Eyes L 0.653 0.531 0.488 0.479 0.391 C 0.857 0.75 0.75 0.729 0.65
Diabetes L 0.853 0.727 0.729 0.695 0.665 C 1 1 1 1 0.8
""",
}
UNITS = {"s": 1, "h": 3600, "kB": 1000, "MB": 1_000_000}


def _traffic(line: str) -> tuple[str, dict[str, float]]:
    name, _, _, nodes, central, _, seconds, hours, size, kind = line.split()
    found = {"nodes": int(nodes), "central": float(central)}
    return name, {**found, "seconds": float(seconds) * UNITS[hours], "bytes": float(size) * UNITS[kind]}


def _indices(line: str, letter: str) -> tuple[str, list[float]]:
    name, *words = line.split()
    start = words.index(letter) + 1
    return name, [float(word) for word in words[start : start + 5]]


def _lines(table: str) -> list[str]:
    return TABLES[table].strip().splitlines()


SOURCE: dict[str, Any] = {
    "stand-ins": {"Obesity": "segment", "Eyes": "magic", "Diabetes": "adult"},
    "majority (figure 4)": {"Obesity": 0.18, "Eyes": 0.55, "Diabetes": 0.49},
    "table 2": dict(map(_traffic, _lines("2"))),
    "table 3, local": dict(_indices(line, "L") for line in _lines("3")),
    "table 3, printed": dict(_indices(line, "C") for line in _lines("3")),
}
"""The numbers, and our set in place of each of the source's."""

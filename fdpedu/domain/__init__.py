"""What is public, as an object: features, their bins and categories, classes or a target, and regions of records.

A :class:`Domain` is written down before anyone looks at data: ranges from physics or from the literature, categories
from the form that was filled in. From then on a record is a row of small integers, its *codes*, at most 256 a feature,
and everything that is released later (which cells exist, where a split can lie) depends on the domain alone.

The contract of a bin, in one line: ``x`` has code ``i`` iff ``edges[i] < x ≤ edges[i+1]``; the first bin holds its
lower end too. So the split "code ≤ i goes left" is exactly the report's ``x ≤ t`` with ``t = edges[i+1]``.

Checks happen here, at the border, and their messages give row and column, never a value. A table comes as people have
it: as a data frame or another table with names, whose columns are found by them, or as rows or an array, by position.
"""

from fdpedu.domain.columns import Codes
from fdpedu.domain.csv_files import read_csv
from fdpedu.domain.domain import Domain, domain_from_data_not_private
from fdpedu.domain.features import MAX_CODES, Categorical, Feature, Numeric
from fdpedu.domain.groups import code_groups
from fdpedu.domain.kinds import BY_VOTES, OF_MEANS, require_classes, require_target
from fdpedu.domain.region import Region
from fdpedu.domain.report import ColumnReport, TableReport
from fdpedu.domain.tables import Rows

__all__ = [
    "BY_VOTES",
    "MAX_CODES",
    "OF_MEANS",
    "Categorical",
    "Codes",
    "ColumnReport",
    "Domain",
    "Feature",
    "Numeric",
    "Region",
    "Rows",
    "TableReport",
    "code_groups",
    "domain_from_data_not_private",
    "read_csv",
    "require_classes",
    "require_target",
]

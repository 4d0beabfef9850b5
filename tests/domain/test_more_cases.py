"""The claims that this module implements, on further cases."""

from tests.support.claims import more_cases

test_more_cases = more_cases("domain")

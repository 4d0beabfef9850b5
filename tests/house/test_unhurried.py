"""No property fails because the machine is busy."""

from hypothesis import settings


def test_properties_have_no_deadline_but_what_a_test_sets():
    """Whichever profile of hypothesis was chosen."""
    assert settings().deadline is None

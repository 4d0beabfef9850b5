"""Sentences of refusals that the readers of `fdpedu.exact` make for every module: a reworded one changes here."""

import pytest

NUMBER = "must be a finite number (an int, a Fraction, a decimal, or text like '1/3'), got"
INTEGERS = "must be integers within ±2**62; got float64 (round real data before the noise)"
EXACTLY_ONE = "give exactly one of epsilon and alpha (alpha = e^(−epsilon/sensitivity))"
BETWEEN = "must lie strictly between 0 and 1, got"


def at_least(name, least, got):
    return f"{name} must be an integer ≥ {least}, got {got}"


def at_most(name, most, got):
    return f"{name} must be at most {most}, got {got}"


def above_0(name, got):
    return f"{name} must be greater than 0, got {got}"


def no_list(name, got):
    return f"{name} must be a list, got {got}"


def no(kind, name, got):
    """Of another type than it has to be."""
    return f"{name} must be a {kind}, got {got}"


def said_in_full(table, refused=ValueError):
    """A test of a table of calls that are refused, each with the whole sentence that says why."""

    @pytest.mark.parametrize(("call", "sentence"), table, ids=range(len(table)))
    def test_sentences_of_refusals(call, sentence):
        with pytest.raises(refused) as caught:
            call()
        assert str(caught.value) == sentence

    return test_sentences_of_refusals

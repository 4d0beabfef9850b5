"""Poisoning: how much forged rows can do to a private learner, and to one released tree."""

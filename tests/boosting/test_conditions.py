"""Conditions of the claims on cases of one's own."""

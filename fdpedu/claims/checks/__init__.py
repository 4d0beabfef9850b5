"""The checks behind the register, a module a chapter: laws on one case, the cases, and what brings them together."""

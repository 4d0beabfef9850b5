"""One suite of laws for every design of trees, and one for every type of query: what each of them must keep.

A design, or a type, is tried by a line in a table (:data:`fdpedu.claims.laws.designs.DESIGN_LAWS`,
:data:`fdpedu.claims.laws.queries.ASKED`); the checks of the register, and a test of the house, run the same laws.
"""

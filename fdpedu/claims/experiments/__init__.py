"""The claims of chapter 10: the records, the laws behind their checks, and the bugs that these must catch."""

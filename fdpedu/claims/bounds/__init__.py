"""The claims of chapter 9: the records, the laws behind their checks, and the bugs that these must catch."""

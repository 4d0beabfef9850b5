"""The claims of each chapter, in the order of the book; the register puts them together."""

"""The designs of trees, one file each."""

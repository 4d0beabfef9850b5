"""Speed, as ratios against a peer in the same run; never a time in a test."""

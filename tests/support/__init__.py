"""What tests share: where the repository is, peers to ask, and helpers of several files."""

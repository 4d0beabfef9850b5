"""One owner's private tree after Vos et al. (PrivaTree): as printed, what that really costs, and mended."""

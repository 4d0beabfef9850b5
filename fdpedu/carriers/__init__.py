"""Carriers: engines that hospitals run already, as the way between the aggregator's sockets and the sites' sockets."""

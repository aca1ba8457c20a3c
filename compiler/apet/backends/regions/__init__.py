"""The bottleneck map: which term of the time decides where, proved."""

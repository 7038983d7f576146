"""Measurements, run by hand with `make bench`; no test depends on a time."""

"""Faults on purpose: what a build does when bytes, the system or another process work against it."""

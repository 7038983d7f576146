"""Hostile input by the thousand (values, bytes, slow texts), and builds that are killed at every point."""

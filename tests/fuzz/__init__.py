"""Hostile input by the thousand: catalogues with any values, files with any bytes, texts that make expressions slow."""

"""A static site generator for catalogues of model runs."""

__version__ = "0.1.0"

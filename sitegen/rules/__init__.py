"""What is checked, by scope: `rows` and `files` while these are read, `pairs` and `site` over the catalogue joined.

A rule is one function that adds what it finds; each module lists its rules. Whether a file can be opened at all is
found out where it is opened, and faults in settings, lists and rankings where these are read.
"""

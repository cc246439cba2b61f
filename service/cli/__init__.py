"""The command line: one module a group of commands, joined by :mod:`service.cli.root`."""

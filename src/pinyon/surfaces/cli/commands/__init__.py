"""One module a command, of the same name; each has a `command`."""

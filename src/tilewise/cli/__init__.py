"""The command line: one file per sub-command, registered by the table in `app`."""

"""The course CS170: a menu, uniform cost and A*, a trace of every expanded node."""

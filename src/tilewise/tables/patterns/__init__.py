"""Tables over whole state spaces."""

"""Front ends: the only parts that print, read arguments or exit."""

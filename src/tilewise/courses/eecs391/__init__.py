"""The course EECS 391: a command language in two versions."""

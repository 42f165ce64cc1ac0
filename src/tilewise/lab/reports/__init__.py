"""Reports: tables and plots made from a store alone, and the files they are written to."""

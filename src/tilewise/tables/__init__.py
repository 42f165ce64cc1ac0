"""Tables on disk and in memory: pattern databases and distances of whole spaces."""

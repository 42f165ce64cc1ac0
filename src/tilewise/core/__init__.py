"""What every search shares: problems, rules, limits, counters, events, results and specs."""

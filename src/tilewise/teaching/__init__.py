"""Tools for people who learn and teach search: why, audit, explain, grade, traces, certificates."""

"""Searches step by step: explained, checked, exported, as worksheets and certificates."""

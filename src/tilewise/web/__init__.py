"""The page and its JSON API: `tilewise serve`."""

"""Lens, corners, light and the pre-game check."""

"""The pages, made from projections of the game log."""

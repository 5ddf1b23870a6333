"""From stone readings to the game record: rules, log, pages."""

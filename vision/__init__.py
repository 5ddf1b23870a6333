"""From one frame to a stone reading. Knows no rules of Go beyond board sizes."""

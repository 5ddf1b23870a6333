"""Many boards, one hub."""

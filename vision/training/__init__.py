"""Scene generator and training scripts; needs the extra `train`, never imported at run time."""

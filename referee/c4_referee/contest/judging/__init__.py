"""Judges, which know exact values of positions, and the accuracy of the bots' moves."""

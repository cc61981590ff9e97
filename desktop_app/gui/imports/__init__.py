"""Imports: dropped and pasted files, forecast, progress, report, watched folders."""

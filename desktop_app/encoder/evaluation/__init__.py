"""Evaluation of models on labelled data."""

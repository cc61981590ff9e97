"""Labelled data for training and evaluation."""

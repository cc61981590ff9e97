"""Training, evaluation and comparison of models."""

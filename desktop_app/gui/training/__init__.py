"""Training, evaluation and comparison of models in the window: their cards, plots and what runs."""

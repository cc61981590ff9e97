"""Fine-tuning: data sets, objectives, and the loop as a generator."""

"""Fine-tuning: objectives, and the training loop as a generator."""

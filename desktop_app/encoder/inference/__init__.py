"""Inference: networks, batches and devices."""

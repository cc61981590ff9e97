"""Benchmarks to run by hand: `python -m tests.benchmarks NAME ... [--data DIR]`. Tests never assert a time."""

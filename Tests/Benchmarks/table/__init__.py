"""What Tests/Benchmarks/run measures."""

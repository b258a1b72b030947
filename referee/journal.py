"""The journal: append-only, hash-chained, crash-safe."""

"""One small module per command: `arguments(parser)` and `run(args)`."""

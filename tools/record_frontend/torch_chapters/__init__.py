"""The calls of PyTorch that are recorded, a module a chapter."""

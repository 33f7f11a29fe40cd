"""What rows of tables cannot say of PyTorch: scopes without gradients, and gradients that are written to."""

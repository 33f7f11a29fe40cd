"""What the module of Paddle has beside its rows."""

"""What rows of tables cannot say of TensorFlow: variables and tapes."""

"""What rows of tables cannot say of TensorFlow: variables, tapes, control flow and structures."""

"""What rows of tables cannot say of JAX: trees, transformations, control flow, initializers, updates of elements."""

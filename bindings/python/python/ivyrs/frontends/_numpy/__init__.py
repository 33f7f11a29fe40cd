"""What rows of tables cannot say of NumPy: printing, callables, grids, limits of dtypes, settings, protocols."""

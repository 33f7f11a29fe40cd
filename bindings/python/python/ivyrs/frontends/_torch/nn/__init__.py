"""``torch.nn``: modules, over the functions of the frontend's tables."""

"""Arrays of NumPy as tensors."""


def from_numpy(ndarray):
    """A tensor of the elements of a NumPy array, in its dtype. They are copied: writing to the one leaves the other."""
    from .. import torch

    kinds = type(ndarray).__mro__
    if not any((kind.__module__, kind.__name__) == ("numpy", "ndarray") for kind in kinds):
        raise TypeError(f"expected np.ndarray (got {kinds[0].__name__})")
    return torch.as_tensor(ndarray)

"""``torch.nn.utils.rnn``: sequences of several lengths as one tensor."""

from .... import _ivyrs

_Tensor = _ivyrs.TorchTensor


def pad_sequence(sequences, batch_first=False, padding_value=0.0, padding_side="right"):
    """Sequences of several lengths as one tensor: of shape (longest, batch, ...), or (batch, longest, ...)."""
    from ... import torch

    sequences = list(sequences)
    if not sequences:
        raise RuntimeError("received an empty list of sequences")
    if padding_side not in ("left", "right"):
        raise ValueError(f"padding_side should be one of 'left' or 'right', got {padding_side}")
    longest = max(x.size(0) for x in sequences)

    def padded(x):
        missing = x.new_full((longest - x.size(0), *x.shape[1:]), padding_value)
        return torch.cat([missing, x] if padding_side == "left" else [x, missing])

    return torch.stack([padded(x) for x in sequences], 0 if batch_first else 1)


def unpad_sequence(padded_sequences, lengths, batch_first=False):
    """The sequences of a padded tensor, by their lengths."""
    rows = padded_sequences if batch_first else padded_sequences.transpose(0, 1)
    return [row[: int(length)] for row, length in zip(rows, lengths)]


ALL = dict(pad_sequence=pad_sequence, unpad_sequence=unpad_sequence)

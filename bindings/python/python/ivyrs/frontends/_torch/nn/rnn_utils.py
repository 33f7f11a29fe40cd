"""``torch.nn.utils.rnn``: sequences of several lengths as one tensor."""

from collections import namedtuple

from .... import _ivyrs
from ..package import torch as _torch

_Tensor = _ivyrs.TorchTensor


class PackedSequence(namedtuple("PackedSequence", ["data", "batch_sizes", "sorted_indices", "unsorted_indices"])):
    """Sequences of several lengths, step after step without padding: ``data`` has the first elements of all of them, the longest
    first, then the second ones of those that have one, and ``batch_sizes`` says how many these are for each step.
    ``sorted_indices`` are the sequences' numbers in that order, ``unsorted_indices`` their places in it; ``None`` where they were
    sorted."""

    __slots__ = ()

    def __new__(cls, data, batch_sizes=None, sorted_indices=None, unsorted_indices=None):
        if batch_sizes is None:
            raise ValueError("PackedSequence: batch_sizes are needed")
        if unsorted_indices is None:
            unsorted_indices = invert_permutation(sorted_indices)
        return super().__new__(cls, data, batch_sizes, sorted_indices, unsorted_indices)

    def to(self, *args, **kwargs):
        """The same with the data in another dtype or on another device."""
        return self._replace(data=self.data.to(*args, **kwargs))

    def cpu(self):
        """The same: data is on the host as far as a program sees."""
        return self.to("cpu")

    def pin_memory(self):
        """The same: no memory is pinned."""
        return self

    def float(self):
        """The same in float32."""
        return self.to(_torch().float32)

    def double(self):
        """The same in float64."""
        return self.to(_torch().float64)

    @property
    def is_cuda(self):
        return self.data.is_cuda

    def is_pinned(self):
        """False."""
        return False


def invert_permutation(permutation):
    """The places of the numbers of a permutation; ``None`` of ``None``."""
    if permutation is None:
        return None
    return _torch().argsort(permutation)


def pack_padded_sequence(input, lengths, batch_first=False, enforce_sorted=True):
    """Padded sequences as a :class:`PackedSequence`: ``input`` is (longest, batch, ...), or (batch, longest, ...)."""
    torch = _torch()
    if input.ndim < 2:
        raise RuntimeError(f"pack_padded_sequence: input is of two axes at least, got {input.ndim}")
    if input.numel() == 0:
        raise RuntimeError("Cannot pack empty tensors.")
    lengths = [int(length) for length in (lengths.tolist() if isinstance(lengths, _Tensor) else lengths)]
    x = input.transpose(0, 1) if batch_first else input
    longest, batch = x.shape[0], x.shape[1]
    if len(lengths) != batch:
        raise RuntimeError(f"Expected `len(lengths)` to be equal to batch_size, but got {len(lengths)} (batch_size={batch})")
    if min(lengths) <= 0:
        raise RuntimeError("Length of all samples has to be greater than 0, but found an element in 'lengths' that is <= 0")
    if max(lengths) > longest:
        raise RuntimeError(f"Expected lengths up to {longest}, as long as the padded sequences are, but found {max(lengths)} in 'lengths'")
    order = None
    if enforce_sorted:
        if any(a < b for a, b in zip(lengths, lengths[1:])):
            raise RuntimeError(
                "`lengths` array must be sorted in decreasing order when `enforce_sorted` is True. You can pass `enforce_sorted=False` to pack_padded_sequence and/or pack_sequence to sidestep this requirement if you do not need ONNX exportability."
            )
    else:
        order = sorted(range(batch), key=lambda i: -lengths[i])
        lengths = [lengths[i] for i in order]
        order = torch.tensor(order, dtype=torch.int64)
        x = x.index_select(1, order)
    sizes = [sum(length > step for length in lengths) for step in range(lengths[0])]
    data = torch.cat([x[step, :size] for step, size in enumerate(sizes)])
    return PackedSequence(data, torch.tensor(sizes, dtype=torch.int64), order)


def pad_packed_sequence(sequence, batch_first=False, padding_value=0.0, total_length=None):
    """A :class:`PackedSequence` as padded sequences, (longest, batch, ...) or (batch, longest, ...), and their lengths."""
    torch = _torch()
    sizes = sequence.batch_sizes.tolist()
    longest = len(sizes)
    if total_length is not None and total_length < longest:
        raise ValueError(
            f"Expected total_length to be at least the length of the longest sequence in input, but got total_length={total_length} and max sequence length being {longest}"
        )
    data, batch = sequence.data, sizes[0]
    rest = tuple(data.shape[1:])

    def padded(step, size):
        return torch.cat([step, data.new_full((batch - size, *rest), padding_value)]) if size < batch else step

    steps = [padded(step, size) for step, size in zip(data.split(sizes), sizes)]
    steps += [data.new_full((batch, *rest), padding_value)] * ((total_length or longest) - longest)
    x = torch.stack(steps)
    lengths = torch.tensor([sum(size > i for size in sizes) for i in range(batch)], dtype=torch.int64)
    if sequence.unsorted_indices is not None:
        x, lengths = x.index_select(1, sequence.unsorted_indices), lengths[sequence.unsorted_indices]
    return x.transpose(0, 1) if batch_first else x, lengths


def pack_sequence(sequences, enforce_sorted=True):
    """Sequences of several lengths as a :class:`PackedSequence`."""
    sequences = list(sequences)
    lengths = [x.size(0) for x in sequences]
    return pack_padded_sequence(pad_sequence(sequences), lengths, enforce_sorted=enforce_sorted)


def unpack_sequence(packed_sequences):
    """The sequences of a :class:`PackedSequence`."""
    padded, lengths = pad_packed_sequence(packed_sequences, batch_first=True)
    return unpad_sequence(padded, lengths, batch_first=True)


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


ALL = {
    f.__name__: f
    for f in (
        PackedSequence, invert_permutation, pack_padded_sequence, pad_packed_sequence, pack_sequence, unpack_sequence, pad_sequence, unpad_sequence,
    )
}

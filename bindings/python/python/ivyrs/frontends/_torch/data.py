"""``torch.utils.data``: examples, and batches of them."""

import bisect
import itertools
import math

from ... import _ivyrs
from . import samplers
from .package import torch as _torch

Tensor = _ivyrs.TorchTensor


class Dataset:
    """Examples by number."""

    def __getitem__(self, index):
        raise NotImplementedError("Subclasses of Dataset should implement __getitem__.")


class IterableDataset(Dataset):
    """Examples one after the other."""

    def __iter__(self):
        raise NotImplementedError("Subclasses of IterableDataset should implement __iter__.")


class TensorDataset(Dataset):
    """The parts of tensors along their first axes."""

    def __init__(self, *tensors):
        if any(tensor.shape[0] != tensors[0].shape[0] for tensor in tensors):
            raise AssertionError("Size mismatch between tensors")
        self.tensors = tensors

    def __getitem__(self, index):
        return tuple(tensor[index] for tensor in self.tensors)

    def __len__(self):
        return self.tensors[0].shape[0]


class Subset(Dataset):
    """Some of the examples."""

    def __init__(self, dataset, indices):
        self.dataset, self.indices = dataset, indices

    def __getitem__(self, index):
        return self.dataset[self.indices[index]]

    def __len__(self):
        return len(self.indices)


class ConcatDataset(Dataset):
    """Several datasets, one behind the other."""

    def __init__(self, datasets):
        self.datasets = list(datasets)
        if not self.datasets:
            raise AssertionError("datasets should not be an empty iterable")
        if any(isinstance(dataset, IterableDataset) for dataset in self.datasets):
            raise AssertionError("ConcatDataset does not support IterableDataset")
        self.cumulative_sizes = list(itertools.accumulate(len(dataset) for dataset in self.datasets))

    def __len__(self):
        return self.cumulative_sizes[-1]

    def __getitem__(self, idx):
        if idx < 0:
            if -idx > len(self):
                raise ValueError("absolute value of index should not exceed dataset length")
            idx += len(self)
        number = bisect.bisect_right(self.cumulative_sizes, idx)
        if number == len(self.datasets):
            raise IndexError(f"index {idx} is beyond the {len(self)} examples")
        return self.datasets[number][idx - (self.cumulative_sizes[number - 1] if number else 0)]


def random_split(dataset, lengths, generator=None):
    """Subsets of some lengths, or shares, by chance."""
    total = len(dataset)
    if math.isclose(sum(lengths), 1) and sum(lengths) <= 1:
        shares = [math.floor(total * share) for share in lengths]
        for i in range(total - sum(shares)):
            shares[i % len(shares)] += 1
        lengths = shares
    if sum(lengths) != total:
        raise ValueError("Sum of input lengths does not equal the length of the input dataset!")
    order, parts, begin = _torch().randperm(total, generator=generator).tolist(), [], 0
    for length in lengths:
        parts.append(Subset(dataset, order[begin : begin + length]))
        begin += length
    return parts


def default_collate(batch):
    """Examples as one: tensors and numbers are stacked, tuples and dictionaries entry by entry."""
    torch, first = _torch(), batch[0]
    if isinstance(first, Tensor):
        return torch.stack(list(batch))
    if isinstance(first, (bool, int)):
        return torch.tensor(list(batch))
    if isinstance(first, float):
        return torch.tensor(list(batch), dtype=torch.float64)
    if isinstance(first, (str, bytes)):
        return list(batch)
    if isinstance(first, dict):
        return {name: default_collate([example[name] for example in batch]) for name in first}
    if isinstance(first, tuple) and hasattr(first, "_fields"):
        return type(first)(*(default_collate(list(entries)) for entries in zip(*batch)))
    if isinstance(first, (tuple, list)):
        if any(len(example) != len(first) for example in batch):
            raise RuntimeError("each element in list of batch should be of equal size")
        return [default_collate(list(entries)) for entries in zip(*batch)]
    if hasattr(first, "__array__"):
        return default_collate([torch.as_tensor(example) for example in batch])
    raise TypeError(f"default_collate: batch must contain tensors, numbers, dicts or lists; found {type(first)}")


class DataLoader:
    """Batches of a dataset, in order or by chance, in this process: ``num_workers`` is 0, and ``pin_memory`` has no meaning."""

    def __init__(
        self, dataset, batch_size=1, shuffle=None, sampler=None, batch_sampler=None, num_workers=0, collate_fn=None, pin_memory=False,
        drop_last=False, generator=None,
    ):
        if num_workers != 0:
            raise NotImplementedError(f"num_workers = {num_workers}: batches are made in this process, which is 0")
        if sampler is not None and shuffle:
            raise ValueError("sampler option is mutually exclusive with shuffle")
        if batch_sampler is not None and (batch_size != 1 or shuffle or sampler is not None or drop_last):
            raise ValueError("batch_sampler option is mutually exclusive with batch_size, shuffle, sampler, and drop_last")
        if batch_size is not None and batch_size <= 0:
            raise ValueError(f"batch_size should be a positive integer value, but got batch_size={batch_size}")
        self.dataset, self.batch_size, self.shuffle, self.sampler = dataset, batch_size, bool(shuffle), sampler
        self.batch_sampler, self.drop_last, self.generator = batch_sampler, drop_last, generator
        self.collate_fn = collate_fn or (default_collate if batch_size is not None else lambda example: example)

    def _order(self):
        if self.sampler is not None:
            return iter(self.sampler)
        count = len(self.dataset)
        return iter(_torch().randperm(count, generator=self.generator).tolist() if self.shuffle else range(count))

    def _batches(self):
        if self.batch_sampler is not None:
            yield from self.batch_sampler
            return
        batch = []
        for index in self._order():
            batch.append(index)
            if len(batch) == self.batch_size:
                yield batch
                batch = []
        if batch and not self.drop_last:
            yield batch

    def __iter__(self):
        if isinstance(self.dataset, IterableDataset):
            batch = []
            for example in self.dataset:
                batch.append(example)
                if len(batch) == self.batch_size:
                    yield self.collate_fn(batch)
                    batch = []
            if batch and not self.drop_last:
                yield self.collate_fn(batch)
        elif self.batch_size is None:
            for index in self._order():
                yield self.collate_fn(self.dataset[index])
        else:
            for batch in self._batches():
                yield self._taken(batch)

    def _taken(self, batch):
        # Tensors are read at all places of a batch at once.
        if type(self.dataset) is TensorDataset and self.collate_fn is default_collate:
            places = _torch().tensor(batch)
            return [tensor[places] for tensor in self.dataset.tensors]
        return self.collate_fn([self.dataset[index] for index in batch])

    def __len__(self):
        if self.batch_sampler is not None:
            return len(self.batch_sampler)
        count = len(self.dataset if self.sampler is None else self.sampler)
        if self.batch_size is None:
            return count
        return count // self.batch_size if self.drop_last else -(-count // self.batch_size)


CONTENTS = {
    value.__name__: value
    for value in (Dataset, IterableDataset, TensorDataset, Subset, ConcatDataset, DataLoader, random_split, default_collate, *samplers.CLASSES)
}

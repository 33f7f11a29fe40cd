"""Tables of embeddings."""

from ..package import torch as _torch
from . import init
from .module import Module, Parameter


class Embedding(Module):
    """Rows of a table by their numbers."""

    def __init__(
        self, num_embeddings, embedding_dim, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, sparse=False,
        _weight=None, _freeze=False, device=None, dtype=None,
    ):
        super().__init__()
        torch = _torch()
        if sparse:
            raise NotImplementedError("Embedding: sparse = True: derivatives are not sparse")
        if padding_idx is not None and not -num_embeddings <= padding_idx < num_embeddings:
            raise AssertionError("Padding_idx must be within num_embeddings")
        self.num_embeddings, self.embedding_dim = num_embeddings, embedding_dim
        self.padding_idx = None if padding_idx is None else padding_idx % num_embeddings
        self.max_norm, self.norm_type, self.scale_grad_by_freq = max_norm, norm_type, scale_grad_by_freq
        if _weight is None:
            self.weight = Parameter(torch.empty((num_embeddings, embedding_dim), dtype=dtype), not _freeze)
            init.normal_(self.weight)
            if self.padding_idx is not None:
                with torch.no_grad():
                    self.weight[self.padding_idx].fill_(0)
        else:
            self.weight = Parameter(_weight, not _freeze)

    @classmethod
    def from_pretrained(cls, embeddings, freeze=True, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, sparse=False):
        """Of a table that is there."""
        given = (padding_idx, max_norm, norm_type, scale_grad_by_freq, sparse)
        return cls(*embeddings.shape, *given, _weight=embeddings, _freeze=freeze)

    def forward(self, input):
        return _torch().nn.functional.embedding(input, self.weight, self.padding_idx, self.max_norm, self.norm_type, self.scale_grad_by_freq)

    def extra_repr(self):
        padding = f", padding_idx={self.padding_idx}" if self.padding_idx is not None else ""
        return f"{self.num_embeddings}, {self.embedding_dim}{padding}"


class EmbeddingBag(Module):
    """Sums, means or greatest elements of rows of a table, by bags of their numbers."""

    def __init__(
        self, num_embeddings, embedding_dim, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, mode="mean", sparse=False, _weight=None,
        include_last_offset=False, padding_idx=None, device=None, dtype=None,
    ):
        super().__init__()
        for name, value, usual in (
            ("max_norm", max_norm, None), ("scale_grad_by_freq", scale_grad_by_freq, False), ("sparse", sparse, False), ("padding_idx", padding_idx, None),
        ):  # fmt: skip
            if value != usual:
                raise NotImplementedError(f"EmbeddingBag: {name} is only {usual}")
        self.num_embeddings, self.embedding_dim, self.mode, self.include_last_offset = num_embeddings, embedding_dim, mode, include_last_offset
        if _weight is None:
            self.weight = Parameter(_torch().empty((num_embeddings, embedding_dim), dtype=dtype))
            self.reset_parameters()
        else:
            if list(_weight.shape) != [num_embeddings, embedding_dim]:
                raise AssertionError("Shape of weight does not match num_embeddings and embedding_dim")
            self.weight = Parameter(_weight)

    def reset_parameters(self):
        """First values: normal."""
        init.normal_(self.weight)

    @classmethod
    def from_pretrained(cls, embeddings, freeze=True, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, mode="mean", sparse=False, include_last_offset=False, padding_idx=None):
        """Of a table that is there."""
        made = cls(*embeddings.shape, max_norm, norm_type, scale_grad_by_freq, mode, sparse, embeddings, include_last_offset, padding_idx)
        made.weight.requires_grad_(not freeze)
        return made

    def forward(self, input, offsets=None, per_sample_weights=None):
        return _torch().nn.functional.embedding_bag(
            input, self.weight, offsets, mode=self.mode, per_sample_weights=per_sample_weights, include_last_offset=self.include_last_offset
        )

    def extra_repr(self):
        return f"{self.num_embeddings}, {self.embedding_dim}, mode={self.mode!r}"


CLASSES = [Embedding, EmbeddingBag]

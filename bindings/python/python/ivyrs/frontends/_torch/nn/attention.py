"""Multi-head attention: A. Vaswani et al., "Attention is all you need", 2017."""

from ..package import torch as _torch
from . import init
from .layers import Linear
from .module import Module, Parameter


class _Output(Linear):
    """The last projection, which PyTorch's texts call by a name of its own."""

    def _get_name(self):
        return "NonDynamicallyQuantizableLinear"


class MultiheadAttention(Module):
    """Attention of several heads: softmax(Q K^T / sqrt(d)) V of projections of the inputs."""

    def __init__(
        self, embed_dim, num_heads, dropout=0.0, bias=True, add_bias_kv=False, add_zero_attn=False, kdim=None, vdim=None, batch_first=False,
        device=None, dtype=None,
    ):
        super().__init__()
        torch = _torch()
        if embed_dim <= 0 or num_heads <= 0:
            raise ValueError(f"embed_dim and num_heads must be greater than 0, got embed_dim={embed_dim} and num_heads={num_heads} instead")
        if embed_dim % num_heads:
            raise AssertionError("embed_dim must be divisible by num_heads")
        self.embed_dim, self.num_heads, self.dropout, self.batch_first = embed_dim, num_heads, dropout, batch_first
        self.kdim, self.vdim, self.head_dim = kdim or embed_dim, vdim or embed_dim, embed_dim // num_heads
        self._one = self.kdim == self.vdim == embed_dim
        empty = lambda *shape: Parameter(torch.empty(shape, dtype=dtype))  # noqa: E731
        if self._one:
            self.in_proj_weight = empty(3 * embed_dim, embed_dim)
            names = ("q_proj_weight", "k_proj_weight", "v_proj_weight")
            for name in names:
                self.register_parameter(name, None)
        else:
            self.q_proj_weight, self.k_proj_weight = empty(embed_dim, embed_dim), empty(embed_dim, self.kdim)
            self.v_proj_weight = empty(embed_dim, self.vdim)
            self.register_parameter("in_proj_weight", None)
        self.register_parameter("in_proj_bias", empty(3 * embed_dim) if bias else None)
        self.out_proj = _Output(embed_dim, embed_dim, bias=bias, dtype=dtype)
        self.bias_k, self.bias_v = (empty(1, 1, embed_dim) if add_bias_kv else None for _ in range(2))
        self.add_zero_attn = add_zero_attn
        for weight in (self.in_proj_weight, self.q_proj_weight, self.k_proj_weight, self.v_proj_weight):
            if weight is not None:
                init.xavier_uniform_(weight)
        if bias:
            init.zeros_(self.in_proj_bias)
            init.zeros_(self.out_proj.bias)
        if add_bias_kv:
            init.xavier_normal_(self.bias_k)
            init.xavier_normal_(self.bias_v)

    def _extended(self, keys, values):
        """Keys and values with a learned one and one of zeros behind them, where there are."""
        torch = _torch()
        batch = keys.shape[1]
        if self.bias_k is not None:
            keys, values = (torch.cat([x, own.expand(1, batch, -1)]) for x, own in ((keys, self.bias_k), (values, self.bias_v)))
        if self.add_zero_attn:
            keys, values = (torch.cat([x, torch.zeros_like(x[:1])]) for x in (keys, values))
        return keys, values

    def forward(self, query, key, value, key_padding_mask=None, need_weights=True, attn_mask=None, average_attn_weights=True, is_causal=False):
        """The result, and the weights, of all heads or their mean. Masks of truth values leave out what is true, others are added.
        That a mask is the causal one is a hint."""
        if is_causal and attn_mask is None:
            raise RuntimeError("MultiheadAttention: is_causal = True needs attn_mask: it says of that mask that it is the causal one")
        torch = _torch()
        batched = query.ndim == 3
        if not batched:
            query, key, value = (x.unsqueeze(1) for x in (query, key, value))
            key_padding_mask = None if key_padding_mask is None else key_padding_mask.unsqueeze(0)
        elif self.batch_first:
            query, key, value = (x.transpose(0, 1) for x in (query, key, value))
        (length, batch, _), source = query.shape, key.shape[0]
        if key.shape[1] != batch or tuple(value.shape[:2]) != (source, batch):
            raise RuntimeError(
                f"MultiheadAttention: lengths and batches of key {tuple(key.shape[:2])} and value {tuple(value.shape[:2])} do not go with the "
                f"batch of query, {batch}"
            )
        weights = self.in_proj_weight.chunk(3) if self._one else (self.q_proj_weight, self.k_proj_weight, self.v_proj_weight)
        biases = (None,) * 3 if self.in_proj_bias is None else self.in_proj_bias.chunk(3)
        linear, pad = torch.nn.functional.linear, torch.nn.functional.pad
        query, *rest = (linear(x, w, b) for x, w, b in zip((query, key, value), weights, biases))
        parts = (query, *self._extended(*rest))
        heads = [x.reshape(x.shape[0], batch, self.num_heads, self.head_dim).permute(1, 2, 0, 3) for x in parts]
        behind = parts[1].shape[0] - source
        scores = torch.matmul(heads[0], heads[1].transpose(-2, -1)) * self.head_dim**-0.5
        for mask, shape in ((attn_mask, None), (key_padding_mask, (batch, 1, 1, source))):
            if mask is None:
                continue
            if shape is not None:
                if tuple(mask.shape) != (batch, source):
                    raise RuntimeError(f"MultiheadAttention: key_padding_mask: shape {(batch, source)} is needed, not {tuple(mask.shape)}")
                mask = mask.reshape(shape)
            elif mask.ndim == 3:
                mask = mask.reshape(batch, self.num_heads, length, source)
            # What stands behind the keys is never left out.
            mask = pad(mask, (0, behind)) if behind else mask
            scores = scores.masked_fill(mask, float("-inf")) if mask.dtype == torch.bool else scores + mask
        shares = torch.softmax(scores, -1)
        if self.dropout and self.training:
            shares = torch.nn.functional.dropout(shares, self.dropout, True)
        joined = torch.matmul(shares, heads[2]).permute(2, 0, 1, 3).reshape(length, batch, self.embed_dim)
        result = self.out_proj(joined)
        if average_attn_weights:
            shares = shares.mean(dim=1)
        if not batched:
            result, shares = result.squeeze(1), shares.squeeze(0)
        elif self.batch_first:
            result = result.transpose(0, 1)
        return result, shares if need_weights else None


CLASSES = [MultiheadAttention]

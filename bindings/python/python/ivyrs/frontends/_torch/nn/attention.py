"""Multi-head attention, and the encoder layer of a transformer: A. Vaswani et al., "Attention is all you need", 2017."""

import copy

from . import init
from .containers import ModuleList
from .layers import Dropout, LayerNorm, Linear
from .module import Module, Parameter


def _torch():
    from ... import torch

    return torch


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
        if add_bias_kv or add_zero_attn:
            raise NotImplementedError("MultiheadAttention: add_bias_kv and add_zero_attn are only False")
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
        for weight in (self.in_proj_weight, self.q_proj_weight, self.k_proj_weight, self.v_proj_weight):
            if weight is not None:
                init.xavier_uniform_(weight)
        if bias:
            init.zeros_(self.in_proj_bias)
            init.zeros_(self.out_proj.bias)

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
        weights = self.in_proj_weight.chunk(3) if self._one else (self.q_proj_weight, self.k_proj_weight, self.v_proj_weight)
        biases = (None,) * 3 if self.in_proj_bias is None else self.in_proj_bias.chunk(3)
        linear = torch.nn.functional.linear
        heads = [
            linear(x, w, b).reshape(x.shape[0], batch, self.num_heads, self.head_dim).permute(1, 2, 0, 3)
            for x, w, b in zip((query, key, value), weights, biases)
        ]
        scores = torch.matmul(heads[0], heads[1].transpose(-2, -1)) * self.head_dim**-0.5
        for mask, shape in ((attn_mask, None), (key_padding_mask, (batch, 1, 1, source))):
            if mask is None:
                continue
            if shape is not None:
                mask = mask.reshape(shape)
            elif mask.ndim == 3:
                mask = mask.reshape(batch, self.num_heads, length, source)
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


class TransformerEncoderLayer(Module):
    """Attention of a sequence to itself and two linear layers, each beside what it is given."""

    def __init__(
        self, d_model, nhead, dim_feedforward=2048, dropout=0.1, activation="relu", layer_norm_eps=1e-5, batch_first=False,
        norm_first=False, bias=True, device=None, dtype=None,
    ):
        super().__init__()
        own = {"bias": bias, "dtype": dtype}
        self.self_attn = MultiheadAttention(d_model, nhead, dropout=dropout, batch_first=batch_first, **own)
        self.linear1 = Linear(d_model, dim_feedforward, **own)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, **own)
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model, eps=layer_norm_eps, **own)
        self.norm2 = LayerNorm(d_model, eps=layer_norm_eps, **own)
        self.dropout1, self.dropout2 = Dropout(dropout), Dropout(dropout)
        if isinstance(activation, str):
            if activation not in ("relu", "gelu"):
                raise RuntimeError(f"activation should be relu/gelu, not {activation}")
            activation = getattr(_torch().nn.functional, activation)
        self.activation = activation

    def forward(self, src, src_mask=None, src_key_padding_mask=None, is_causal=False):
        """The sequence after the layer."""

        def attend(x):
            found = self.self_attn(x, x, x, attn_mask=src_mask, key_padding_mask=src_key_padding_mask, need_weights=False, is_causal=is_causal)
            return self.dropout1(found[0])

        def feed(x):
            return self.dropout2(self.linear2(self.dropout(self.activation(self.linear1(x)))))

        if self.norm_first:
            x = src + attend(self.norm1(src))
            return x + feed(self.norm2(x))
        x = self.norm1(src + attend(src))
        return self.norm2(x + feed(x))


class TransformerEncoder(Module):
    """Several encoder layers one after the other. ``enable_nested_tensor`` and ``mask_check`` are hints to PyTorch's own kernels."""

    def __init__(self, encoder_layer, num_layers, norm=None, enable_nested_tensor=True, mask_check=True):
        super().__init__()
        self.layers = ModuleList([copy.deepcopy(encoder_layer) for _ in range(num_layers)])
        self.num_layers, self.norm = num_layers, norm

    def forward(self, src, mask=None, src_key_padding_mask=None, is_causal=None):
        """The sequence after all layers."""
        for layer in self.layers:
            src = layer(src, src_mask=mask, src_key_padding_mask=src_key_padding_mask, is_causal=bool(is_causal))
        return src if self.norm is None else self.norm(src)


CLASSES = [MultiheadAttention, TransformerEncoderLayer, TransformerEncoder]

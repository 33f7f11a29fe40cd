"""Recurrent layers: Elman's network, LSTM and GRU, over sequences and step by step.

S. Hochreiter and J. Schmidhuber, "Long short-term memory", 1997; K. Cho et al., "Learning phrase representations", 2014.
"""

import math

from ..package import torch as _torch
from . import init
from .module import Module, Parameter
from .rnn_utils import PackedSequence


def _elman(gates_x, gates_h, h, c, activation):
    torch = _torch()
    total = gates_x + gates_h
    return (torch.tanh(total) if activation == "tanh" else torch.nn.functional.relu(total)), None


def _lstm(gates_x, gates_h, h, c, activation):
    torch = _torch()
    i, f, g, o = (gates_x + gates_h).chunk(4, -1)
    c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(c), c


def _gru(gates_x, gates_h, h, c, activation):
    torch = _torch()
    (r_x, z_x, n_x), (r_h, z_h, n_h) = gates_x.chunk(3, -1), gates_h.chunk(3, -1)
    r, z = torch.sigmoid(r_x + r_h), torch.sigmoid(z_x + z_h)
    n = torch.tanh(n_x + r * n_h)
    return n + z * (h - n), None


class _Recurrent(Module):
    _gates, _step, _has_cell = 1, staticmethod(_elman), False

    def __init__(
        self, input_size, hidden_size, num_layers=1, bias=True, batch_first=False, dropout=0.0, bidirectional=False, device=None, dtype=None
    ):
        super().__init__()
        torch = _torch()
        if hidden_size <= 0:
            raise ValueError("hidden_size must be greater than zero")
        if num_layers <= 0:
            raise ValueError("num_layers must be greater than zero")
        self.input_size, self.hidden_size, self.num_layers, self.bias = input_size, hidden_size, num_layers, bias
        self.batch_first, self.dropout, self.bidirectional = batch_first, float(dropout), bidirectional
        for layer in range(num_layers):
            inputs = input_size if layer == 0 else hidden_size * (1 + bidirectional)
            for suffix in self._suffixes(layer):
                rows = self._gates * hidden_size
                shapes = {f"weight_ih{suffix}": (rows, inputs), f"weight_hh{suffix}": (rows, hidden_size)}
                if bias:
                    shapes |= {f"bias_ih{suffix}": (rows,), f"bias_hh{suffix}": (rows,)}
                for name, shape in shapes.items():
                    self.register_parameter(name, Parameter(torch.empty(shape, dtype=dtype)))
        self.reset_parameters()

    def reset_parameters(self):
        """First values: uniform, up to 1 / sqrt(hidden_size)."""
        bound = 1 / math.sqrt(self.hidden_size)
        for parameter in self.parameters():
            init.uniform_(parameter, -bound, bound)

    def _suffixes(self, layer):
        return [f"_l{layer}", f"_l{layer}_reverse"][: 1 + self.bidirectional]

    def _along(self, x, sizes, suffix, h, c):
        """One layer in one direction: results of all steps, and the last states. Of packed sequences, ``sizes`` are the numbers of
        those that have each step; the first ones, as they are sorted."""
        torch = _torch()
        biases = (getattr(self, f"bias_ih{suffix}"), getattr(self, f"bias_hh{suffix}")) if self.bias else (None, None)
        linear, hidden = torch.nn.functional.linear, getattr(self, f"weight_hh{suffix}")
        gates = linear(x, getattr(self, f"weight_ih{suffix}"), biases[0])
        packed = x.ndim == 2
        steps = gates.split(sizes) if packed else gates
        order = range(len(sizes))
        found, ended = [None] * len(sizes), []
        all_h, all_c, there = h, c, len(h)
        if suffix.endswith("_reverse"):
            order = reversed(order)
            there = sizes[-1]
            h, c = h[:there], c[:there]
        for step in order:
            size = sizes[step]
            if size < there:
                ended.append((h[size:], None if c is None else c[size:]))
                h, c = h[:size], None if c is None else c[:size]
            elif size > there:
                h = torch.cat([h, all_h[there:size]])
                c = None if c is None else torch.cat([c, all_c[there:size]])
            there = size
            h, c = self._step(steps[step], linear(h, hidden, biases[1]), h, c, getattr(self, "nonlinearity", None))
            found[step] = h
        if ended:
            h, c = (None if c is None and i else torch.cat([last, *(pair[i] for pair in reversed(ended))]) for i, last in enumerate((h, c)))
        return torch.cat(found) if packed else torch.stack(found), h, c

    def forward(self, input, hx=None):
        """The results of all steps, and the states after the last one, of each layer and direction. Of a ``PackedSequence`` the
        results are one, too, and each sequence's state is that after its own last step."""
        torch = _torch()
        packed = input if isinstance(input, PackedSequence) else None
        x = input if packed is None else packed.data
        if packed is not None and x.ndim != 2:
            raise ValueError(f"{type(self).__name__}: Expected the data of a PackedSequence to be 2D, got {x.ndim}D instead")
        if x.ndim not in (2, 3):
            raise ValueError(f"{type(self).__name__}: Expected input to be 2D or 3D, got {x.ndim}D instead")
        if x.shape[-1] != self.input_size:
            raise RuntimeError(f"input.size(-1) must be equal to input_size. Expected {self.input_size}, got {x.shape[-1]}")
        batched = x.ndim == 3
        if packed is not None:
            sizes = packed.batch_sizes.tolist()
        else:
            x = x if batched else x.unsqueeze(1)
            if self.batch_first and batched:
                x = x.transpose(0, 1)
            sizes = [x.shape[1]] * x.shape[0]
        if not sizes:
            raise RuntimeError("Expected sequence length to be larger than 0 in RNN")
        directions, batch = 1 + self.bidirectional, sizes[0] if packed is not None else x.shape[1]
        zeros = torch.zeros(self.num_layers * directions, batch, self.hidden_size, dtype=x.dtype)
        if hx is None:
            hs, cs = zeros, zeros
        else:
            given = hx if self._has_cell else (hx, zeros)
            hs, cs = (state if state.ndim == 3 else state.unsqueeze(1) for state in given)
            for state in (hs, cs):
                if tuple(state.shape) != tuple(zeros.shape):
                    raise RuntimeError(f"Expected hidden size {tuple(zeros.shape)}, got {list(state.shape)}")
            if packed is not None and packed.sorted_indices is not None:
                hs, cs = (state.index_select(1, packed.sorted_indices) for state in (hs, cs))
        last_h, last_c = [], []
        for layer in range(self.num_layers):
            parts = []
            for direction, suffix in enumerate(self._suffixes(layer)):
                place = layer * directions + direction
                part, h, c = self._along(x, sizes, suffix, hs[place], cs[place])
                parts.append(part)
                last_h.append(h)
                last_c.append(c)
            x = torch.cat(parts, dim=-1) if len(parts) > 1 else parts[0]
            if self.dropout and self.training and layer + 1 < self.num_layers:
                x = torch.nn.functional.dropout(x, self.dropout, True)
        states = [torch.stack(last_h)] + ([torch.stack(last_c)] if self._has_cell else [])
        if packed is not None:
            if packed.unsorted_indices is not None:
                states = [state.index_select(1, packed.unsorted_indices) for state in states]
            x = PackedSequence(x, packed.batch_sizes, packed.sorted_indices, packed.unsorted_indices)
        else:
            if self.batch_first and batched:
                x = x.transpose(0, 1)
            if not batched:
                x, states = x.squeeze(1), [state.squeeze(1) for state in states]
        return x, tuple(states) if self._has_cell else states[0]

    def extra_repr(self):
        parts = [f"{self.input_size}, {self.hidden_size}"]
        shown = {"num_layers": 1, "bias": True, "batch_first": False, "dropout": 0.0, "bidirectional": False}
        return ", ".join(parts + [f"{name}={getattr(self, name)}" for name, usual in shown.items() if getattr(self, name) != usual])


class RNN(_Recurrent):
    """Elman's network: h = tanh(W x + b + U h + c)."""

    def __init__(
        self, input_size, hidden_size, num_layers=1, nonlinearity="tanh", bias=True, batch_first=False, dropout=0.0, bidirectional=False,
        device=None, dtype=None,
    ):
        if nonlinearity not in ("tanh", "relu"):
            raise ValueError(f"Unknown nonlinearity '{nonlinearity}'. Select from 'tanh' or 'relu'.")
        super().__init__(input_size, hidden_size, num_layers, bias, batch_first, dropout, bidirectional, device, dtype)
        self.nonlinearity = nonlinearity


class LSTM(_Recurrent):
    """Long short-term memory."""

    _gates, _step, _has_cell = 4, staticmethod(_lstm), True


class GRU(_Recurrent):
    """The gated recurrent unit."""

    _gates, _step = 3, staticmethod(_gru)


class _Cell(Module):
    _gates, _step, _has_cell = 1, staticmethod(_elman), False

    def __init__(self, input_size, hidden_size, bias=True, device=None, dtype=None):
        super().__init__()
        torch, rows = _torch(), self._gates * hidden_size
        self.input_size, self.hidden_size, self.bias = input_size, hidden_size, bias
        self.weight_ih = Parameter(torch.empty((rows, input_size), dtype=dtype))
        self.weight_hh = Parameter(torch.empty((rows, hidden_size), dtype=dtype))
        self.register_parameter("bias_ih", Parameter(torch.empty(rows, dtype=dtype)) if bias else None)
        self.register_parameter("bias_hh", Parameter(torch.empty(rows, dtype=dtype)) if bias else None)
        bound = 1 / math.sqrt(hidden_size)
        for parameter in self.parameters():
            init.uniform_(parameter, -bound, bound)

    def forward(self, input, hx=None):
        """The state after one step."""
        torch = _torch()
        zeros = torch.zeros((*input.shape[:-1], self.hidden_size), dtype=input.dtype)
        h, c = (zeros, zeros) if hx is None else hx if self._has_cell else (hx, None)
        linear = torch.nn.functional.linear
        gates = linear(input, self.weight_ih, self.bias_ih), linear(h, self.weight_hh, self.bias_hh)
        h, c = self._step(*gates, h, c, getattr(self, "nonlinearity", None))
        return (h, c) if self._has_cell else h

    def extra_repr(self):
        bias = "" if self.bias else ", bias=False"
        return f"{self.input_size}, {self.hidden_size}{bias}"


class RNNCell(_Cell):
    """One step of Elman's network."""

    def __init__(self, input_size, hidden_size, bias=True, nonlinearity="tanh", device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias, device, dtype)
        self.nonlinearity = nonlinearity


class LSTMCell(_Cell):
    """One step of long short-term memory."""

    _gates, _step, _has_cell = 4, staticmethod(_lstm), True


class GRUCell(_Cell):
    """One step of the gated recurrent unit."""

    _gates, _step = 3, staticmethod(_gru)


CLASSES = [RNN, LSTM, GRU, RNNCell, LSTMCell, GRUCell]

"""What modules, optimisers and schedules give, for PyTorch itself and for the frontend: `tools/record_frontend/torch_modules.py`
records the one, `test_torch_modules.py` compares the other."""

import math


def numbers(torch, *shape, scale=1.0, start=0.3):
    """Numbers that look like chance, the same for both."""
    count = math.prod(shape)
    return torch.tensor([scale * math.sin(1.7 * i + start) for i in range(count)], dtype=torch.float32).reshape(shape)


def filled(torch, module):
    """A module with such numbers for parameters."""
    with torch.no_grad():
        for i, parameter in enumerate(module.parameters()):
            parameter.copy_(numbers(torch, *parameter.shape, scale=0.5, start=0.1 * i))
    return module


def modules(torch):
    """Modules by name, each with its inputs."""
    nn = torch.nn

    def x(*shape, **kwargs):
        return numbers(torch, *shape, **kwargs)

    labels = torch.tensor([1, 0, 2, 1])
    yield "Linear", nn.Linear(3, 4), (x(2, 3),)
    yield "Linear without bias", nn.Linear(3, 4, bias=False), (x(5, 2, 3),)
    yield "Bilinear", nn.Bilinear(2, 3, 4), (x(5, 2), x(5, 3))
    yield "Identity", nn.Identity(54, unused=3), (x(2, 3),)
    yield "Embedding", nn.Embedding(5, 3, padding_idx=2), (torch.tensor([[0, 2], [4, 1]]),)
    for n in (1, 2, 3):
        shape = (6, 7, 5)[:n]
        yield f"Conv{n}d", getattr(nn, f"Conv{n}d")(2, 4, 3, stride=2, padding=1), (x(2, 2, *shape),)
        yield f"Conv{n}d of groups", getattr(nn, f"Conv{n}d")(4, 4, 2, dilation=2, groups=2, bias=False), (x(1, 4, *shape),)
        yield f"ConvTranspose{n}d", getattr(nn, f"ConvTranspose{n}d")(2, 3, 3, stride=2, output_padding=1), (x(2, 2, *shape),)
        yield f"BatchNorm{n}d", getattr(nn, f"BatchNorm{n}d")(3), (x(4, 3, *shape),)
        yield f"BatchNorm{n}d without momentum", getattr(nn, f"BatchNorm{n}d")(3, momentum=None, affine=False), (x(4, 3, *shape),)
        yield f"InstanceNorm{n}d", getattr(nn, f"InstanceNorm{n}d")(3, affine=True), (x(4, 3, *shape),)
        yield f"InstanceNorm{n}d that tracks", getattr(nn, f"InstanceNorm{n}d")(3, track_running_stats=True), (x(4, 3, *shape),)
        yield f"MaxPool{n}d", getattr(nn, f"MaxPool{n}d")(2, stride=1, padding=1), (x(2, 2, *shape),)
        yield f"AvgPool{n}d", getattr(nn, f"AvgPool{n}d")(2, ceil_mode=True), (x(2, 2, *shape),)
        yield f"AdaptiveAvgPool{n}d", getattr(nn, f"AdaptiveAvgPool{n}d")(3), (x(2, 2, *shape),)
        yield f"AdaptiveMaxPool{n}d", getattr(nn, f"AdaptiveMaxPool{n}d")(2), (x(2, 2, *shape),)
        yield f"ConstantPad{n}d", getattr(nn, f"ConstantPad{n}d")(2, 3.5), (x(2, 2, *shape),)
        for name in ("ZeroPad", "ReflectionPad", "ReplicationPad", "CircularPad"):
            sides = tuple(range(1, 2 * n + 1))
            yield f"{name}{n}d", getattr(nn, f"{name}{n}d")(tuple(min(side, 3) for side in sides)), (x(2, 2, *shape),)
        yield f"LPPool{n}d", getattr(nn, f"LPPool{n}d")(2, 2, stride=1), (x(2, 2, *shape, start=0.5).abs(),)
        places = torch.arange(2 * math.prod(shape)).reshape(1, 2, *shape) % math.prod(shape) * 2
        yield f"MaxUnpool{n}d", getattr(nn, f"MaxUnpool{n}d")(2), (x(1, 2, *shape), places)
    yield "Conv2d that reflects", nn.Conv2d(1, 2, 3, padding=(1, 2), padding_mode="reflect"), (x(1, 1, 4, 5),)
    yield "Conv2d to the same size", nn.Conv2d(1, 2, (3, 2), padding="same"), (x(1, 1, 4, 5),)
    yield "BatchNorm1d of vectors", nn.BatchNorm1d(3), (x(4, 3),)
    yield "LayerNorm", nn.LayerNorm([3, 4]), (x(2, 3, 4),)
    yield "LayerNorm without bias", nn.LayerNorm(4, bias=False), (x(2, 4),)
    yield "RMSNorm", nn.RMSNorm(4), (x(2, 4),)
    yield "GroupNorm", nn.GroupNorm(2, 4), (x(2, 4, 3),)
    yield "Flatten", nn.Flatten(), (x(2, 3, 4),)
    yield "Unflatten", nn.Unflatten(1, (2, 3)), (x(4, 6),)
    yield "PixelShuffle", nn.PixelShuffle(2), (x(1, 4, 2, 3),)
    yield "Upsample", nn.Upsample(scale_factor=2, mode="bilinear", align_corners=True), (x(1, 1, 3, 2),)
    yield "UpsamplingNearest2d", nn.UpsamplingNearest2d(scale_factor=2), (x(1, 1, 3, 2),)
    yield "UpsamplingBilinear2d", nn.UpsamplingBilinear2d(size=(5, 3)), (x(1, 1, 3, 2),)
    yield "PixelUnshuffle", nn.PixelUnshuffle(2), (x(1, 2, 4, 6),)
    yield "ChannelShuffle", nn.ChannelShuffle(2), (x(1, 4, 2, 3),)
    yield "Fold", nn.Fold((4, 5), 2, stride=2, padding=1), (x(2, 8, 9),)
    yield "Unfold", nn.Unfold((2, 3), padding=1, stride=(1, 2)), (x(2, 2, 4, 5),)
    yield "LocalResponseNorm", nn.LocalResponseNorm(3, alpha=0.1), (x(2, 5, 3),)
    yield "RReLU, used", nn.RReLU().eval(), (x(3, 4, scale=3.0),)
    yield "PairwiseDistance", nn.PairwiseDistance(p=3.0, keepdim=True), (x(3, 4), x(3, 4, start=1.0))
    yield "CosineSimilarity", nn.CosineSimilarity(dim=1), (x(3, 4), x(3, 4, start=1.0))
    for name in (
        "ReLU ReLU6 ELU SELU CELU LeakyReLU Hardtanh Hardswish Hardsigmoid Hardshrink Softshrink Tanhshrink GELU SiLU Mish Softplus "
        "Softsign Sigmoid Tanh LogSigmoid GLU PReLU"
    ).split():
        yield name, getattr(nn, name)(), (x(3, 4, scale=3.0),)
    for name in ("Softmax", "Softmin", "LogSoftmax"):
        yield name, getattr(nn, name)(dim=1), (x(3, 4, scale=3.0),)
    yield "Softmax2d", nn.Softmax2d(), (x(2, 3, 2, 2),)
    yield "Threshold", nn.Threshold(0.1, 20.0), (x(3, 4),)
    yield "Dropout, used", nn.Dropout(0.4).eval(), (x(3, 4),)
    for name in ("L1Loss", "MSELoss", "HuberLoss", "SmoothL1Loss", "SoftMarginLoss", "MultiLabelSoftMarginLoss"):
        for reduction in ("mean", "sum", "none"):
            yield f"{name} {reduction}", getattr(nn, name)(reduction=reduction), (x(4, 3), x(4, 3, start=2.0).sign())
    yield "CrossEntropyLoss", nn.CrossEntropyLoss(weight=torch.tensor([1.0, 2.0, 0.5]), label_smoothing=0.1), (x(4, 3), labels)
    yield "NLLLoss", nn.NLLLoss(ignore_index=2), (x(4, 3), labels)
    yield "BCELoss", nn.BCELoss(), (x(4, 3).sigmoid(), x(4, 3, start=2.0).sigmoid())
    yield "BCEWithLogitsLoss", nn.BCEWithLogitsLoss(pos_weight=torch.tensor([1.0, 2.0, 3.0])), (x(4, 3), x(4, 3, start=2.0).sigmoid())
    yield "KLDivLoss", nn.KLDivLoss(reduction="batchmean"), (x(4, 3), x(4, 3, start=2.0).sigmoid())
    yield "PoissonNLLLoss", nn.PoissonNLLLoss(), (x(4, 3), x(4, 3, start=2.0).abs())
    yield "GaussianNLLLoss", nn.GaussianNLLLoss(), (x(4, 3), x(4, 3, start=2.0), x(4, 3, start=1.0).abs())
    yield "MarginRankingLoss", nn.MarginRankingLoss(margin=0.5), (x(4), x(4, start=1.0), x(4, start=2.0).sign())
    yield "TripletMarginLoss", nn.TripletMarginLoss(), (x(4, 3), x(4, 3, start=1.0), x(4, 3, start=2.0))
    for swap in (False, True):
        loss = nn.TripletMarginWithDistanceLoss(distance_function=nn.PairwiseDistance(p=1.0), margin=0.5, swap=swap, reduction="sum")
        yield f"TripletMarginWithDistanceLoss{', swapped' * swap}", loss, (x(4, 3), x(4, 3, start=1.0), x(4, 3, start=2.0))
    for name in ("RNN", "LSTM", "GRU"):
        yield name, getattr(nn, name)(3, 4), (x(5, 2, 3),)
        yield f"{name} of two layers, both ways", getattr(nn, name)(3, 2, 2, bidirectional=True, batch_first=True), (x(2, 4, 3),)
        yield f"{name} without bias, of one sequence", getattr(nn, name)(3, 4, bias=False), (x(5, 3),)
        yield f"{name}Cell", getattr(nn, f"{name}Cell")(3, 4), (x(2, 3),)
    states = (x(1, 2, 4), x(1, 2, 4, start=1.0))
    yield "LSTM from a state", nn.LSTM(3, 4), (x(5, 2, 3), states)
    yield "GRU from a state", nn.GRU(3, 4), (x(5, 2, 3), states[0])
    rnn = nn.utils.rnn

    class OfPacked(nn.Module):
        """A recurrent layer over sequences of several lengths, and what they are when they are padded again."""

        def __init__(self, layer, lengths, from_states=False):
            super().__init__()
            self.layer, self.lengths, self.from_states = layer, lengths, from_states

        def forward(self, input, *states):
            batch_first = self.layer.batch_first
            packed = rnn.pack_padded_sequence(input, self.lengths, batch_first, enforce_sorted=self.lengths == sorted(self.lengths, reverse=True))
            given = (states if len(states) > 1 else states[0],) if states else ()
            results, last = self.layer(packed, *given)
            padded, lengths = rnn.pad_packed_sequence(results, batch_first, padding_value=0.5, total_length=6)
            return padded * lengths[0], last

    for name in ("RNN", "LSTM", "GRU"):
        yield f"{name} of packed sequences", OfPacked(getattr(nn, name)(3, 4), [5, 3, 1]), (x(5, 3, 3),)
        both = getattr(nn, name)(3, 2, 2, bidirectional=True, batch_first=True)
        yield f"{name} of packed sequences that were not sorted, both ways", OfPacked(both, [2, 4, 1, 4]), (x(4, 4, 3),)
    several = (x(1, 3, 4), x(1, 3, 4, start=1.0))
    yield "LSTM of packed sequences from states", OfPacked(nn.LSTM(3, 4), [2, 5, 3]), (x(5, 3, 3), *several)
    yield "Linear with its weight normalised", nn.utils.weight_norm(nn.Linear(3, 4)), (x(2, 3),)
    yield "Conv2d with its weight normalised", nn.utils.weight_norm(nn.Conv2d(2, 3, 2), dim=1), (x(2, 2, 4, 3),)
    yield "Linear with its bias normalised, as a whole", nn.utils.weight_norm(nn.Linear(3, 4), "bias", None), (x(2, 3),)

    def spectral(layer, **kwargs):
        layer = nn.utils.spectral_norm(layer, **kwargs)
        for i, name in enumerate(("weight_u", "weight_v")):
            vector = getattr(layer, name)
            vector.copy_(nn.functional.normalize(x(*vector.shape, start=0.4 + i), dim=0))
        return layer

    yield "Linear of spectral norm 1", spectral(nn.Linear(3, 4), n_power_iterations=3), (x(2, 3),)
    yield "ConvTranspose2d of spectral norm 1", spectral(nn.ConvTranspose2d(2, 3, 2)), (x(1, 2, 3, 2),)
    yield "Conv1d of spectral norm 1, not trained", spectral(nn.Conv1d(2, 3, 2)).eval(), (x(1, 2, 4),)
    yield "RNN of rectifiers", nn.RNN(3, 4, nonlinearity="relu"), (x(5, 2, 3), states[0])
    yield "MultiheadAttention", nn.MultiheadAttention(6, 2), (x(4, 2, 6), x(5, 2, 6, start=1.0), x(5, 2, 6, start=2.0))
    other = nn.MultiheadAttention(6, 3, kdim=4, vdim=5, batch_first=True, bias=False)
    yield "MultiheadAttention of other widths", other, (x(2, 4, 6), x(2, 5, 4, start=1.0), x(2, 5, 5, start=2.0))
    for first in (False, True):
        layer = nn.TransformerEncoderLayer(6, 2, 8, dropout=0.0, activation="gelu", norm_first=first)
        yield f"TransformerEncoderLayer{', normalised first' * first}", layer, (x(4, 2, 6),)
        layer = nn.TransformerDecoderLayer(6, 2, 8, dropout=0.0, norm_first=first, batch_first=first, bias=not first)
        yield f"TransformerDecoderLayer{', normalised first' * first}", layer, (x(4, 2, 6), x(4 if first else 5, 5 if first else 2, 6, start=1.0))
    decoder = nn.TransformerDecoder(nn.TransformerDecoderLayer(4, 2, 8, dropout=0.0), 2, nn.LayerNorm(4))
    yield "TransformerDecoder", decoder, (x(3, 2, 4), x(5, 2, 4, start=1.0), nn.Transformer.generate_square_subsequent_mask(3))
    whole = nn.Transformer(4, 2, 2, 1, 8, dropout=0.0, activation="gelu", batch_first=True)
    hidden = torch.tensor([[False, False, True], [False, False, False]])
    yield "Transformer", whole, (x(2, 3, 4), x(2, 4, 4, start=1.0), None, None, None, hidden)
    learned = nn.MultiheadAttention(4, 2, add_bias_kv=True, add_zero_attn=True)
    yield "MultiheadAttention with a learned key", learned, (x(3, 2, 4), x(3, 2, 4, start=1.0), x(3, 2, 4, start=2.0), hidden)
    yield "EmbeddingBag", nn.EmbeddingBag(5, 3), (torch.tensor([[0, 2], [4, 1]]),)
    yield "EmbeddingBag of offsets", nn.EmbeddingBag(5, 3, mode="max"), (torch.tensor([0, 2, 4, 1, 3]), torch.tensor([0, 2]))
    weighted = nn.EmbeddingBag(5, 3, mode="sum", include_last_offset=True)
    yield "EmbeddingBag of weights", weighted, (torch.tensor([0, 2, 4, 1]), torch.tensor([0, 3, 4]), x(4))
    block = nn.Sequential(nn.Linear(3, 5), nn.BatchNorm1d(5), nn.ReLU(), nn.ModuleDict({"only": nn.Linear(5, 2)})["only"])
    yield "Sequential", block, (x(4, 3),)


def tensors(torch, value):
    """The tensors of a result, which may be a tuple of tuples."""
    if isinstance(value, torch.Tensor):
        return [value]
    return [x for part in value or () for x in tensors(torch, part)]


def module(torch, module, inputs):
    """Text, names and shapes of the state, result, derivatives, and the buffers after the call."""
    module = filled(torch, module)
    # Losses have no derivative by their targets.
    inputs = [v.clone().requires_grad_() if i == 0 and v.is_floating_point() else v for i, v in enumerate(inputs)]
    results = tensors(torch, module(*inputs))
    sum((result * numbers(torch, *result.shape, start=0.7)).sum() for result in results).backward()
    return {
        "text": repr(module),
        "state": {name: list(value.shape) for name, value in module.state_dict().items()},
        "result": [result.detach().reshape(-1).tolist() for result in results],
        "input": inputs[0].grad.reshape(-1).tolist() if inputs[0].requires_grad else None,
        "parameters": [p.grad.reshape(-1).tolist() for p in module.parameters()],
        "buffers": {name: value.reshape(-1).tolist() for name, value in module.named_buffers()},
    }


def optimisers(torch):
    """Optimisers by name: functions of parameters."""
    optim = torch.optim
    yield "SGD", lambda p: optim.SGD(p, lr=0.1)
    yield "SGD with momentum", lambda p: optim.SGD(p, lr=0.1, momentum=0.9, dampening=0.1, weight_decay=0.01)
    yield "SGD as Nesterov has it", lambda p: optim.SGD(p, lr=0.1, momentum=0.9, nesterov=True)
    yield "SGD that maximises", lambda p: optim.SGD(p, lr=0.1, maximize=True)
    yield "Adam", lambda p: optim.Adam(p, lr=0.05)
    yield "Adam, amsgrad", lambda p: optim.Adam(p, lr=0.05, betas=(0.8, 0.9), weight_decay=0.1, amsgrad=True)
    yield "AdamW", lambda p: optim.AdamW(p, lr=0.05, weight_decay=0.2)
    yield "RMSprop", lambda p: optim.RMSprop(p, lr=0.05)
    yield "RMSprop, centred", lambda p: optim.RMSprop(p, lr=0.05, momentum=0.5, centered=True, weight_decay=0.1)
    yield "Adadelta", lambda p: optim.Adadelta(p, lr=0.5, rho=0.8, eps=1e-3, weight_decay=0.1)
    yield "Adadelta by its defaults", lambda p: optim.Adadelta(p)
    yield "Adamax", lambda p: optim.Adamax(p, lr=0.05, betas=(0.8, 0.9), weight_decay=0.1)
    yield "NAdam", lambda p: optim.NAdam(p, lr=0.05)
    yield "NAdam, decayed", lambda p: optim.NAdam(p, lr=0.05, betas=(0.8, 0.9), weight_decay=0.2, momentum_decay=0.1)
    yield "NAdam, decoupled decay", lambda p: optim.NAdam(p, lr=0.05, weight_decay=0.2, decoupled_weight_decay=True, maximize=True)
    yield "RAdam", lambda p: optim.RAdam(p, lr=0.05, weight_decay=0.1)
    yield "RAdam, decoupled decay", lambda p: optim.RAdam(p, lr=0.05, betas=(0.8, 0.9), weight_decay=0.1, decoupled_weight_decay=True)
    yield "Rprop", lambda p: optim.Rprop(p, lr=0.1)
    yield "Rprop within bounds", lambda p: optim.Rprop(p, lr=0.5, etas=(0.3, 1.5), step_sizes=(0.2, 0.9))
    yield "ASGD", lambda p: optim.ASGD(p, lr=0.1, lambd=0.1, weight_decay=0.1)
    yield "ASGD, averaged", lambda p: optim.ASGD(p, lr=0.1, lambd=0.1, alpha=0.5, t0=2, maximize=True)
    yield "Adagrad", lambda p: optim.Adagrad(p, lr=0.1, lr_decay=0.1, weight_decay=0.1, initial_accumulator_value=0.2)


def optimiser(torch, make):
    """The parameters after each of six steps."""
    nn = torch.nn
    parameters = [nn.Parameter(numbers(torch, 2, 3)), nn.Parameter(numbers(torch, 4, start=1.0))]
    made, found = make(parameters), []
    for step in range(6):
        made.zero_grad()
        loss = sum(((p - numbers(torch, *p.shape, start=2.0 + step)) ** 2 * (i + 1)).sum() for i, p in enumerate(parameters))
        loss.backward()
        made.step()
        found.append([p.detach().reshape(-1).tolist() for p in parameters])
    return found


def minimisers(torch):
    """Optimisers that take a closure, by name: functions of parameters."""
    of = torch.optim.LBFGS
    yield "LBFGS", lambda p: of(p, lr=0.1, max_iter=7)
    yield "LBFGS of a short history", lambda p: of(p, lr=0.2, max_iter=9, history_size=2)
    yield "LBFGS, strong Wolfe", lambda p: of(p, max_iter=4, line_search_fn="strong_wolfe")
    yield "LBFGS, strong Wolfe, few evaluations", lambda p: of(p, lr=3.0, max_eval=5, history_size=3, line_search_fn="strong_wolfe")


def minimiser(torch, make):
    """Losses, evaluations and parameters after each of four steps down Rosenbrock's valley, in float64."""
    parameters = [torch.nn.Parameter(torch.tensor([-1.2, 1.0, 0.4], dtype=torch.float64)), torch.nn.Parameter(torch.tensor([[0.7]], dtype=torch.float64))]
    made, found, calls = make(parameters), [], [0]

    def closure():
        calls[0] += 1
        made.zero_grad()
        x = torch.cat([p.reshape(-1) for p in parameters])
        loss = (100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum()
        loss.backward()
        return loss

    for _ in range(4):
        loss = made.step(closure)
        found.append([float(loss), calls[0], *(p.detach().reshape(-1).tolist() for p in parameters)])
    return found


def schedules(torch):
    """Schedules by name: functions of an optimiser."""
    of = torch.optim.lr_scheduler
    yield "LambdaLR", lambda o: of.LambdaLR(o, lambda step: 0.9**step)
    yield "StepLR", lambda o: of.StepLR(o, 3, gamma=0.5)
    yield "MultiStepLR", lambda o: of.MultiStepLR(o, [2, 5], gamma=0.3)
    yield "ExponentialLR", lambda o: of.ExponentialLR(o, 0.8)
    yield "CosineAnnealingLR", lambda o: of.CosineAnnealingLR(o, 6, eta_min=0.01)
    yield "LinearLR", lambda o: of.LinearLR(o, 0.25, total_iters=4)
    yield "ConstantLR", lambda o: of.ConstantLR(o, 0.5, total_iters=3)
    yield "PolynomialLR", lambda o: of.PolynomialLR(o, total_iters=5, power=2.0)
    yield "MultiplicativeLR", lambda o: of.MultiplicativeLR(o, lambda step: 1 - 0.1 * step / 4)
    yield "CosineAnnealingWarmRestarts", lambda o: of.CosineAnnealingWarmRestarts(o, 2, T_mult=2, eta_min=0.01)
    yield "CyclicLR", lambda o: of.CyclicLR(o, 0.01, 0.1, step_size_up=2, step_size_down=1)
    yield "CyclicLR, triangular2", lambda o: of.CyclicLR(o, 0.01, 0.1, step_size_up=2, mode="triangular2", cycle_momentum=False)
    yield "CyclicLR, exp_range", lambda o: of.CyclicLR(o, 0.01, 0.1, step_size_up=2, mode="exp_range", gamma=0.9)
    yield "SequentialLR", lambda o: of.SequentialLR(o, [of.ConstantLR(o, 0.1, total_iters=9), of.ExponentialLR(o, 0.9), of.StepLR(o, 2)], [2, 5])
    yield "ChainedScheduler", lambda o: of.ChainedScheduler([of.ConstantLR(o, 0.1, total_iters=3), of.ExponentialLR(o, 0.9)])
    yield "ChainedScheduler of four", lambda o: of.ChainedScheduler(
        [of.MultiStepLR(o, [2, 2, 5], gamma=0.5), of.LinearLR(o, 0.25, total_iters=4), of.PolynomialLR(o, total_iters=6), of.StepLR(o, 3)]
    )
    yield "ChainedScheduler of cosines", lambda o: of.ChainedScheduler([of.CosineAnnealingLR(o, 3, eta_min=0.01), of.ConstantLR(o, 0.5, total_iters=4)])
    yield "OneCycleLR", lambda o: of.OneCycleLR(o, 0.5, total_steps=9)
    yield "OneCycleLR, linear, of three phases", lambda o: of.OneCycleLR(o, 0.5, total_steps=9, anneal_strategy="linear", three_phase=True)


def schedule(torch, make):
    """The learning rate and the momentum at each of eight steps."""
    optimiser = torch.optim.SGD([torch.nn.Parameter(numbers(torch, 2))], lr=0.1, momentum=0.9)
    made, found = make(optimiser), []
    for _ in range(8):
        found.append([made.get_last_lr()[0], optimiser.param_groups[0]["momentum"]])
        optimiser.step()
        made.step()
    return found


def plateau(torch):
    """The learning rates of ReduceLROnPlateau for a loss that stays."""
    optimiser = torch.optim.SGD([torch.nn.Parameter(numbers(torch, 2))], lr=0.1)
    made = torch.optim.lr_scheduler.ReduceLROnPlateau(optimiser, factor=0.5, patience=1, cooldown=1, min_lr=0.02)
    found = []
    for loss in (1.0, 0.9, 0.9, 0.9, 0.9, 0.8, 0.8, 0.8, 0.8, 0.8, 0.8, 0.8):
        made.step(loss)
        found.append(optimiser.param_groups[0]["lr"])
    return found


def everything(torch):
    """All of it, as JSON has it."""
    return {
        "modules": {name: module(torch, made, inputs) for name, made, inputs in modules(torch)},
        "optimisers": {name: optimiser(torch, make) for name, make in optimisers(torch)},
        "minimisers": {name: minimiser(torch, make) for name, make in minimisers(torch)},
        "schedules": {name: schedule(torch, make) for name, make in schedules(torch)},
        "plateau": plateau(torch),
    }

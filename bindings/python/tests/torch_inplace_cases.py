"""Programs of PyTorch that change tensors in place before a gradient is taken: each takes the module, and gives the gradient."""

CASES = {}


def case(program):
    CASES[program.__name__] = program
    return program


def leaf(torch, values=((0.25, 0.5), (0.125, 0.625))):
    return torch.tensor(values, requires_grad=True)


def _operand(function):
    """The operand is changed once the function has been called."""

    def program(torch):
        x = leaf(torch)
        y = x * 1.5
        z = function(torch, y)
        y.add_(1.0)
        z.sum().backward()
        return x.grad

    return program


def _result(function):
    """The result is changed before the gradient is taken."""

    def program(torch):
        x = leaf(torch)
        z = function(torch, x * 1.5)
        z.add_(1.0)
        z.sum().backward()
        return x.grad

    return program


UNARY = (
    "abs acos acosh asin asinh atan atanh ceil clone cos cosh cumprod cumsum deg2rad diff digamma erf erfc erfinv exp exp2 expm1 "
    "flip floor frac lgamma log log10 log1p log2 logit logsumexp mean neg nan_to_num norm positive pow2 pow3 prod rad2deg reciprocal relu "
    "round rsqrt sigmoid sign sin sinc sinh softmax sqrt square std sum tan tanh tril trunc var log_softmax amax max sort "
    "celu elu gelu glu hardshrink hardsigmoid hardswish hardtanh leaky_relu logsigmoid mish relu6 selu silu softplus softshrink softsign "
    "tanhshrink normalize layer_norm avg_pool1d max_pool1d pad interpolate dropout"
).split()


def _called(name):
    arguments = {
        "cumprod": (0,), "cumsum": (0,), "flip": ((0,),), "logsumexp": (0,), "softmax": (0,), "log_softmax": (0,), "pow2": (2,), "pow3": (3,),
        "tril": (), "layer_norm": ((2,),), "avg_pool1d": (2,), "max_pool1d": (2,), "pad": ((1, 1),), "amax": (0,), "dropout": (0.0,),
    }.get(name, ())  # fmt: skip

    def function(torch, y):
        own = name[:3] if name in ("pow2", "pow3") else name
        found = getattr(torch.nn.functional, own, None) or getattr(torch, own)
        if name == "interpolate":
            return found(y[None], scale_factor=2, mode="linear")
        result = found(y, *arguments)
        return result[0] if isinstance(result, tuple) else result

    return function


for _name in UNARY:
    CASES[f"operand_of_{_name}"] = _operand(_called(_name))
    CASES[f"result_of_{_name}"] = _result(_called(_name))

BINARY = "add sub mul div pow maximum minimum atan2 hypot matmul where lerp copysign fmod logaddexp dot outer cat stack bmm linear conv1d mse_loss".split()


def _binary(name, first, changes):
    """A function of a tensor and another one, or a constant; one of the two is changed."""

    def function(torch, a, b):
        match name:
            case "where":
                return torch.where(a > 0.3, a, b)
            case "lerp":
                return torch.lerp(a, b, 0.25)
            case "dot":
                return torch.dot(a.reshape(-1), b.reshape(-1))
            case "outer":
                return torch.outer(a.reshape(-1), b.reshape(-1))
            case "cat" | "stack":
                return getattr(torch, name)([a, b])
            case "bmm":
                return torch.bmm(a[None], b[None])
            case "linear" | "mse_loss":
                return getattr(torch.nn.functional, name)(a, b)
            case "conv1d":
                return torch.nn.functional.conv1d(a[None], b[None])
        return getattr(torch, name)(a, b)

    def program(torch):
        x = leaf(torch)
        y = x * 1.5
        other = {"constant": lambda: torch.tensor([[0.5, 1.5], [2.5, 0.25]]), "active": lambda: x * 2.5}[first]()
        z = function(torch, y, other)
        (y if changes == "a" else other).add_(1.0)
        z.sum().backward()
        return x.grad

    return program


for _name in BINARY:
    for _kind in ("constant", "active"):
        for _changed in ("a", "b"):
            CASES[f"{_name}_of_{_kind}_with_{_changed}_changed"] = _binary(_name, _kind, _changed)


@case
def an_optimiser_between_two_walks(torch):
    first, second = leaf(torch), leaf(torch)
    optimiser = torch.optim.SGD([first, second], lr=0.5)
    loss = ((leaf(torch).detach() @ first) @ second).sum()
    loss.backward(retain_graph=True)
    optimiser.step()
    loss.backward()
    return first.grad


@case
def an_optimiser_and_one_layer(torch):
    weight = leaf(torch)
    optimiser = torch.optim.SGD([weight], lr=0.5)
    loss = (leaf(torch).detach() @ weight).sum()
    loss.backward(retain_graph=True)
    optimiser.step()
    loss.backward()
    return weight.grad


@case
def an_adam_between_two_walks(torch):
    layers = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.Tanh(), torch.nn.Linear(2, 2))
    optimiser = torch.optim.Adam(layers.parameters())
    loss = layers(leaf(torch).detach()).sum()
    loss.backward(retain_graph=True)
    optimiser.step()
    loss.backward()
    return None


@case
def a_leaf_without_the_graph(torch):
    x = leaf(torch)
    y = (x * x).sum()
    with torch.no_grad():
        x.add_(1.0)
    y.backward()
    return x.grad


@case
def a_leaf_by_its_data(torch):
    x = leaf(torch)
    y = (x * x).sum()
    x.data.add_(1.0)
    y.backward()
    return x.data


@case
def a_leaf_that_only_scales(torch):
    x = leaf(torch)
    y = (x * 3.0).sum()
    with torch.no_grad():
        x.mul_(2.0)
    y.backward()
    return x.grad


@case
def an_index_expression(torch):
    x = leaf(torch)
    y = x * 1.5
    z = y * y
    y[0] = 7.0
    z.sum().backward()
    return x.grad


@case
def an_operator(torch):
    x = leaf(torch)
    y = x * 1.5
    z = y * y
    y += 1.0
    z.sum().backward()
    return x.grad


@case
def a_view_that_was_used(torch):
    x = leaf(torch)
    y = x * 1.5
    part = y[0]
    z = part * part
    y.add_(1.0)
    z.sum().backward()
    return x.grad


@case
def a_view_that_is_gone(torch):
    x = leaf(torch)
    y = x * 1.5
    z = y[0] * y[1]
    y.add_(1.0)
    z.sum().backward()
    return x.grad


@case
def a_view_that_was_written(torch):
    x = leaf(torch)
    y = x * 1.5
    z = y * y
    y[0].mul_(2.0)
    z.sum().backward()
    return x.grad


@case
def a_view_that_is_transposed(torch):
    x = leaf(torch)
    y = x * 1.5
    z = y.t() @ y.t()
    y.add_(1.0)
    z.sum().backward()
    return x.grad


@case
def a_copy_that_was_used(torch):
    x = leaf(torch)
    y = x * 1.5
    copy = y.clone()
    z = copy * copy
    y.add_(1.0)
    z.sum().backward()
    return x.grad


@case
def a_copy_of_a_leaf(torch):
    x = leaf(torch)
    copy = x.clone()
    z = copy * copy
    with torch.no_grad():
        x.add_(1.0)
    z.sum().backward()
    return x.grad


@case
def a_transposed_copy(torch):
    x = leaf(torch)
    y = x * 1.5
    copy = y.t().contiguous()
    z = copy @ copy
    y.add_(1.0)
    z.sum().backward()
    return x.grad


@case
def what_an_operation_in_place_needs_itself(torch):
    x = leaf(torch)
    y = x * 1.5
    y.sin_().mul_(2.0).pow_(2.0).exp_()
    y.sum().backward()
    return x.grad


@case
def products_in_place(torch):
    x = leaf(torch)
    y, other = x * 1.5, x * 2.5
    y.mul_(other).div_(other + 1.0)
    y.sum().backward()
    return x.grad


@case
def a_rectified_layer_in_place(torch):
    x = leaf(torch)
    y = torch.nn.functional.relu(x @ x - 0.2, inplace=True)
    (y @ x).sum().backward()
    return x.grad


@case
def a_sum_in_place_after_rectifying(torch):
    x = leaf(torch)
    y = torch.relu(x * 1.5)
    y += x
    y.sum().backward()
    return x.grad


@case
def a_copy_into_a_tensor(torch):
    x = leaf(torch)
    y = torch.zeros(2, 2)
    y.copy_(x)
    y.mul_(3.0)
    y.sum().backward()
    return [x.grad, y.is_leaf, x.is_leaf]


@case
def a_moving_average(torch):
    x = leaf(torch)
    mean = torch.zeros(2, 2)
    for _ in range(3):
        mean.mul_(0.5).add_(x.detach(), alpha=0.5)
    (x * 2.0 + mean).sum().backward()
    return x.grad


@case
def a_saved_tensor(torch):
    class Cube(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x**3

        @staticmethod
        def backward(ctx, gradient):
            (x,) = ctx.saved_tensors
            return 3 * x**2 * gradient

    x = leaf(torch)
    y = x * 1.5
    z = Cube.apply(y)
    y.add_(1.0)
    z.sum().backward()
    return x.grad


@case
def versions(torch):
    x = torch.zeros(4)
    counts = [x._version]
    x.add_(1.0)
    x[0] = 5.0
    view = x[1:]
    view.mul_(2.0)
    counts += [x._version, view._version, x.clone()._version]
    x.data.add_(1.0)
    return [*counts, x._version, x]


@case
def results_that_are_an_argument(torch):
    x = leaf(torch)
    given = {
        "clone": x.clone(), "to": x.to(torch.float32), "copied": x.to(torch.float32, copy=True), "contiguous": x.contiguous(),
        "positive": +x, "real": torch.real(x), "reshape": x.reshape(2, 2), "all": x[:], "narrow": x.narrow(0, 0, 2), "view": x.view(2, 2),
        "split": x.split(2)[0], "rot90": torch.rot90(x, 0), "matrix_power": torch.linalg.matrix_power(x, 1), "flip": x.flip([]),
        "float": x.float(), "diff": torch.diff(x, n=0), "ellipsis": x[...], "flatten": x.flatten(), "permute": x.permute(0, 1),
    }  # fmt: skip
    with torch.no_grad():
        without = {"clone": x.clone(), "to": x.to(torch.float32), "flip": x.flip([])}
    return [{name: [y is x, y.is_leaf, y.requires_grad] for name, y in given.items()}, {name: y.requires_grad for name, y in without.items()}]


@case
def the_gradient_of_a_copy(torch):
    x = leaf(torch)
    y = x.clone()
    z = (x * x * y).sum()
    return torch.autograd.grad(z, [x, y])


@case
def a_copy_has_a_gradient_of_its_own(torch):
    x = leaf(torch)
    y = x.clone()
    y.retain_grad()
    (y * y).sum().backward()
    return [x.grad, y.grad, x.grad is y.grad]


@case
def the_second_derivative_of_a_copy(torch):
    x = leaf(torch)
    (first,) = torch.autograd.grad((x.clone() ** 3).sum(), x, create_graph=True)
    return torch.autograd.grad(first.sum(), x)


@case
def a_result_without_the_graph(torch):
    x = leaf(torch)
    y, z = x * 1.5, x * 2.5
    with torch.no_grad():
        y.clamp_(max=0.5)
        z[0] = 7.0
        y += 1.0
    (y * 2.0 + z).sum().backward()
    return [x.grad, y.data, z.data, y.is_leaf, y.requires_grad]


@case
def a_result_without_the_graph_that_is_needed(torch):
    x = leaf(torch)
    y = torch.sqrt(x)
    with torch.no_grad():
        y.add_(1.0)
    (y * 2.0).sum().backward()
    return x.grad


@case
def a_result_by_its_data(torch):
    x = leaf(torch)
    y = x * 1.5
    y.data.mul_(2.0)
    (y * 2.0).sum().backward()
    return [x.grad, y.data, y.requires_grad]


@case
def a_complex_leaf_without_the_graph(torch):
    x = torch.tensor([1.0 + 2.0j, 3.0], requires_grad=True)
    with torch.no_grad():
        x.mul_(2.0)
        x[0] = 1j
        x += 1.0
    (x * x.conj()).real.sum().backward()
    return [x.data, x.grad, x.is_leaf]


@case
def a_tensor_that_is_filled(torch):
    x = leaf(torch)
    y, z, w = x * 1.5, x * 2.5, x * 3.5
    y.zero_()
    z.fill_(0.5)
    w[...] = 2.0
    (y + z + w).sum().backward()
    return [x.grad, y.data, z.data, w.data, y.requires_grad, z.is_leaf, w.requires_grad]


@case
def a_tensor_that_is_filled_and_was_needed(torch):
    x = leaf(torch)
    y = torch.relu(x * 1.5)
    y.zero_()
    y.sum().backward()
    return x.grad


@case
def results_in_place_that_are_needed(torch):
    x = leaf(torch)
    y = x * 1.5
    y.exp_()
    y.add_(1.0)
    y.sum().backward()
    return x.grad


@case
def results_in_place_that_are_not_needed(torch):
    x = leaf(torch)
    y = x * 1.5
    y.sin_()
    y.add_(1.0)
    y.sum().backward()
    return x.grad


@case
def a_power_with_an_exponent_that_has_a_gradient(torch):
    x = leaf(torch)
    y = x**x
    y.add_(1.0)
    y.sum().backward()
    return x.grad


@case
def a_power_with_a_constant_exponent(torch):
    x = leaf(torch)
    y = x**2
    y.add_(1.0)
    y.sum().backward()
    return x.grad


@case
def what_requires_grad_changes(torch):
    x = torch.zeros(2)
    x.requires_grad_()
    y = torch.ones(2)
    y.requires_grad_(False)
    return [x._version, y._version, x.is_leaf, x.requires_grad]


@case
def a_leaf_that_functions_of_results_change(torch):
    x = leaf(torch)
    with torch.no_grad():
        x.exp_()
        x.mul_(0.5)
    (x * x).sum().backward()
    return [x.grad, x.data]


@case
def a_view_that_is_read_without_the_graph(torch):
    x = leaf(torch)
    y = x * 1.5
    view = y[0]
    y.add_(1.0)
    with torch.no_grad():
        values = view * 2.0
    (view * 3.0).sum().backward()
    return [x.grad, view.requires_grad, values]


@case
def residual_blocks_with_activations_in_place(torch):
    x = leaf(torch)
    weights = [leaf(torch), leaf(torch)]
    hidden = x
    for weight in weights:
        out = torch.nn.functional.relu(hidden @ weight, inplace=True) @ weight
        out += hidden
        hidden = torch.nn.functional.relu(out, inplace=True)
    hidden.sum().backward()
    return [x.grad, *(weight.grad for weight in weights)]


@case
def a_state_that_is_added_to_in_place(torch):
    weight, state = leaf(torch), torch.zeros(2)
    for _ in range(3):
        state += torch.tanh(weight @ state + 1.0)
    state.sum().backward()
    return weight.grad


@case
def parameters_that_are_copied_and_stepped(torch):
    weight = leaf(torch)
    fast = weight.clone()
    for _ in range(2):
        (gradient,) = torch.autograd.grad((fast**2).sum(), fast, create_graph=True)
        fast = fast - 0.1 * gradient
    (fast**2).sum().backward()
    return weight.grad

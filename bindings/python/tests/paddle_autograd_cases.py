"""Programs of Paddle's derivatives: each takes the module, and gives what it computes."""

CASES = {}


def case(program):
    CASES[program.__name__] = program
    return program


def leaf(paddle, values, dtype="float32"):
    return paddle.to_tensor(values, dtype=dtype, stop_gradient=False)


def gradients(paddle, loss, *leaves):
    loss.backward()
    return [loss, *(x.grad for x in leaves)]


@case
def sum_of_squares(paddle):
    x = leaf(paddle, [1.0, -2.0, 3.0])
    return gradients(paddle, (x * x).sum(), x)


@case
def without_axes_or_with_ones(paddle):
    x = leaf(paddle, [[1.0, 2.0], [3.0, 4.0]])
    return gradients(paddle, x * x, x)


@case
def weighted(paddle):
    x = leaf(paddle, [1.0, 2.0])
    (x * x).backward(paddle.to_tensor([1.0, 10.0]))
    return x.grad


@case
def of_another_dtype(paddle):
    x = leaf(paddle, [1.0, 2.0])
    (x * 2).backward(paddle.to_tensor([1.0, 10.0], dtype="float64"))
    return x.grad


@case
def gathered(paddle):
    x = leaf(paddle, [1.0, 2.0])
    y = x * x
    y.backward(retain_graph=True)
    y.backward()
    return x.grad


@case
def twice(paddle):
    x = leaf(paddle, [1.0, 2.0])
    y = x * x
    y.backward()
    y.backward()


@case
def which_stop_gradients(paddle):
    x, c = leaf(paddle, [1.0]), paddle.to_tensor([1.0])
    y = x * c
    return [t.stop_gradient for t in (x, c, y, x > 0, x.argmax(), x.detach())], [t.is_leaf for t in (x, c, y, x.detach())]


@case
def set_afterwards(paddle):
    x = paddle.to_tensor([1.0, 2.0])
    x.stop_gradient = False
    y = x * 2
    y.stop_gradient = True
    return gradients(paddle, (y * x).sum(), x)


@case
def of_what_stops_gradients(paddle):
    c = paddle.to_tensor([1.0])
    c.backward()
    return c.grad


@case
def of_a_leaf(paddle):
    x = leaf(paddle, [3.0])
    x.backward()
    return x.grad, x.grad.stop_gradient


@case
def cleared(paddle):
    x = leaf(paddle, [1.0, 2.0])
    (x * 3).backward()
    x.clear_grad()
    zeros = x.grad.clone()
    x.clear_gradient(False)
    return zeros, x.grad


@case
def assigned(paddle):
    x = leaf(paddle, [1.0, 2.0])
    x.grad = paddle.to_tensor([5.0, 6.0])
    (x * 2).backward()
    found = x.grad.clone()
    x.grad = None
    return found, x.grad


@case
def read_by_numpy(paddle):
    x = leaf(paddle, [1.0, 2.0])
    nothing = x.gradient()
    (x * 3).backward()
    return nothing, x.gradient().tolist()


@case
def retained(paddle):
    x = leaf(paddle, [1.0, 2.0])
    y, z = x * 2, x * 5
    y.retain_grads()
    (y * z).sum().backward()
    return y.grad, z.grad


@case
def hooked(paddle):
    x = leaf(paddle, [1.0, 2.0])
    hook = x.register_hook(lambda gradient: gradient * 2)
    (x * x).sum().backward()
    found = [x.grad.clone(), hook.remove()]
    x.clear_grad()
    (x * x).sum().backward()
    return [*found, x.grad]


@case
def hooked_where_gradients_stop(paddle):
    paddle.to_tensor([1.0]).register_hook(lambda gradient: gradient)


@case
def several_at_once(paddle):
    x = leaf(paddle, [1.0, 2.0])
    paddle.autograd.backward([x * 2, x * x], [None, paddle.to_tensor([1.0, 10.0])])
    return x.grad


@case
def of_none_at_all(paddle):
    paddle.autograd.backward([])


@case
def of_too_few_weights(paddle):
    x = leaf(paddle, [1.0])
    paddle.autograd.backward([x * 2, x * 3], [None])


@case
def of_a_wrong_shape(paddle):
    (leaf(paddle, [1.0, 2.0]) * 2).backward(paddle.to_tensor([1.0, 2.0, 3.0]))


@case
def grad_of_one(paddle):
    x = leaf(paddle, [1.0, 2.0])
    found = paddle.grad((x * x).sum(), x)
    return found, found[0].stop_gradient, x.grad


@case
def grad_of_gradients(paddle):
    x = leaf(paddle, [1.0, 2.0])
    (first,) = paddle.grad([(x * x * x).sum()], [x], create_graph=True)
    return first, paddle.grad(first.sum(), x)


@case
def penalty(paddle):
    x, w = leaf(paddle, [[1.0, 2.0]]), leaf(paddle, [[0.5], [-1.0]])
    y = paddle.nn.functional.sigmoid(paddle.matmul(x, w)).sum()
    (g,) = paddle.grad(y, x, create_graph=True)
    return gradients(paddle, (g * g).sum(), w)


@case
def grad_of_unused(paddle):
    x, u = leaf(paddle, [1.0]), leaf(paddle, [2.0])
    return paddle.grad(x * x, [x, u], allow_unused=True)


@case
def grad_of_unused_refused(paddle):
    x, u = leaf(paddle, [1.0]), leaf(paddle, [2.0])
    paddle.grad(x * x, [x, u])


@case
def grad_of_what_stops(paddle):
    x = leaf(paddle, [1.0])
    paddle.grad(x * x, [paddle.to_tensor([1.0])])


@case
def grad_weighted(paddle):
    x = leaf(paddle, [1.0, 2.0])
    return paddle.grad([x * x, x * 3], [x], grad_outputs=[paddle.to_tensor([1.0, 2.0]), None])


@case
def grad_of_too_many_weights(paddle):
    x = leaf(paddle, [1.0])
    paddle.grad([x * x], [x], grad_outputs=[None, None])


@case
def grad_between(paddle):
    x = leaf(paddle, [1.0, 2.0])
    y = x * 3
    return paddle.grad((y * y).sum(), y)


@case
def scopes(paddle):
    x = leaf(paddle, [1.0])
    found = []
    with paddle.no_grad():
        found += [(x * 2).stop_gradient, paddle.is_grad_enabled()]
        with paddle.enable_grad():
            found.append((x * 2).stop_gradient)
    with paddle.set_grad_enabled(False):
        found.append((x * 2).stop_gradient)
    return [*found, (x * 2).stop_gradient, paddle.is_grad_enabled()]


@case
def decorated(paddle):
    @paddle.no_grad()
    def double(x):
        return x * 2

    return double(leaf(paddle, [1.0])).stop_gradient


@case
def leaf_written_to(paddle):
    leaf(paddle, [1.0, 2.0]).add_(paddle.to_tensor([1.0, 1.0]))


@case
def leaf_written_to_by_index(paddle):
    x = leaf(paddle, [1.0, 2.0])
    x[0] = 5.0


@case
def leaf_updated(paddle):
    x = leaf(paddle, [1.0, 2.0])
    (x * x).sum().backward()
    with paddle.no_grad():
        x.subtract_(x.grad * 0.1)
    x.clear_grad()
    return [x, x.stop_gradient, *gradients(paddle, (x * x).sum(), x)]


@case
def written_to_on_the_way(paddle):
    x = leaf(paddle, [1.0, 2.0])
    y = x * 2
    y.add_(paddle.to_tensor([1.0, 1.0]))
    return gradients(paddle, (y * y).sum(), x)


@case
def written_to_by_index(paddle):
    x = leaf(paddle, [1.0, 2.0, 3.0])
    y = x * 2
    y[0] = 7.0
    return gradients(paddle, (y * y).sum(), x)


@case
def value_written_by_index(paddle):
    x, v = leaf(paddle, [[1.0, 2.0], [3.0, 4.0]]), leaf(paddle, [5.0, 6.0])
    y = x * 1
    y[1] = v
    return gradients(paddle, (y * y).sum(), x, v)


@case
def detached_in_place(paddle):
    y = leaf(paddle, [1.0]) * 2
    y.detach_()
    return y, y.stop_gradient, y.is_leaf


@case
def copied(paddle):
    x = leaf(paddle, [1.0, 2.0])
    return gradients(paddle, (x.clone() * 3).sum() + paddle.clone(x).sum(), x)


@case
def cast(paddle):
    x = leaf(paddle, [1.0, 2.0])
    return gradients(paddle, (x.astype("float64") * 3).sum(), x)


@case
def complex_numbers(paddle):
    x = paddle.to_tensor([1 + 2j, 3 - 1j], stop_gradient=False)
    return gradients(paddle, paddle.real(x * paddle.conj(x)).sum(), x)


@case
def products(paddle):
    x, w = leaf(paddle, [[1.0, 2.0, 3.0]]), leaf(paddle, [[0.5, 1.0], [-1.0, 2.0], [1.5, 0.0]])
    return gradients(paddle, paddle.tanh(x @ w).sum(), x, w)


@case
def linear_and_cross_entropy(paddle):
    x = leaf(paddle, [[1.0, -1.0], [0.5, 2.0], [0.0, 1.0]])
    w, b = leaf(paddle, [[0.1, 0.2, -0.3], [0.4, -0.5, 0.6]]), leaf(paddle, [0.0, 0.1, 0.2])
    logits = paddle.nn.functional.linear(x, w, b)
    return gradients(paddle, paddle.nn.functional.cross_entropy(logits, paddle.to_tensor([0, 2, 1])), x, w, b)


@case
def convolution_and_pool(paddle):
    f = paddle.nn.functional
    x = leaf(paddle, [[[[float((7 * i * j) % 11) / 5 - 1 for j in range(6)] for i in range(6)]]])
    w = leaf(paddle, [[[[0.1, -0.2, 0.3], [0.4, 0.5, -0.6], [0.7, -0.8, 0.9]]]])
    y = f.avg_pool2d(f.relu(f.conv2d(x, w, padding=1)), 2)
    return gradients(paddle, (y * y).sum(), x, w)


@case
def norms(paddle):
    x = leaf(paddle, [[1.0, 2.0, 4.0], [0.5, -1.0, 3.0]])
    w, b = leaf(paddle, [1.0, 0.5, 2.0]), leaf(paddle, [0.0, 1.0, -1.0])
    y = paddle.nn.functional.layer_norm(x, 3, w, b)
    return gradients(paddle, (y * paddle.to_tensor([1.0, 2.0, 3.0])).sum(), x, w, b)


@case
def shapes(paddle):
    x = leaf(paddle, [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    y = paddle.concat([x.transpose([1, 0]).reshape([2, 3]), paddle.flip(x, [1])], axis=0)
    z = paddle.stack([y[0], y[3]]) * paddle.to_tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    return gradients(paddle, (z * z).sum(), x)


@case
def gathers(paddle):
    x = leaf(paddle, [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    y = paddle.gather(x, paddle.to_tensor([2, 0, 2])) * paddle.to_tensor([[1.0], [2.0], [3.0]])
    return gradients(paddle, (y * y).sum() + paddle.index_select(x, paddle.to_tensor([1]), axis=1).sum(), x)


@case
def embeddings(paddle):
    w = leaf(paddle, [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    y = paddle.nn.functional.embedding(paddle.to_tensor([[0, 2], [2, 2]]), w)
    return gradients(paddle, (y * y).sum(), w)


@case
def reductions(paddle):
    x = leaf(paddle, [[1.0, 5.0, 2.0], [4.0, 0.5, 3.0]])
    loss = x.max(axis=1).sum() + x.mean() + paddle.logsumexp(x) + x.std() + paddle.prod(x, axis=0).sum() + paddle.cumsum(x, 1).sum()
    return gradients(paddle, loss, x)


@case
def where_and_clip(paddle):
    x = leaf(paddle, [-2.0, -0.5, 0.5, 2.0])
    y = paddle.where(x > 0, x * x, x * 3) + paddle.clip(x, -1.0, 1.0)
    return gradients(paddle, y.sum(), x)


@case
def attention(paddle):
    q, k, v = (leaf(paddle, [[[[0.1 * (i + j + s)] for j in range(1)] for i in range(3)]]) for s in range(3))
    y = paddle.nn.functional.scaled_dot_product_attention(q, k, v)
    return gradients(paddle, (y * y).sum(), q, k, v)


@case
def layer_of_the_program(paddle):
    class Tanh(paddle.autograd.PyLayer):
        @staticmethod
        def forward(ctx, x, scale=1.0):
            y = paddle.tanh(x) * scale
            ctx.save_for_backward(y)
            ctx.scale = scale
            return y

        @staticmethod
        def backward(ctx, dy):
            (y,) = ctx.saved_tensor()
            return dy * (ctx.scale - y * y / ctx.scale) * 10

    x = leaf(paddle, [0.5, -1.0])
    y = Tanh.apply(x, scale=2.0)
    return [y.stop_gradient, *gradients(paddle, y.sum(), x)]


@case
def layer_of_two(paddle):
    class Both(paddle.autograd.PyLayer):
        @staticmethod
        def forward(ctx, x, y):
            ctx.save_for_backward(x, y)
            return x * y, x + y

        @staticmethod
        def backward(ctx, dproduct, dsum):
            x, y = ctx.saved_tensor()
            return dproduct * y + dsum, dproduct * x + dsum

    x, y = leaf(paddle, [2.0, 3.0]), leaf(paddle, [5.0, 7.0])
    product, total = Both.apply(x, y)
    return gradients(paddle, (product * product).sum() + total.sum(), x, y)


@case
def layer_with_too_few_gradients(paddle):
    class Wrong(paddle.autograd.PyLayer):
        @staticmethod
        def forward(ctx, x, y):
            return x * y

        @staticmethod
        def backward(ctx, dy):
            return dy

    x, y = leaf(paddle, [2.0]), leaf(paddle, [5.0])
    Wrong.apply(x, y).backward()


@case
def line_fitted(paddle):
    x = paddle.to_tensor([[0.0], [1.0], [2.0], [3.0]])
    y = x * 2 + 1
    w, b = leaf(paddle, [[0.0]]), leaf(paddle, [0.0])
    for _ in range(50):
        loss = paddle.nn.functional.mse_loss(paddle.matmul(x, w) + b, y)
        loss.backward()
        with paddle.no_grad():
            for p in (w, b):
                p.subtract_(p.grad * 0.1)
                p.clear_grad()
    return loss, w, b


@case
def printed(paddle):
    x = leaf(paddle, [1.0, 2.0])
    (x * x).backward()
    return repr(x), repr(x * 2), repr(x.grad), repr(x.detach())


@case
def hooks_of_leaves_are_for_backward(paddle):
    x = leaf(paddle, [1.0, 2.0])
    y = x * 2.0
    seen = []
    y.register_hook(lambda gradient: seen.append(gradient.numpy().tolist()) or gradient * 10.0)
    x.register_hook(lambda gradient: seen.append(gradient.numpy().tolist()) or gradient * 3.0)
    z = (y * y).sum()
    by_both = paddle.grad(z, [x, y], retain_graph=True)
    z.backward()
    return by_both, x.grad, seen

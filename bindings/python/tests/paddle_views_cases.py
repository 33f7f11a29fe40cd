"""Programs that write to tensors which share elements, as Paddle's users write them: functions of the module `paddle`.

`tools/record_frontend/paddle_views.py` records what Paddle gives for each, `test_paddle_views.py` compares.
"""

CASES = {}


def case(program):
    CASES[program.__name__] = program
    return program


def matrix(paddle, stop_gradient=True):
    return paddle.to_tensor([[1.0, 2.0], [3.0, 4.0]], stop_gradient=stop_gradient)


# What each gives is written to; whether the tensor has changed says whether it was a view.
GIVEN = {
    "an_entry": lambda paddle, x: x[0],
    "an_element": lambda paddle, x: x[0, 1],
    "an_entry_of_an_entry": lambda paddle, x: x[0][1],
    "a_column": lambda paddle, x: x[:, 1],
    "every_second": lambda paddle, x: x[::2, ::2],
    "backwards": lambda paddle, x: x[::-1],
    "all": lambda paddle, x: x[:],
    "all_by_an_ellipsis": lambda paddle, x: x[...],
    "a_new_axis": lambda paddle, x: x[None],
    "a_column_with_a_new_axis": lambda paddle, x: x[:, None, 1],
    "numbered_entries": lambda paddle, x: x[paddle.to_tensor([0])],
    "listed_entries": lambda paddle, x: x[[0, 1]],
    "elements_of_a_mask": lambda paddle, x: x[x > 0],
    "transposed": lambda paddle, x: paddle.transpose(x, [1, 0]),
    "transposed_by_a_method": lambda paddle, x: x.transpose([1, 0]),
    "transposed_by_an_attribute": lambda paddle, x: x.T,
    "matrices_transposed": lambda paddle, x: x.mT,
    "transposed_by_t": lambda paddle, x: x.t(),
    "transposed_twice": lambda paddle, x: x.T.T,
    "permuted": lambda paddle, x: paddle.permute(x, [1, 0]),
    "matrix_transpose": lambda paddle, x: paddle.matrix_transpose(x),
    "axes_moved": lambda paddle, x: paddle.moveaxis(x, 0, 1),
    "reshaped": lambda paddle, x: paddle.reshape(x, [4]),
    "reshaped_as_it_is": lambda paddle, x: x.reshape([2, 2]),
    "reshaped_of_transposed": lambda paddle, x: x.T.reshape([4]),
    "viewed": lambda paddle, x: x.view([4]),
    "viewed_as_another": lambda paddle, x: x.view_as(paddle.zeros([4])),
    "flattened": lambda paddle, x: x.flatten(),
    "flattened_of_transposed": lambda paddle, x: x.T.flatten(),
    "raveled": lambda paddle, x: x.ravel(),
    "unflattened": lambda paddle, x: paddle.unflatten(x, 1, [2, 1]),
    "unsqueezed": lambda paddle, x: x.unsqueeze(0),
    "unsqueezed_and_squeezed": lambda paddle, x: x.unsqueeze([0, 1]).squeeze(0),
    "squeezed_of_nothing": lambda paddle, x: paddle.squeeze(x),
    "at_least_a_vector": lambda paddle, x: paddle.atleast_1d(x),
    "at_least_three_axes": lambda paddle, x: paddle.atleast_3d(x),
    "unbound": lambda paddle, x: paddle.unbind(x)[1],
    "unbound_columns": lambda paddle, x: x.unbind(1)[0],
    "entries": lambda paddle, x: list(x)[0],
    "split": lambda paddle, x: paddle.split(x, 2)[0],
    "chunks": lambda paddle, x: paddle.chunk(x, 2)[0],
    "tensor_split": lambda paddle, x: paddle.tensor_split(x, 2)[0],
    "a_diagonal": lambda paddle, x: paddle.diagonal(x),
    "a_slice": lambda paddle, x: paddle.slice(x, [0], [0], [1]),
    "a_strided_slice": lambda paddle, x: paddle.strided_slice(x, [0], [0], [2], [1]),
    "detached": lambda paddle, x: x.detach(),
    "detached_entry": lambda paddle, x: x.detach()[0],
    "cloned": lambda paddle, x: x.clone(),
    "assigned": lambda paddle, x: paddle.assign(x),
    "of_the_same_dtype": lambda paddle, x: x.astype("float32"),
    "as_it_is": lambda paddle, x: +x,
    "contiguous": lambda paddle, x: x.contiguous(),
    "contiguous_of_transposed": lambda paddle, x: x.T.contiguous(),
    "expanded": lambda paddle, x: x.expand([2, 2]),
    "broadcast": lambda paddle, x: paddle.broadcast_to(x, [2, 2]),
    "tiled": lambda paddle, x: paddle.tile(x, [1, 1]),
    "flipped": lambda paddle, x: paddle.flip(x, [0]),
    "rolled": lambda paddle, x: paddle.roll(x, 0),
    "clipped": lambda paddle, x: paddle.clip(x, -99.0, 99.0),
    "selected_rows": lambda paddle, x: paddle.index_select(x, paddle.to_tensor([0, 1])),
    "a_copy_made_of_it": lambda paddle, x: paddle.to_tensor(x),
    "as_complex_and_real": lambda paddle, x: paddle.as_real(paddle.as_complex(x)),
}


def of_given(name, give):
    def program(paddle):
        x = matrix(paddle)
        given = give(paddle, x)
        given.fill_(9.0)
        return x, given

    program.__name__ = f"writes_to_{name}"
    return case(program)


for _name, _give in GIVEN.items():
    of_given(_name, _give)


@case
def parts_of_complex_numbers(paddle):
    z = paddle.complex(matrix(paddle), matrix(paddle))
    pairs = paddle.as_real(z)
    pairs[0, 0] = 7.0
    return z, pairs


@case
def a_base_is_written_to(paddle):
    x = matrix(paddle)
    views = [x[0], x.T, x.reshape([4]), x.unsqueeze(0), x.detach(), x[::-1, 1]]
    x.add_(paddle.ones([2, 2]))
    x[1, 1] = -1.0
    return views


@case
def views_see_what_is_written_to_each_other(paddle):
    x = matrix(paddle)
    row, column, flat = x[0], x[:, 0], x.reshape([4])
    row[0] = 7.0
    column.multiply_(paddle.to_tensor([2.0, 3.0]))
    flat[3] = 0.5
    row += 1.0
    return x, row, column, flat


@case
def a_view_of_a_view_of_a_view(paddle):
    x = paddle.arange(24, dtype="float32").reshape([2, 3, 4])
    part = x[1].T[1:3]
    part.unsqueeze(0)[0, :, 2] = -1.0
    part.scale_(10.0)
    return x, part


@case
def a_loop_over_rows(paddle):
    x = matrix(paddle)
    for i, row in enumerate(x):
        row.fill_(float(i))
    return x


@case
def swapped_halves(paddle):
    x = paddle.arange(6, dtype="float32")
    left, right = x[:3], x[3:]
    held = left.clone()
    left[:] = right
    right[:] = held
    return x, left, right


@case
def a_view_of_a_leaf_without_the_graph(paddle):
    x = matrix(paddle, False)
    with paddle.no_grad():
        x[0].add_(paddle.ones([2]))
        x.reshape([4])[3] = 0.0
    (x * x).sum().backward()
    return x, x.grad, x.stop_gradient, x.is_leaf


@case
def a_view_of_a_leaf(paddle):
    x = matrix(paddle, False)
    row = x[0]
    row.add_(paddle.ones([2]))
    (x * 2.0).sum().backward()
    return x, row, x.grad, row.stop_gradient


@case
def a_base_keeps_its_graph(paddle):
    x = matrix(paddle, False)
    base = x * 2.0
    row = base[0]
    row.add_(paddle.ones([2]))
    (base * base).sum().backward()
    return base, row, x.grad


@case
def a_view_has_a_graph_of_its_own(paddle):
    x = matrix(paddle, False)
    base = x * 2.0
    row = base[0]
    row.multiply_(paddle.to_tensor(3.0))
    (row * row).sum().backward()
    return base, row, x.grad


@case
def a_view_keeps_its_graph_where_the_base_is_written_to(paddle):
    x = matrix(paddle, False)
    base = x * 2.0
    row, raised = base[0], base.unsqueeze(0)
    base.multiply_(paddle.to_tensor(3.0))
    (row * 2.0).sum().backward(retain_graph=True)
    (raised * 3.0).sum().backward()
    return base, row, raised, x.grad


@case
def a_view_keeps_its_graph_where_another_is_written_to(paddle):
    x = matrix(paddle, False)
    base = x + 1.0
    first, second = base[0], base[0]
    first.multiply_(paddle.to_tensor(5.0))
    (second * 2.0).sum().backward()
    return first, second, x.grad


@case
def what_is_written_through_detached(paddle):
    x = matrix(paddle, False)
    base = x * 2.0
    base.detach().add_(paddle.ones([2, 2]))
    (base * base).sum().backward()
    return base, x.grad


@case
def an_element_of_a_reshaped_one(paddle):
    x = matrix(paddle, False)
    base = x * 2.0
    flat = base.reshape([4])
    flat[0] = 7.0
    ((flat * flat).sum() + (base * 2.0).sum()).backward()
    return base, flat, x.grad


@case
def a_base_that_is_set_to_zero(paddle):
    x = matrix(paddle, False)
    base = x * 2.0
    raised = base.unsqueeze(0)
    base.zero_()
    (raised * 3.0).sum().backward()
    return raised, base, x.grad


@case
def a_constant_that_a_view_gives_elements(paddle):
    x, y = matrix(paddle), matrix(paddle, False)
    row = x[0]
    row.add_((y * 2.0)[0])
    return x, x.stop_gradient, row.stop_gradient, (x * x).sum().stop_gradient


@case
def a_transposed_one_that_is_filled(paddle):
    x = matrix(paddle, False)
    base = x * 2.0
    transposed = base.T
    transposed.fill_(1.5)
    (transposed * base).sum().backward()
    return base, x.grad


@case
def a_leaf_is_not_written_to(paddle):
    x = matrix(paddle, False)
    x.add_(paddle.ones([2, 2]))

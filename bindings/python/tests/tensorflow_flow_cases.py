"""Programs of TensorFlow's control flow and structures, as its users write them: functions of the module `tf`.

`tools/record_frontend/tensorflow_flow.py` records what TensorFlow gives for each, `test_tensorflow_flow.py` compares.
"""


def cond_takes_a_branch(tf):
    x = tf.constant(2.0)
    return [tf.cond(x > flag, lambda: x * 2, lambda: (x, x + 1)) for flag in (1.0, 3.0)]


def cond_needs_functions(tf):
    return tf.cond(tf.constant(True), tf.constant(1), lambda: 2)


def case_takes_the_first(tf):
    x = tf.constant(3)
    pairs = [(x > 5, lambda: tf.constant("big" == "")), (x > 2, lambda: x * 10), (x > 1, lambda: x * 100)]
    return tf.case(pairs, default=lambda: x), tf.case(pairs[:1], default=lambda: -x)


def case_without_a_default(tf):
    return tf.case([(tf.constant(False), lambda: tf.constant(1))])


def case_that_is_not_exclusive(tf):
    return tf.case([(tf.constant(True), lambda: 1), (tf.constant(True), lambda: 2)], exclusive=True)


def switch_case_by_a_number(tf):
    branches = [lambda: tf.constant(10), lambda: tf.constant(20), lambda: tf.constant(30)]
    found = [tf.switch_case(tf.constant(i), branches) for i in (-1, 0, 1, 2, 7)]
    found += [tf.switch_case(tf.constant(i), {1: branches[0], 0: branches[2]}, default=branches[1]) for i in (-1, 0, 1, 3)]
    return found


def switch_case_with_a_gap(tf):
    return tf.switch_case(tf.constant(0), {0: lambda: 1, 5: lambda: 2})


def while_loop_counts(tf):
    i, total = tf.constant(0), tf.constant(1.0)
    return tf.while_loop(lambda i, t: i < 5, lambda i, t: (i + 1, t * 2.0), [i, total])


def while_loop_of_one_variable(tf):
    return tf.while_loop(lambda i: i < 5, lambda i: (i + 2,), (tf.constant(0),))


def while_loop_stops_in_time(tf):
    return tf.while_loop(lambda i: True, lambda i: [i + 1], [tf.constant(0)], maximum_iterations=4)


def while_loop_that_does_not_begin(tf):
    return tf.while_loop(lambda i: i > 5, lambda i: [i + 1], [tf.constant(0)])


def while_loop_of_structures(tf):
    state = {"sum": tf.constant(0), "pair": (tf.constant(1), tf.constant(1))}
    step = lambda i, s: (i + 1, {"sum": s["sum"] + s["pair"][0], "pair": (s["pair"][1], s["pair"][0] + s["pair"][1])})
    return tf.while_loop(lambda i, s: i < 8, step, (tf.constant(0), state))


def while_loop_that_changes_its_structure(tf):
    return tf.while_loop(lambda i: i < 5, lambda i: (i + 1, i), [tf.constant(0)])


def while_loop_without_variables(tf):
    return tf.while_loop(lambda: False, lambda: (), [])


def map_fn_of_rows(tf):
    x = tf.reshape(tf.range(6.0), (3, 2))
    return tf.map_fn(tf.reduce_sum, x), tf.map_fn(lambda row: row * 2.0, x)


def map_fn_of_structures(tf):
    x, y = tf.constant([1.0, 2.0]), tf.constant([[1, 2], [3, 4]])
    return tf.map_fn(lambda p: (p[0] * 2.0, p[1][0]), (x, y), fn_output_signature=(tf.float32, tf.int32))


def map_fn_of_a_scalar(tf):
    return tf.map_fn(lambda x: x, tf.constant(1.0))


def vectorized_map_of_rows(tf):
    return tf.vectorized_map(lambda row: tf.tensordot(row, row, 1), tf.reshape(tf.range(6.0), (3, 2)))


def folds(tf):
    x = tf.constant([1, 2, 3, 4])
    sub = lambda a, b: a - b
    return tf.foldl(sub, x), tf.foldr(sub, x), tf.foldl(sub, x, initializer=10), tf.foldr(sub, x, initializer=tf.constant(10))


def scans(tf):
    x = tf.constant([1, 2, 3, 4])
    add = lambda a, b: a + 2 * b
    return tf.scan(add, x), tf.scan(add, x, initializer=10), tf.scan(add, x, reverse=True)


def scan_of_structures(tf):
    x = tf.constant([1.0, 2.0, 3.0])
    return tf.scan(lambda a, b: (a[0] + b, a[1] * b), x, initializer=(tf.constant(0.0), tf.constant(1.0)))


def function_runs(tf):
    @tf.function
    def square(x):
        return x * x

    @tf.function(input_signature=None, jit_compile=False)
    def twice(x, y=1.0):
        return x * 2.0 + y

    return square(tf.constant([2.0, 3.0])), twice(tf.constant(1.0), y=0.5), square.python_function(3)


def gradients_through_control_flow(tf):
    x = tf.Variable([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        powers = tf.map_fn(lambda v: tf.cond(v > 1.5, lambda: v * v, lambda: v), x)
        total = tf.foldl(lambda a, b: a + b, powers)
        _, doubled = tf.while_loop(lambda i, t: i < 3, lambda i, t: (i + 1, t * 2.0), (tf.constant(0), total))
    return tape.gradient(doubled, x)


def scopes_without_meaning(tf):
    with tf.device("/cpu:0"), tf.init_scope(), tf.control_dependencies([tf.no_op()]):
        return tf.constant(1) + 1, tf.executing_eagerly()


def nest_of_structures(tf):
    structure = {"b": [tf.constant(1), (2, 3)], "a": None}
    flat = tf.nest.flatten(structure)
    doubled = tf.nest.map_structure(lambda a, b: a + b, (1, [2, 3]), (10, [20, 30]))
    return flat, tf.nest.pack_sequence_as(structure, ["w", "x", "y", "z"]), doubled, tf.nest.is_nested([]), tf.nest.is_nested(1)


def nest_of_different_structures(tf):
    return tf.nest.map_structure(lambda a, b: a + b, [1, 2], [1, [2]])


def nest_of_too_few_entries(tf):
    return tf.nest.pack_sequence_as([1, 2], [3])


CASES = {name: made for name, made in list(globals().items()) if callable(made)}

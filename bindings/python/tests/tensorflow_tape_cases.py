"""Programs with `tf.GradientTape`, as TensorFlow's users write them: functions of the module `tf`.

`tools/record_frontend/tensorflow_tape.py` records what TensorFlow gives for each, `test_tensorflow_tape.py` compares.
"""

CASES = {}


def case(program):
    CASES[program.__name__] = program
    return program


def pair(tf):
    return tf.Variable([[1.0, 2.0], [3.0, -1.0]]), tf.constant([[0.5, -1.0], [2.0, 1.5]])


@case
def variables_are_watched_and_constants_are_not(tf):
    x, c = pair(tf)
    with tf.GradientTape() as tape:
        y = x * c
    return tape.gradient(y, [x, c])


@case
def constants_that_are_watched(tf):
    x, c = pair(tf)
    with tf.GradientTape() as tape:
        tape.watch(c)
        y = x * c
    return tape.gradient(y, {"x": x, "c": c})


@case
def only_what_is_watched(tf):
    x, c = pair(tf)
    w = tf.Variable(2.0)
    with tf.GradientTape(watch_accessed_variables=False) as tape:
        tape.watch(x)
        y = x * c * w
    return tape.gradient(y, [x, c, w])


@case
def nothing_that_is_watched(tf):
    x, c = pair(tf)
    with tf.GradientTape(watch_accessed_variables=False, persistent=True) as tape:
        y = x * c
        z = y * y
    return tape.gradient(z, [x, c, y])


@case
def watched_and_of_variables_that_are_not(tf):
    x, c = pair(tf)
    with tf.GradientTape(watch_accessed_variables=False, persistent=True) as tape:
        tape.watch(c)
        y = x * 2.0
        z = y * c
    return tape.gradient(z, [x, y, c, z])


@case
def variables_that_are_not_trainable(tf):
    x = tf.Variable([1.0, 2.0], trainable=False)
    with tf.GradientTape(persistent=True) as tape:
        y = x * x
        tape.watch(x)
        z = x * x
    return tape.gradient(y, x), tape.gradient(z, x)


@case
def what_was_computed_ahead_of_the_tape(tf):
    x, c = pair(tf)
    y = x * c
    with tf.GradientTape() as tape:
        z = y * x
    return tape.gradient(z, [x, y])


@case
def what_is_computed_after_the_tape(tf):
    x, c = pair(tf)
    with tf.GradientTape(persistent=True) as tape:
        y = x * c
    z = y * x
    return tape.gradient(y, x), tape.gradient(z, [x, y])


@case
def what_is_computed_while_another_tape_records(tf):
    x, c = pair(tf)
    with tf.GradientTape(persistent=True) as first:
        y = x * c
    with tf.GradientTape(persistent=True) as second:
        z = y * x
    return [tape.gradient(target, [x, y]) for tape in (first, second) for target in (y, z)]


@case
def tapes_that_overlap(tf):
    x, c = pair(tf)
    first, second = tf.GradientTape(persistent=True), tf.GradientTape(persistent=True)
    with first:
        a = x * c
        with second:
            b = a * x
        d = b + a * a
    return [tape.gradient(target, [x, a, b]) for tape in (first, second) for target in (a, b, d)]


@case
def an_inner_tape_knows_what_it_watches(tf):
    x, c = pair(tf)
    with tf.GradientTape() as outer:
        outer.watch(c)
        y = x * c
        z = y * y
        with tf.GradientTape() as inner:
            inner.watch(y)
            h = tf.reduce_sum(y * z)
        g = inner.gradient(h, y)
        total = tf.reduce_sum(g * x)
    return g, outer.gradient(total, [x, c])


@case
def an_inner_tape_that_watches_nothing_of_it(tf):
    x, c = pair(tf)
    with tf.GradientTape() as outer:
        outer.watch(c)
        y = c * 2.0
        with tf.GradientTape(persistent=True) as inner:
            h = tf.reduce_sum(y * y)
            k = tf.reduce_sum(y * x)
        found = [inner.gradient(h, [c, y]), inner.gradient(k, [x, y])]
    return [*found, outer.gradient(h, [c, y])]


@case
def second_derivatives(tf):
    x = tf.Variable([1.0, 2.0, -0.5])
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = tf.reduce_sum(x**3)
        first = inner.gradient(y, x)
    return first, outer.gradient(first, x)


@case
def second_derivatives_within_the_inner_tape(tf):
    x = tf.Variable([1.0, 2.0, -0.5])
    with tf.GradientTape(persistent=True) as tape:
        y = tf.reduce_sum(x**3)
        first = tape.gradient(y, x)
    return first, tape.gradient(first, x)


@case
def recording_that_is_stopped(tf):
    x, c = pair(tf)
    with tf.GradientTape(persistent=True) as tape:
        y = x * c
        with tape.stop_recording():
            z = y * x
        w = z * x
    return [tape.gradient(target, [x, y, z]) for target in (y, z, w)]


@case
def recording_that_is_stopped_of_one_tape(tf):
    x, c = pair(tf)
    with tf.GradientTape(persistent=True) as outer:
        with tf.GradientTape(persistent=True) as inner:
            y = x * c
            with inner.stop_recording():
                z = y * x
            w = z * x
    return [tape.gradient(target, [x, y, z]) for tape in (outer, inner) for target in (y, z, w)]


@case
def a_gradient_while_recording_is_stopped(tf):
    x, c = pair(tf)
    with tf.GradientTape(persistent=True) as tape:
        y = tf.reduce_sum(x * x * c)
        with tape.stop_recording():
            g = tape.gradient(y, x)
    return g, tape.gradient(g, x)


@case
def a_tape_that_is_reset(tf):
    x, c = pair(tf)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(c)
        y = x * c
        tape.reset()
        z = y * x
    return tape.gradient(y, [x, c]), tape.gradient(z, [x, c, y])


@case
def a_tape_that_is_reset_and_watches_anew(tf):
    x, c = pair(tf)
    with tf.GradientTape() as tape:
        y = x * c
        tape.reset()
        tape.watch(c)
        z = y * x * c
    return tape.gradient(z, [x, c])


@case
def a_tape_that_is_entered_again(tf):
    x, c = pair(tf)
    tape = tf.GradientTape(persistent=True)
    with tape:
        y = x * c
    with tape:
        z = y * x
    return [tape.gradient(target, [x, y]) for target in (y, z)]


@case
def a_tape_that_is_entered_again_and_watches(tf):
    x, c = pair(tf)
    tape = tf.GradientTape(persistent=True)
    with tape:
        tape.watch(c)
        y = x * c
    between = y * c
    with tape:
        z = y * c
    return [tape.gradient(target, [x, c, y]) for target in (y, between, z)]


@case
def a_tape_that_was_used(tf):
    x, c = pair(tf)
    with tf.GradientTape() as tape:
        y = x * c
    return tape.gradient(y, x), tape.gradient(y, x)


@case
def gradients_by_intermediate_results(tf):
    x, c = pair(tf)
    with tf.GradientTape() as tape:
        y = x * c
        z = tf.sin(y) + y * x
    return tape.gradient(z, [y, x, z])


@case
def gradients_by_structures(tf):
    x, c = pair(tf)
    w = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        tape.watch([c, w])
        y = x * c * w
    return tape.gradient(y, {"both": (x, [w]), "c": c})


@case
def gradients_of_several_targets(tf):
    x, c = pair(tf)
    with tf.GradientTape(persistent=True) as tape:
        y, z = x * c, x * x
    weights = [tf.ones_like(y) * 2.0, tf.ones_like(z) * 0.5]
    return tape.gradient([y, z], x), tape.gradient([y, z], [x], output_gradients=weights), tape.gradient({"y": y}, x)


@case
def unconnected_gradients_of_zero(tf):
    x, c = pair(tf)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(c)
        y = x * 2.0
    zero = tf.UnconnectedGradients.ZERO
    return tape.gradient(y, [x, c], unconnected_gradients=zero), tape.gradient(y, c, unconnected_gradients="zero"), tape.gradient(y, c)


@case
def targets_that_are_constants(tf):
    x, c = pair(tf)
    with tf.GradientTape(persistent=True) as tape:
        y = tf.cast(tf.cast(x, tf.int32), tf.float32)
    return tape.gradient(y, x), tape.gradient(c, x)


@case
def assignments_within_a_tape(tf):
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = x * x
        x.assign_add([10.0, 10.0])
        z = y * x
    return z, tape.gradient(z, x), x


@case
def a_step_of_descent(tf):
    w, b = tf.Variable([[0.5], [-0.5]]), tf.Variable([0.1])
    data, labels = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), tf.constant([[1.0], [0.0], [1.0]])
    losses = []
    for _ in range(3):
        with tf.GradientTape() as tape:
            logits = data @ w + b
            loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits))
        for variable, gradient in zip([w, b], tape.gradient(loss, [w, b])):
            variable.assign_sub(0.1 * gradient)
        losses.append(loss)
    return losses, w, b


@case
def jacobians(tf):
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape(persistent=True) as tape:
        y = tf.stack([x[0] * x[1], tf.sin(x[0]), x[1] ** 2])
        early = tape.jacobian(y, x)
    return early, tape.jacobian(y, [x]), tape.jacobian(tf.constant([1.0]), x)


@case
def jacobians_of_what_came_ahead(tf):
    x = tf.Variable([1.0, 2.0])
    y = x * x
    with tf.GradientTape(persistent=True) as tape:
        z = y * x
    return tape.jacobian(z, x), tape.jacobian(y, x)


@case
def what_stops_gradients(tf):
    x, c = pair(tf)
    with tf.GradientTape() as tape:
        y = tf.stop_gradient(x * c) * x
    return tape.gradient(y, x)

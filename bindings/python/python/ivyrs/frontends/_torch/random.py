"""The generator that calls without one draw from, and its state."""

from contextlib import contextmanager

from ... import _ivyrs

default_generator = _ivyrs.torch_default_generator


def manual_seed(seed):
    """Has random numbers follow from a seed from here on; gives the generator."""
    return default_generator.manual_seed(int(seed))


def seed():
    """Has random numbers follow from a seed that the system gives; gives it."""
    return default_generator.seed()


def initial_seed():
    """The seed that random numbers follow from."""
    return default_generator.initial_seed()


def get_rng_state():
    """The state of the generator, as a tensor of bytes."""
    return default_generator.get_state()


def set_rng_state(new_state):
    """Sets the state to one that :func:`get_rng_state` gave."""
    default_generator.set_state(new_state)


@contextmanager
def fork_rng(devices=None, enabled=True, _caller="fork_rng", _devices_kw="devices", device_type="cpu"):
    """A block after which random numbers go on as if it had drawn none."""
    state = get_rng_state() if enabled else None
    try:
        yield
    finally:
        if state is not None:
            set_rng_state(state)


ALL = dict(
    default_generator=default_generator, manual_seed=manual_seed, seed=seed, initial_seed=initial_seed, get_rng_state=get_rng_state,
    set_rng_state=set_rng_state,
)  # fmt: skip

"""Random numbers: generators, and what truncation leaves of the normal distribution."""

import copy
import math
import pickle

import numpy as np
import pytest

import ivyrs


def draw(xp, seed):
    return xp.random_uniform(shape=(5,), seed=seed).tolist()


def test_a_generator_draws_nothing_twice(xp):
    generator = ivyrs.Generator(7)
    first, second = draw(xp, generator), draw(xp, generator)
    assert first != second and generator.counter == 2
    # A seed is the key of the first draw.
    assert first == draw(xp, 7)
    again = ivyrs.Generator(7)
    assert [draw(xp, again), draw(xp, again)] == [first, second]
    assert draw(xp, ivyrs.Generator(7).jumped()) == second
    assert draw(xp, ivyrs.Generator(7, counter=1)) == second


def test_every_function_takes_one(xp):
    generator = ivyrs.Generator(1)
    xp.random_normal(shape=(2,), seed=generator)
    xp.randint(0, 9, shape=(2,), seed=generator)
    xp.bernoulli(0.5, shape=(2,), seed=generator)
    xp.shuffle(xp.asarray([1, 2, 3]), seed=generator)
    assert generator.counter == 4


def test_splits_and_copies():
    generator = ivyrs.Generator(3)
    left, right = generator.split()
    assert generator.counter == 1 and left != right and len({g.key for g in [left, right, *generator.split(4)]}) == 6
    assert generator.fold_in(5) == generator.fold_in(5) != generator.fold_in(6)
    assert ivyrs.Generator() != ivyrs.Generator()
    assert ivyrs.Generator(-1).key == ivyrs.Generator(2**64 - 1).key == 2**64 - 1
    for other in [copy.copy(generator), copy.deepcopy(generator), pickle.loads(pickle.dumps(generator))]:
        assert other == generator and other is not generator and repr(other) == repr(generator)


def test_bad_generators():
    for bad in ["4", 1.5]:
        with pytest.raises(TypeError):
            ivyrs.Generator(bad)
    for bad in [2**64, -(2**63) - 1]:
        with pytest.raises(OverflowError):
            ivyrs.Generator(bad)
    with pytest.raises(TypeError):
        ivyrs.random_uniform(shape=ivyrs.Generator(1))
    with pytest.raises((TypeError, ValueError)):
        ivyrs.random_uniform(shape=(2,), seed=[1, 2, 3])


def test_truncated_normal(xp):
    """The moments of SciPy's ``truncnorm(-2, 2)``, by the formula that its documentation refers to."""
    mean, std, bound, n = 3.0, 0.5, 2.0, 40_000
    x = np.asarray(xp.truncated_normal(mean=mean, std=std, shape=(n,), seed=5), dtype=np.float64)
    assert np.all(np.abs(x - mean) <= bound * std * (1 + 1e-6))
    density = math.exp(-bound * bound / 2) / math.sqrt(2 * math.pi)
    inside = math.erf(bound / math.sqrt(2))
    variance = 1 - 2 * bound * density / inside
    fourth = 3 * variance - 2 * bound**3 * density / inside
    y = (x - mean) / std
    assert abs(y.mean()) < 4.5 * math.sqrt(variance / n)
    assert abs((y * y).mean() - variance) < 4.5 * math.sqrt((fourth - variance**2) / n)

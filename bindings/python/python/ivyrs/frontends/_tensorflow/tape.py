"""``tf.GradientTape``: what is computed of watched tensors and of trainable variables while it records has gradients."""

import contextlib
import enum
import warnings

from ... import _ivyrs
from . import nest


class UnconnectedGradients(enum.Enum):
    """What the gradient by a source is that the target does not depend on."""

    NONE = "none"
    ZERO = "zero"


class GradientTape:
    """Records what is computed of watched tensors, and gives gradients."""

    def __init__(self, persistent=False, watch_accessed_variables=True):
        self._persistent = persistent
        self._variables = watch_accessed_variables
        self._tape = None
        self._recording = self._used = False

    def __enter__(self):
        if self._recording:
            raise ValueError("Tape is still recording, This can happen if you try to re-enter an already-active tape.")
        if self._tape is None:
            self._tape = _ivyrs.TensorFlowTape(bool(self._variables))
        else:
            self._tape.enter()
        self._recording = True
        return self

    def __exit__(self, *error):
        if self._recording:
            self._stop()

    def _stop(self):
        self._tape.stop()
        self._recording = False

    def _begin(self):
        """Before gradients: a tape that is asked once ends its recording by it."""
        if self._tape is None or self._used:
            raise RuntimeError("A non-persistent GradientTape can only be used to compute one set of gradients (or jacobians)")
        if not self._persistent:
            self._used = True
            if self._recording:
                self._stop()

    def watch(self, tensor):
        """Records what is computed of a tensor, or of each in nested lists, from here on."""
        if not self._recording:
            raise ValueError("the tape does not record: watch tensors in its `with` block")
        for x in nest.flatten(tensor):
            if not isinstance(x, _ivyrs.TensorFlowTensor):
                raise ValueError(f"Passed in object {x} of type {type(x).__name__}, not tf.Tensor or tf.Variable.")
            if not (x.dtype.is_floating_point or x.dtype.is_complex):
                warnings.warn(f"The dtype of the watched tensor must be floating (e.g. tf.float32), got {x.dtype!r}", stacklevel=2)
            else:
                self._tape.watch(x)

    def gradient(self, target, sources, output_gradients=None, unconnected_gradients=UnconnectedGradients.NONE):
        """The gradients of a target, or of the sum of several, by sources: in the sources' structure."""
        zeros = UnconnectedGradients(unconnected_gradients) is UnconnectedGradients.ZERO
        targets = [x for x in nest.flatten(target) if x is not None]
        weights = [None] * len(targets) if output_gradients is None else nest.flatten(output_gradients)
        if len(weights) != len(targets):
            raise ValueError(f"there are {len(targets)} targets and {len(weights)} output_gradients")
        self._begin()
        return nest.pack_sequence_as(sources, self._tape.gradient(targets, nest.flatten(sources), weights, zeros))

    def jacobian(self, target, sources, unconnected_gradients=UnconnectedGradients.NONE, parallel_iterations=None, experimental_use_pfor=True):
        """The derivatives of each element of a target by each of sources: the target's axes, then the source's."""
        if UnconnectedGradients(unconnected_gradients) is UnconnectedGradients.ZERO:
            raise NotImplementedError("tf.GradientTape.jacobian: unconnected_gradients is only 'none'")
        self._begin()
        return nest.pack_sequence_as(sources, [self._tape.jacobian(target, x) for x in nest.flatten(sources)])

    @contextlib.contextmanager
    def stop_recording(self):
        """A scope of which this tape records nothing."""
        if not self._recording:
            raise ValueError("the tape does not record: `stop_recording` is for its `with` block")
        others = self._tape.pause()
        before = _ivyrs.set_grad_enabled(False) if not others else None
        try:
            yield
        finally:
            if not others:
                _ivyrs.set_grad_enabled(before)
            self._tape.resume()

    def reset(self):
        """Forgets what was watched, and records anew."""
        if self._recording:
            self._stop()
        self._tape = None
        self._used = False
        self.__enter__()

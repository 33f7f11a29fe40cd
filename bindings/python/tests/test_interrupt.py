"""Ctrl-C in calls that take long."""

import os
import signal
import subprocess
import sys
import textwrap

import pytest

PROGRAM = textwrap.dedent(
    """
    import os, signal, sys, threading
    import ivyrs

    xp = ivyrs.namespace(sys.argv[1])
    # What is fused takes no memory on the engine.
    long = xp.broadcast_to(xp.ones((1,), dtype="float64"), (2**40,))
    calls = {
        "sum": lambda: float(xp.sum(long)),
        "fused": lambda: float(xp.sum(xp.sin(long))),
        "rows": lambda: xp.max(xp.broadcast_to(xp.ones((1,)), (3, 2**38)), axis=1).tolist(),
        # The function is called by ours, and calls it again.
        "callback": lambda: xp.grad(lambda x: x * float(xp.sum(long)))(xp.ones((), dtype="float64")),
        "gradient": lambda: xp.grad(lambda x: xp.sum(xp.broadcast_to(x, (2**40,)) * 2.0))(xp.ones(())).tolist(),
    }
    call = calls[sys.argv[2]]
    # What is started in the background by a shell ignores the signal, and Python leaves that so.
    handler = (lambda *_: print("handled")) if sys.argv[3] == "handler" else signal.default_int_handler
    signal.signal(signal.SIGINT, handler)
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    try:
        call()
    except KeyboardInterrupt:
        print("KeyboardInterrupt")
    except ivyrs.Interrupted as error:
        print("Interrupted", error.function)
    # All goes on as if nothing had been.
    assert float(xp.sum(xp.ones((100,), dtype="float64"))) == 100.0
    assert float(xp.sum(xp.sin(xp.zeros((1000, 1000), dtype="float64")))) == 0.0
    """
)


def interrupted(place, call, how):
    command = [sys.executable, "-c", PROGRAM, place, call, how]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@pytest.mark.skipif(os.name != "posix", reason="signals are those of POSIX")
@pytest.mark.parametrize(
    ("place", "call"),
    [
        *[("ndarray", call) for call in ("sum", "rows", "callback")],
        *[("jit:llvm", call) for call in ("sum", "fused", "rows", "callback", "gradient")],
    ],
)
def test_a_long_call_is_interrupted(place, call):
    assert interrupted(place, call, "default") == ["KeyboardInterrupt"]


@pytest.mark.skipif(os.name != "posix", reason="signals are those of POSIX")
def test_a_handler_that_raises_nothing_leaves_an_error_of_ours():
    told = interrupted("ndarray", "sum", "handler")
    assert told[:2] == ["handled", "Interrupted"] and signal.getsignal(signal.SIGINT) is not None

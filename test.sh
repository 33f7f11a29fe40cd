#!/usr/bin/env bash
# The project's tests, all of them: ./test.sh [--full]
# --full runs the conformance products whole instead of a twentieth of them; on the stand-in for a device, of a fiftieth; by
# machine code throughout, of a fiftieth of 1/64 of the functions, since LLVM takes long. Needs Rust, a C compiler and Python;
# a C++ compiler and pip are installed where they lack, and libtorch, 540 MB, on the first run (./setup-libtorch.sh);
# so is ptxas, 20 MB (./setup-ptxas.sh).
set -euo pipefail
cd "$(dirname "$0")"
export CARGO_TERM_COLOR=never CARGO_INCREMENTAL=0
seed=${IVY_TEST_SEED:-1}
case "${1:-}" in
--full) sample=1 device_sample=1 machine_part=1/1 ;;
"") sample=0.05 device_sample=0.02 machine_part=$((seed % 64 + 1))/64 ;;
*) echo "usage: ./test.sh [--full]" >&2; exit 2 ;;
esac
log=$(mktemp)
trap 'rm -f "$log"' EXIT
started=$SECONDS

step() { # step NAME COMMAND...: runs a step, prints how long it took, stops at the first failure
    local name=$1 begin=$SECONDS
    shift
    echo "==> $name: $*"
    if ! "$@" 2>&1 | tee -a "$log"; then
        echo "==> $name FAILED after $((SECONDS - begin)) s"
        summary
        exit 1
    fi
    echo "==> $name: $((SECONDS - begin)) s"
}

summary() { # the sums over all test binaries
    awk '/^test result:/ { for (i = 1; i < NF; i++) { if ($(i+1) ~ /^passed/) p += $i; if ($(i+1) ~ /^failed/) f += $i; if ($(i+1) ~ /^ignored/) s += $i } }
         # pytest: "12 passed, 1 skipped in 3.45s"
         / in [0-9.]+s/ { n = split($0, w, /[ ,]+/); for (i = 2; i <= n; i++) { if (w[i] == "passed") p += w[i-1]; if (w[i] ~ /^(failed|errors?)$/) f += w[i-1]; if (w[i] ~ /^(skipped|xfailed)$/) s += w[i-1] } }
         END { printf "%d passed, %d failed, %d skipped\n", p, f, s }' "$log"
}

conformance_on_stand_in() { # the functions in four processes, which have one thread each
    local parts=() part failed=0
    for part in 1/4 2/4 3/4 4/4; do
        IVY_CUDA="$stand_in" "$built/ivy" conformance --backend jit:cuda --part "$part" --sample "$device_sample" --seed "$seed" &
        parts+=($!)
    done
    for part in "${parts[@]}"; do wait "$part" || failed=1; done
    return "$failed"
}

frontend_examples() { # what ported programs compute, on every backend
    "$built/examples/numpy_filter" --out "$built/numpy_filter.png" && "$built/examples/jax_training" && "$built/examples/tensorflow_tape"
}

echo "conformance seed $seed (IVY_TEST_SEED sets it)"
# One feature set for all that follows but the last steps, so that nothing is built twice; the Python package is among what
# is built because its features change those of others.
step "tools" .ci/prepare
step "libtorch" ./setup-libtorch.sh
step "ptxas" ./setup-ptxas.sh
step "build" cargo build --workspace --all-targets --features torch --locked
step "tests" .ci/run_tests.py --workspace --features torch --locked
step "examples in docs" cargo test --workspace --features torch --locked --no-fail-fast --doc
built=${CARGO_TARGET_DIR:-target}/debug
step "conformance" "$built/ivy" conformance --sample "$sample" --seed "$seed"
# The engine interprets what runs once, as nearly all of that does.
step "conformance of machine code" env IVY_JIT_TIERED=off "$built/ivy" conformance --backend jit --part "$machine_part" --sample "$device_sample" --seed "$seed"
# The same on the stand-in for a device, which reads the PTX on the host, and loops, compiled functions and random programs through the backend there.
stand_in=$(cd "$built" && ls "$PWD"/libivy_ptx_machine.* | grep -m 1 -E '[.](so|dylib)$')
step "conformance of jit:cuda" conformance_on_stand_in
step "loops and programs on jit:cuda" env IVY_CUDA="$stand_in" cargo test --workspace --features torch --locked --test control_flow --test compiled --test programs
step "benchmark of jit:cuda" env IVY_CUDA="$stand_in" "$built/cuda" 4096
step "digits" "$built/examples/digits"
step "examples of frontends" frontend_examples
step "python" bindings/python/install.sh
python=${CARGO_TARGET_DIR:-target}/python/bin/python
step "python tests" "$python" -m pytest bindings/python
step "without libtorch" cargo test --profile quick --locked -p ivy-backend-torch --lib
step "a 16th dtype by one table row" cargo test --profile quick --locked -p ivy-core --features extra-dtype --test extra_dtype
echo "==> all steps: $((SECONDS - started)) s"
summary

#!/usr/bin/env bash
# The project's tests, all of them: ./test.sh [--full]
# --full runs the conformance products whole instead of 3 % of them; on the stand-in for a device, of 2 % of a quarter of the
# functions; by machine code throughout, of 2 % of 1/64 of them, since LLVM takes long; and every case of the tests with long
# lists, of which a quarter runs otherwise (IVY_TEST_PART). The seed chooses the parts. Needs Rust, a C compiler and Python;
# a C++ compiler, pip and cargo-nextest are installed where they lack, and libtorch, 540 MB, on the first run
# (./setup-libtorch.sh); so is ptxas, 20 MB (./setup-ptxas.sh). What is random follows IVY_TEST_SEED, which is 1.
set -euo pipefail
cd "$(dirname "$0")"
. .ci/steps.sh
seed=$IVY_TEST_SEED
case "${1:-}" in
--full) sample=1 device_sample=1 device_step=1 machine_part=1/1 test_part=1/1 ;;
"") sample=0.03 device_sample=0.02 device_step=4 machine_part=$((seed % 64 + 1))/64 test_part=$((seed % 4 + 1))/4 ;;
*) echo "usage: ./test.sh [--full]" >&2; exit 2 ;;
esac
export IVY_TEST_PART=$test_part
# One feature set for all that follows but the last steps, so that nothing is built twice; the Python package is among what
# is built because its features change those of others.
all=(--workspace --features torch --locked)
target=${CARGO_TARGET_DIR:-$PWD/target}
built=$target/debug

engine_tests() { # most of the engine's kernels would be interpreted otherwise, since they run once; all other tests have them so
    IVY_JIT_TIERED=off run_tests ci-engine "${all[@]}" -E 'package(ivy-backend-jit)'
}

run_tests() { # run_tests PROFILE [OPTION...]: the test programs by a profile of .config/nextest.toml
    # Below the workspace, wherever cargo's target folder is.
    local profile=$1 status=0 report=target/nextest/$1/junit.xml
    shift
    rm -f "$report"
    cargo nextest run --profile "$profile" "$@" || status=$?
    [ -e "$report" ] || return $((status ? status : 1))
    cp "$report" "$IVY_CI_FOLDER/$profile.xml"
    return "$status"
}

on_stand_in() { # on_stand_in COMMAND...: with the stand-in for a device, which reads the PTX on the host
    IVY_CUDA=$(ls "$built"/libivy_ptx_machine.* | grep -m 1 -E '[.](so|dylib)$') "$@"
}

conformance_on_stand_in() { # the functions, or those of every fourth part, in 16 processes, which have one thread each
    seq $((seed % device_step + 1)) "$device_step" 16 | on_stand_in xargs -P "$(nproc)" -I {} "$built/ivy" conformance --backend jit:cuda --part {}/16 --sample "$device_sample" --seed "$seed"
}

frontend_examples() { # what ported programs compute, on every backend
    "$built/examples/numpy_filter" --out "$built/numpy_filter.png" && "$built/examples/jax_training" && "$built/examples/tensorflow_tape" &&
        "$built/examples/torch_digits" --epochs 2 --curve "$built/torch_digits.svg"
}

memcheck() { # tests of kernels that write, or all of them
    local some=(--exact kernels::a_histogram_by_atomics kernels::control_flow_and_locals kernels::prefix_sums_in_blocks
        kernels::faults_say_where effects::calls::functions_with_effects)
    [ "$sample" != 1 ] || some=()
    .ci/memcheck "${some[@]}"
}

python_tests() {
    "$target/python/bin/python" -m pytest bindings/python -n "$(nproc)" --dist worksteal --junitxml "$IVY_CI_FOLDER/pytest.xml"
}

step "space" enough_space 12
step "tools" .ci/prepare
step "libtorch" ./setup-libtorch.sh
step "ptxas" ./setup-ptxas.sh
step "build" cargo build "${all[@]}" --all-targets
step "tests of the engine" engine_tests
step "tests" run_tests ci "${all[@]}" -E 'not package(ivy-backend-jit)'
# Steps of one thread mostly go on together: two of them take no longer than one.
[ "$(uname -s)" != Linux ] || in_background "memcheck" memcheck
step "examples in docs" cargo test "${all[@]}" --no-fail-fast --doc
step "conformance" "$built/ivy" conformance --sample "$sample" --seed "$seed"
step "conformance of machine code" env IVY_JIT_TIERED=off "$built/ivy" conformance --backend jit --part "$machine_part" --sample "$device_sample" --seed "$seed"
step "conformance of jit:cuda" conformance_on_stand_in
step "loops and programs on jit:cuda" on_stand_in run_tests ci-device "${all[@]}" -E 'package(ivy-tests) & test(/^(control_flow|compiled|programs|scatter_in_loops|scatter_programs)::/)'
in_background "without libtorch" cargo check --locked -p ivy-backend-torch
step "benchmark of jit:cuda" on_stand_in "$built/cuda" 4096
in_background "digits" "$built/examples/digits"
step "packages" cargo publish --workspace --dry-run --no-verify --locked
step "examples of frontends" frontend_examples
step "python" bindings/python/install.sh
step "python tests" python_tests
step "tests of CI's scripts" "$target/python/bin/python" -m pytest -q .ci/test_ci.py --junitxml "$IVY_CI_FOLDER/scripts.xml"
step "a 16th dtype by one table row" run_tests ci-features --config profile.dev.package.ivy-core.opt-level=0 --locked -p ivy-dtype-tables --features extra-dtype --test extra_dtype
[ "$sample" != 1 ] || step "backends and a 16th dtype" run_tests ci-features --locked -p ivy-backend-candle -p ivy-backend-torch \
    --features ivy-backend-candle/extra-dtype,ivy-backend-torch/extra-dtype,ivy-backend-torch/libtorch -E 'test(sixteenth)'
report

#!/usr/bin/env bash
# Runs the engine's parity tests, the conformance suite and the benchmark on a machine with an NVIDIA GPU, in one go.
#   cuda/run.sh                build, and run here
#   cuda/run.sh --build        build only: what a machine needs goes to target/cuda, without Rust or a toolkit
#   cuda/run.sh --on HOST      build here, carry target/cuda to HOST by ssh, and run it there
#   cuda/run.sh --run [DIR]    run what was built: DIR is target/cuda if none is given
# Prints a line for each module of tests, the suite's last line, and the benchmark's table. Without a GPU it says so, and ends
# with 3. With IVY_CUDA=target/debug/libivy_ptx_machine.so the stand-in is the device: all but the numbers can be tried so.
set -euo pipefail

# The modules of tests that compare a device with the processor, bit for bit.
tests=(counters cuda cuda_backend cuda_products cuda_rows device_order engine gather later loops materialize pads powers
    products reductions reference search together views)

gpu() { # ends where there is no GPU, and no library is named in its driver's place
    if ! compgen -G '/dev/nvidia[0-9]*' >/dev/null && [ ! -e /dev/dxg ] && [ -z "${IVY_CUDA:-}" ]; then
        echo "there is no NVIDIA GPU on this machine; nothing was run"
        exit 3
    fi
}

build() { # build DIR
    cd "$(dirname "$0")/.."
    local built=${CARGO_TARGET_DIR:-target}/debug
    rm -rf "$1"
    mkdir -p "$1"
    local program
    program=$(cargo test --locked --no-run --message-format=json -p ivy-backend-jit --test it |
        python3 -c 'import json, sys; print(*(e for e in (json.loads(line).get("executable") for line in sys.stdin) if e))')
    strip -o "$1/tests" "$program"
    cargo build --locked --release -p ivy-benches --bin cuda -p ivy-cli --bin ivy
    strip -o "$1/benchmark" "${built%debug}release/cuda"
    strip -o "$1/ivy" "${built%debug}release/ivy"
    cp cuda/run.sh "$1/"
    echo "$(du -sh "$1" | cut -f1) in $1"
}

run() { # run DIR
    cd "$1"
    gpu
    command -v nvidia-smi >/dev/null && nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader
    # The driver assembles one kernel at a time in a process: programs run side by side.
    local failed=0 at_once sample=${IVY_CUDA_SAMPLE:-1} logs
    at_once=$(nproc)
    logs=$(mktemp -d)
    for test in "${tests[@]}"; do
        # Texts of kernels need no device, and compare with files that are not here.
        echo "IVY_TEST_CUDA=device ./tests $test:: --skip printed --skip as_text --skip libllvm >$logs/$test 2>&1 || touch $logs/$test.failed"
    done | xargs -P "$at_once" -I {} bash -c '{}'
    for test in "${tests[@]}"; do
        if [ -e "$logs/$test.failed" ]; then
            printf '%-14s FAILED\n' "$test"
            tail -n 40 "$logs/$test"
            failed=1
        else
            printf '%-14s %s\n' "$test" "$(grep '^test result:' "$logs/$test" | cut -d' ' -f3-)"
        fi
    done
    for part in $(seq "$at_once"); do
        ./ivy conformance --backend jit:cuda --sample "$sample" --part "$part/$at_once" >"$logs/part.$part" 2>&1 &
    done
    # Each says at last: CELLS cells from CALLS calls, ...
    for part in $(seq "$at_once"); do
        if ! wait -n; then failed=1; fi
    done
    grep -hE '^failed |^ivy: ' "$logs"/part.* | head -n 40 || true
    tail -qn 1 "$logs"/part.* | awk '{cells += $1; calls += $4; if (!/conforms$/) wrong++}
        END {printf "%-14s %d cells from %d calls, in %d processes: %s\n", "conformance", cells, calls, NR,
             wrong ? wrong " do not conform" : "conforms"}'
    rm -rf "$logs"
    ./benchmark ${IVY_CUDA_ELEMENTS:-} || failed=1
    exit $failed
}

here=$(cd "$(dirname "$0")/.." && pwd)
folder=$here/target/cuda
case "${1:-}" in
"") gpu; build "$folder"; run "$folder" ;;
--build) build "$folder" ;;
--run) run "${2:-$folder}" ;;
--on)
    [ $# = 2 ] || { echo "usage: cuda/run.sh --on HOST" >&2; exit 2; }
    build "$folder"
    tar -C "$folder" -czf - . | ssh "$2" 'd=$(mktemp -d) && tar -C "$d" -xzf - && bash "$d/run.sh" --run "$d"; s=$?; rm -rf "$d"; exit $s'
    ;;
*) sed -n '2,9s/^# \?//p' "$0" >&2; exit 2 ;;
esac

#!/usr/bin/env bash
# Instructions of a call on large arrays, ours over the backend's own: [WORKLOAD N [CALLS]], where WORKLOAD is add, exp
# or matmul and N the elements, or a matrix's rows. Needs valgrind.
# The cost of start and data is taken off: CALLS calls less 1 call, over the difference.
set -euo pipefail
cd "$(dirname "$0")/.."
./setup-libtorch.sh
cargo build --release --locked -q -p ivy-benches --features torch --bin instructions
count() { # count SIDE BACKEND WORKLOAD N CALLS
    RAYON_NUM_THREADS=1 OMP_NUM_THREADS=1 valgrind --tool=callgrind --callgrind-out-file=/dev/null \
        target/release/instructions "$@" 2>&1 | awk '/Collected/ { print $4 }'
}
workload=${1:-add} n=${2:-1000000} calls=${3:-9}
printf '%-10s %14s %14s %8s\n' backend own ours ratio
for backend in ${BACKENDS:-ndarray candle torch}; do
    for side in own ours; do
        many=$(count $side "$backend" "$workload" "$n" "$calls")
        one=$(count $side "$backend" "$workload" "$n" 1)
        declare $side=$(((many - one) / (calls - 1)))
    done
    printf '%-10s %14d %14d %8.3f\n' "$backend" "$own" "$ours" "$(python3 -c "print($ours / $own)")"
done

#!/usr/bin/env bash
# Instructions of a large add, ours over the backend's own call. Needs valgrind.
# The cost of start and data is taken off: 9 calls less 1 call, over 8.
set -euo pipefail
cd "$(dirname "$0")/.."
./setup-libtorch.sh
cargo build --release --locked -q -p ivy-benches --features torch --bin instructions
count() { # count SIDE BACKEND N CALLS
    RAYON_NUM_THREADS=1 OMP_NUM_THREADS=1 valgrind --tool=callgrind --callgrind-out-file=/dev/null \
        target/release/instructions "$@" 2>&1 | awk '/Collected/ { print $4 }'
}
n=${1:-1000000}
printf '%-10s %14s %14s %8s\n' backend own ours ratio
for backend in ndarray candle torch; do
    own=$(( ($(count own $backend "$n" 9) - $(count own $backend "$n" 1)) / 8 ))
    ours=$(( ($(count ours $backend "$n" 9) - $(count ours $backend "$n" 1)) / 8 ))
    printf '%-10s %14d %14d %8.3f\n' $backend $own $ours "$(python3 -c "print($ours / $own)")"
done

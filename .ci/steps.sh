# Steps of a run of CI, for scripts to source: each is timed, its output kept, and the first that fails ends the run with
# a report (`report.py`). The folder of a run, IVY_CI_FOLDER, is made by the outermost script.
if [ -z "${IVY_CI_FOLDER:-}" ]; then
    IVY_CI_FOLDER=$(mkdir -p "${CARGO_TARGET_DIR:-target}" && cd "${CARGO_TARGET_DIR:-target}" && pwd)/ci
    rm -rf "$IVY_CI_FOLDER"
    mkdir -p "$IVY_CI_FOLDER"
fi
export IVY_CI_FOLDER CARGO_TERM_COLOR=never CARGO_INCREMENTAL=0
# What is random in tests: proptest reads the second.
export IVY_TEST_SEED=${IVY_TEST_SEED:-1}
export PROPTEST_RNG_SEED=$IVY_TEST_SEED
# Kernels of this run alone, not what the user has in a cache folder.
export IVY_JIT_CACHE=$IVY_CI_FOLDER/kernels

# The environment of the Python package, and what maturin tells the build of it: told to every build, so that the binding is
# compiled once.
IVY_PYTHON=$(dirname "$IVY_CI_FOLDER")/python
export PYO3_PYTHON=$IVY_PYTHON/bin/python
PYO3_ENVIRONMENT_SIGNATURE=$(python3 -c 'import struct, sys; print("%s-%d.%d-%dbit" % (sys.implementation.name, *sys.version_info[:2], 8 * struct.calcsize("P")))')
export PYO3_ENVIRONMENT_SIGNATURE

report() { python3 "$(dirname "${BASH_SOURCE[0]}")/report.py" "$IVY_CI_FOLDER" --seed "$IVY_TEST_SEED"; }

processor() { # the seconds of processor time that all commands before have taken, in `busy`
    times >"$IVY_CI_FOLDER/times"
    busy=$(tail -n 1 "$IVY_CI_FOLDER/times" | tr ms ' ' | awk '{ printf "%d", 60 * ($1 + $3) + $2 + $4 }')
}

step() { # step NAME COMMAND...: runs a step, prints how long it took, ends the run where it fails
    local name=$1 begin=$SECONDS status=0 busy before
    shift
    echo "==> $name: $*"
    processor
    before=$busy
    "$@" 2>&1 | tee "$IVY_CI_FOLDER/$name.log" || status=$?
    processor
    printf '%s\t%d\t%d\t%d\n' "$name" $((SECONDS - begin)) "$status" $((busy - before)) >>"$IVY_CI_FOLDER/steps.tsv"
    [ "$status" = 0 ] || { report; exit 1; }
    echo "==> $name: $((SECONDS - begin)) s"
}

enough_space() { # enough_space GIGABYTES: a build that runs out of space looks like a failing test
    local free
    free=$(df --output=avail -BG "$IVY_CI_FOLDER" | tail -n 1 | tr -dc 0-9)
    echo "$free GB free for $(dirname "$IVY_CI_FOLDER")"
    [ "$free" -ge "$1" ] || { echo "error: at least $1 GB must be free there"; return 1; }
}

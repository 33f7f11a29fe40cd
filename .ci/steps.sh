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

# in_background NAME COMMAND...: begins a step of one thread that goes on during the next one, with which its processor time may
# be counted.
in_background() {
    background=$1
    shift
    echo "==> $background: $* (in the background)"
    background_begin=$SECONDS
    "$@" >"$IVY_CI_FOLDER/$background.log" 2>&1 &
    background_id=$!
}

step() { # step NAME COMMAND...: runs a step, prints how long it took, ends the run where it or the one in the background fails
    local name=$1 begin=$SECONDS status=0
    shift
    echo "==> $name: $*"
    processor
    "$@" 2>&1 | tee "$IVY_CI_FOLDER/$name.log" || status=$?
    ended "$name" "$begin" "$status"
    [ -n "${background:-}" ] || return 0
    status=0
    wait "$background_id" || status=$?
    cat "$IVY_CI_FOLDER/$background.log"
    name=$background background=
    ended "$name" "$background_begin" "$status"
}

ended() { # ended NAME BEGIN STATUS: notes a step, after `processor` before it
    local before=$busy
    processor
    printf '%s\t%d\t%d\t%d\n' "$1" $((SECONDS - $2)) "$3" $((busy - before)) >>"$IVY_CI_FOLDER/steps.tsv"
    if [ "$3" != 0 ]; then
        [ -z "${background:-}" ] || kill "$background_id" 2>/dev/null || true
        report
        exit 1
    fi
    echo "==> $1: $((SECONDS - $2)) s"
}

enough_space() { # enough_space GIGABYTES: a build that runs out of space looks like a failing test
    local free
    free=$(df --output=avail -BG "$IVY_CI_FOLDER" | tail -n 1 | tr -dc 0-9)
    echo "$free GB free for $(dirname "$IVY_CI_FOLDER")"
    [ "$free" -ge "$1" ] || { echo "error: at least $1 GB must be free there"; return 1; }
}

#!/usr/bin/env bash
# Runs the official suite of the Array API on the installed ivyrs: tools/array_api_suite.sh FOLDER [BACKEND ...]
#
# FOLDER holds array-api-tests, and array-api inside or beside it:
#     git clone --recurse-submodules https://github.com/data-apis/array-api-tests FOLDER/array-api-tests
#     pip install -r FOLDER/array-api-tests/requirements.txt
# The backends are by default ndarray, candle and jit:llvm. EXAMPLES (20) is how many arrays each function is tried on, PYTHON
# the interpreter, and what stands after -- goes to pytest. The exit status is 0 if on each backend nothing failed.
set -euo pipefail

if [ $# -lt 1 ] || [ ! -d "$1" ]; then
    sed -n '2,8s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
folder=$(cd "$1" && pwd)
shift
suite=$folder
[ -d "$suite/array_api_tests" ] || suite=$folder/array-api-tests
if [ ! -d "$suite/array_api_tests" ]; then
    echo "$folder holds no array-api-tests" >&2
    exit 2
fi
backends=()
while [ $# -gt 0 ] && [ "$1" != "--" ]; do
    backends+=("$1")
    shift
done
[ $# -eq 0 ] || shift
[ ${#backends[@]} -gt 0 ] || backends=(ndarray candle jit:llvm)

# The suite reads the standard's stubs from a folder of its own, which a clone without submodules has empty.
if [ ! -d "$suite/array-api/src" ]; then
    stubs=$folder/array-api
    [ -d "$stubs/src" ] || stubs=$(dirname "$suite")/array-api
    if [ ! -d "$stubs/src" ]; then
        echo "$folder holds no array-api, the stubs of the standard" >&2
        exit 2
    fi
    rmdir "$suite/array-api" 2>/dev/null || true
    ln -sfn "$stubs" "$suite/array-api"
fi

failed=0
for backend in "${backends[@]}"; do
    echo "== $backend"
    (
        cd "$suite"
        export ARRAY_API_TESTS_MODULE="exec('import ivyrs; xp = ivyrs.namespace(\"$backend\")')"
        "${PYTHON:-python3}" -m pytest -q -p no:cacheprovider --disable-deadline --max-examples "${EXAMPLES:-20}" \
            array_api_tests/ "$@"
    ) || failed=1
done
exit $failed

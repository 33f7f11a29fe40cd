#!/usr/bin/env bash
# Installs the package and what its tests need in an environment of its own, target/python: with the tests' own
# profile and features, so that little is compiled twice. Users need no more than `pip install ./bindings/python`.
set -euo pipefail
cd "$(dirname "$0")/../.."
target=${CARGO_TARGET_DIR:-$PWD/target}
environment=$target/python

if ! [ -x "$environment/bin/python" ] || ! "$environment/bin/python" -m pip --version >/dev/null 2>&1; then
    rm -rf "$environment"
    # Some systems' Python lacks ensurepip: virtualenv brings its own pip.
    python3 -m venv "$environment" >/dev/null 2>&1 || {
        rm -rf "$environment"
        python3 -m pip install --quiet --disable-pip-version-check --target "$target/virtualenv" virtualenv
        PYTHONPATH=$target/virtualenv python3 -m virtualenv --quiet "$environment"
    }
fi
# As test.sh builds, so that cargo takes what is there.
export CARGO_INCREMENTAL=0 CARGO_TARGET_DIR=$target MATURIN_PEP517_ARGS="--profile dev --features torch --locked"
"$environment/bin/python" -m pip install --quiet --disable-pip-version-check "./bindings/python[test]"
"$environment/bin/python" -c 'import ivyrs; print("ivyrs", ivyrs.__version__, [name for name, version, _ in ivyrs.backends() if version])'

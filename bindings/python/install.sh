#!/usr/bin/env bash
# Installs the package and what its tests need in an environment of its own, target/python: with the tests' own
# profile and features, so that little is compiled twice. Users need no more than `pip install ./bindings/python`.
set -euo pipefail
cd "$(dirname "$0")/../.."
target=${CARGO_TARGET_DIR:-$PWD/target}
environment=$target/python

python=$(command -v python3)
pip() { "$python" -m pip --python "$environment/bin/python" --quiet --disable-pip-version-check "$@"; }

# Some systems' Python lacks ensurepip, so the environment has no pip of its own.
[ -x "$environment/bin/python" ] || "$python" -m venv --without-pip "$environment"
# Exact versions of all that the tests take, and of what builds the package.
pip install --no-compile --require-hashes --only-binary :all: --requirement bindings/python/tests/requirements.txt
# As test.sh builds, so that cargo takes what is there.
export PATH=$environment/bin:$PATH CARGO_INCREMENTAL=0 CARGO_TARGET_DIR=$target MATURIN_PEP517_ARGS="--profile dev --features torch --locked --compression-method stored"
pip install --no-compile --no-deps --no-build-isolation --force-reinstall ./bindings/python
"$environment/bin/python" -c 'import ivyrs; print("ivyrs", ivyrs.__version__, [name for name, version, _ in ivyrs.backends() if version])'

#!/bin/sh
# Sets up ptxas for the tests of the engine's PTX, from a PyPI wheel: Linux on x86-64.
#   ./setup-ptxas.sh [FOLDER]     FOLDER is third_party/ptxas beside this script if none is given
# It downloads 20 MB once, checked against the hash below. Programs never need it: the CUDA driver
# assembles what they run.
set -eu

version=12.0.76
here=$(cd "$(dirname "$0")" && pwd)
folder=${1:-$here/third_party/ptxas}

say() { printf 'setup-ptxas: %s\n' "$*"; }
fail() { printf 'setup-ptxas: %s\n' "$*" >&2; exit 1; }

if [ -x "$folder/ptxas" ] && "$folder/ptxas" --version 2>/dev/null | grep -q 'V12\.0\.76$'; then
    say "ptxas $version is in $folder already"
    exit 0
fi
if [ "$(uname -s) $(uname -m)" != "Linux x86_64" ]; then
    say "no wheel for $(uname -s) on $(uname -m) here: name a ptxas in IVY_PTXAS, or its tests are left out"
    exit 0
fi
python3 -m pip --version >/dev/null 2>&1 || fail "python3 with pip is needed, and was not found"

mkdir -p "$(dirname "$folder")"
work=$(mktemp -d "$folder.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
echo "nvidia-cuda-nvcc-cu12==$version --hash=sha256:c989c1d8f52b4f52016dcdd702d62ae4969d4fc349517eeb9fecae652a3d1388" \
    >"$work/wanted"
say "downloading ptxas $version, 20 MB"
if ! TMPDIR=$work python3 -m pip download --quiet --disable-pip-version-check --no-cache-dir --no-deps \
    --require-hashes --only-binary=:all: --platform manylinux1_x86_64 --dest "$work" \
    --requirement "$work/wanted" >"$work/log" 2>&1; then
    reason=$(grep -i error "$work/log" | tail -n 1)
    fail "the download failed (no network, or a file with another hash?): ${reason:-pip gave no reason}"
fi
python3 - "$work" <<'PYTHON' || fail "the wheel holds no ptxas, or the disk is full"
import pathlib, sys, zipfile

work = pathlib.Path(sys.argv[1])
wheel = next(work.glob("*.whl"))
with zipfile.ZipFile(wheel) as archive:
    (work / "ptxas").write_bytes(archive.read("nvidia/cuda_nvcc/bin/ptxas"))
PYTHON
chmod +x "$work/ptxas"
mkdir -p "$folder"
mv "$work/ptxas" "$folder/ptxas"
say "ptxas $version is in $folder"

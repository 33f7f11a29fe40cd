#!/bin/sh
# Sets up libtorch 2.13.0 for the feature `torch`: the CPU part of the PyPI wheels, Linux on x86-64.
#   ./setup-libtorch.sh [FOLDER]     FOLDER is third_party/libtorch beside this script if none is given
# It downloads 540 MB once (files are checked against the hashes below) and leaves 490 MB. python3 with
# pip is needed here only: the build needs a C++ compiler, and programs need nothing more.
set -eu

version=2.13.0
here=$(cd "$(dirname "$0")" && pwd)
folder=${1:-$here/third_party/libtorch}

say() { printf 'setup-libtorch: %s\n' "$*"; }
fail() { printf 'setup-libtorch: %s\n' "$*" >&2; exit 1; }

if [ "$(cat "$folder/build-version" 2>/dev/null)" = "$version" ] && [ -e "$folder/lib/libtorch_cpu.so" ]; then
    say "libtorch $version is in $folder already"
    exit 0
fi
[ "$(uname -s) $(uname -m)" = "Linux x86_64" ] ||
    fail "no wheels for $(uname -s) on $(uname -m) here: set LIBTORCH to a libtorch $version of your own"
python3 -m pip --version >/dev/null 2>&1 || fail "python3 with pip is needed, and was not found"

mkdir -p "$(dirname "$folder")"
work=$(mktemp -d "$folder.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
mkdir "$work/wheels" "$work/new"

# What the libraries taken need: of CUDA only the two that libtorch_cpu.so names, which load without a GPU.
cat >"$work/wanted" <<'LIST'
torch==2.13.0 --hash=sha256:60fcdcb2f3876e21146cb4524ef06397d727ca9ad5f020818547e25075fe3cb7
nvidia-cuda-runtime==13.0.96 --hash=sha256:7f82250d7782aa23b6cfe765ecc7db554bd3c2870c43f3d1821f1d18aebf0548
nvidia-cuda-cupti==13.0.85 --hash=sha256:4eb01c08e859bf924d222250d2e8f8b8ff6d3db4721288cf35d14252a4d933c8
LIST

say "downloading libtorch $version, 540 MB"
if ! TMPDIR=$work python3 -m pip download --quiet --disable-pip-version-check --no-cache-dir --no-deps \
    --require-hashes --only-binary=:all: --implementation cp --python-version 3.11 --abi cp311 --abi none \
    --platform manylinux_2_28_x86_64 --platform manylinux_2_25_x86_64 --platform manylinux2014_x86_64 \
    --dest "$work/wheels" --requirement "$work/wanted" >"$work/log" 2>&1; then
    reason=$(grep -i error "$work/log" | tail -n 1)
    fail "the download failed (no network, or a file with another hash?): ${reason:-pip gave no reason}"
fi

say "unpacking"
python3 - "$work" <<'PYTHON' || fail "a wheel does not hold what it should, or the disk is full"
import pathlib, shutil, sys, zipfile

work = pathlib.Path(sys.argv[1])
libraries = {
    "torch/lib/libtorch_cpu.so", "torch/lib/libc10.so", "torch/lib/libgomp.so.1",
    "nvidia/cu13/lib/libcudart.so.13", "nvidia/cu13/lib/libcupti.so.13",
}
for wheel in sorted((work / "wheels").iterdir()):
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            if name in libraries:
                libraries.remove(name)
                place = work / "new/lib" / pathlib.PurePosixPath(name).name
            elif name.startswith("torch/include/") and not name.endswith("/"):
                place = work / "new" / name.removeprefix("torch/")
            else:
                continue
            place.parent.mkdir(parents=True, exist_ok=True)
            with archive.open(name) as source, open(place, "wb") as target:
                shutil.copyfileobj(source, target, 1 << 20)
if libraries:
    sys.exit("missing: " + ", ".join(sorted(libraries)))
PYTHON

# The wheel's own libtorch.so is an empty shell that would ask for the CUDA part.
ln -s libtorch_cpu.so "$work/new/lib/libtorch.so"
echo "$version" >"$work/new/build-version"
rm -rf "$folder"
mv "$work/new" "$folder"
say "libtorch $version is in $folder ($(du -sh "$folder" | cut -f1))"

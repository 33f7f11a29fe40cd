"""Makes PyTorch's wheel importable without the CUDA libraries that it names, of which the CPU needs none.

    python3 -m venv ENV
    ENV/bin/pip install --no-deps torch==2.13.0 nvidia-cuda-runtime==13.0.96 nvidia-cuda-cupti==13.0.85
    ENV/bin/pip install filelock typing-extensions sympy networkx jinja2 fsspec numpy safetensors
    ENV/bin/python torch_stubs.py          # needs a C compiler and readelf

Each library that is missing is made anew as a shell: it defines the symbols that the wheel's libraries ask of it, with
their versions, as functions that are never called.
"""

import re
import subprocess
import sysconfig
import tempfile
from pathlib import Path

PACKAGES = Path(sysconfig.get_paths()["purelib"])
TORCH = PACKAGES / "torch" / "lib"
BESIDE = PACKAGES / "nvidia" / "cu13" / "lib"
NEEDING = ["libtorch_cuda.so", "libtorch_nvshmem.so", "libtorch_python.so", "libc10_cuda.so"]
# Symbols without a version: by their beginning, the library that has them.
OWNERS = {"nccl": "libnccl", "pnccl": "libnccl", "cusparseLt": "libcusparseLt", "curand": "libcurand", "cuFile": "libcufile"}


def readelf(*arguments):
    return subprocess.run(["readelf", "-W", *arguments], check=True, capture_output=True, text=True).stdout


def missing_libraries():
    """The libraries that are named and that neither the wheels nor the system have."""
    named = {name for library in NEEDING for name in re.findall(r"\[(lib[^\]]+\.so\S*)\]", readelf("-d", TORCH / library))}
    return sorted(name for name in named if re.match(r"lib(cu|nccl|nv)", name) and not (BESIDE / name).exists())


def wanted():
    """Symbols that the wheel's libraries ask for: name -> (version or None)."""
    symbols = {}
    for library in NEEDING:
        for line in readelf("--dyn-syms", TORCH / library).splitlines():
            fields = line.split()
            if len(fields) > 7 and fields[6] == "UND":
                name, _, version = fields[7].partition("@")
                symbols[name] = version.lstrip("@") or None
    return symbols


def owner(name, version, libraries):
    """The missing library that has to define a symbol, if one has."""
    if version:
        return next((library for library in libraries if version == library or (version, library[:10]) == ("NVSHMEM", "libnvshmem")), None)
    begin = next((start for start in OWNERS if name.startswith(start)), None)
    return next((library for library in libraries if begin and library.startswith(OWNERS[begin] + ".so")), None)


def make(library, symbols, folder):
    source = folder / "stub.c"
    script = folder / "stub.map"
    source.write_text("".join(f"int {name}(void) {{ return 1; }}\n" for name in symbols) or "int stub;\n")
    by_version = {}
    for name, version in symbols.items():
        by_version.setdefault(version, []).append(name)
    nodes = [f"{version} {{ global: {'; '.join(names)}; }};\n" for version, names in by_version.items() if version]
    script.write_text("".join(nodes))
    options = [f"-Wl,--version-script={script}"] if nodes else []
    subprocess.run(["cc", "-shared", "-fPIC", "-w", "-fno-builtin", f"-Wl,-soname,{library}", *options, source, "-o", BESIDE / library], check=True)


def main():
    libraries, symbols = missing_libraries(), wanted()
    with tempfile.TemporaryDirectory() as folder:
        for library in libraries:
            own = {name: version for name, version in symbols.items() if owner(name, version, libraries) == library}
            make(library, own, Path(folder))
            print(f"{library}: {len(own)} symbols")


if __name__ == "__main__":
    main()

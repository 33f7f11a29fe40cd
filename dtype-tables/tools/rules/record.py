"""Makes the records of the real packages anew and prints the differences: `python record.py [NAME...] [--scratch FOLDER]`.

Each package is installed from PyPI into an environment of its own, at the version of the records that are there; nothing
outside the scratch folder is written. It is not part of CI: the packages take some gigabytes. Exit status: 0 where all is as
recorded, 1 where something differs, 2 where a package cannot be installed."""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import venv

from common import RECORDED

HERE = pathlib.Path(__file__).resolve().parent
# Of each record: the recorder with its arguments, and the requirements beside the package that the record names. One may
# make several records.
RECORDERS = {
    "numpy": ("record_numpy.py numpy", ""),
    "numpy-1.26": ("record_numpy.py numpy-1.26", ""),
    "numpy-ml_dtypes": ("record_ml_dtypes.py", "numpy==2.4.6"),
    "torch": ("record_torch.py", "numpy"),
    "jax": ("record_jax.py", ""),
    "jax-x32": ("record_jax.py", ""),
    "jax-strict": ("record_jax.py", ""),
    "jax-strict-x32": ("record_jax.py", ""),
    "tensorflow": ("record_tensorflow.py tensorflow", ""),
    "tensorflow-plain": ("record_tensorflow.py tensorflow-plain", ""),
    "tensorflow-safe": ("record_tensorflow.py tensorflow-safe", ""),
    "tensorflow-all": ("record_tensorflow.py tensorflow-all", ""),
    "tensorflow-numpy": ("record_tensorflow.py tensorflow-numpy", ""),
    "paddle": ("record_paddle.py", "numpy"),
    "taichi": ("record_taichi.py taichi", ""),
    "taichi-1.7": ("record_taichi.py taichi-1.7", ""),
    "drjit": ("record_drjit.py", ""),
}


def package(name):
    """The package and version that a record is of: `# PACKAGE VERSION, LICENCE. ...`."""
    words = (RECORDED / f"{name}.tsv").read_text().split(",")[0].split()
    return f"{words[1]}=={words[2]}"


def rows(path):
    """The cells of a record by kind, op and row."""
    lines = [line.split("\t") for line in path.read_text().splitlines() if not line.startswith("#")]
    return {tuple(line[:3]): line[3].split(" ") for line in lines}


def differences(name, made):
    """Every cell that is not as recorded, in words."""
    before, now = rows(RECORDED / f"{name}.tsv"), rows(made)
    for key in sorted(before.keys() | now.keys()):
        old, new = before.get(key), now.get(key)
        if old is None or new is None:
            yield f"{name}: {' '.join(key)}: {'not recorded before' if old is None else 'recorded, and not asked now'}"
        elif old != new:
            names = before[("scalars" if key[0].startswith("scalar") else "order", "", "")]
            for column, a, b in zip(names, old, new):
                if a != b:
                    yield f"{name}: {' '.join(key)}, {column}: recorded {a}, now {b}"


def environment(scratch, requirements):
    """The interpreter of an environment with these packages; None where they cannot be installed."""
    folder = scratch / requirements.replace("==", "-").replace(" ", "+")
    python = folder / "bin/python"
    if not (folder / "ready").exists():
        venv.create(folder, with_pip=True, clear=True)
        print(f"installing {requirements}", flush=True)
        command = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *requirements.split()]
        if subprocess.run(command).returncode:
            return None
        (folder / "ready").touch()
    return python


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"records, of {', '.join(RECORDERS)}; all by default")
    parser.add_argument("--scratch", type=pathlib.Path, help="a folder for environments and records, kept for the next time")
    arguments = parser.parse_args()
    unknown = [name for name in arguments.names if name not in RECORDERS]
    if unknown:
        parser.error(f"no record is called {', '.join(unknown)}")
    scratch = (arguments.scratch or pathlib.Path(tempfile.mkdtemp(prefix="records-"))).resolve()
    made = scratch / "records"
    made.mkdir(parents=True, exist_ok=True)
    found, missing, ran = 0, [], {}
    for name in arguments.names or RECORDERS:
        recorder, others = RECORDERS[name]
        python = environment(scratch, f"{package(name)} {others}".strip())
        if python is None:
            missing.append(name)
            continue
        if recorder not in ran:
            script, *rest = recorder.split()
            command, own = [python, HERE / script, *rest], {**os.environ, "IVY_RECORDS": str(made)}
            print(f"asking {package(name)}", flush=True)
            ran[recorder] = subprocess.run(command, env=own, capture_output=True, text=True)
            if ran[recorder].returncode:
                print(ran[recorder].stderr[-2000:])
        if ran[recorder].returncode:
            missing.append(name)
            continue
        for line in differences(name, made / f"{name}.tsv"):
            found += 1
            print(line)
    print(f"{found} differences; the records made are in {made}")
    if missing:
        print(f"not made: {', '.join(missing)} (a package of that version that this Python cannot have, or a failure above)")
    return 2 if missing else int(found > 0)


if __name__ == "__main__":
    sys.exit(main())

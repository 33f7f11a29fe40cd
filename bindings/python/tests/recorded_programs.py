"""What programs of a framework give, as JSON has it: recorded with the framework, and replayed on its frontend."""

import json
from pathlib import Path


def told(value):
    """A value as JSON has it: tensors by dtype and elements, containers by their kind."""
    if hasattr(value, "numpy"):
        array = value.numpy()
        elements = [[z.real, z.imag] for z in array.ravel().tolist()] if array.dtype.kind == "c" else array.tolist()
        return {"dtype": str(array.dtype), "elements": elements}
    if isinstance(value, dict):
        return {"dict": [[key, told(value[key])] for key in value]}
    if isinstance(value, (list, tuple)):
        return {type(value).__name__: [told(entry) for entry in value]}
    return value


def outcome(program, framework):
    """What a program gives, or the class of its error."""
    try:
        return {"result": told(program(framework))}
    except Exception as error:
        return {"error": type(error).__name__}


def near(found, wanted):
    """Whether values are alike, floats to their last digits."""
    if isinstance(wanted, float) and isinstance(found, float):
        return abs(found - wanted) <= 2e-5 * max(1.0, abs(wanted)) or found != found and wanted != wanted
    if isinstance(wanted, dict) and isinstance(found, dict):
        return found.keys() == wanted.keys() and all(near(found[key], wanted[key]) for key in wanted)
    if isinstance(wanted, list) and isinstance(found, list):
        return len(found) == len(wanted) and all(map(near, found, wanted))
    return found == wanted


def recorded(name):
    """The outcomes of the programs of a file, by their names."""
    return json.loads(Path(__file__).with_name(f"{name}.json").read_text())["cases"]


def record(name, programs, framework, header):
    """Writes the outcomes of programs, with where they come from."""
    found = {key: outcome(program, framework) for key, program in programs.items()}
    Path(__file__).with_name(f"{name}.json").write_text(json.dumps({"of": header, "cases": found}, indent=1) + "\n")
    print(f"{header['package']} {header['version']}: {len(found)} programs")

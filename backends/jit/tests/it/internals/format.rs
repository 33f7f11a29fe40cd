//! Texts of `print` and their conversions.

use ivy_backend_jit::internals::shown;
use ivy_backend_jit::ir::Type;
use ivy_backend_jit::program::{Piece, escaped, pieces};

#[test]
fn texts_have_places_and_braces() {
    let (text, place) = (|t: &str| Piece::Text(t.to_owned()), |t: &str| Piece::Place(t.to_owned()));
    assert_eq!(pieces("a {} b"), [text("a "), place(""), text(" b")]);
    assert_eq!(pieces("{:5.2f}{{}}{"), [place("5.2f"), text("{}{")]);
    assert_eq!(pieces("} {x} {"), [text("} {x} {")]);
    assert_eq!(pieces(&escaped("{} {{:x}}")), [text("{} {{:x}}")]);
    assert_eq!(pieces(""), []);
}

/// What glibc's `printf` writes.
#[test]
fn conversions_are_those_of_c() {
    let real = |x: f64, spec: &str| shown(Type::F64, x.to_bits() as i64, spec);
    for (x, spec, text) in [
        (0.1, ".6f", "0.100000"),
        (-0.0, "f", "-0.000000"),
        (1234.5678, ".2f", "1234.57"),
        (1234.5678, "10.1f", "    1234.6"),
        (1234.5678, "-10.1f", "1234.6    "),
        (-3.5, "08.2f", "-0003.50"),
        (3.5, "+f", "+3.500000"),
        (0.000123, ".2e", "1.23e-04"),
        (1e10, "e", "1.000000e+10"),
        (1e100, "E", "1.000000E+100"),
        (0.0, "e", "0.000000e+00"),
        (100000.0, "g", "100000"),
        (1000000.0, "g", "1e+06"),
        (0.0001, "g", "0.0001"),
        (0.00001234, "g", "1.234e-05"),
        (2.5, "#g", "2.50000"),
        (0.0, "g", "0"),
        (f64::NAN, "f", "nan"),
        (f64::NEG_INFINITY, "8.1f", "    -inf"),
        (f64::INFINITY, "05F", "  INF"),
        (2.5, "", "2.5"),
        (2.5, ".1", "2.5"),
    ] {
        assert_eq!(real(x, spec), text, "{x} {spec}");
    }
    for (x, ty, spec, text) in [
        (42, Type::I32, "5d", "   42"),
        (-42, Type::I32, "05d", "-0042"),
        (-42, Type::I32, "<5d", "-42  "),
        (42, Type::U32, "x", "2a"),
        (-1, Type::I32, "x", "ffffffff"),
        (255, Type::U8, "#X", "0XFF"),
        (8, Type::U64, "o", "10"),
        (-1, Type::U64, "d", "18446744073709551615"),
        (-1, Type::I16, "u", "65535"),
        (7, Type::I32, ".3d", "007"),
        (1, Type::Bool, "d", "1"),
        (1, Type::Bool, "", "true"),
        (3, Type::I32, ".2f", "3.00"),
        (3, Type::I32, "nonsense", "3"),
    ] {
        assert_eq!(shown(ty, x, spec), text, "{x} {spec}");
    }
}

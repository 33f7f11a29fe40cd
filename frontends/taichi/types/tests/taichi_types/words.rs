//! Quantised numbers and the words that they are packed in, against the answers of Taichi 1.7.4.

use crate::rows;
use ivy_taichi_types::{
    BitStruct, Constant, PrimitiveType, QuantArray, QuantFixed, QuantFloat, QuantInt, Type,
};

use PrimitiveType::{F32, F64, I32, I64};

/// The type of a recorded row, and whether its numbers share an exponent.
fn quant(kind: &str, what: &str) -> (Type, bool) {
    let words: Vec<&str> = what.split(' ').collect();
    let number = |n: usize| words[n].parse::<u32>().unwrap();
    let flag = |n: usize| words[n] == "True";
    match kind {
        "int" => (QuantInt::new(number(0), flag(1), None).unwrap().into(), false),
        "fixed" => {
            let top = words[2].parse().unwrap();
            (QuantFixed::with_max(number(0), flag(1), top, None).unwrap().into(), false)
        }
        kind => (QuantFloat::new(number(0), number(1), flag(2), None).unwrap().into(), kind == "shared"),
    }
}

#[test]
fn t_01_quantised_numbers_as_taichi_reads_them() {
    let mut compared = 0;
    for row in rows(include_str!("../data/quant-1.7.4.tsv")) {
        let (ty, shared) = quant(row[0], row[1]);
        let members = if shared { vec![ty, ty] } else { vec![ty] };
        let word = BitStruct::pack(32, &[(&members, shared)]).unwrap();
        let from = if row[0] == "int" { I64 } else { F64 };
        for (given, theirs) in row[2].split(' ').zip(row[3].split(' ')) {
            let values: Vec<Constant> = given
                .split(',')
                .map(|text| match from {
                    I64 => Constant::int(I32, text.parse().unwrap()),
                    _ => Constant::float(F32, text.parse().unwrap()),
                })
                .collect();
            let stored = word.store_all(&values).unwrap();
            for (member, theirs) in theirs.split(',').enumerate() {
                let theirs: f64 = theirs.parse().unwrap();
                let ours = word.load(stored, member).unwrap().to_f64();
                assert_eq!(ours, theirs, "{} {}: {given}", row[0], row[1]);
                compared += 1;
            }
        }
    }
    assert_eq!(compared, 508);
}

#[test]
fn t_01_quantised_floats_at_the_ends_of_their_range() {
    let small = QuantFloat::new(4, 5, true, None).unwrap();
    let through = |value: f32| {
        let (exponent, digits) = small.encode(value);
        small.decode(exponent, digits)
    };
    // Exponents from -6 to 8, four digits behind the first.
    let greatest = 1.9375 * 256.0;
    assert_eq!((through(1e9), through(f32::NEG_INFINITY)), (greatest, -greatest));
    assert_eq!((through(0.015625), through(0.0155), through(0.01)), (0.015625, 0.015625, 0.0));
    assert_eq!((through(f32::NAN), through(-0.0), through(1e-40)), (0.0, 0.0, 0.0));
    assert_eq!(through(1.03125), 1.0625, "halves away from 0");
    assert_eq!(through(1.99), 2.0, "digits that are carried");
    let unsigned = QuantFloat::new(4, 4, false, None).unwrap();
    assert_eq!(unsigned.encode(-1.0), (0, 0));
    let wide = QuantFloat::new(8, 24, true, None).unwrap();
    for value in [f32::MAX, f32::MIN_POSITIVE, -1.5, 3.3e38] {
        let (exponent, digits) = wide.encode(value);
        assert_eq!(wide.decode(exponent, digits), value);
    }
    // Rounding the greatest up takes one more exponent.
    let (exponent, digits) = small.encode_shared(&[1.99, 0.5]);
    let read: Vec<f32> = digits.iter().map(|&digits| small.decode_shared(exponent, digits)).collect();
    assert_eq!(read, [2.0, 0.5]);
}

#[test]
fn t_01_words_keep_their_other_members() {
    let int: Type = QuantInt::new(6, true, None).unwrap().into();
    let float: Type = QuantFloat::new(5, 9, true, None).unwrap().into();
    let word = BitStruct::pack(64, &[(&[int], false), (&[float, float], true), (&[float], false)]).unwrap();
    let values = [-5.0, 1.5, 0.25, -3.0].map(|value| Constant::float(F32, value));
    let mut bits = word.store_all(&values).unwrap();
    let read = |bits| (0..4).map(|member| word.load(bits, member).unwrap().to_f64()).collect::<Vec<_>>();
    assert_eq!(read(bits), [-5.0, 1.5, 0.25, -3.0]);
    for (member, value) in [(0, 7.0), (3, 0.5), (1, -2.0)] {
        bits = word.store(bits, member, Constant::float(F32, value)).unwrap();
    }
    assert_eq!(read(bits), [7.0, -2.0, 0.25, 0.5]);
    // The other of the pair has only the digits that the greater exponent leaves.
    bits = word.store(bits, 1, Constant::float(F32, 1000.0)).unwrap();
    assert_eq!(read(bits), [7.0, 1000.0, 0.0, 0.5]);
    assert_eq!(
        (word.load(bits, 4), word.store(bits, 4, values[0]), word.store_all(&values[..2])),
        (None, None, None)
    );
    let array = QuantArray::new(32, int, 5).unwrap();
    let bits =
        (0..5).fold(0, |bits, n| array.store(bits, n, Constant::int(I32, i128::from(n) * 20 - 40)).unwrap());
    let read: Vec<i128> = (0..5).map(|n| array.load(bits, n).unwrap().to_i128()).collect();
    assert_eq!(read, [24, -20, 0, 20, -24], "40 and -40 wrap");
    assert_eq!((array.load(bits, 5), array.store(bits, 5, values[0])), (None, None));
}

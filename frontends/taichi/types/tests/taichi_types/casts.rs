//! Casts of values, against the answers of Taichi 1.7.4 where they are defined.

use crate::rows;
use ivy_taichi_types::{Constant, PrimitiveType, Type, type_of_bit_cast};

use PrimitiveType::{F16, F32, F64, I8, I16, I32, I64, U1, U8, U32, U64};

fn constant(ty: PrimitiveType, text: &str) -> Constant {
    match text.parse::<i128>() {
        Ok(value) => Constant::int(ty, value),
        Err(_) => Constant::float(ty, text.parse().unwrap()),
    }
}

#[test]
fn t_15_casts_of_recorded_values() {
    let mut compared = 0;
    for row in rows(include_str!("../data/casts-1.7.4.tsv")) {
        let [from, to] = [row[0], row[1]].map(|name| name.parse::<PrimitiveType>().unwrap());
        for (value, theirs) in row[2].split(' ').zip(row[3].split(' ')) {
            let value = constant(from, value);
            // A float beyond an integer's range is undefined there; here it saturates, as below.
            let outside = |(least, greatest)| {
                let whole = value.to_f64().trunc();
                from.is_real() && !(least as f64..=greatest as f64).contains(&whole)
            };
            if to.int_range().is_some_and(outside) {
                continue;
            }
            let wide = if to.is_real() { F64 } else { I64 };
            assert_eq!(value.cast(to).cast(wide), constant(wide, theirs), "{value:?} to {to}");
            compared += 1;
        }
    }
    assert_eq!(compared, 402);
}

#[test]
fn t_15_casts_truncate_wrap_and_saturate() {
    let to = |value: f64, ty| Constant::float(F64, value).cast(ty).to_i128();
    assert_eq!((to(3.99, I32), to(-3.99, I32)), (3, -3));
    assert_eq!(Constant::int(I32, 300).cast(U8).to_i128(), 44);
    assert_eq!(Constant::int(I32, -1).cast(U32).to_i128(), 4294967295);
    assert_eq!((to(1e10, I32), to(-1e10, I32)), (i128::from(i32::MAX), i128::from(i32::MIN)));
    assert_eq!((to(300.0, U8), to(-1.0, U8), to(f64::NAN, I64)), (255, 0, 0));
    assert_eq!(to(f64::INFINITY, U64), i128::from(u64::MAX));
    assert_eq!((to(0.5, U1), to(0.0, U1)), (1, 0));
    assert_eq!(Constant::int(I32, 2).cast(U1).to_i128(), 1);
    // One rounding, halves to even: 2049 lies between 2048 and 2050.
    assert_eq!(Constant::int(I32, 2049).cast(F16).to_f64(), 2048.0);
    assert_eq!(Constant::float(F64, 65520.0).cast(F16).to_f64(), f64::INFINITY);
    assert_eq!(Constant::float(F64, 5e-8).cast(F16).bits(), 1, "the least number that is not 0");
}

#[test]
fn t_15_half_precision_keeps_every_number() {
    for code in 0..=u16::MAX {
        let half = Constant::from_bits(F16, u64::from(code));
        let again = half.cast(F64).cast(F16);
        let is_nan = half.to_f64().is_nan();
        assert!(again == half || (is_nan && again.to_f64().is_nan()), "{code:#x}");
    }
}

#[test]
fn t_16_bits_are_read_as_another_type() {
    let one = Constant::float(F32, 1.0);
    assert_eq!(one.bit_cast(U32).map(Constant::bits), Ok(0x3f80_0000));
    assert_eq!(one.bit_cast(I32).and_then(|bits| bits.bit_cast(F32)), Ok(one));
    assert_eq!(Constant::int(U8, 255).bit_cast(I8).map(Constant::to_i128), Ok(-1));
    let error = one.bit_cast(F64).unwrap_err().to_string();
    assert_eq!(error, "'bit_cast' from f32 to f64: both must be of the same width");
    let vector = Type::vector(2, I16).unwrap();
    assert_eq!(type_of_bit_cast(vector, F16.into()), Ok(Type::vector(2, F16).unwrap()));
}

//! Arrays as text, against NumPy.

use half::{bf16, f16};
use ivy_core::internals::shortest;
use ivy_core::print::*;
use ivy_core::{
    Dims, Dtype, Shape,
    host::{Buffer, HostArray},
};
use serde_json::Value;

fn array(case: &Value) -> HostArray {
    let dtype: Dtype = case["dtype"].as_str().unwrap().parse().unwrap();
    let shape: Shape =
        case["shape"].as_array().unwrap().iter().map(|d| d.as_u64().unwrap() as usize).collect();
    let bytes: Vec<u8> = match case["bytes"].as_str() {
        Some(hex) => {
            (0..hex.len()).step_by(2).map(|i| u8::from_str_radix(&hex[i..i + 2], 16).unwrap()).collect()
        }
        None => (0..shape.size()).flat_map(|i| little_endian(i, dtype)).collect(),
    };
    HostArray::new(Buffer::copy_from(&bytes).unwrap(), dtype, shape).unwrap()
}

fn little_endian(i: usize, dtype: Dtype) -> Vec<u8> {
    match dtype {
        Dtype::BOOL => vec![u8::from(i != 0)],
        Dtype::FLOAT16 => f16::from_f32(i as f32).to_le_bytes().into(),
        Dtype::FLOAT32 => (i as f32).to_le_bytes().into(),
        Dtype::FLOAT64 => (i as f64).to_le_bytes().into(),
        Dtype::COMPLEX64 => [(i as f32).to_le_bytes(), [0; 4]].concat(),
        Dtype::COMPLEX128 => [(i as f64).to_le_bytes(), [0; 8]].concat(),
        _ => i.to_le_bytes()[..dtype.bytes()].into(),
    }
}

fn options(case: &Value) -> PrintOptions {
    let implied = [Dtype::INT64, Dtype::FLOAT64, Dtype::COMPLEX128, Dtype::BOOL].into_iter().collect();
    let mut options = PrintOptions { implied, ..PrintOptions::default() };
    for (name, value) in case["options"].as_object().into_iter().flatten() {
        let number = || value.as_u64().unwrap() as usize;
        match name.as_str() {
            "precision" => options.precision = number(),
            "threshold" => options.threshold = number(),
            "edgeitems" => options.edge_items = number(),
            "linewidth" => options.line_width = number(),
            "suppress" => options.suppress = value.as_bool().unwrap(),
            _ => panic!("{name} is no option"),
        }
    }
    options
}

#[test]
#[cfg(target_endian = "little")]
fn numpy_prints_the_same() {
    let fixture: Value = serde_json::from_str(include_str!("../fixtures/numpy_printing.json")).unwrap();
    let cases = fixture["cases"].as_array().unwrap();
    assert!(cases.len() > 800);
    let mut wrong = Vec::new();
    for case in cases {
        let (array, options) = (array(case), options(case));
        for (form, text) in [("str", format_array(&array, &options)), ("repr", format_repr(&array, &options))]
        {
            if case[form] != text {
                let expected = case[form].as_str().unwrap();
                let (dtype, changes) = (&case["dtype"], &case["options"]);
                wrong.push(format!("{dtype} {changes} {form}:\n{expected}\nbut here\n{text}"));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        2 * cases.len(),
        wrong[..wrong.len().min(9)].join("\n")
    );
}

#[test]
fn strided_arrays_print_in_their_order() {
    let values = Buffer::from_vec((0..24i32).collect::<Vec<_>>());
    let strides = Dims::from_slice(&[-2, 12]);
    let array = HostArray::from_parts(values, Dtype::INT32, Shape::from([3, 2]), strides, 5).unwrap();
    assert_eq!(format_array(&array, &PrintOptions::default()), "[[ 5 17]\n [ 3 15]\n [ 1 13]]");
}

#[test]
fn our_defaults_are_implied() {
    let options = PrintOptions::default();
    let repr = |array: Option<HostArray>| format_repr(&array.unwrap(), &options);
    assert_eq!(repr(HostArray::from_vec(vec![1i32], [1].into())), "array([1])");
    assert_eq!(repr(HostArray::from_vec(vec![1i64], [1].into())), "array([1], dtype=int64)");
    assert_eq!(repr(HostArray::from_vec(vec![1.5f32], [1].into())), "array([1.5])");
    assert_eq!(repr(HostArray::from_vec(vec![1.5f64], ().into())), "array(1.5, dtype=float64)");
    assert_eq!(repr(HostArray::from_vec(Vec::<f32>::new(), [0].into())), "array([], dtype=float32)");
}

#[test]
fn bfloat16_follows_the_rule_of_the_floats() {
    let options = PrintOptions::default();
    let print = |values: &[f32], shape: Shape| {
        let values = values.iter().map(|&v| bf16::from_f32(v)).collect();
        format_repr(&HostArray::from_vec(values, shape).unwrap(), &options)
    };
    assert_eq!(print(&[1.0, 2.5, -3.28], [3].into()), "array([ 1.  ,  2.5 , -3.28], dtype=bfloat16)");
    assert_eq!(print(&[99.5, 0.1], [2].into()), "array([99.5,  0.1], dtype=bfloat16)");
    assert_eq!(print(&[300.0, 1.0], [2].into()), "array([3.e+02, 1.e+00], dtype=bfloat16)");
    assert_eq!(print(&[f32::NAN, 1e-5], [2].into()), "array([   nan, 1.e-05], dtype=bfloat16)");
    assert_eq!(print(&[1.0], ().into()), "array(1., dtype=bfloat16)");
}

/// Every 16-bit float: its text names it, and no text of fewer digits does.
#[test]
fn sixteen_bit_floats_have_the_fewest_digits_that_name_them() {
    let round_trip = |dtype: Dtype, value: f64, parse: &dyn Fn(f64) -> f64| {
        let (digits, exponent) = shortest(value, dtype);
        let text = |digits: &str| format!("{}e{}", digits, exponent - digits.len() as i32 + 1);
        let named = |text: String| parse(text.parse().unwrap());
        assert_eq!(named(text(&digits)), value.abs(), "{dtype} {value:e}");
        let shorter: u32 = digits.parse::<u32>().unwrap() / 10;
        for near in [shorter, shorter + 1] {
            let text = format!("{near}e{}", exponent - digits.len() as i32 + 2);
            assert!(near == 0 || digits.len() == 1 || named(text) != value.abs(), "{dtype} {value:e}");
        }
    };
    for bits in 0..=u16::MAX {
        let half = f16::from_bits(bits);
        if half.is_finite() {
            round_trip(Dtype::FLOAT16, half.to_f64(), &|x| {
                nearest_of(x, |b| f16::from_bits(b).to_f64(), 0x7bff)
            });
        }
        let brain = bf16::from_bits(bits);
        if brain.is_finite() {
            round_trip(Dtype::BFLOAT16, brain.to_f64(), &|x| {
                nearest_of(x, |b| bf16::from_bits(b).to_f64(), 0x7f7f)
            });
        }
    }
}

/// The value nearest to a positive number, by bisection; of two, the even one.
fn nearest_of(x: f64, value: impl Fn(u16) -> f64, greatest: u16) -> f64 {
    let (mut low, mut high) = (0, greatest);
    if x >= value(high) {
        let overflows = x - value(high) >= (value(high) - value(high - 1)) / 2.0;
        return if overflows { f64::INFINITY } else { value(high) };
    }
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if value(middle) <= x { low = middle } else { high = middle }
    }
    let (below, above) = (x - value(low), value(high) - x);
    if below < above || below == above && low % 2 == 0 { value(low) } else { value(high) }
}

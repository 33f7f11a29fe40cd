//! NumPy's files, read and written.

use ivy_core::internals::{read_npz, write_npz};
use ivy_core::io::*;
use ivy_core::{
    Dims, Dtype, Error, ErrorKind, Result, Shape,
    host::{Buffer, HostArray, contiguous_strides, for_each_offset},
};
use proptest::prelude::*;
use serde_json::Value;
use std::io::Cursor;

fn fixture() -> Value {
    serde_json::from_str(include_str!("../fixtures/numpy_files.json")).unwrap()
}

fn unhex(value: &Value) -> Vec<u8> {
    let hex = value.as_str().unwrap();
    (0..hex.len()).step_by(2).map(|i| u8::from_str_radix(&hex[i..i + 2], 16).unwrap()).collect()
}

fn written(array: &HostArray) -> Vec<u8> {
    let mut file = Vec::new();
    write_npy(&mut file, array).unwrap();
    file
}

/// The bytes of the elements in row-major order.
fn elements(array: &HostArray) -> Vec<u8> {
    let (width, mut out) = (array.dtype().bytes(), Vec::new());
    for_each_offset(array.shape(), array.strides(), |offset| {
        let at = (array.offset() as isize + offset) as usize * width;
        out.extend_from_slice(&array.buffer().bytes()[at..at + width]);
    });
    out
}

fn is_malformed(result: Result<HostArray>) -> bool {
    matches!(result.unwrap_err().kind(), ErrorKind::Malformed { path, .. } if path == "x.npy")
}

#[test]
#[cfg(target_endian = "little")]
fn files_of_numpy_are_read_and_written_alike() {
    for case in fixture()["npy"].as_array().unwrap() {
        let file = unhex(&case["file"]);
        let array = read_npy(file.as_slice(), "x.npy").unwrap_or_else(|error| panic!("{case}: {error}"));
        let shape: Vec<u64> = array.shape().iter().map(|&d| d as u64).collect();
        assert_eq!(case["dtype"].as_str().unwrap(), array.dtype().name(), "{case}");
        assert_eq!(serde_json::json!(shape), case["shape"], "{case}");
        assert_eq!(elements(&array), unhex(&case["elements"]), "{case}");
        let what = case["what"].as_str().unwrap();
        if !what.contains("big-endian") && !matches!(what, "version 2" | "version 3") {
            assert_eq!(written(&array), file, "{case}");
        }
        // Nothing short of the whole file is a file.
        for end in 0..file.len() {
            assert!(is_malformed(read_npy(&file[..end], "x.npy")), "{case} cut at {end}");
        }
        let twice = [file.as_slice(), &file].concat();
        let mut rest = twice.as_slice();
        read_npy(&mut rest, "x.npy").unwrap();
        assert_eq!(rest, file, "the reader stays behind the array");
    }
}

#[test]
fn foreign_dtypes_are_refused() {
    for case in fixture()["refused"].as_array().unwrap() {
        let error = read_npy(unhex(&case["file"]).as_slice(), "x.npy").unwrap_err();
        let rule = match case["what"].as_str().unwrap() {
            "object" => "pickled Python objects",
            "structured" => "structured",
            _ => "no counterpart",
        };
        assert!(error.to_string().contains(rule), "{case}: {error}");
    }
}

#[test]
#[cfg(target_endian = "little")]
fn archives_of_numpy_are_read() {
    let first: Vec<u8> = (0..5i32).flat_map(i32::to_le_bytes).collect();
    for case in fixture()["npz"].as_array().unwrap() {
        let arrays = read_npz(Cursor::new(unhex(&case["file"])), "x.npz").unwrap();
        let names: Vec<&str> = arrays.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["first", "second", "weights"]);
        assert_eq!(elements(&arrays[0].1), first);
        assert_eq!(arrays[1].1.to_vec::<f64>().unwrap(), [1., 0., 0., 0., 1., 0., 0., 0., 1.]);
        assert_eq!(arrays[2].1.to_vec::<u8>().unwrap(), [0; 100]);
    }
}

/// A header of version 1 around a text.
fn with_header(text: &str, data: &[u8]) -> Vec<u8> {
    [b"\x93NUMPY\x01\x00", (text.len() as u16).to_le_bytes().as_slice(), text.as_bytes(), data].concat()
}

#[test]
fn headers_are_python_dictionaries_and_nothing_else() {
    let rule = |text: &str| match read_npy(with_header(text, &[7, 0]).as_slice(), "x.npy") {
        Ok(array) => format!("{} {}", array.dtype(), array.shape()),
        Err(error) => match error.kind() {
            ErrorKind::Malformed { offset, rule, .. } => format!("{offset}: {rule}"),
            other => panic!("{other:?}"),
        },
    };
    let good = "{\"shape\" : ( 2L , ) , 'descr':'|u1','fortran_order':False}  \n";
    assert_eq!(rule(good), "uint8 (2,)");
    assert_eq!(rule("{'descr': '|b1', 'fortran_order': True, 'shape': (1, 2,), }"), "bool (1, 2)");
    assert_eq!(rule("{'descr': '?', 'fortran_order': False, 'shape': ()}"), "bool ()");
    assert_eq!(rule("{'descr': '|V2', 'fortran_order': False, 'shape': (1,)}"), "bfloat16 (1,)");
    let shape = |shape: &str| rule(&format!("{{'descr': '<i2', 'fortran_order': False, 'shape': {shape}}}"));
    assert_eq!(shape("()"), "int16 ()");
    assert_eq!(shape("(1)"), "63: a tuple of one length has a comma");
    assert_eq!(shape("(1 1)"), "63: lengths are separated by `,`");
    assert_eq!(shape("(-1,)"), "61: a length is a whole number");
    assert_eq!(shape("(,)"), "61: a length is a whole number");
    assert_eq!(shape("(1.5,)"), "62: lengths are separated by `,`");
    assert_eq!(shape("(1,"), "63: a length is a whole number");
    assert_eq!(shape("1"), "60: the shape is a tuple");
    assert_eq!(shape("(99999999999999999999,)"), "61: a length is too large for this machine");
    assert!(shape(&format!("({})", "1,".repeat(65))).ends_with("an array has at most 64 axes"));
    assert!(shape("(4611686018427387904, 4)").ends_with("is too large"));
    assert!(shape("(4611686018427387904,)").ends_with("is too large"));
    assert!(shape("(4611686018427387904, 4, 0)").starts_with("int16"));
    assert!(
        shape("(100000000000,)")
            .ends_with("the data: 200000000000 bytes are needed and the input ends after 2")
    );
    assert_eq!(rule(""), "10: the header is a dictionary");
    assert_eq!(rule("{}"), "12: descr, fortran_order and shape are all there");
    assert_eq!(rule("{} {}"), "13: nothing follows the dictionary");
    assert_eq!(rule("{'shape': (), 'shape': ()}"), "24: each key stands once");
    assert_eq!(rule("{'shape': () 'descr': '<i2'}"), "23: entries are separated by `,`");
    assert_eq!(rule("{'size': 3}"), "11: the keys are descr, fortran_order and shape");
    assert_eq!(rule("{'shape' (1,)}"), "19: a key and its value are separated by `:`");
    assert_eq!(rule("{'shape"), "11: a string ends with its quote and has no escapes");
    assert_eq!(rule("{3: 4}"), "11: a string in quotes stands here");
    assert_eq!(rule("{'fortran_order': 1}"), "28: fortran_order is True or False");
}

#[test]
fn magic_and_version_are_checked() {
    let rule = |file: &[u8]| read_npy(file, "x.npy").unwrap_err().to_string();
    assert_eq!(rule(b"PK\x03\x04..."), "x.npy: this is a zip archive, as .npz is, and no .npy (at byte 0)");
    assert_eq!(rule(b"\x93numpy\x01\x00"), "x.npy: an .npy file starts with \\x93NUMPY (at byte 0)");
    assert_eq!(rule(b"\x93NUMPY\x04\x00"), "x.npy: version 4.0 is not 1.0, 2.0 or 3.0 (at byte 6)");
    let huge = rule(b"\x93NUMPY\x02\x00\xff\xff\xff\xff");
    assert_eq!(huge, "x.npy: the header of 4294967295 bytes is longer than 65535 (at byte 8)");
}

#[test]
fn bools_are_zero_or_one() {
    let file = with_header("{'descr': '|b1', 'fortran_order': False, 'shape': (4,)}", &[0, 1, 2, 255]);
    let array = read_npy(file.as_slice(), "x.npy").unwrap();
    assert_eq!(array.to_vec::<bool>().unwrap(), [false, true, true, true]);
}

#[test]
fn missing_files_are_errors_of_the_system() {
    for error in [load("/no/such/file.npy").unwrap_err(), load_npz("/no/such/file.npz").unwrap_err()] {
        assert!(matches!(error.kind(), ErrorKind::Io { path, .. } if path.starts_with("/no/such")));
    }
}

/// An array of a dtype over bytes that look random, with permuted axes, steps and turned axes.
fn strided(dtype: Dtype, shape: &[usize], order: &[usize], step: isize, turned: bool) -> HostArray {
    let stored: Vec<usize> = order.iter().map(|&axis| shape[axis]).collect();
    let stored_strides = contiguous_strides(&stored);
    let mut strides: Dims<isize> = Dims::from_elem(0, shape.len());
    order.iter().zip(&stored_strides).for_each(|(&axis, &stride)| strides[axis] = stride * step);
    let size: usize = shape.iter().product();
    let count = size * step as usize + 1;
    let mut offset = 1;
    if turned && !shape.is_empty() && size > 0 {
        offset += (shape[0] as isize - 1) * strides[0];
        strides[0] = -strides[0];
    }
    let mut bytes: Vec<u8> =
        (0..count * dtype.bytes()).map(|i| (i as u8).wrapping_mul(37).wrapping_add(11)).collect();
    if dtype.is_bool() {
        bytes.iter_mut().for_each(|b| *b &= 1);
    }
    let buffer = Buffer::copy_from(&bytes).unwrap();
    HostArray::from_parts(buffer, dtype, Shape::from(shape), strides, offset as usize).unwrap()
}

#[test]
fn every_dtype_and_stride_comes_back() {
    let orders: [&[usize]; 6] = [&[0, 1, 2], &[0, 2, 1], &[1, 0, 2], &[1, 2, 0], &[2, 0, 1], &[2, 1, 0]];
    for dtype in Dtype::all() {
        for order in orders {
            for shape in [[2, 3, 4], [1, 5, 1], [3, 0, 2]] {
                for (step, turned) in [(1, false), (1, true), (2, false), (3, true)] {
                    let array = strided(dtype, &shape, order, step, turned);
                    let file = written(&array);
                    let back = read_npy(file.as_slice(), "x.npy").unwrap();
                    assert_eq!((back.dtype(), back.shape()), (dtype, array.shape()));
                    assert_eq!(elements(&back), elements(&array), "{dtype} {order:?} {shape:?}");
                    // Data start at a multiple of 64, and nothing follows them.
                    assert_eq!((file.len() - elements(&array).len()) % 64, 0);
                }
            }
        }
    }
    // More than one piece.
    let large = strided(Dtype::INT16, &[300, 400], &[1, 0], 2, false);
    let back = read_npy(written(&large).as_slice(), "x.npy").unwrap();
    assert_eq!(elements(&back), elements(&large));
}

fn some_archive(compressed: bool) -> Vec<u8> {
    let a = strided(Dtype::FLOAT32, &[3, 4], &[1, 0], 1, false);
    let b = strided(Dtype::BFLOAT16, &[], &[], 1, false);
    write_npz(Cursor::new(Vec::new()), &[("a", &a), ("b c", &b)], compressed).unwrap().into_inner()
}

#[test]
fn archives_come_back() {
    for compressed in [false, true] {
        let file = some_archive(compressed);
        assert_eq!(file, some_archive(compressed), "no time of day in the file");
        let arrays = read_npz(Cursor::new(&file), "x.npz").unwrap();
        assert_eq!((arrays[0].0.as_str(), arrays[1].0.as_str(), arrays.len()), ("a", "b c", 2));
        assert_eq!(elements(&arrays[0].1), elements(&strided(Dtype::FLOAT32, &[3, 4], &[1, 0], 1, false)));
        assert_eq!((arrays[1].1.dtype(), arrays[1].1.shape().len()), (Dtype::BFLOAT16, 0));
        for end in 0..file.len() {
            let error = read_npz(Cursor::new(&file[..end]), "x.npz").unwrap_err();
            assert!(matches!(error.kind(), ErrorKind::Malformed { .. }), "cut at {end}: {error:?}");
        }
    }
    let a = strided(Dtype::INT8, &[1], &[0], 1, false);
    let error = save_npz("/no/such/dir/x.npz", &[("a", &a), ("a", &a)], false).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::InvalidArgument { .. }));
    let error = save_npz("/no/such/dir/x.npz", &[("a", &a)], false).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Io { .. }));
}

/// Changes bytes, cuts, and repeats; what comes of it is an array or a typed error.
fn damaged(mut file: Vec<u8>, changes: &[(usize, u8)], end: usize) -> Vec<u8> {
    for &(at, byte) in changes {
        let at = at % file.len();
        file[at] = byte;
    }
    file.truncate(file.len().saturating_sub(end));
    file
}

/// The error, unless it is of the kind that damage gives.
fn typed<T>(result: Result<T>) -> Result<(), Error> {
    match result {
        Err(error) if !matches!(error.kind(), ErrorKind::Malformed { .. }) => Err(error),
        _ => Ok(()),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn damaged_arrays_are_typed_errors(
        changes in proptest::collection::vec((0..128usize, any::<u8>()), 1..4),
        end in 0..3usize,
        dtype in 0..Dtype::COUNT,
    ) {
        let dtype = Dtype::all().nth(dtype).unwrap();
        let file = written(&strided(dtype, &[2, 3], &[1, 0], 1, false));
        prop_assert_eq!(typed(read_npy(damaged(file, &changes, end).as_slice(), "x.npy")).map_err(|e| e.to_string()), Ok(()));
    }

    #[test]
    fn damaged_headers_are_typed_errors(text in "[{}'(),:<|bifcV0-9 LTrueFalsdhpotn_\\[\\]O\\\\-]{0,80}") {
        prop_assert_eq!(typed(read_npy(with_header(&text, &[0; 64]).as_slice(), "x.npy")).map_err(|e| e.to_string()), Ok(()));
    }

    #[test]
    fn damaged_archives_are_typed_errors(
        changes in proptest::collection::vec((any::<usize>(), any::<u8>()), 1..5),
        end in 0..3usize,
        compressed in any::<bool>(),
    ) {
        let file = damaged(some_archive(compressed), &changes, end);
        prop_assert_eq!(typed(read_npz(Cursor::new(file), "x.npz")).map_err(|e| e.to_string()), Ok(()));
    }
}

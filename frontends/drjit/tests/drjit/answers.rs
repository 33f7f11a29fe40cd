//! Answers that Dr.Jit gave, one by one: the types of results, and texts.

use super::eval::{Args, Out, Value, eval, text_of, type_of};
use super::{on_both, rows};
use ivy_drjit::{self as dr, AnyArray, ArrayType, Error};

fn shown(out: &Out, show: fn(&Value) -> String) -> String {
    out.as_ref().map_or_else(|_| "!".into(), show)
}

macro_rules! dispatch {
    ($name:ident $args:ident: unary $($unary:ident)*; binary $($binary:ident)*; ternary $($ternary:ident)*;
     reduction $($reduction:ident)*) => {
        match $name {
            $(stringify!($unary) => Some(dr::$unary($args.arg(0)?)),)*
            $(stringify!($binary) => Some(dr::$binary($args.arg(0)?, $args.arg(1)?)),)*
            $(stringify!($ternary) => Some(dr::$ternary($args.arg(0)?, $args.arg(1)?, $args.arg(2)?)),)*
            $(stringify!($reduction) => Some(dr::$reduction($args.arg(0)?, $args.axis())),)*
            _ => None,
        }
    };
}

fn arrays(list: impl IntoIterator<Item = AnyArray>) -> Value {
    Value::Tuple(list.into_iter().map(Value::Array).collect())
}

/// Calls a function by its Python name.
pub fn call(name: &str, list: &[Value], named: &[(String, Value)]) -> Out {
    let args = Args { list, named };
    let plain = dispatch! { name args:
        unary abs sqrt rsqrt rcp square cbrt sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh exp exp2 log
            log2 floor ceil trunc round sign isnan isinf isfinite erf erfinv lgamma popcnt lzcnt tzcnt brev log2i cumsum
            prefix_sum norm squared_norm argmin argmax sort argsort std var median deg2rad rad2deg safe_sqrt safe_asin
            safe_acos conj arg normalize det trace frob diag reverse compress morton_encode quat_to_euler
            euler_to_quat matrix_to_quat;
        binary minimum maximum atan2 power copysign mulsign hypot dot abs_dot mul_hi mul_wide cross step unit_angle
            quat_apply matmul;
        ternary select fma lerp clip slerp transform_compose;
        reduction sum prod mean min max all any none count
    };
    if let Some(result) = plain {
        return result.map(Value::Array);
    }
    let one: Result<AnyArray, Error> = match name {
        "format" => return args.format(),
        "expr_t" => return dr::expr_t(args.ty(0), args.ty(1)).map(Value::Type),
        "bool" => return args.array(0)?.to_bool().map(|b| Value::Scalar(b.into())),
        "sincos" => return dr::sincos(args.arg(0)?).map(|(s, c)| arrays([s, c])),
        "polar_decomp" => return dr::polar_decomp(args.arg(0)?).map(|(q, p)| arrays([q, p])),
        "transform_decompose" => {
            return dr::transform_decompose(args.arg(0)?).map(|(s, q, t)| arrays([s, q, t]));
        }
        "sh_eval" => {
            let all = dr::sh_eval(args.arg(0)?, args.integer(1, "order", 0) as usize)?;
            return Ok(Value::List(all.into_iter().map(Value::Array).collect()));
        }
        "meshgrid" => {
            let all = (0..list.len()).map(|i| args.arg(i)).collect::<Result<Vec<_>, _>>()?;
            return Ok(arrays(dr::meshgrid(all, args.text("indexing") == Some("ij"))?));
        }
        "shape" => {
            let shape = args.array(0)?.shape().unwrap();
            return Ok(Value::Tuple(shape.into_iter().map(|n| Value::Scalar(n.into())).collect()));
        }
        "quat_to_matrix" => dr::quat_to_matrix(args.arg(1)?, args.ty(0).size_v().unwrap()),
        "rotate" => dr::rotate(args.arg(1)?, args.arg(2)?),
        "morton_decode" => dr::morton_decode(args.ty(0), args.arg(1)?),
        "reinterpret_array" => dr::reinterpret_array(args.ty(0), args.arg(1)?),
        "zeros" if args.ty(0).is_tensor_v() => args.ty(0).full_tensor(0, &args.shape_named().unwrap()),
        "zeros" => args.ty(0).zeros(args.integer(1, "shape", 1) as usize),
        "ones" => args.ty(0).ones(args.integer(1, "shape", 1) as usize),
        "full" => args.ty(0).full(args.float(1), args.integer(2, "shape", 1) as usize),
        "arange" if list.len() == 2 => args.ty(0).arange(0.0, args.float(1), 1.0),
        "arange" => args.ty(0).arange(args.float(1), args.float(2), args.integer(3, "step", 1) as f64),
        "linspace" => args.ty(0).linspace(
            args.float(1),
            args.float(2),
            args.integer(3, "num", 1) as usize,
            args.flag("endpoint", true),
        ),
        "block_sum" => dr::block_sum(args.arg(0)?, args.integer(1, "block_size", 1) as usize),
        "block_prefix_sum" => dr::block_prefix_sum(args.arg(0)?, args.integer(1, "block_size", 1) as usize),
        "block_reduce" => {
            dr::block_reduce(args.reduce(0), args.arg(1)?, args.integer(2, "block_size", 1) as usize)
        }
        "prefix_reduce" => dr::prefix_reduce(
            args.reduce(0),
            args.arg(1)?,
            args.flag("exclusive", true),
            args.flag("reverse", false),
        ),
        "block_prefix_reduce" => dr::block_prefix_reduce(
            args.reduce(0),
            args.arg(1)?,
            args.integer(2, "block_size", 1) as usize,
            args.flag("exclusive", true),
            args.flag("reverse", false),
        ),
        "ravel" => dr::ravel(args.arg(0)?, args.order()),
        "unravel" => dr::unravel(args.ty(0), args.arg(1)?, args.order()),
        "repeat" => dr::repeat(args.arg(0)?, args.integer(1, "count", 1) as usize),
        "tile" => dr::tile(args.arg(0)?, args.integer(1, "count", 1) as usize),
        "gather" if list.len() == 4 => dr::gather(args.ty(0), args.arg(1)?, args.arg(2)?, args.arg(3)?),
        "gather" => dr::gather(args.ty(0), args.arg(1)?, args.arg(2)?, true),
        "reshape" => dr::reshape(args.arg(1)?, &args.shape(2).iter().map(|&n| n as i64).collect::<Vec<_>>()),
        "int" | "float" => Err(Error::NotSupported { function: "int", ty: args.array(0)?.ty() }),
        other => panic!("{other} has no form here"),
    };
    one.map(Value::Array)
}

/// Rows of differences: a pattern of table, first and second operand each (`*` is all), and what stands here instead.
struct Difference<'a> {
    patterns: [&'a str; 3],
    ours: &'a str,
    used: std::cell::Cell<bool>,
}

/// Whether a text is that of one of several patterns, in which `*` is any text.
fn matches(pattern: &str, text: &str) -> bool {
    fn fits(pattern: &str, text: &str) -> bool {
        match pattern.split_once('*') {
            None => pattern == text,
            Some((start, rest)) => {
                text.strip_prefix(start).is_some_and(|text| (0..=text.len()).any(|i| fits(rest, &text[i..])))
            }
        }
    }
    pattern.split('|').any(|one| fits(one, text))
}

fn differences(text: &str) -> Vec<Difference<'_>> {
    rows(text)
        .map(|row| {
            assert_eq!(row.len(), 5, "{row:?}: table, first, second, ours, reason");
            Difference { patterns: [row[0], row[1], row[2]], ours: row[3], used: false.into() }
        })
        .collect()
}

/// An operand of a table: an array of ones of a type, or Python's value.
fn operand(text: &str) -> Out {
    match text.split_once('.') {
        Some((_, name)) if name.starts_with("Tensor") => eval(&format!("{text}([1],(1,1))"), &[]),
        Some(("L" | "A" | "S", _)) => eval(&format!("{text}(1)"), &[]),
        _ if text == "1j" => Ok(Value::Text("1j".into())),
        _ => eval(text, &[]),
    }
}

#[test]
fn d_04_promotion_of_every_pair() {
    let text = include_str!("../data/promotion.tsv");
    let known = differences(include_str!("../data/differences.tsv"));
    let mut columns: Vec<String> = Vec::new();
    let (mut compared, mut wrong) = (0, Vec::new());
    for row in rows(text) {
        let (table, first) = (row[0], row[1]);
        if first == "-" {
            columns = row[2].split(' ').map(str::to_owned).collect();
            continue;
        }
        let a = operand(first).unwrap();
        for (second, theirs) in columns.iter().zip(row[2].split(' ')) {
            let b = operand(second).unwrap();
            let ours = shown(&eval(table, &[("a", a.clone()), ("b", b)]), type_of);
            compared += 1;
            let own = |d: &&Difference<'_>| {
                [table, first, second].iter().zip(d.patterns).all(|(text, pattern)| matches(pattern, text))
            };
            let allowed = known.iter().find(own);
            let expected = match allowed {
                Some(difference) => {
                    difference.used.set(true);
                    if difference.ours == "*" { ours.as_str() } else { difference.ours }
                }
                None => theirs,
            };
            if ours != expected {
                wrong.push(format!("{table} of {first} and {second}: {ours}, not {expected}"));
            }
        }
    }
    let unused: Vec<_> = known.iter().filter(|d| !d.used.get()).map(|d| d.patterns.join(" ")).collect();
    assert!(compared > 8000, "{compared} pairs");
    assert!(wrong.is_empty(), "{} of {compared} pairs:\n{}", wrong.len(), wrong.join("\n"));
    assert!(unused.is_empty(), "differences that are none: {unused:?}");
}

fn trait_of(ty: ArrayType, name: &str) -> Result<String, Error> {
    let of = |ty: ArrayType| type_of(&Value::Type(ty));
    let word = |b: bool| if b { "True" } else { "False" }.to_owned();
    let host = |ty: ArrayType| match ty.dtype() {
        t if t.is_bool() => "bool",
        t if t.is_int() => "int",
        _ => "float",
    };
    Ok(match name {
        "value_t" => ty.entry().map_or(host(ty).to_owned(), of),
        "scalar_t" => host(ty).to_owned(),
        "mask_t" => of(ty.mask_t()),
        "array_t" => of(ty.array_t()),
        "float_array_t" => of(ty.float_array_t()?),
        "float32_array_t" => of(ty.float32_array_t()?),
        "int_array_t" => of(ty.int_array_t()?),
        "uint_array_t" => of(ty.uint_array_t()?),
        "int32_array_t" => of(ty.int32_array_t()?),
        "int64_array_t" => of(ty.int64_array_t()?),
        "detached_t" => of(ty.detached_t()),
        "diff_array_t" => of(ty.diff_array_t()),
        "leaf_t" => of(ty.leaf()),
        "tensor_t" => of(ty.tensor_t()),
        "itemsize_v" => ty.itemsize_v().to_string(),
        "is_float_v" => word(ty.is_float_v()),
        "is_half_v" => word(ty.is_half_v()),
        "is_integral_v" => word(ty.is_integral_v()),
        "is_signed_v" => word(ty.is_signed_v()),
        "is_unsigned_v" => word(ty.is_unsigned_v()),
        "is_arithmetic_v" => word(ty.is_arithmetic_v()),
        "is_mask_v" => word(ty.is_mask_v()),
        "is_diff_v" => word(ty.is_diff_v()),
        "is_jit_v" => word(ty.is_jit_v()),
        "type_v" => format!("VarType.{:?}", ty.dtype()),
        "depth_v" => ty.depth_v().to_string(),
        "size_v" => ty.size_v().map_or("-1".into(), |n| n.to_string()),
        "backend_v" => {
            format!("JitBackend.{:?}", ty.backend_v()).to_uppercase().replace("JITBACKEND", "JitBackend")
        }
        other => panic!("{other} is no trait"),
    })
}

#[test]
fn d_05_traits_of_types() {
    for row in rows(include_str!("../data/traits.tsv")) {
        let ty = ArrayType::of_short_name(dr::Package::LLVM, row[0]).unwrap();
        let ours = trait_of(ty, row[1]).unwrap_or_else(|_| "!".into());
        assert_eq!(ours, row[2], "{} of {}", row[1], row[0]);
    }
}

#[test]
fn d_02_elements_from_host_values() {
    for row in rows(include_str!("../data/construct.tsv")) {
        // Complex numbers are no elements here.
        if row[1] == "1j" {
            continue;
        }
        let ours = shown(&eval(&format!("L.{}({})", row[0], row[1]), &[]), text_of);
        assert_eq!(ours, row[2], "L.{}({})", row[0], row[1]);
    }
}

/// Compares the texts of a table's expressions whose first column is one of some rows.
fn compare(text: &str, spec_rows: &[&str]) {
    on_both(|| {
        let mut wrong = Vec::new();
        let mut count = 0;
        for row in rows(text) {
            let (own, expression, theirs) = match row[..] {
                [own, expression, theirs] => (own, expression, theirs),
                _ => ("", row[0], row[1]),
            };
            if !spec_rows.contains(&own) {
                continue;
            }
            count += 1;
            let ours = shown(&eval(expression, &[]), text_of).replace('\n', "\\n");
            if ours != theirs {
                wrong.push(format!("{expression}: {ours}, not {theirs}"));
            }
        }
        assert!(count > 0 && wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
        Ok(())
    });
}

#[test]
fn d_16_printing_of_every_recorded_array() {
    compare(include_str!("../data/printing.tsv"), &[""]);
}

macro_rules! recorded {
    ($($test:ident $($row:literal)*;)*) => {
        $(#[test]
        fn $test() {
            compare(include_str!("../data/answers.tsv"), &[$($row),*]);
        })*
    };
}
recorded! {
    d_03_construction_of_nested_arrays "D-03";
    d_06_flat_arrays "D-06";
    d_07_nested_arrays "D-07";
    d_08_matrices "D-08";
    d_09_complex_numbers "D-09";
    d_10_quaternions "D-10";
    d_11_tensors "D-11";
    d_13_operators "D-13";
    d_40_gathers "D-40";
    d_42_reductions "D-42";
    d_43_scans_and_blocks "D-43";
    maths_of_vectors_and_bits "maths";
}

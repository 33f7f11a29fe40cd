//! Square roots of float32, some of which are multiplied: those of the processor, for every number's digits.

use crate::common::arrays;
use crate::common::both;

use arrays::{backends, run, same};
use both::{ADD, Side};
use ivy_backend_jit::codegen::llvm::{self, Effort, Roots, Style, source};
use ivy_backend_jit::engine::Settings;
use ivy_backend_jit::ir::{Access, Builder, Code, Kernel, Param, Type, verify};
use ivy_backend_jit::runtime::cpu::{self, Space};
use ivy_backend_suite::edges;
use ivy_core::backend::Backend;
use ivy_core::host::HostArray;
use ivy_core::{BinaryOp, Dtype, Op, UnaryOp};

const ROOT: Op = Op::Unary(UnaryOp::Sqrt);

/// The switches `roots` and `pipelined`.
const SWITCHES: [[bool; 2]; 3] = [[false, true], [true, false], [true, true]];

fn settings([roots, pipelined]: [bool; 2]) -> Settings {
    Settings { roots, pipelined, ..Settings::default() }
}

/// Elements of the processor's vectors.
fn wide() -> usize {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx512vl") {
        return 16;
    }
    8
}

/// These numbers, each in every one of the processor's vectors that stand side by side.
fn everywhere(numbers: &[u32]) -> Vec<f32> {
    let fours = numbers.chunks(wide()).flat_map(|some| some.repeat(4));
    fours.map(f32::from_bits).collect()
}

#[test]
fn every_digit() {
    for (name, b) in backends().into_iter().filter(|(name, _)| *name == "llvm") {
        // All numbers in 1..4, and some of every exponent and sign, the first and the last ones among them.
        let some = |high: u32| {
            let digits = [0, 1, 2, 3, 0x7f_fffe, 0x7f_ffff].into_iter().chain((0..0x80_0000).step_by(3001));
            digits.map(move |low| high << 23 | low)
        };
        let some: Vec<u32> = (0..512).flat_map(some).collect();
        let all: Vec<u32> = (0x3f80_0000..0x4080_0000).collect();
        for settings in SWITCHES.map(settings) {
            b.engine().set_settings(settings);
            for numbers in some.chunks(1 << 16).chain(all.chunks(1 << 16)) {
                let x = everywhere(numbers);
                let got = run(&b, &ROOT, &[&HostArray::from_vec(x.clone(), [x.len()].into()).unwrap()]);
                let bytes = got.view().contiguous_bytes().unwrap();
                for (x, got) in x.iter().zip(bytes.chunks_exact(4)) {
                    let (want, got) = (x.sqrt(), f32::from_ne_bytes(got.try_into().unwrap()));
                    let alike = want.to_bits() == got.to_bits() || want.is_nan() && got.is_nan();
                    assert!(alike, "{x:e}: {got:e}, not {want:e}, by {name}, {settings:?}");
                }
            }
        }
    }
}

/// The digits of all numbers by two steps, which other processors may need.
#[test]
fn every_digit_by_two_steps() {
    let Some((library, own)) = llvm::llvm().ok().and_then(|library| Some((library, library.roots?))) else {
        eprintln!("skipped: this processor has no estimates of roots");
        return;
    };
    let kernel = kernel(Type::F32, Access::Out, false);
    let style = Style { roots: Some(Roots { steps: 2, ..own }), ..Style::FAST };
    let object = llvm::object(library, &source(&kernel, style), Effort::Usual).unwrap();
    let code = llvm::link(library, &kernel, style, object).unwrap();
    let all: Vec<u32> = (0x3f80_0000..0x4080_0000).collect();
    for numbers in all.chunks(1 << 16) {
        let x = everywhere(numbers);
        let input = HostArray::from_vec(x.clone(), [x.len()].into()).unwrap();
        let (shape, views) = ([x.len()], [input.view()]);
        let space = Space::new(&shape, &views).unwrap();
        let got = cpu::launch(&code, &kernel.params, &space, true).unwrap().remove(0).buffer;
        for (x, got) in x.iter().zip(got.bytes().chunks_exact(4)) {
            let got = f32::from_ne_bytes(got.try_into().unwrap());
            assert_eq!((x + x).sqrt().to_bits(), got.to_bits(), "{x:e}");
        }
    }
}

/// Of expressions of any length, in rows and as they are broadcast.
#[test]
fn of_expressions() {
    for (name, b) in backends() {
        for settings in SWITCHES.map(settings) {
            b.engine().set_settings(settings);
            let b = Side(&b);
            for dtype in [Dtype::FLOAT32, Dtype::FLOAT16, Dtype::FLOAT64] {
                for shape in [&[1][..], &[31], &[32], &[33], &[65], &[1000], &[7, 100], &[40, 33], &[3, 5]] {
                    let [x, y] = [0, 3].map(|seed| b.input(edges(dtype, shape, seed)));
                    let row = b.input(edges(dtype, &shape[shape.len() - 1..], 5));
                    let product = b.apply(&Op::Binary(BinaryOp::Multiply), &[&x, &y]);
                    let sum = b.apply(&ADD, &[&product, &row]);
                    // What is added is needed by no root, by the root as well, and on the way to it.
                    for [of, more] in [[&x, &y], [&product, &y], [&sum, &y], [&sum, &sum], [&sum, &product]] {
                        let got = b.apply(&ADD, &[&b.apply(&ROOT, &[of]), more]);
                        same(&b.0.to_host(&got.ours).unwrap(), &got.theirs, &|| {
                            format!("{shape:?} of {dtype}, {settings:?} by {name}")
                        });
                    }
                }
            }
        }
    }
}

/// Roots of float64 beside one of float32.
#[test]
fn beside_others() {
    for (name, b) in backends() {
        let b = Side(&b);
        let x = b.input(edges(Dtype::FLOAT32, [1000], 0));
        let cast = |x: &_, dtype| b.apply(&Op::Cast { dtype }, &[x]);
        let wide = b.apply(&ROOT, &[&cast(&x, Dtype::FLOAT64)]);
        let both = b.apply(&ADD, &[&cast(&wide, Dtype::FLOAT32), &b.apply(&ROOT, &[&x])]);
        same(&b.0.to_host(&both.ours).unwrap(), &both.theirs, &|| format!("beside float64 by {name}"));
    }
}

/// The root of a number with another one, or with its own square.
fn kernel(ty: Type, out: Access, fused: bool) -> Kernel {
    let param = |access| Param { ty, parts: 1, access };
    let mut b = Builder::new(vec![param(Access::Linear), param(out)]);
    let x = b.load(0, 0);
    let x = if fused { b.fma(x, x, x) } else { b.binary(Code::Add, x, x) };
    let root = b.unary(Code::Sqrt, x);
    b.store(1, &[root]);
    b.finish()
}

#[test]
fn what_is_shared() {
    let roots = |wide, steps| Style { roots: Some(Roots { wide, steps }), ..Style::FAST };
    let style = roots(8, 2);
    let shared = |kernel: &Kernel, style| {
        verify(kernel).unwrap();
        source(kernel, style).contains("rsqrt")
    };
    let plain = kernel(Type::F32, Access::Out, false);
    assert!(shared(&plain, style) && !shared(&plain, Style::FAST));
    assert!(shared(&plain, roots(16, 2)) && shared(&plain, roots(8, 1)));
    assert!(source(&plain, roots(8, 1)).len() < source(&plain, style).len());
    assert!(!shared(&plain, Style { short: true, ..style }));
    let in_turns = source(&plain, Style { pipelined: false, ..style });
    assert!(in_turns.contains("rsqrt") && in_turns != source(&plain, style));
    assert!(!shared(&kernel(Type::F64, Access::Out, false), style));
    assert!(!shared(&kernel(Type::F32, Access::Stream, false), style));
    assert!(!shared(&kernel(Type::F32, Access::Out, true), style));
}

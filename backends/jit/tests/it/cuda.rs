//! Kernels on a device against the interpreter: the same bits, but for NaN's, of every statement on
//! every type, every operation on every dtype, and every fold, in both index forms and over all kinds of
//! spaces. The device is a stand-in that runs the text of the kernels on the host, unless
//! `IVY_TEST_CUDA=device` says otherwise.

use crate::common;
use crate::common::arrays;
use crate::common::flow;
use crate::common::kernels;

use arrays::device::device;
use common::{array, dtype, edges};
use ivy_backend_jit::codegen::ptx::Walk;
use ivy_backend_jit::codegen::{interp, ptx};
use ivy_backend_jit::ir::{Access, Builder, Code, Kernel, Param, Rule, Type};
use ivy_backend_jit::runtime::{Reading, cpu, cuda};
use ivy_backend_jit::trace::Kind;
use ivy_backend_suite::{Counted, least};
use ivy_core::host::{HostArray, HostView};
use ivy_core::{Dims, Dtype, Shape};
use kernels::{folds, operation, operations, param, singles};
use proptest::prelude::*;

/// Views of arrays as a device walks copies of them.
fn inputs(views: &[HostView<'_>], arrays: &[HostArray]) -> (Vec<cuda::DeviceArray>, Vec<cuda::Input>) {
    let copies: Vec<cuda::DeviceArray> =
        arrays.iter().map(|a| cuda::DeviceArray::upload(&device(), a).unwrap()).collect();
    let walks = views.iter().zip(&copies).map(|(view, copy)| cuda::Input {
        address: copy.memory().address() + (view.offset() * view.dtype().bytes()) as u64,
        reading: Reading::Walked,
        steps: Dims::from_slice(view.strides()),
    });
    let walks = walks.collect();
    (copies, walks)
}

/// A kernel with the accesses that a space wants.
fn accessed(kernel: &Kernel, access: impl Fn(usize) -> Access) -> Kernel {
    let mut kernel = kernel.clone();
    for (i, p) in kernel.params.iter_mut().enumerate().filter(|(_, p)| !p.access.is_result()) {
        p.access = access(i);
    }
    kernel
}

fn dtype_of(p: &Param) -> Dtype {
    match (p.ty, p.parts) {
        (Type::F32, 2) => Dtype::COMPLEX64,
        (Type::F64, 2) => Dtype::COMPLEX128,
        (ty, _) => dtype(ty),
    }
}

/// The result of an element-wise kernel, by the interpreter and by the device in every walk that there is,
/// which it gives.
#[track_caller]
fn check(
    kernel: &Kernel,
    arrays: &[HostArray],
    views: &[HostView<'_>],
    (shape, out): (&[usize], Dtype),
    what: &str,
) -> Vec<Walk> {
    let space = cpu::Space::new(shape, views).unwrap();
    let program = accessed(kernel, |i| space.access(i, false, false, false));
    let program = interp::Program::new(&program);
    let params = accessed(kernel, |i| space.access(i, false, false, false)).params;
    let buffer = cpu::launch(&program, &params, &space, true).unwrap().remove(0).buffer;
    let shape = Shape::from(shape.to_vec());
    let want = HostArray::new(buffer, out, shape.clone()).unwrap();
    let (_copies, walks) = inputs(views, arrays);
    let space = cuda::Space::new(&shape, &walks).unwrap();
    let kernel = accessed(kernel, |i| space.access(i));
    let mut done = Vec::new();
    for (i, walk) in all_walks(&space, &kernel, &shape).into_iter().enumerate() {
        let space = space.clone().walked(walk);
        // Both of one element; of all else, now one and now the other.
        let one = (i + shape.iter().sum::<usize>()) % 2 > 0;
        for wide in [false, true].into_iter().filter(|&wide| i == 0 || wide == one) {
            let code = device().kernel(&ptx::module(&kernel, space.form(wide))).unwrap();
            let memory = cuda::launch(&code, &kernel.params, &space).unwrap().remove(0);
            let got = cuda::DeviceArray::new(memory, out, shape.clone()).unwrap().download().unwrap();
            arrays::same(&got, &want, &|| format!("{what}, wide {wide}, {walk:?}\n{kernel}"));
        }
        done.push(walk);
    }
    done
}

/// Every way to walk a space that a kernel allows.
fn all_walks(space: &cuda::Space, kernel: &Kernel, shape: &[usize]) -> Vec<Walk> {
    let nature = ptx::Nature::of(kernel);
    let abreast = [2, 4, 8, 16].into_iter().filter_map(|each| space.abreast(&kernel.params, nature, each));
    let tiles = space.tiled(&kernel.params, nature);
    // Those of small squares follow one another if they must.
    let mirrored = match (tiles, shape) {
        (Some(Walk::Tiles { axis, transposed, .. }), [a, b]) if a == b => {
            Some(Walk::Tiles { axis, transposed, mirrored: true })
        }
        _ => None,
    };
    [Walk::SINGLE].into_iter().chain(abreast).chain(tiles).chain(mirrored).collect()
}

#[test]
fn every_statement_on_every_type() {
    let mut kernels = 0;
    for (code, from, to, kernel) in singles() {
        let values = edges(from);
        // All pairs of some, and each with itself and its neighbours.
        let pairs: Vec<(u64, u64)> = (0..values.len() * 6)
            .map(|i| (values[i / 6], values[(i / 6 + (i % 6) * i) % values.len()]))
            .collect();
        let [first, second]: [Vec<u64>; 2] =
            [0, 1].map(|side| pairs.iter().map(|p| if side == 0 { p.0 } else { p.1 }).collect());
        let truths: Vec<u64> = (0..pairs.len() as u64).map(|i| i % 3 % 2).collect();
        let lists = match code.rule() {
            Rule::Unary(_) | Rule::Convert | Rule::Bitcast | Rule::Between(..) => vec![first],
            Rule::Select | Rule::Rare => vec![truths, first, second],
            Rule::Ternary(_) => vec![first.clone(), second, first],
            _ => vec![first, second],
        };
        let arrays: Vec<HostArray> =
            lists.iter().zip(&kernel.params).map(|(list, p)| array(p.ty, list)).collect();
        let views: Vec<HostView<'_>> = arrays.iter().map(HostArray::view).collect();
        check(
            &kernel,
            &arrays,
            &views,
            (&[pairs.len()], if code == Code::Narrow { Dtype::FLOAT16 } else { dtype(to) }),
            &format!("{code:?} {from} to {to}"),
        );
        kernels += 1;
    }
    assert!(kernels > 250, "{kernels}");
}

#[test]
fn loops_and_conditionals() {
    let doubles: Vec<u64> = (0..300).map(|i| f64::from(i).to_bits()).collect();
    let numbers: Vec<u64> = (0..300).collect();
    let small: Vec<u64> = (0..256).collect();
    for (kernel, values) in [
        (flow::collatz(), &numbers),
        (flow::fibonacci(), &numbers[..60].to_vec()),
        (flow::guarded(), &small),
        (flow::nested(), &doubles),
    ] {
        let ty = kernel.params[0].ty;
        let arrays = [array(ty, values)];
        let views: Vec<HostView<'_>> = arrays.iter().map(HostArray::view).collect();
        check(&kernel, &arrays, &views, (&[values.len()], dtype(ty)), "control flow");
    }
}

#[test]
fn every_operation_on_every_dtype() {
    let list = operations();
    for &(kind, from, to) in &list {
        let kernel = operation(kind, from, to);
        let count = 70;
        let arrays: Vec<HostArray> = (0..kernel.params.len() - 1)
            .map(|i| {
                let condition = kind == Kind::Where && i == 0;
                ivy_backend_suite::edges(if condition { Dtype::BOOL } else { from }, [count], 5 * i + i * i)
            })
            .collect();
        let views: Vec<HostView<'_>> = arrays.iter().map(HostArray::view).collect();
        // Small floats are their bits for both: results too.
        let views: Vec<HostView<'_>> = views
            .iter()
            .zip(&kernel.params)
            .map(|(v, p)| HostView::new(v.bytes(), dtype_of(p), v.shape(), v.strides(), 0).unwrap())
            .collect();
        check(&kernel, &arrays, &views, (&[count], to), &format!("{kind:?} {from} to {to}"));
    }
    assert!(list.len() > 500, "{}", list.len());
}

#[test]
fn every_fold() {
    let (mut compared, mut cases) = (0, Counted::default());
    for (join, kernel) in folds() {
        let p = kernel.params[1];
        let dtype = dtype_of(&p);
        let along = matches!(p.access, Access::Along(_));
        let sizes = [(1, 1, 1), (3, 31, 33), (2, 257, 40), (1, 9000, 32), (2, 600, 1)];
        for (rows, length, columns) in sizes.into_iter().filter(|_| cases.takes_next()) {
            if along == (columns >= 32) || !along && length > 600 && p.parts == 2 {
                continue;
            }
            let shape = [rows, length, columns];
            let all = small(dtype, rows * length * columns);
            let bytes = all.view();
            let mut strides = [(length * columns) as isize, columns as isize, 1];
            if along && length == 600 {
                // Backwards.
                strides[1] = -strides[1];
            }
            let offset = if strides[1] < 0 { (length - 1) * columns } else { 0 };
            let view = HostView::new(bytes.bytes(), dtype, &shape, &strides, offset).unwrap();
            let (copies, walks) = inputs(&[view], std::slice::from_ref(&all));
            let space = cuda::Space::folding(&shape, 0b10, &walks).unwrap();
            let host = cpu::Space::folding(&shape, 0b10, &[view]).unwrap();
            let is_along = space.shape() == ptx::Shape::Along;
            assert_eq!((is_along, host.folds_columns()), (along, !along), "{shape:?}");
            let kernel = accessed(&kernel, |i| host.access(i, false, false, false));
            let program = interp::Program::new(&kernel);
            let buffer = cpu::fold(&program, &kernel.params, &host).unwrap();
            let results = Shape::from(vec![rows * columns]);
            let want = HostArray::new(buffer, dtype, results.clone()).unwrap();
            for wide in [false, true] {
                let code = device().kernel(&ptx::module(&kernel, space.form(wide))).unwrap();
                let kept = cuda::Kept::new(device());
                let memory = cuda::fold(&kept, &code, &kernel.params, &space, wide).unwrap();
                let got = cuda::DeviceArray::new(memory, dtype, results.clone()).unwrap();
                let got = got.download().unwrap();
                arrays::same(&got, &want, &|| format!("{join:?} of {dtype} over {shape:?}, wide {wide}"));
                compared += 1;
            }
            drop(copies);
        }
    }
    assert!(compared > least(200), "{compared}");
}

/// Numbers that add up without overflow, and not exactly; zeros of both signs, and one NaN.
fn small(dtype: Dtype, count: usize) -> HostArray {
    let value = |i: usize| match i % 97 {
        5 => -0.0,
        _ if i % 1031 == 1030 => f32::NAN,
        _ => ((i * 37 + 11) % 101) as f32 * 0.37 - 17.0,
    };
    let values = (0..count).map(value).collect();
    let array = HostArray::from_vec::<f32>(values, [count].into()).unwrap();
    arrays::reference(&ivy_core::Op::Cast { dtype }, &[&array]).remove(0)
}

#[test]
fn spaces_of_rows() {
    let mut b = Builder::new(vec![
        Param { ty: Type::F32, parts: 2, access: Access::Linear },
        param(Type::F32, Access::Strided),
        param(Type::F32, Access::Uniform),
        Param { ty: Type::F32, parts: 2, access: Access::Out },
    ]);
    let [re, im] = [0, 1].map(|part| b.load(0, part));
    let (x, one) = (b.load(1, 0), b.load(2, 0));
    let two = b.float(Type::F32, 2.0);
    let scale = b.binary(Code::Mul, one, two);
    let re = b.binary(Code::Mul, re, scale);
    let im = b.binary(Code::Add, im, x);
    b.store(3, &[re, im]);
    let kernel = b.finish();
    let pairs = small(Dtype::COMPLEX64, 4 * 5 * 30);
    let all = small(Dtype::FLOAT32, 4000);
    let shape = [4, 5, 30];
    // In order, backwards and with steps, and one element for a row.
    let arrays = [pairs.clone(), all.clone(), all.clone()];
    let views = [
        HostView::new(pairs.buffer().bytes(), Dtype::COMPLEX64, &shape, &[150, 30, 1], 0).unwrap(),
        HostView::new(all.buffer().bytes(), Dtype::FLOAT32, &shape, &[-7, 1, -100], 3800).unwrap(),
        HostView::new(all.buffer().bytes(), Dtype::FLOAT32, &shape, &[3, 50, 0], 100).unwrap(),
    ];
    check(&kernel, &arrays, &views, (&shape, Dtype::COMPLEX64), "rows");
}

#[test]
fn one_element_and_none() {
    let mut b = Builder::new(vec![param(Type::I64, Access::Uniform), param(Type::I64, Access::Out)]);
    let x = b.load(0, 0);
    let y = b.binary(Code::Mul, x, x);
    b.store(1, &[y]);
    let kernel = b.finish();
    let one = array(Type::I64, &[(-7i64) as u64]);
    for shape in [&[][..], &[1, 1], &[3, 0], &[2, 3]] {
        let strides = vec![0; shape.len()];
        let view = HostView::new(one.buffer().bytes(), Dtype::INT64, shape, &strides, 0).unwrap();
        check(&kernel, std::slice::from_ref(&one), &[view], (shape, Dtype::INT64), "one");
    }
}

#[test]
fn many_inputs() {
    let count = 600u32;
    let params = (0..count).map(|_| param(Type::I32, Access::Linear));
    let mut b = Builder::new(params.chain([param(Type::I32, Access::Out)]).collect());
    let mut sum = b.load(0, 0);
    for i in 1..count {
        let x = b.load(i, 0);
        sum = b.binary(if i % 2 == 0 { Code::Add } else { Code::Xor }, sum, x);
    }
    b.store(count, &[sum]);
    let arrays: Vec<HostArray> =
        (0..u64::from(count)).map(|i| array(Type::I32, &[i, i * i, i << 20, 7])).collect();
    let views: Vec<HostView<'_>> = arrays.iter().map(HostArray::view).collect();
    check(&b.finish(), &arrays, &views, (&[4], Dtype::INT32), "many inputs");
}

/// Sums of what runs down the columns and what runs along the rows, in tiles whose edges are not whole, and
/// around other axes.
#[test]
fn transposes_of_every_dtype() {
    for dtype in Dtype::all() {
        let kernel = operation(Kind::Where, dtype, dtype);
        for (shape, order, mirrors) in [
            (&[33usize, 40][..], &[1, 0][..], false),
            (&[34, 34], &[1, 0], true),
            (&[66, 66], &[1, 0], true),
            (&[2, 35, 33], &[0, 2, 1], false),
            (&[36, 3, 11], &[2, 1, 0], false),
            (&[9, 2, 3, 33], &[3, 1, 2, 0], false),
        ] {
            // Of large ones, some.
            if shape[0] > 60 && ![Dtype::BOOL, Dtype::FLOAT32].contains(&dtype) {
                continue;
            }
            let size: usize = shape.iter().product();
            let strides = ivy_core::host::contiguous_strides(shape);
            let transposed: Dims<isize> = order.iter().map(|&a| strides[a]).collect();
            let space: Vec<usize> = order.iter().map(|&a| shape[a]).collect();
            let rows = ivy_core::host::contiguous_strides(&space);
            let arrays = [
                ivy_backend_suite::edges(Dtype::BOOL, [size], 1),
                ivy_backend_suite::edges(dtype, [size], 2),
                ivy_backend_suite::edges(dtype, [size], 3),
            ];
            let own = dtype_of(&kernel.params[1]);
            for (condition, other) in [(&rows, &transposed), (&transposed, &transposed), (&transposed, &rows)]
            {
                let all = [(Dtype::BOOL, condition), (own, &transposed), (own, other)];
                let views = arrays.iter().zip(all);
                let views: Vec<HostView<'_>> = views
                    .map(|(a, (dtype, steps))| {
                        HostView::new(a.buffer().bytes(), dtype, &space, steps, 0).unwrap()
                    })
                    .collect();
                let what = format!("{dtype} {shape:?} by {order:?}");
                let walks = check(&kernel, &arrays, &views, (&space, dtype), &what);
                let tiles = walks.iter().filter(|walk| matches!(walk, Walk::Tiles { .. })).count();
                assert_eq!(tiles, 1 + usize::from(mirrors), "{what}: {walks:?}");
            }
        }
    }
}

/// A kernel of inputs of these types, all joined: what is truth is xored, and floats are added.
fn joined(types: &[(Type, u32)], out: Type) -> Kernel {
    let input = |&(ty, parts)| Param { ty, parts, access: Access::Strided };
    let mut b = Builder::new(types.iter().map(input).chain([param(out, Access::Out)]).collect());
    let mut all = None;
    for (i, &(_, parts)) in types.iter().enumerate() {
        for part in 0..parts {
            let x = b.load(i as u32, part);
            let x = b.convert(x, out);
            let code = if out == Type::Bool { Code::Xor } else { Code::Add };
            all = Some(all.map_or(x, |all| b.binary(code, all, x)));
        }
    }
    b.store(types.len() as u32, &[all.unwrap()]);
    b.finish()
}

const TYPES: [(Type, u32); 9] = [
    (Type::Bool, 1),
    (Type::I8, 1),
    (Type::U8, 1),
    (Type::I16, 1),
    (Type::U16, 1),
    (Type::F32, 1),
    (Type::I64, 1),
    (Type::F32, 2),
    (Type::F64, 2),
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]
    /// Spaces of any rows, whose inputs stand in any order of their axes, with any steps of either sign and
    /// repeated along some, and begin anywhere: in every walk, nothing else is read, and the bits are the
    /// interpreter's.
    #[test]
    fn walks_of_any_space(
        lengths in prop::collection::vec(prop_oneof![1usize..6, Just(4), Just(16), 30usize..40], 1..4),
        inputs in prop::collection::vec((0..TYPES.len(), 0..6u8, 0..8u8, 0..5usize), 1..4),
        out in prop_oneof![Just(Type::Bool), Just(Type::I8), Just(Type::U16), Just(Type::I32), Just(Type::I64)],
    ) {
        let types: Vec<(Type, u32)> = inputs.iter().map(|i| TYPES[i.0]).collect();
        let kernel = joined(&types, out);
        let (mut arrays, mut walks) = (Vec::new(), Vec::new());
        for (&(_, order, kind, offset), param) in inputs.iter().zip(&kernel.params) {
            let (mut steps, mut size) = (vec![0isize; lengths.len()], 1);
            let mut axes: Vec<usize> = (0..lengths.len()).rev().collect();
            axes.rotate_left(usize::from(order) % lengths.len());
            if order > 2 {
                axes.reverse();
            }
            let mut first = offset;
            for &axis in &axes {
                // Some axes are repeated, some have gaps and some run backwards.
                if kind == 1 && axis == 0 || kind == 2 && axis + 1 == lengths.len() {
                    continue;
                }
                steps[axis] = size as isize;
                size *= lengths[axis] + usize::from(kind == 3) * 4;
                if kind == 4 && axis == 0 {
                    first += steps[axis] as usize * (lengths[axis] - 1);
                    steps[axis] = -steps[axis];
                }
            }
            arrays.push(small(dtype_of(param), size + offset));
            walks.push((steps, first));
        }
        let views: Vec<HostView<'_>> = arrays
            .iter()
            .zip(&walks)
            .map(|(a, (steps, first))| {
                HostView::new(a.buffer().bytes(), a.dtype(), &lengths, steps, *first).unwrap()
            })
            .collect();
        let what = format!("{lengths:?} {walks:?} {types:?} to {out}");
        check(&kernel, &arrays, &views, (&lengths, dtype(out)), &what);
    }
}

/// Small spaces have one element a thread; large ones as many as memory and rows allow, or tiles.
#[test]
fn the_walk_of_a_launch() {
    let kernel = joined(&[(Type::F32, 1), (Type::F32, 1)], Type::F32);
    let nature = ptx::Nature::of(&kernel);
    let at = |address, steps: &[isize]| cuda::Input {
        address,
        reading: Reading::Walked,
        steps: Dims::from_slice(steps),
    };
    let best = |shape: &[usize], inputs: [cuda::Input; 2], abreast, tiles| {
        let space = cuda::Space::new(shape, &inputs).unwrap();
        let kernel = accessed(&kernel, |i| space.access(i));
        space.best(&kernel.params, nature, cuda::Wanted { abreast, tiles, processors: 1 })
    };
    let abreast = |each, whole, ragged| Walk::Abreast { each, whole, ragged };
    let flat = |n: usize, first| best(&[n], [at(first, &[1]), at(512, &[1])], true, true);
    assert_eq!(flat(1023, 256), Walk::SINGLE);
    assert_eq!(flat(2048, 256), abreast(2, 0b11, false));
    assert_eq!(flat(4096, 256), abreast(4, 0b11, false));
    assert_eq!(flat(4099, 256), abreast(4, 0b11, true));
    assert_eq!(flat(4096, 260), abreast(4, 0b10, false));
    // Rows of other lengths, a broadcast row, and one that begins elsewhere in each.
    let rows = |steps: &[isize], columns| best(&[800, columns], [at(256, steps), at(0, &[0, 1])], true, true);
    assert_eq!(rows(&[64, 1], 16), abreast(4, 0b11, false));
    assert_eq!(rows(&[65, 1], 16), abreast(4, 0b10, false));
    assert_eq!(rows(&[64, 1], 18), abreast(2, 0b11, false));
    assert_eq!(rows(&[64, 1], 17), Walk::SINGLE);
    // Transposed: beside what is not, and its own mirror.
    let transposed = |side, first, abreast, tiles| {
        best(&[side, side], [at(256, &[side as isize, 1]), at(first, &[1, side as isize])], abreast, tiles)
    };
    let tiles = |mirrored| Walk::Tiles { axis: 0, transposed: 0b10, mirrored };
    assert_eq!(transposed(64, 256, true, true), tiles(false));
    assert_eq!(transposed(1024, 256, true, true), tiles(true));
    assert_eq!(transposed(1024, 512, true, true), tiles(false));
    assert_eq!(transposed(64, 256, true, false), abreast(4, 0b1, false));
    assert_eq!(transposed(64, 256, false, false), Walk::SINGLE);
}

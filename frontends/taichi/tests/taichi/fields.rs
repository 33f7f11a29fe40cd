//! Fields: layouts, the host's reads and writes, arrays.

use crate::support::on_all;
use ivy_core::Array;
use ivy_taichi::types::layout::{FieldOptions, Interleaving, LayoutError};
use ivy_taichi::types::{PrimitiveType, Type};
use ivy_taichi::{Config, Error, Field, Matrix, Program, Vector, kernel};

#[kernel]
fn numbered(x: &Field<i32>) {
    for (i, j) in x {
        x[(i, j)] = 100 * i + j;
    }
}

#[kernel]
fn summed(x: &Field<i32>, y: &Field<i32>) {
    for (i, j) in x {
        y[(i, j)] = x[(i, j)] + x[(2 - i, j)];
    }
}

/// Whatever the layout, the same elements.
#[test]
fn t_25_row_major_column_major_and_blocks() {
    for packed in [false, true] {
        on_all(Config::new().packed(packed), |program| {
            let plain = program.field::<i32>(&[3, 5])?;
            let turned = program.field_with::<i32>(&[3, 5], FieldOptions::new().order("ji"))?;
            let mut builder = program.fields_builder();
            let id = builder.field("blocks", PrimitiveType::I32)?;
            builder.root().dense("ij", &[3, 5])?.dense("ij", &[2, 2])?.place(&[id])?;
            let blocks = program.build(builder.finalize()?)?.field::<i32>(id)?;
            for x in [&plain, &turned] {
                numbered(x)?;
                let want: Vec<i32> = (0..15).map(|n| 100 * (n / 5) + n % 5).collect();
                assert_eq!(x.to_vec()?, want);
                summed(x, &plain)?;
            }
            let sums: Vec<i32> = (0..15).map(|n| 200 + 2 * (n % 5)).collect();
            assert_eq!(plain.to_vec()?, sums);
            numbered(&blocks)?;
            assert_eq!(blocks.shape(), [6, 10]);
            assert_eq!(blocks.to_vec()?, (0..60).map(|n| 100 * (n / 10) + n % 10).collect::<Vec<_>>());
            assert_eq!(blocks.get(&[5, 9])?, 509);
            Ok(())
        });
    }
}

#[kernel]
fn both(x: &Field<f32>, y: &Field<i32>, z: &Field<f32>) {
    for i in x {
        x[i] = 0.5 * i;
        y[i] = x[i] * 4;
        z[i + 1] = 7;
    }
}

/// Fields that stand together have the same values, and an index out of range reaches none of the others.
#[test]
fn t_26_arrays_of_structures_and_structures_of_arrays() {
    for together in [true, false] {
        on_all(Config::new().packed(true), |program| {
            let mut builder = program.fields_builder();
            let x = builder.field("x", PrimitiveType::F32)?;
            let y = builder.field("y", PrimitiveType::I32)?;
            let z = builder.field("z", PrimitiveType::F32)?;
            if together {
                builder.root().dense("i", &[6])?.place(&[x, y, z])?;
            } else {
                for field in [x, y, z] {
                    builder.root().dense("i", &[6])?.place(&[field])?;
                }
            }
            let layout = builder.finalize()?;
            let step = layout.linear(x, 0)?.offset_of(&[1])? - layout.linear(x, 0)?.offset_of(&[0])?;
            assert_eq!(step, if together { 12 } else { 4 });
            let tree = program.build(layout)?;
            let (x, y, z) = (tree.field::<f32>(x)?, tree.field::<i32>(y)?, tree.field::<f32>(z)?);
            both(&x, &y, &z)?;
            assert_eq!(x.to_vec()?, [0.0, 0.5, 1.0, 1.5, 2.0, 2.5]);
            assert_eq!(y.to_vec()?, [0, 2, 4, 6, 8, 10]);
            assert_eq!(z.to_vec()?, [0.0, 7.0, 7.0, 7.0, 7.0, 7.0]);
            tree.destroy();
            assert!(matches!(x.get(&[0]), Err(Error::Destroyed)));
            assert!(matches!(both(&x, &y, &z), Err(Error::Destroyed)));
            Ok(())
        });
    }
}

/// Around a range of known numbers: `x` within its extents, `y` beyond them along the second axis, `z` at the ends.
#[kernel]
fn around(x: &Field<i32>, y: &Field<i32>, z: &Field<i32>) {
    for (i, j) in ndrange(1..7, 5) {
        x[(i - 1, (j + 4) % 5)] = 10 * i + j;
        y[(i + 1, j + 1)] = 1;
        z[(max(i, 4), min(j, 2))] = 7;
        z[(i * 2 - 14, j)] = 9;
    }
}

/// Indices that are known to be inside are not checked, all others are: none reaches another field.
#[test]
fn t_37_indices_that_are_known_to_be_inside() {
    for together in [true, false] {
        on_all(Config::new().packed(true), |program| {
            let mut builder = program.fields_builder();
            let fields = ["x", "y", "z"].map(|name| builder.field(name, PrimitiveType::I32));
            let fields = fields.into_iter().collect::<Result<Vec<_>, _>>()?;
            if together {
                builder.root().dense("ij", &[8, 5])?.place(&fields)?;
            } else {
                for &field in &fields {
                    builder.root().dense("ij", &[8, 5])?.place(&[field])?;
                }
            }
            let tree = program.build(builder.finalize()?)?;
            let [x, y, z] = [0, 1, 2].map(|n| tree.field::<i32>(fields[n]).unwrap());
            around(&x, &y, &z)?;
            let each =
                |f: &dyn Fn(i32, i32) -> i32| -> Vec<i32> { (0..40).map(|n| f(n / 5, n % 5)).collect() };
            assert_eq!(x.to_vec()?, each(&|i, j| if i < 6 { 10 * (i + 1) + (j + 1) % 5 } else { 0 }));
            assert_eq!(y.to_vec()?, each(&|i, j| i32::from(i >= 2 && j >= 1)));
            assert_eq!(z.to_vec()?, each(&|i, j| if (4..7).contains(&i) && j < 3 { 7 } else { 0 }));
            Ok(())
        });
    }
}

#[kernel]
fn scaled(v: &Field<Vector<f32, 3>>) {
    for i in v {
        v[i] *= 2.0;
    }
}

#[test]
fn t_26_vectors_by_component_or_together() {
    on_all(Config::new(), |program| {
        let apart = FieldOptions::new().interleaving(Interleaving::Soa);
        let v = program.field_with::<Vector<f32, 3>>(&[5], apart)?;
        let values: Vec<_> = (0..5).map(|i| Vector([i as f32, 1.0, -1.0])).collect();
        v.from_slice(&values)?;
        scaled(&v)?;
        assert_eq!(v.to_vec()?, values.iter().map(|v| Vector(v.0.map(|x| 2.0 * x))).collect::<Vec<_>>());
        Ok(())
    });
}

#[test]
fn t_28_fields_are_padded_unless_they_are_packed() {
    for (packed, bytes) in [(false, 32 * 128 * 4), (true, 18 * 65 * 4)] {
        let program = Program::new(Config::new().packed(packed)).unwrap();
        let mut builder = program.fields_builder();
        let x = builder.dense_field("x", PrimitiveType::I32, &[18, 65], FieldOptions::new()).unwrap();
        let layout = builder.finalize().unwrap();
        assert_eq!(layout.root_bytes(), bytes);
        let x = program.build(layout).unwrap().field::<i32>(x).unwrap();
        numbered(&x).unwrap();
        assert_eq!(x.to_vec().unwrap(), (0..18 * 65).map(|n| 100 * (n / 65) + n % 65).collect::<Vec<_>>());
    }
}

#[test]
fn t_22_the_hosts_reads_and_writes() {
    let program = Program::new(Config::new()).unwrap();
    let x = program.field::<i16>(&[2, 3]).unwrap();
    assert_eq!((x.shape(), x.len(), x.to_vec().unwrap()), (vec![2, 3], 6, vec![0; 6]));
    x.fill(-7).unwrap();
    x.set(&[1, 2], 300).unwrap();
    assert_eq!(x.to_vec().unwrap(), [-7, -7, -7, -7, -7, 300]);
    let y = program.field::<i16>(&[2, 3]).unwrap();
    y.copy_from(&x).unwrap();
    assert_eq!(y.get(&[1, 2]).unwrap(), 300);
    let out = |result| matches!(result, Err(Error::Layout(LayoutError::OutOfRange { .. })));
    assert!(out(x.get(&[2, 0])) && out(x.get(&[0, -1])));
    assert!(matches!(x.get(&[0]), Err(Error::Layout(LayoutError::Indices { .. }))));
    assert!(matches!(x.from_slice(&[1, 2]), Err(Error::Shape { .. })));
    assert!(matches!(x.copy_from(&program.field(&[6]).unwrap()), Err(Error::Shape { .. })));
    let shape = program.field::<i16>(&[0]);
    assert!(matches!(
        shape.map(drop),
        Err(Error::Layout(LayoutError::NotPositive { size: 0, dimension: 0 }))
    ));
    let offset = program.field_with::<i32>(&[4], FieldOptions::new().offset(&[-2])).unwrap();
    offset.set(&[-2], 5).unwrap();
    assert_eq!((offset.get(&[-2]).unwrap(), offset.to_vec().unwrap()), (5, vec![5, 0, 0, 0]));
    assert!(out(offset.get(&[2]).map(|_| 0i16)));
}

#[test]
fn t_22_arrays() {
    let program = Program::new(Config::new()).unwrap();
    let backend = ivy_core::backend::backend("jit").unwrap();
    let m = program.field::<Matrix<f32, 2, 2>>(&[3]).unwrap();
    let values: Vec<Matrix<f32, 2, 2>> = (0..3).map(|i| Matrix([[i as f32, 1.0], [2.0, 3.0]])).collect();
    m.from_slice(&values).unwrap();
    let array: Array = m.to_array(&backend).unwrap();
    assert_eq!(array.shape()[..], [3, 2, 2]);
    assert_eq!(array.to_vec::<f32>().unwrap()[4..8], [1.0, 1.0, 2.0, 3.0]);
    let other = program.field::<Matrix<f32, 2, 2>>(&[3]).unwrap();
    other.from_array(&array).unwrap();
    assert_eq!(other.to_vec().unwrap(), values);
    let flat = program.field::<f32>(&[12]).unwrap();
    assert!(matches!(flat.from_array(&array), Err(Error::Shape { .. })));
    let ints = program.field::<Matrix<i32, 2, 2>>(&[3]).unwrap();
    assert!(matches!(ints.from_array(&array), Err(Error::Elements { .. })));
}

#[kernel]
fn write_last(x: &Field<i8>) {
    x[(2, 1073741823)] = 5;
    x[(0, 0)] += x[(2, 1073741823)];
}

/// 3 GB, of which the system gives the pages that are written.
#[test]
fn t_38_a_kernel_writes_the_last_element() {
    let program = Program::new(Config::new().packed(true)).unwrap();
    let x = program.field::<i8>(&[3, 1 << 30]).unwrap();
    write_last(&x).unwrap();
    assert_eq!((x.get(&[2, (1 << 30) - 1]).unwrap(), x.get(&[0, 0]).unwrap()), (5, 5));
    assert_eq!(x.get(&[0, (1 << 30) - 1]).unwrap(), 0);
}

#[test]
fn t_33_trees_of_other_programs_and_types() {
    let program = Program::new(Config::new()).unwrap();
    let mut builder = program.fields_builder();
    let x = builder.field("x", Type::vector(2, PrimitiveType::F32).unwrap()).unwrap();
    builder.root().dense("i", &[4]).unwrap().place(&[x]).unwrap();
    let tree = program.build(builder.finalize().unwrap()).unwrap();
    assert!(tree.field::<Vector<f32, 2>>(x).is_ok());
    assert!(matches!(tree.field::<f32>(x).map(drop), Err(Error::Layout(LayoutError::FieldType { .. }))));
    let mut builder = program.fields_builder();
    let sparse = builder.field("s", PrimitiveType::F32).unwrap();
    builder.root().pointer("i", &[1 << 44]).unwrap().place(&[sparse]).unwrap();
    let refused = program.build(builder.finalize().unwrap());
    assert!(
        refused.is_err_and(|error| error.to_string().contains("70368744177664 bytes")),
        "paged memory is for all cells"
    );
}

#[kernel]
fn from_its_first(x: &Field<i32>, sum: &Field<i32>) {
    for i in x {
        x[i] += i;
    }
    for p in grouped(x) {
        sum[None] += x[p.x];
    }
    x[-1] = 70;
}

/// Indices in kernels begin where the field does.
#[test]
fn t_39_fields_whose_first_index_is_not_0() {
    for debug in [false, true] {
        on_all(Config::new().debug(debug), |program| {
            let x = program.field_with::<i32>(&[5], FieldOptions::new().offset(&[-2]))?;
            let sum = program.field::<i32>(&[])?;
            x.fill(10)?;
            from_its_first(&x, &sum)?;
            assert_eq!(x.to_vec()?, [8, 70, 10, 11, 12]);
            assert_eq!(sum.get(&[])?, 50);
            Ok(())
        });
    }
}

#[kernel]
fn first_and_last(x: &Field<f64>) {
    for i in x {
        x[i] += 1;
    }
    x[x.shape[0] - 1] += 1;
}

/// The bytes that the process holds.
fn held() -> usize {
    let pages = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    pages.split(' ').nth(1).and_then(|n| n.parse::<usize>().ok()).unwrap_or(0) * 4096
}

#[test]
fn t_34_destroyed_trees_hold_no_memory() {
    const BYTES: usize = 8 << 20;
    let program = Program::new(Config::new()).unwrap();
    let before = held();
    for _ in 0..40 {
        let x = program.field::<f64>(&[BYTES / 8]).unwrap();
        first_and_last(&x).unwrap();
        assert_eq!(x.get(&[BYTES as i64 / 8 - 1]).unwrap(), 2.0);
        x.tree().destroy();
        assert!(matches!(x.get(&[0]), Err(Error::Destroyed)));
    }
    assert!(held() < before + 16 * BYTES, "{} after {before}", held());
}

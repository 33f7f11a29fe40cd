//! Rows D-01, D-02, D-12 to D-15: names, slices, truth values, entries.

use super::{on_both, rows};
use ivy_drjit::llvm::{Array2f, Array3f, Bool, Float, Int, TensorXf, UInt};
use ivy_drjit::{self as dr, ArrayType, Error, IntoArg, Kind, Package, Slice, VarType, llvm, scalar};
use std::collections::BTreeSet;

#[test]
fn d_01_the_packages_types() {
    for row in rows(include_str!("../data/names.tsv")) {
        let theirs: BTreeSet<&str> = row[1].split(' ').collect();
        let mut ours: BTreeSet<&str> =
            if row[0] == "llvm" { llvm::NAMES } else { scalar::NAMES }.iter().copied().collect();
        if row[0] == "scalar" {
            ours.extend(["Int16", "UInt16"]);
        }
        assert_eq!(ours, theirs, "{}", row[0]);
        let package = Package::of_name(row[0]).unwrap();
        for name in theirs {
            let ty = ArrayType::of_short_name(package, name).unwrap_or_else(|| panic!("{name}"));
            let canonical = name.replace("32", "");
            let flat = ty.kind() == Kind::Flat;
            assert_eq!(ty.short_name(), if flat { canonical.as_str() } else { name });
        }
    }
    assert_eq!(dr::auto::Float::TYPE, llvm::Float::TYPE);
}

#[test]
fn d_02_aliases_are_one_type() {
    assert_eq!(llvm::Float::TYPE, llvm::Float32::TYPE);
    assert_eq!(llvm::Int::TYPE, llvm::Int32::TYPE);
    assert_eq!(llvm::UInt32::TYPE.to_string(), "drjit.llvm.UInt");
    assert_eq!(scalar::Float64::new(1.5).unwrap().to_string(), "1.5");
    assert_eq!(llvm::ad::Array3f::TYPE.to_string(), "drjit.llvm.ad.Array3f");
    assert!(matches!("drjit.llvm.Array5f".parse::<ArrayType>(), Err(Error::UnknownType { .. })));
}

#[test]
fn d_04_scalars_take_the_arrays_type() {
    let ty = |dtype| ArrayType::flat(Package::LLVM, dtype);
    let of =
        |dtype, scalar: ivy_core::Scalar| dr::scalar_type("add", ty(dtype), scalar.kind()).unwrap().dtype();
    assert_eq!(of(VarType::Float16, 1.5.into()), VarType::Float16);
    assert_eq!(of(VarType::Int32, 1.5.into()), VarType::Float32);
    assert_eq!(dr::expr_t(ty(VarType::Int64), ty(VarType::Float16)).unwrap().dtype(), VarType::Float16);
    assert!(dr::expr_t(ty(VarType::Int64), ArrayType::flat(Package::CUDA, VarType::Int64)).is_err());
}

/// A host value beside an array does what an array of it does: the same values, types and errors.
#[test]
fn d_04_host_values_are_as_arrays_of_them() {
    type Binary = fn(dr::Arg, dr::Arg) -> dr::Result<dr::AnyArray>;
    macro_rules! ops {
        ($($name:ident)*) => { [$((stringify!($name), (|x, y| dr::$name(x, y)) as Binary)),*] };
    }
    let ops = ops![add subtract multiply divide floor_divide remainder left_shift right_shift bitwise_and bitwise_or
        bitwise_xor minimum maximum fmin fmax atan2 copysign];
    let values: [ivy_core::Scalar; 10] = [
        0.into(),
        2.into(),
        (-1).into(),
        true.into(),
        3_000_000_000i64.into(),
        1.5.into(),
        (-0.0).into(),
        1e300.into(),
        f64::NAN.into(),
        f64::NEG_INFINITY.into(),
    ];
    on_both(|| {
        let mut compared = 0;
        for dtype in VarType::ALL {
            let ty = ArrayType::flat(Package::LLVM, dtype);
            let x = ty.make([0, 1, 5])?;
            for value in values {
                if dr::scalar_type("add", ty, value.kind())? != ty {
                    continue;
                }
                for (name, op) in ops {
                    // A truth value beside numbers is a mask.
                    if name == "bitwise_and" && value.kind() == ivy_core::ScalarKind::Bool {
                        continue;
                    }
                    let text = |y: dr::Result<dr::AnyArray>| match y {
                        Ok(y) => format!("{} {y}", y.ty()),
                        // Which type is at fault, and not how it is called in words.
                        Err(_) => "refused".to_string(),
                    };
                    let array = || ty.make(value);
                    let by_array = |first: bool| match (array()?, first) {
                        (own, true) => op(own.into_arg(), x.clone().into_arg()),
                        (own, false) => op(x.clone().into_arg(), own.into_arg()),
                    };
                    let by_value = |first: bool| match first {
                        true => op(value.into_arg(), x.clone().into_arg()),
                        false => op(x.clone().into_arg(), value.into_arg()),
                    };
                    for first in [false, true] {
                        let (one, other) = (text(by_value(first)), text(by_array(first)));
                        assert_eq!(one, other, "{name} of {ty} and {value}, {first}");
                        compared += usize::from(one != "refused");
                    }
                }
            }
        }
        assert!(compared > 500, "{compared}");
        Ok(())
    });
}

#[test]
fn d_12_slices_become_gathers() {
    on_both(|| {
        let index = Slice::Entries(UInt::new([5, 6])?.into_any());
        let slices = [index, Slice::range(10, 20, 4), Slice::NewAxis, Slice::Entry(1), Slice::Ellipsis];
        let (shape, flat) = dr::slice_index(UInt::TYPE, &[10, 20, 30, 40], &slices)?;
        assert_eq!(shape, [2, 3, 1, 40]);
        assert_eq!(flat.item(0)?.to_i128(), 5 * 24000 + 10 * 1200 + 40);
        let x = dr::reshape(Float::TYPE.arange(0.0, 12.0, 1.0)?, &[3, 4])?;
        let text = |slices: &[Slice]| dr::slice(&x, slices).map(|y| y.to_string());
        assert_eq!(text(&[Slice::Entry(-1)])?, "[8, 9, 10, 11]");
        assert_eq!(text(&[Slice::ALL, Slice::range(3, -5, -2)])?, "[[3, 1],\n [7, 5],\n [11, 9]]");
        let mask = Slice::Entries(Bool::new([true, false, true])?.into_any());
        assert_eq!(text(&[mask, Slice::Entry(0)])?, "[0, 8]");
        let mut y = x.clone();
        dr::set_slice(&mut y, &[Slice::Entry(1), Slice::range(0, 4, 2)], -1)?;
        assert_eq!(y.to_string(), "[[0, 1, 2, 3],\n [-1, 5, -1, 7],\n [8, 9, 10, 11]]");
        assert_eq!(x.get(1)?.to_string(), "[4, 5, 6, 7]", "a value, which the write does not change");
        assert!(matches!(text(&[Slice::Entry(3)]), Err(Error::OutOfBounds { index: 3, size: 3, .. })));
        let two = TensorXf::TYPE.make_tensor([1, 2], &[2])?;
        assert!(matches!(
            dr::set_slice(&mut y, &[Slice::Entry(0)], &two),
            Err(Error::IncompatibleShapes { .. })
        ));
        Ok(())
    });
}

#[test]
fn d_13_floor_division_and_remainder() {
    on_both(|| {
        let x = Int::new([-7, 7])?;
        assert_eq!(dr::floor_divide(&x, 2)?.to_string(), "[-4, 3]");
        assert_eq!((&x % 4).ok()?.to_string(), "[1, 3]");
        assert_eq!(dr::floor_divide(&x, 0)?.to_string(), "[0, 0]");
        let error = (&x / &x).ok().unwrap_err();
        assert_eq!(error.to_string(), "unsupported operand type(s) for /: 'Int' and 'Int'");
        Ok(())
    });
}

#[test]
fn d_14_truth_of_one_element() {
    on_both(|| {
        assert!(Bool::new([true])?.to_bool()? && !Bool::new(())?.to_bool()?);
        let error = Bool::new([true, false])?.to_bool().unwrap_err();
        let text = "drjit.llvm.Bool: implicit conversion to 'bool' requires an array with at most 1 element \
                    (this one has 2 elements)";
        assert_eq!(error.to_string(), text);
        assert!(matches!(Float::new([1])?.to_bool(), Err(Error::WrongType { .. })));
        Ok(())
    });
}

#[test]
fn d_15_entries_are_checked() {
    on_both(|| {
        let mut v = Array2f::new([1, 2])?.into_any();
        let error = v.get(2).unwrap_err().to_string();
        assert_eq!(error, "drjit.llvm.Array2f: entry 2 is out of bounds (the array is of size 2)");
        assert!(matches!(Float::new([1, 2])?.item(5), Err(Error::OutOfBounds { index: 5, size: 2, .. })));
        v.set(-1, 7)?;
        assert_eq!(v.to_string(), "[[1, 7]]");
        assert!(v.set(-3, 7).is_err());
        let mut x = Float::new([1, 2, 3])?.into_any();
        x.set(1, 9)?;
        x.set_where(dr::gt(&x, 5)?, 0)?;
        assert_eq!(x.to_string(), "[1, 0, 3]");
        assert_eq!(x.get_range(1..3)?.to_string(), "[0, 3]");
        let mut w = Array3f::new([1, 2, 3])?.into_any();
        w.set_swizzle("zx", [30, 10])?;
        assert_eq!((w.to_string(), w.xz()?.to_string()), ("[[10, 2, 30]]".into(), "[[10, 30]]".into()));
        Ok(())
    });
}

#[test]
fn d_42_axes_that_are_kept() {
    on_both(|| {
        let x = TensorXf::TYPE.make_tensor([1, 2, 3, 4, 5, 6], &[2, 3])?;
        let sum = |axis: dr::Axis| dr::sum(&x, axis.kept());
        assert_eq!(sum(dr::Axis::from(0))?.to_string(), "[[5, 7, 9]]");
        assert_eq!(sum(dr::Axis::from(1))?.to_string(), "[[6],\n [15]]");
        assert_eq!(sum(dr::Axis::Default)?.to_string(), "[[21]]");
        assert_eq!(sum(dr::Axis::from([1, 0]))?.shape(), Some(vec![1, 1]));
        assert_eq!(dr::mean(&x, dr::Axis::from(-1).kept())?.to_string(), "[[2],\n [5]]");
        let empty = TensorXf::TYPE.full_tensor(0, &[0, 2])?;
        assert_eq!(dr::sum(&empty, dr::Axis::from(0).kept())?.to_string(), "[[0, 0]]");
        assert_eq!(dr::sum(Float::new([1, 2, 3])?, dr::Axis::Default.kept())?.to_string(), "[6]");
        let v = Array3f::new([[1, 2], [3, 4], [5, 6]])?;
        assert_eq!(dr::sum(&v, dr::Axis::from(1).kept())?.to_string(), dr::sum(&v, 1)?.to_string());
        assert!(matches!(
            dr::sum(&v, dr::Axis::Default.kept()),
            Err(Error::InvalidArgument { argument: "axis", .. })
        ));
        Ok(())
    });
}

//! The programs of Dr.Jit's own description of its types.

use super::on_both;
use ivy_drjit::llvm::{Array2f, Array3f, Float};
use ivy_drjit::{self as dr, cuda};

fn norm_2d(v: &Array2f) -> dr::Result<Float> {
    let squares = (v.x()? * v.x()? + v.y()? * v.y()?).ok()?;
    dr::sqrt(squares)?.try_into()
}

#[test]
fn d_16_a_first_program() {
    on_both(|| {
        let x = Float::new([1.0, 0.5, 0.25])?;
        assert_eq!(x.to_string(), "[1, 0.5, 0.25]");
        assert_eq!(dr::sqrt(1 - dr::power(&x, 2)?)?.to_string(), "[0, 0.866025, 0.968246]");
        assert_eq!(norm_2d(&Array2f::new([[3, 6], [4, 8]])?)?.to_string(), "[5, 10]");
        let (a, b) = (Array3f::new([1.0, 0.0, 0.0])?, Array3f::new([[0.0, 1.0], [1.0, 0.0], [0.0, 0.0]])?);
        assert_eq!(dr::acos(dr::matmul(&a, &b)?)?.to_string(), "[1.5708, 0]");
        Ok(())
    });
}

#[test]
fn d_17_vectors_stand_on_lines() {
    on_both(|| {
        let mut v = Array2f::new(())?.into_any();
        v.set_swizzle("x", Float::new([1, 2, 3])?)?;
        v.set_swizzle("y", 10)?;
        assert_eq!(v.to_string(), "[[1, 10],\n [2, 10],\n [3, 10]]");
        assert_eq!(v.cast_to(v.ty().tensor_t())?.to_string(), "[[1, 2, 3],\n [10, 10, 10]]");
        Ok(())
    });
}

#[test]
fn d_18_long_arrays_are_cut() {
    on_both(|| {
        let x = dr::llvm::Int::TYPE.arange(0.0, 25.0, 1.0)?;
        assert_eq!(x.to_string(), "[0, 1, 2, .. 19 skipped .., 22, 23, 24]");
        Ok(())
    });
}

#[test]
fn d_19_numbers_without_their_zeros() {
    on_both(|| {
        let complex = |re: i32, im: i32| Ok::<_, dr::Error>(dr::llvm::Complex2f::new([re, im])?.to_string());
        assert_eq!(
            (complex(3, 0)?, complex(0, -1)?, complex(4, 2)?),
            ("[3]".into(), "[-1j]".into(), "[4+2j]".into())
        );
        assert_eq!(dr::llvm::Quaternion4f::new(2)?.to_string(), "[2]");
        assert_eq!(dr::llvm::TensorXf::TYPE.make_tensor([5], &[])?.to_string(), "5");
        Ok(())
    });
}

#[test]
fn d_10_the_root_of_a_real_quaternion() {
    on_both(|| {
        let root = |re: f64| Ok::<_, dr::Error>(dr::sqrt(dr::llvm::Quaternion4f::new(re)?)?.to_string());
        assert_eq!((root(4.0)?, root(-4.0)?, root(0.0)?), ("[2]".into(), "[2i]".into(), "[0]".into()));
        Ok(())
    });
}

#[test]
fn d_44_half_precision_sums() {
    on_both(|| {
        let ones = dr::llvm::Float16::TYPE.full(1, 4096)?;
        assert_eq!(dr::sum(&ones, ())?.to_string(), "[4096]");
        // Single values of the host likewise; what one of half precision cannot hold is no detour of a mean.
        let entries = vec![half::f16::ONE; 4096];
        let host: dr::ArrayType = "drjit.scalar.ArrayXf16".parse()?;
        assert_eq!(dr::sum(host.make(entries)?, ())?.to_string(), "4096");
        assert_eq!(dr::mean(host.make(vec![half::f16::ONE; 1 << 17])?, ())?.to_string(), "1");
        assert_eq!(dr::mean(dr::llvm::Float16::TYPE.full(1, 1 << 17)?, ())?.to_string(), "[1]");
        Ok(())
    });
}

#[test]
fn sums_of_everything_count_what_single_elements_stand_for() {
    on_both(|| {
        let v = dr::llvm::Array3f::new((vec![1, 2], 2, 3))?;
        assert_eq!(dr::sum(&v, dr::Axis::All)?.to_string(), "[13]");
        assert_eq!(dr::prod(&v, dr::Axis::All)?.to_string(), "[72]");
        assert_eq!(dr::mean(&v, dr::Axis::All)?.to_string(), "[2.16667]");
        assert_eq!(dr::max(&v, dr::Axis::All)?.to_string(), "[3]");
        Ok(())
    });
}

#[test]
fn arrays_of_other_libraries_are_operands_by_their_axes() {
    on_both(|| {
        let row = dr::scalar::TensorXf::TYPE.make_tensor([10, 20, 30], &[3])?;
        let vector = dr::scalar::ArrayXf::TYPE;
        let flat = dr::Arg::Foreign(dr::ravel(&row, dr::Order::C)?);
        let v = dr::llvm::Array3f::new([1, 2, 3])?;
        assert_eq!(dr::add(&v, flat.clone())?.to_string(), "[[11, 22, 33]]");
        assert_eq!(dr::llvm::Float::new(flat.clone())?.to_string(), "[10, 20, 30]");
        assert_eq!(vector.make(flat.clone())?.to_string(), "[10, 20, 30]");
        assert_eq!(dr::lt(&v, flat.clone())?.to_string(), "[[True, True, True]]");
        assert!(dr::add(dr::llvm::Array2f::new([1, 2])?, flat).is_err());
        Ok(())
    });
}

#[test]
fn a_machine_without_a_gpu_says_so() {
    if !dr::has_backend(dr::JitBackend::Cuda) {
        let error = cuda::Float::new([1]).unwrap_err();
        assert!(
            matches!(&error, dr::Error::Core(error) if matches!(error.kind(), ivy_core::ErrorKind::BackendUnavailable { .. })),
            "{error}"
        );
        assert_eq!(dr::Package::auto(true), dr::Package::LLVM_AD);
    }
}

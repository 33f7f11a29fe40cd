//! Rows D-25, D-26, D-40, D-41, D-49, D-52: gathers and scatters.

use super::on_both;
use ivy_drjit::llvm::{Array2f, Bool, Float, Int, UInt};
use ivy_drjit::{self as dr, AnyArray, Error, ReduceMode, ReduceOp};

#[test]
fn d_49_one_place_of_many_threads_is_one_of_each() {
    on_both(|| {
        for mode in [dr::Mode::Symbolic, dr::Mode::Evaluated] {
            let (count, sums) = (UInt::new([3, 0, 2])?.into_any(), UInt::new([0, 0])?.into_any());
            let body = |(count, sums): &(AnyArray, AnyArray)| {
                Ok(((count - 1).ok()?, dr::scatter_add(sums, 1, UInt::new(1)?, true)?))
            };
            let done = dr::while_loop((count, sums), |(count, _)| dr::gt(count, 0), body, mode)?;
            assert_eq!(done.1.to_string(), "[0, 5]");
        }
        let mask = Bool::new([true, false, true])?;
        let target = UInt::new([0, 0])?;
        assert_eq!(dr::scatter_add(&target, 1, UInt::new(1)?, &mask)?.to_string(), "[0, 2]");
        let gathered =
            dr::masked(&mask, || dr::gather(UInt::TYPE, &UInt::new([7, 8])?, UInt::new(1)?, true))??;
        assert_eq!(gathered.to_string(), "[8, 0, 8]");
        Ok(())
    });
}

#[test]
fn d_25_gather_scatter_gather_sees_both_values() {
    on_both(|| {
        let (before, index) = (Float::new([1, 2, 3])?, UInt::new([0, 2])?);
        let first = dr::gather(Float::TYPE, &before, &index, true)?;
        let after = dr::scatter(&before, 9, &index, true)?;
        let second = dr::gather(Float::TYPE, &after, &index, true)?;
        assert_eq!((first.to_string(), second.to_string()), ("[1, 3]".into(), "[9, 9]".into()));
        assert_eq!((before.to_string(), after.to_string()), ("[1, 2, 3]".into(), "[9, 2, 9]".into()));
        Ok(())
    });
}

#[test]
fn d_26_scatters_are_done_in_order() {
    on_both(|| {
        let index = UInt::new([0])?;
        let x = dr::scatter(Int::new([0, 0])?, 5, &index, true)?;
        let x = dr::scatter_add(x, 2, &index, true)?;
        let x = dr::scatter(x, 1, UInt::new([1, 1])?, true)?;
        assert_eq!(x.to_string(), "[7, 1]");
        Ok(())
    });
}

#[test]
fn d_40_every_operation_and_mode() {
    on_both(|| {
        let (value, index) = (Int::new([3, 5, 4])?, UInt::new([0, 0, 1])?);
        let expected = [
            (ReduceOp::Identity, "[5, 4]"),
            (ReduceOp::Add, "[9, 5]"),
            (ReduceOp::Mul, "[15, 4]"),
            (ReduceOp::Min, "[1, 1]"),
            (ReduceOp::Max, "[5, 4]"),
            (ReduceOp::And, "[1, 0]"),
            (ReduceOp::Or, "[7, 5]"),
        ];
        for (op, text) in expected {
            for mode in ReduceMode::ALL {
                let y = dr::scatter_reduce(op, Int::new([1, 1])?, &value, &index, true, mode)?;
                assert_eq!(y.to_string(), text, "{op:?} {mode:?}");
            }
        }
        let max =
            dr::scatter_reduce(ReduceOp::Max, Int::new([0, 0])?, &value, &index, true, ReduceMode::Auto)?;
        assert_eq!(max.to_string(), "[5, 4]");
        let inc = dr::scatter_inc(UInt::new([0, 0, 0])?, UInt::new([1, 1, 1])?, true)?;
        assert_eq!((inc.old.to_string(), inc.target.to_string()), ("[0, 1, 2]".into(), "[0, 3, 0]".into()));
        let exch = dr::scatter_exch(Int::new([7, 8])?, Int::new([1, 2])?, UInt::new([0, 0])?, true)?;
        assert_eq!((exch.old.to_string(), exch.target.to_string()), ("[7, 1]".into(), "[2, 8]".into()));
        let cas = dr::scatter_cas(Int::new([0])?, 0, Int::new([4, 5])?, UInt::new([0, 0])?, true)?;
        assert_eq!((cas.swapped.to_string(), cas.target.to_string()), ("[True, False]".into(), "[4]".into()));
        let packed =
            dr::scatter(Float::TYPE.zeros(4)?, Array2f::new([[1, 2], [3, 4]])?, UInt::new([1, 0])?, true)?;
        assert_eq!(packed.to_string(), "[2, 4, 1, 3]");
        let masked = dr::scatter(Int::new([1, 2])?, 9, UInt::new([0, 77])?, Bool::new([true, false])?)?;
        assert_eq!(masked.to_string(), "[9, 2]", "what is masked out is not looked at");
        Ok(())
    });
}

#[test]
fn d_41_an_index_out_of_range_says_where() {
    on_both(|| {
        let read = |index: &UInt| dr::gather(Float::TYPE, Float::new([1, 2])?, index, true)?.to_scalars();
        let error = read(&UInt::new([0, 1, 5])?).unwrap_err();
        let Error::Core(error) = &error else { panic!("{error}") };
        let ivy_core::ErrorKind::IndexOutOfRange { position, .. } = error.kind() else { panic!("{error}") };
        assert_eq!(format!("{position:?}").trim_matches(|c: char| !c.is_ascii_digit()), "2");
        assert!(matches!(
            dr::gather(Float::TYPE, Float::new([1, 2])?, Float::new([1])?, true),
            Err(Error::WrongType { argument: "index", .. })
        ));
        assert_eq!(read(&UInt::new([1])?)?.len(), 1, "and the engine works on");
        Ok(())
    });
}

#[test]
fn d_49_masks_of_side_effects() {
    on_both(|| {
        let (index, outer, inner) =
            (UInt::new([0, 1, 2])?, Bool::new([true, true, false])?, Bool::new([false, true, true])?);
        let both = || dr::masked(&inner, || dr::scatter_add(Int::new([0, 0, 0])?, 1, &index, true))?;
        assert_eq!(dr::masked(&outer, both)??.to_string(), "[0, 1, 0]");
        let read = dr::masked(&outer, || dr::gather(Int::TYPE, Int::new([5, 6, 7])?, &index, true))??;
        assert_eq!(read.to_string(), "[5, 6, 0]");
        Ok(())
    });
}

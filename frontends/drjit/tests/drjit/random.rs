//! Row D-56: streams of random numbers, bit for bit.

use super::{assert_close, on_both};
use ivy_drjit::llvm::{Bool, Float, Int, Int64, UInt, UInt64};
use ivy_drjit::{self as dr, Draw, Generator, IntoArg, Mode, Package, Pcg32, Philox4x32, Step, VarType};
use std::cell::RefCell;

#[test]
fn d_56_streams_are_those_of_drjit() {
    on_both(|| {
        let mut rng = Pcg32::new(Package::LLVM, 1)?;
        let first: Vec<String> =
            (0..4).map(|_| Ok(rng.next_uint32()?.to_string())).collect::<dr::Result<_>>()?;
        assert_eq!(first, ["[465482994]", "[3895364073]", "[1746730475]", "[3759121132]"]);
        let mut rng = Pcg32::with_seed(Package::LLVM, 3, 42, 54)?;
        assert_eq!(rng.state.to_string(), "[1753877967969059832, 2399542565799887233, 3045207163630714634]");
        assert_eq!(rng.next_uint32()?.to_string(), "[2707161783, 1385813542, 1514321239]");
        assert_eq!(rng.next_float32()?.to_string(), "[0.481567, 0.407557, 0.70055]");
        assert_eq!(rng.next_float64()?.to_string(), "[0.727008, 0.334525, 0.621273]");
        let wide = "[13809294623154303635, 12248813549226691426, 14503010746837569416]";
        assert_eq!(rng.next_uint64()?.to_string(), wide);
        rng.advance(-5)?;
        assert_eq!(rng.next_uint32()?.to_string(), "[2707161783, 1385813542, 1514321239]");
        assert_eq!(rng.prev_uint32()?.to_string(), "[2707161783, 1385813542, 1514321239]");

        let counters = || [2.into_arg(), 3.into_arg(), 4.into_arg()];
        let mut rng = Philox4x32::new(Package::LLVM, 1, counters(), 10)?;
        assert_eq!(rng.next_uint32x4()?.to_string(), "[[2883809222, 1430182276, 2468012875, 2840204291]]");
        assert_eq!(rng.next_uint32x4()?.to_string(), "[[3388428349, 2814705509, 1494380335, 3411475404]]");
        assert_eq!(rng.next_float32x4()?.to_string(), "[[0.522093, 0.552506, 0.814503, 0.32676]]");
        let mut rng = Philox4x32::new(Package::LLVM, 0, [0, 0, 0].map(IntoArg::into_arg), 7)?;
        assert_eq!(rng.next_uint32x4()?.to_string(), "[[1601156873, 227098468, 1326587777, 1332939336]]");
        assert!(Philox4x32::new(Package::LLVM, 0, counters(), 3).is_err());
        Ok(())
    });
}

#[test]
fn d_56_every_kind_of_pcg32_is_that_of_drjit() {
    on_both(|| {
        let mut rng = Pcg32::new(Package::LLVM, 3)?;
        assert_eq!(
            rng.draw(Step::Next, Draw::Uniform(VarType::Float16), true)?.to_string(),
            "[0.108398, 0.533691, 0.00684357]"
        );
        assert_close(
            "next_float_normal",
            &rng.draw(Step::Next, Draw::Normal(VarType::Float32), true)?,
            "1.32227 -0.451615 -0.0519326",
            4e-6,
        )?;
        assert_close(
            "next_float_normal",
            &rng.draw(Step::Next, Draw::Normal(VarType::Float64), true)?,
            "-0.236062 0.783649 -0.0876496",
            4e-6,
        )?;
        assert_eq!(
            rng.draw(Step::Previous, Draw::Uniform(VarType::Float64), true)?.to_string(),
            "[0.406692, 0.783377, 0.465078]"
        );
        let bits = "[16730461300013839602, 6009457872796008149, 8841362424213835781]";
        assert_eq!(rng.draw(Step::Previous, Draw::Bits(VarType::UInt64), true)?.to_string(), bits);
        assert_close(
            "next_float_normal",
            &rng.draw(Step::Next, Draw::Normal(VarType::Float16), true)?,
            "-1.23535 0.085083 -2.46484",
            2e-3,
        )?;
        let bounded = rng.draw_bounded((1 << 31) + 1, VarType::UInt32, true)?;
        assert_eq!(bounded.to_string(), "[1747880424, 1217094685, 216766385]");
        let bounded = rng.draw_bounded((1 << 63) + 1, VarType::UInt64, true)?;
        assert_eq!(bounded.to_string(), "[6921930288534453738, 3710045025050595697, 2083114977754841376]");
        assert_eq!(rng.draw_bounded(7, VarType::UInt32, true)?.to_string(), "[5, 1, 4]");
        let state = "[12577874215534602584, 9153065126791658242, 11060906805703026464]";
        assert_eq!(rng.state.to_string(), state);

        let begin = Pcg32::new(Package::LLVM, 3)?;
        assert_eq!(rng.distance(&begin)?.to_string(), "[5, 8, 7]");
        assert_eq!(begin.distance(&rng)?.to_string(), "[-5, -8, -7]");
        assert!(Pcg32::with_seed(Package::LLVM, 3, 1, 1)?.distance(&rng).is_err());
        let mut ahead = begin.clone();
        ahead.advance(Int64::new([1, 2, 3])?)?;
        let state = "[14888532371852292740, 4192181582880221688, 317325258866656924]";
        assert_eq!(ahead.state.to_string(), state);
        ahead.advance(Int64::new([4, 6, 4])?)?;
        assert_eq!(ahead.state.to_string(), rng.state.to_string());

        let before = rng.state.to_string();
        rng.draw(Step::Next, Draw::Normal(VarType::Float64), true)?;
        let last = rng.clone().draw(Step::Previous, Draw::Normal(VarType::Float64), true)?.to_string();
        rng.prev_uint32()?;
        assert_eq!(rng.draw(Step::Next, Draw::Normal(VarType::Float64), true)?.to_string(), last);
        rng.prev_uint32()?;
        assert_eq!(rng.state.to_string(), before);
        assert!(
            rng.draw(Step::Next, Draw::Uniform(VarType::Int32), true).is_err()
                && rng.draw_bounded(0, VarType::UInt32, true).is_err()
        );
        let mask = Bool::new([true, false, true])?;
        let bounded = rng.clone().draw_bounded(10, VarType::UInt32, &mask)?;
        assert_eq!(bounded.item(1)?.to_i128(), 0);
        let mut masked = rng.clone();
        for kind in [Draw::Bits(VarType::UInt64), Draw::Normal(VarType::Float32)] {
            let drawn = masked.draw(Step::Next, kind, &mask)?;
            assert_eq!(masked.distance(&rng)?.item(1)?.to_i128(), 0);
            assert_eq!(masked.draw(Step::Previous, kind, &mask)?.to_string(), drawn.to_string());
            assert_eq!(masked.state.to_string(), before);
        }
        assert!(rng.draw_bounded(1 << 32, VarType::UInt32, true).is_err());
        assert!(rng.draw_bounded(1, VarType::Int32, true).is_err());
        assert!(rng.advance(Float::new(2)?).is_err() && rng.advance(0.5).is_err());
        assert_eq!(rng.state.to_string(), before);

        let mut host = Pcg32::new(Package::SCALAR, 1)?;
        assert_eq!(host.draw_bounded((1 << 31) + 1, VarType::UInt32, true)?.to_string(), "1747880424");
        Ok(())
    });
}

#[test]
fn d_56_bounded_numbers_within_recorded_loops() {
    on_both(|| {
        // Rejection sampling is a loop of its own within the loop.
        let bound = (1 << 31) + 1;
        let (mut rng, mut expected) = (Pcg32::new(Package::LLVM, 3)?, UInt::new(0)?.into_any());
        for _ in 0..3 {
            expected = (expected ^ rng.draw_bounded(bound, VarType::UInt32, true)?).ok()?;
        }
        for mode in [Mode::Symbolic, Mode::Evaluated] {
            let begin = (Pcg32::new(Package::LLVM, 3)?, UInt::new(0)?.into_any(), UInt::TYPE.zeros(3)?);
            let (after, _, bits) = dr::while_loop(
                begin,
                |(_, i, _)| dr::lt(i, 3),
                |(rng, i, bits)| {
                    let mut rng = rng.clone();
                    let drawn = rng.draw_bounded(bound, VarType::UInt32, true)?;
                    Ok((rng, (i + 1).ok()?, (bits ^ drawn).ok()?))
                },
                mode,
            )?;
            assert_eq!(bits.to_string(), expected.to_string(), "{mode:?}");
            assert_eq!(after.state.to_string(), rng.state.to_string(), "{mode:?}");
        }
        Ok(())
    });
}

#[test]
fn d_56_half_precision_of_philox_is_that_of_drjit() {
    on_both(|| {
        let counters = [1, 0, 0].map(IntoArg::into_arg);
        let mut rng = Philox4x32::new(Package::LLVM, 5u64 << 33 | 3, counters, 7)?;
        assert_eq!(rng.seed.to_string(), "[[10, 3]]");
        assert_eq!(rng.next_float16x4()?.to_string(), "[[0.668457, 0.827637, 0.491943, 0.555176]]");
        assert_eq!(rng.next_float16x4_normal()?.to_string(), "[[-2.21484, -0.639648, 1.08203, -0.869629]]");
        rng.iterations = 5;
        assert_eq!(rng.next_uint32x4()?.to_string(), "[[719293364, 3515784864, 4157750159, 2788073654]]");
        Ok(())
    });
}

/// Three draws in a loop, with the generator as state.
fn drawn_in_loop(rng: Generator, mode: Mode) -> dr::Result<(Generator, String)> {
    let begin = (rng, UInt::new([0, 0])?.into_any(), Float::new([0, 0])?.into_any());
    let (rng, _, sum) = dr::while_loop(
        begin,
        |(_, i, _)| dr::lt(i, 3),
        |(rng, i, sum)| {
            let mut rng = rng.clone();
            let drawn = rng.random(Float::TYPE, &[2])?;
            Ok((rng, (i + 1).ok()?, (sum + drawn).ok()?))
        },
        mode,
    )?;
    Ok((rng, sum.to_string()))
}

#[test]
fn d_56_generators_of_arrays_are_state_of_loops() {
    on_both(|| {
        for seed in [UInt64::new(1)?.into_any(), UInt::new(1)?.into_any()] {
            for mode in [Mode::Auto, Mode::Symbolic, Mode::Evaluated] {
                let (mut rng, sum) = drawn_in_loop(dr::rng(&seed)?, mode)?;
                assert_eq!(sum, "[1.84057, 1.72527]", "{mode:?}");
                let mut again = dr::rng(&seed)?;
                (0..3).try_for_each(|_| again.random(Float::TYPE, &[2]).map(drop))?;
                let (next, expected) = (rng.random(Float::TYPE, &[2])?, again.random(Float::TYPE, &[2])?);
                assert_eq!(next.to_string(), expected.to_string(), "{mode:?}");
            }
        }
        Ok(())
    });
}

#[test]
fn d_56_generators_of_the_host_are_refused_where_code_is_recorded() {
    on_both(|| {
        let refused = |result: dr::Result<String>| {
            let error = result.expect_err("drawn once for all rounds").to_string();
            assert!(error.contains("the seed must be an array"), "{error}");
        };
        refused(drawn_in_loop(dr::rng(1)?, Mode::Symbolic).map(|(_, sum)| sum));
        refused(dr::rng(1)?.symbolic().random(Float::TYPE, &[2]).map(|x| x.to_string()));
        let seed = UInt64::new(1)?;
        assert_eq!(dr::rng(&seed)?.symbolic().random(Float::TYPE, &[2])?.to_string(), "[0.517474, 0.413664]");
        // One that the functions capture.
        let captured = |mode| {
            let rng = RefCell::new(dr::rng(1)?);
            let (_, sum) = dr::while_loop(
                (UInt::new(0)?.into_any(), Float::new([0, 0])?.into_any()),
                |(i, _)| dr::lt(i, 3),
                |(i, sum)| Ok(((i + 1).ok()?, (sum + rng.borrow_mut().random(Float::TYPE, &[2])?).ok()?)),
                mode,
            )?;
            Ok(sum.to_string())
        };
        refused(captured(Mode::Symbolic));
        assert_eq!(captured(Mode::Evaluated)?, "[1.84057, 1.72527]");
        let branch = |rng: &RefCell<Generator>| rng.borrow_mut().random(Float::TYPE, &[2]);
        let rng = RefCell::new(dr::rng(1)?);
        let mask = dr::lt(UInt::new([0, 1])?, 1)?;
        let choice = dr::if_stmt((), &mask, |()| branch(&rng), |()| branch(&rng), Mode::Symbolic);
        refused(choice.map(|x| x.to_string()));
        Ok(())
    });
}

#[test]
fn d_56_generators_are_arguments_of_frozen_functions() {
    on_both(|| {
        for (seed, recordings) in [(UInt64::new(1)?.into_arg(), 1), (1.into_arg(), 3)] {
            let frozen = dr::freeze(|rng: &Generator| {
                let mut rng = rng.clone();
                let drawn = rng.random(Float::TYPE, &[2])?;
                Ok((rng, drawn))
            });
            let (mut rng, mut expected) = (dr::rng(seed)?, dr::rng(1)?);
            for _ in 0..3 {
                let (next, drawn) = frozen.call(&rng)?;
                assert_eq!(drawn.to_string(), expected.random(Float::TYPE, &[2])?.to_string());
                rng = next;
            }
            assert_eq!(frozen.recordings(), recordings);
        }
        Ok(())
    });
}

#[test]
fn d_56_bounds_of_generators_may_be_arrays() {
    on_both(|| {
        let low = Float::new([1, 2, 3])?;
        assert_eq!(dr::rng(1)?.uniform(Float::TYPE, &[3], low, 5)?.to_string(), "[3.0699, 3.24099, 4.98262]");
        let uniform = dr::rng(1)?.uniform(Float::TYPE, &[3], 0.1, 0.7)?;
        assert_eq!(uniform.to_string(), "[0.410484, 0.348198, 0.694786]");
        let mean = Float::new([1, 2, 3])?;
        let normal = dr::rng(1)?.normal(Float::TYPE, &[3], mean, 5)?;
        assert_eq!(normal.to_string(), "[6.80848, -1.40318, -12.1878]");
        let low = UInt::new([1, 2, 3])?;
        assert_eq!(dr::rng(1)?.integers(UInt::TYPE, &[3], low, 5)?.to_string(), "[3, 3, 4]");
        // All integers of the type.
        let all = dr::rng(1)?.integers(Int::TYPE, &[4], i32::MIN, 1u64 << 31)?;
        let bits = dr::rng(1)?.integers(UInt::TYPE, &[4], 0, 1u64 << 32)?;
        assert_eq!((all - i32::MIN).ok()?.cast_to(UInt::TYPE)?.to_string(), bits.to_string());
        for seed in [(-1i128).into_arg(), (1i128 << 64).into_arg(), 1.5.into_arg(), Float::new(1)?.into_arg()]
        {
            assert!(dr::rng(seed).is_err());
        }
        Ok(())
    });
}

#[test]
fn d_56_draws_of_philox_are_state_of_loops() {
    on_both(|| {
        let made = || {
            let counters = [UInt::new([0, 1, 2])?.into_arg(), 1.into_arg(), 2.into_arg()];
            Philox4x32::new(Package::LLVM, 5, counters, 7)
        };
        let (mut rng, mut expected) = (made()?, UInt::new([0, 0, 0])?.into_any());
        for draw in 0..3 {
            let bits = rng.next_uint32x4()?;
            let sum = (&expected ^ &bits.entries()[2]).ok()?;
            // The second thread ends after one round.
            expected = dr::select(dr::gt(UInt::new([3, 1, 3])?, draw)?, sum, &expected)?;
        }
        for mode in [Mode::Auto, Mode::Symbolic, Mode::Evaluated] {
            let begin = (made()?, UInt::new(0)?.into_any(), UInt::new([0, 0, 0])?.into_any());
            let (rng, _, bits) = dr::while_loop(
                begin,
                |(_, i, _)| dr::lt(i, UInt::new([3, 1, 3])?),
                |(rng, i, bits)| {
                    let mut rng = rng.clone();
                    let drawn = rng.next_uint32x4()?;
                    Ok((rng, (i + 1).ok()?, (bits ^ &drawn.entries()[2]).ok()?))
                },
                mode,
            )?;
            assert_eq!(bits.to_string(), expected.to_string(), "{mode:?}");
            assert_eq!(rng.counter.entries()[3].to_string(), "[3, 1, 3]", "{mode:?}");
        }
        Ok(())
    });
}

#[test]
fn shuffles_are_permutations_and_repeat() {
    on_both(|| {
        let x = Int::TYPE.arange(0.0, 50.0, 1.0)?;
        let y = dr::shuffle(&x, 7)?;
        assert!(dr::allclose(dr::sort(&y)?, &x, 0.0, 0.0)? && !dr::allclose(&y, &x, 0.0, 0.0)?);
        assert!(dr::allclose(dr::shuffle(&x, 7)?, &y, 0.0, 0.0)?);
        Ok(())
    });
}

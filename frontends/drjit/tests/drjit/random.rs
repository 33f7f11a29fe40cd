//! Row D-56: streams of random numbers, bit for bit.

use super::on_both;
use ivy_drjit::llvm::{Int, UInt};
use ivy_drjit::{self as dr, IntoArg, Mode, Package, Pcg32, Philox4x32};

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

//! Square roots by estimates.

use ivy_backend_jit::internals::{CLOSE, MISSED, RANGE, of_all_exponents, settles, stepped, steps};

/// The numbers in 1..4 whose roots are within 1.5e-5 of a last place of the middle of two numbers, and more.
fn close() -> Vec<u32> {
    let is_close = |&bits: &u32| {
        // In units of which the root has 2^23 to 2^24: its square is whole.
        let square = (f64::from(f32::from_bits(bits)) * 2f64.powi(46)) as i64;
        let below = (square as f64).sqrt() as i64;
        let below = below - i64::from(below * below > square);
        // (below + 1/2)^2 is 1/4 more than this; and a root's unit is twice the root of a square's.
        let off = square - below * below - below;
        off.abs() <= 2 * (1 << 24) / (1 << 16)
    };
    (0x3f80_0000..0x4080_0000).filter(is_close).collect()
}

#[test]
fn every_number_by_every_estimate() {
    let close = close();
    assert!((600..900).contains(&close.len()), "{}", close.len());
    let mut wrong = [vec![], vec![]];
    for &bits in &close {
        let x = f32::from_bits(bits);
        let (want, inverse) = (x.sqrt(), 1.0 / f64::from(x).sqrt());
        let reach = |side: f64| (inverse * (1.0 + side * 1.5 / 4096.0)) as f32;
        let [first, last] = [reach(-1.0).to_bits() - 1, reach(1.0).to_bits() + 1];
        for (steps, wrong) in [1, 2].into_iter().zip(&mut wrong) {
            let missed = |&estimate: &u32| stepped(x, f32::from_bits(estimate), steps) != want;
            match (first..=last).filter(missed).count() {
                0 => {}
                estimates => wrong.push((bits, estimates)),
            }
        }
    }
    let [one, two] = wrong;
    assert_eq!(one.iter().map(|(bits, _)| *bits).collect::<Vec<u32>>(), MISSED);
    assert_eq!(two, [(0x3f80_0001, 2)]);
    assert_eq!(0x3f80_0001 & CLOSE[0], CLOSE[1]);
}

#[test]
fn exponents() {
    let numbers: Vec<f32> = of_all_exponents(0x4000_0001).collect();
    let [first, last] = [numbers[0], numbers[numbers.len() - 1]];
    assert_eq!([first, last], [2f32.powi(-101), 2f32.powi(127)].map(|x| x.next_up()));
    assert_eq!(numbers.len(), 115);
    let numbers: Vec<f32> = of_all_exponents(0x3f80_0000).collect();
    assert_eq!([numbers[0], numbers[numbers.len() - 1]], [2f32.powi(-100), 2f32.powi(126)]);
}

/// What is found for a few numbers holds for all, by this processor's estimates.
#[cfg(target_arch = "x86_64")]
#[test]
fn the_processors_own_estimates() {
    if !is_x86_feature_detected!("avx") || !is_x86_feature_detected!("fma") {
        eprintln!("skipped: this processor lacks AVX or FMA");
        return;
    }
    let steps = steps();
    println!("roots take {steps} of this processor's steps");
    let [least, beyond] = RANGE;
    let all = (0x3f80_0000..0x4080_0000u32).chain((least..beyond).step_by(257));
    let all = all.filter(|bits| steps == 1 || bits & CLOSE[0] != CLOSE[1]);
    assert!(settles(all.map(f32::from_bits), steps));
}

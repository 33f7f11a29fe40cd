//! Small complex matrices.

use ivy_conformance::truth::dense::Dense;
use num_complex::Complex64 as C;

#[test]
fn eigenvalues_are_right_to_a_few_units() {
    let element = |i: usize| ((i * 7919 + 13) % 10007) as f64 / 5003.0 - 1.0;
    for case in 0..2000 {
        let at = |k: usize| element(4 * case + k);
        let (a, d, b) = (at(0), at(1), C::new(at(2), at(3)));
        let x = Dense::new(2, 2, |i, j| match (i, j) {
            (0, 0) => C::new(a, 0.0),
            (1, 1) => C::new(d, 0.0),
            (1, 0) => b,
            _ => b.conj(),
        });
        let (middle, radius) = ((a + d) / 2.0, ((a - d) / 2.0).hypot(b.norm()));
        for (got, want) in x.eigenvalues().into_iter().zip([middle - radius, middle + radius]) {
            assert!((got - want).abs() <= 8.0 * f64::EPSILON * x.norm(), "{case}: {got} {want}");
        }
    }
}

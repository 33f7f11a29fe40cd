//! Loops one iteration after the other, and logic that leaves operands alone.

use crate::support::on_all;
use ivy_taichi::types::layout::FieldOptions;
use ivy_taichi::{Config, Field, Program, kernel};

#[kernel]
fn decides(out: &Field<i64>, a: i32, b: i64) {
    for _ in serial(0..1) {
        out[0] = a && b;
        out[1] = a || b;
        let v = [a, 2] && [3, 0];
        out[2] = v.s * 10 + v.t;
        // The second operand is not computed where the first one decides: it would count.
        out[3] = (a > 100 && atomic_add(out[4], 1) == 0) as i64;
    }
}

#[test]
fn t_10_and_and_or_give_the_operand_that_decides() {
    on_all(Config::new(), |program| {
        let out = program.field::<i64>(&[5])?;
        decides(&out, 2, 1 << 40)?;
        assert_eq!(out.to_vec()?, [1 << 40, 2, 10, 0, 0]);
        decides(&out, 0, 7)?;
        assert_eq!(out.to_vec()?, [0, 7, 0, 0, 0]);
        decides(&out, 101, 0)?;
        assert_eq!(out.to_vec()?, [0, 101, 10, 1, 1]);
        Ok(())
    });
}

#[kernel]
fn of_reals(out: &Field<i32>, x: f32) {
    for i in out {
        out[i] = (x && 1) as i32;
    }
}

#[test]
fn t_10_logic_on_reals_is_refused() {
    let program = Program::new(Config::new()).unwrap();
    let out = program.field::<i32>(&[1]).unwrap();
    let error = of_reals(&out, 1.5).unwrap_err().to_string();
    assert!(error.contains("unsupported operand type(s) for 'and': 'f32' and 'i32'"), "{error}");
}

#[kernel]
fn chained(x: &Field<i32>, sum: &Field<i32>) {
    for (i, j) in serial(x) {
        x[(i, j)] = sum[None];
        sum[None] += 10 * i + j;
    }
    for p in serial(grouped(x)) {
        sum[None] += p.x;
    }
}

#[test]
fn t_39_serial_loops_over_fields() {
    on_all(Config::new(), |program| {
        let options = FieldOptions::new().offset(&[-1, 2]);
        let x = program.field_with::<i32>(&[2, 3], options)?;
        let sum = program.field::<i32>(&[])?;
        chained(&x, &sum)?;
        assert_eq!(x.to_vec()?, [0, -8, -15, -21, -19, -16]);
        assert_eq!(sum.get(&[])?, -12 - 3);
        Ok(())
    });
}

#[kernel]
fn carried(x: &Field<i32>) -> i32 {
    let mut product = 1;
    let mut last = -1;
    let mut scratch = 0;
    for i in 0..1000 {
        if i % 100 == 3 {
            product = product * 3 + last % 5;
        }
        if last < i {
            last = i;
        }
        if i % 2 == 0 {
            scratch = i;
        }
        x[i] = scratch;
    }
    product + last
}

/// A variable from outside that iterations read and assign makes the loop one iteration after the other, as on one thread of Taichi's.
#[test]
fn t_39_variables_that_a_loop_carries() {
    let (mut product, mut last) = (1i32, -1i32);
    for i in 0..1000 {
        if i % 100 == 3 {
            product = product.wrapping_mul(3).wrapping_add(last % 5);
        }
        last = last.max(i);
    }
    for fast in [false, true] {
        on_all(Config::new().fast(fast), |program| {
            let x = program.field::<i32>(&[1000])?;
            assert_eq!(carried(&x)?, product + last);
            assert!(x.to_vec()?.iter().enumerate().all(|(i, &value)| value == i as i32 / 2 * 2));
            Ok(())
        });
    }
}

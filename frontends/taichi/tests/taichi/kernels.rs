//! Kernels: loops, functions, atomics, random numbers, vectors, operators.

use crate::support::on_all;
use ivy_taichi::types::PrimitiveType;
use ivy_taichi::{AnyField, Config, Field, Matrix, Program, Vector, func, kernel};

#[kernel]
pub fn step(x: &Field<f32>, dt: f32) {
    for i in x {
        x[i] += dt * i;
    }
}

#[test]
fn t_39_an_outermost_for_visits_every_element() {
    for packed in [false, true] {
        on_all(Config::new().packed(packed), |program| {
            let x = program.field::<f32>(&[5])?;
            step(&x, 0.5)?;
            step(&x, 0.5)?;
            assert_eq!(x.to_vec()?, [0.0, 1.0, 2.0, 3.0, 4.0]);
            assert_eq!(program.counters().compiled_kernels, 1);
            Ok(())
        });
    }
}

#[kernel]
fn places(x: &Field<i32>, y: &Field<i32>, z: &Field<i32>) {
    for (i, j) in x {
        x[(i, j)] = 10 * i + j;
    }
    for p in grouped(y) {
        y[p] = 10 * p.x + p[1];
    }
    for (i, j) in ndrange(1..3, 5) {
        z[(i, j)] = 10 * i + j;
    }
}

#[test]
fn t_39_fields_grouped_indices_and_ndrange() {
    for packed in [false, true] {
        on_all(Config::new().packed(packed), |program| {
            let fields: Vec<Field<i32>> =
                (0..3).map(|_| program.field::<i32>(&[3, 5])).collect::<Result<_, _>>()?;
            places(&fields[0], &fields[1], &fields[2])?;
            let all: Vec<i32> = (0..15).map(|n| 10 * (n / 5) + n % 5).collect();
            assert_eq!(fields[0].to_vec()?, all);
            assert_eq!(fields[1].to_vec()?, all);
            let some: Vec<i32> = all.iter().map(|&n| if n < 10 { 0 } else { n }).collect();
            assert_eq!(fields[2].to_vec()?, some);
            Ok(())
        });
    }
}

#[kernel]
fn unrolled(x: &Field<i32>, #[template] times: i32) {
    for k in static_range(0..times) {
        x[k] = 2 * k;
    }
    if static_if(times > 2) {
        x[0] = 100;
    }
}

#[test]
fn t_39_static_loops_are_unrolled_for_each_template() {
    let program = Program::new(Config::new()).unwrap();
    let x = program.field::<i32>(&[4]).unwrap();
    unrolled(&x, 2).unwrap();
    assert_eq!(x.to_vec().unwrap(), [0, 2, 0, 0]);
    unrolled(&x, 3).unwrap();
    assert_eq!(x.to_vec().unwrap(), [100, 2, 4, 0]);
    assert_eq!(program.counters().compiled_kernels, 2);
}

#[func]
fn collatz(n: i32) -> i32 {
    let mut k = n;
    let mut steps = 0;
    while k != 1 {
        if steps > 100 {
            return -1;
        }
        if k % 2 == 0 {
            k = floordiv(k, 2);
        } else {
            k = 3 * k + 1;
        }
        steps += 1;
    }
    steps
}

#[kernel]
fn lengths(out: &Field<i32>) {
    for i in out {
        out[i] = collatz(i + 1);
    }
}

#[test]
fn t_39_functions_with_early_returns() {
    on_all(Config::new(), |program| {
        let out = program.field::<i32>(&[30])?;
        lengths(&out)?;
        let want = |n: i32| {
            let (mut k, mut steps) = (n, 0);
            while k != 1 {
                if steps > 100 {
                    return -1;
                }
                k = if k % 2 == 0 { k / 2 } else { 3 * k + 1 };
                steps += 1;
            }
            steps
        };
        assert_eq!(out.to_vec()?, (1..=30).map(want).collect::<Vec<_>>());
        Ok(())
    });
}

#[kernel]
fn leaves(x: &Field<i32>, n: i32) -> i32 {
    let mut sum = 0;
    for i in x {
        let mut k = 0;
        loop {
            k += 1;
            if k == 3 {
                continue;
            }
            if k > i + 3 {
                break;
            }
            for j in 0..10 {
                if j == 2 {
                    continue;
                }
                if j > k {
                    break;
                }
                x[i] += j;
            }
        }
    }
    while sum < 1000 {
        if n < 0 {
            return -1;
        }
        sum += n;
        if n == 0 {
            break;
        }
    }
    sum
}

#[test]
fn t_39_breaks_continues_and_returns() {
    let rust = |i: i32| {
        let (mut x, mut k) = (0, 0);
        loop {
            k += 1;
            if k == 3 {
                continue;
            }
            if k > i + 3 {
                break;
            }
            for j in 0..10 {
                if j == 2 {
                    continue;
                }
                if j > k {
                    break;
                }
                x += j;
            }
        }
        x
    };
    for simplify in [true, false] {
        on_all(Config::new().simplify(simplify), |program| {
            let x = program.field::<i32>(&[20])?;
            assert_eq!(leaves(&x, 7)?, 1001);
            assert_eq!(x.to_vec()?, (0..20).map(rust).collect::<Vec<_>>());
            assert_eq!((leaves(&x, -1)?, leaves(&x, 0)?), (-1, 0));
            Ok(())
        });
    }
}

#[kernel]
fn sum(x: &Field<f32>, total: &Field<f32>) {
    for i in x {
        total[None] += x[i];
    }
}

#[kernel]
fn count(n: i32, most: &Field<i32>, product: &Field<i64>) -> i32 {
    let mut total = 0;
    for i in 0..n {
        atomic_max(most[None], (i * 37) % 101);
        atomic_mul(product[None], 1 + i % 3);
    }
    for i in range(n) {
        total += i;
    }
    total
}

/// `+=` on what all iterations share loses nothing; the order of a sum of floats is that of the elements.
#[test]
fn t_51_reductions() {
    on_all(Config::new(), |program| {
        let (x, total) = (program.field::<f32>(&[1000])?, program.field::<f32>(&[])?);
        let values: Vec<f32> = (0..1000).map(|i| 1.0 / (1.0 + i as f32)).collect();
        x.from_slice(&values)?;
        sum(&x, &total)?;
        assert_eq!(total.get(&[])?, values.iter().fold(0.0, |sum, x| sum + x));
        let (most, product) = (program.field::<i32>(&[])?, program.field::<i64>(&[])?);
        product.fill(1)?;
        assert_eq!(count(50, &most, &product)?, 1225);
        assert_eq!(most.get(&[])?, (0..50).map(|i| (i * 37) % 101).max().unwrap());
        assert_eq!(product.get(&[])?, (0..50i64).map(|i| 1 + i % 3).product::<i64>());
        Ok(())
    });
}

#[kernel]
fn draws(x: &Field<f32>, n: &Field<i32>, v: &Field<f64>) {
    for i in x {
        x[i] = random();
        n[i] = random(i32);
        v[i] = random(f64) + random(f64);
    }
}

#[test]
fn t_39_random_numbers_are_the_same_on_every_target() {
    let first: std::cell::RefCell<Option<Vec<f32>>> = std::cell::RefCell::new(None);
    on_all(Config::new().random_seed(7), |program| {
        let (x, n) = (program.field::<f32>(&[4000])?, program.field::<i32>(&[4000])?);
        let v = program.field::<f64>(&[4000])?;
        draws(&x, &n, &v)?;
        let values = x.to_vec()?;
        assert!(values.iter().all(|x| (0.0..1.0).contains(x)));
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        let reals: Vec<f64> = values.iter().map(|&x| f64::from(x)).collect();
        assert!((mean(&reals) - 0.5).abs() < 0.02 && (mean(&v.to_vec()?) - 1.0).abs() < 0.03);
        assert!(n.to_vec()?.iter().filter(|&&n| n < 0).count().abs_diff(2000) < 150);
        draws(&x, &n, &v)?;
        assert_ne!(x.to_vec()?, values, "another launch draws others");
        let mut first = first.borrow_mut();
        assert_eq!(first.get_or_insert_with(|| values.clone()), &values);
        Ok(())
    });
}

#[func]
fn rotated(v: impl Copy, angle: f32) -> impl Copy {
    let c = cos(angle);
    let s = sin(angle);
    [[c, -s], [s, c]].matmul(v)
}

#[kernel]
fn vectors(x: &Field<Vector<f32, 2>>, m: &Field<Matrix<f64, 2, 2>>, by: Vector<f32, 2>) {
    for i in x {
        x[i] = rotated(x[i], 0.0) * 2 + by;
        x[i].y += x[i].norm_sqr();
        x[i] += vec2(1) - [0.5, 0.25];
        let a = [[1.0, 2.0], [3.0, 4.0]];
        m[i] = a.matmul(a.transpose()) + a.determinant();
        m[i][(0, 1)] = x[i].yx.x;
    }
}

#[test]
fn t_20_vectors_and_matrices_of_kernels() {
    on_all(Config::new(), |program| {
        let x = program.field::<Vector<f32, 2>>(&[3])?;
        let m = program.field::<Matrix<f64, 2, 2>>(&[3])?;
        x.fill(Vector([1.0, 2.0]))?;
        vectors(&x, &m, Vector([0.5, -1.0]))?;
        // (1, 2) * 2 + (0.5, -1) = (2.5, 3), and the square of its length is 15.25.
        assert_eq!(x.to_vec()?, [Vector([3.0, 19.0]); 3]);
        assert_eq!(m.get(&[2])?, Matrix([[3.0, 19.0], [9.0, 23.0]]));
        Ok(())
    });
}

#[kernel]
fn doubled(x: &impl AnyField) {
    for i in x {
        x[i] += x[i];
    }
}

#[test]
fn t_39_templates_by_impl_arguments() {
    let program = Program::new(Config::new()).unwrap();
    let (x, y) = (program.field::<i64>(&[3]).unwrap(), program.field::<f64>(&[3]).unwrap());
    x.fill(1 << 40).unwrap();
    y.fill(0.25).unwrap();
    doubled(&x).unwrap();
    doubled(&y).unwrap();
    assert_eq!((x.to_vec().unwrap(), y.to_vec().unwrap()), (vec![1 << 41; 3], vec![0.5; 3]));
    assert_eq!(program.counters().compiled_kernels, 2);
}

#[kernel]
fn computes(i: i32, r: f32, out: &Field<f64>) {
    out[0] = i / 2;
    out[1] = floordiv(-i, 2);
    out[2] = -i % 3;
    out[3] = (i == 7) + 1;
    out[4] = r as i32;
    out[5] = 300 as u8;
    out[6] = bit_cast(1.0, u32) as f64;
    out[7] = if r < 0.0 && i > 0 { 1 } else { 2 };
    out[8] = !(i < 3);
    out[9] = 1u8 << 9;
    out[10] = atan2(1.0, 1.0f64);
    out[11] = popcnt(i) + clz(i);
    out[12] = pow(i, 2);
    out[13] = max(1, 2.5, i);
    out[14] = i as f32 / 0.5 + std::f64::consts::PI;
    out[15] = bit_shr(-1, 28);
}

#[test]
fn t_14_operators_of_running_kernels() {
    on_all(Config::new(), |program| {
        let out = program.field::<f64>(&[16])?;
        computes(7, -3.99, &out)?;
        let pi = f64::from(14.0f32 + std::f32::consts::PI);
        let quarter = std::f64::consts::FRAC_PI_4;
        let want = [
            3.5,
            -4.0,
            2.0,
            2.0,
            -3.0,
            44.0,
            1065353216.0,
            1.0,
            1.0,
            0.0,
            quarter,
            32.0,
            49.0,
            7.0,
            pi,
            15.0,
        ];
        assert_eq!(out.to_vec()?, want);
        Ok(())
    });
}

#[kernel]
fn defaults(out: &Field<f64>) {
    let a = 0.1;
    let b = 5;
    out[0] = a;
    out[1] = b * 1000000000;
}

#[test]
fn t_03_literals_of_kernels() {
    on_all(Config::new(), |program| {
        let out = program.field::<f64>(&[2])?;
        defaults(&out)?;
        assert_eq!(out.to_vec()?, [f64::from(0.1f32), f64::from(5i32.wrapping_mul(1000000000))]);
        Ok(())
    });
    let wide = Config::new().default_ip(PrimitiveType::I64).default_fp(PrimitiveType::F64);
    on_all(wide, |program| {
        let out = program.field::<f64>(&[2])?;
        defaults(&out)?;
        assert_eq!(out.to_vec()?, [0.1, 5e9]);
        Ok(())
    });
}

#[kernel]
fn in_order(x: &Field<i32>) -> i32 {
    let mut last = 0;
    for i in serial(1..100) {
        if i >= x.shape[0] {
            break;
        }
        x[i] = x[i - 1] * 2 + 1;
        last = i;
    }
    for (i, j) in serial(ndrange(2, 3)) {
        last = last * 10 + i + j;
    }
    last
}

/// An outermost loop that is asked to be serial sees what its iterations before have left, and can be left.
#[test]
fn t_39_serial_loops() {
    on_all(Config::new(), |program| {
        let x = program.field::<i32>(&[8])?;
        assert_eq!(in_order(&x)?, 7_012_123);
        assert_eq!(x.to_vec()?, [0, 1, 3, 7, 15, 31, 63, 127]);
        Ok(())
    });
}

//! What is wrong with kernels and in them: errors with their places, warnings, prints, checks of debug mode.

use crate::support::on_all;
use ivy_taichi::{Config, Error, Field, Misuse, Program, Vector, func, kernel};

#[kernel]
fn says(x: &Field<f32>) {
    for i in x {
        if i % 4 == 1 {
            print!("{} of {}", i, x[i]);
        }
        assert!(x[i] < 6.0, "{} is too large", x[i]);
    }
    print!("{}", [1, 2]);
}

#[test]
fn t_55_prints_and_assertions() {
    on_all(Config::new().debug(true).keep_printed(true), |program| {
        let x = program.field::<f32>(&[6])?;
        x.from_slice(&[0.0, 1.5, 2.0, 3.0, 4.0, 5.0])?;
        says(&x)?;
        assert_eq!(program.take_printed(), ["1 of 1.5", "5 of 5", "[1, 2]"]);
        x.set(&[3], 9.5)?;
        let Err(Error::Fault { text, place, index: false }) = says(&x) else { panic!("an assertion fails") };
        assert_eq!(text, "9.5 is too large");
        assert!(place.file.ends_with("errors.rs") && place.text.contains("assert!(x[i] < 6.0"), "{place}");
        Ok(())
    });
}

#[kernel]
pub fn gathers(x: &Field<f32>, y: &Field<f32>, at: i32) {
    for i in x {
        x[i] = y[i + at];
    }
}

#[test]
fn t_37_indices_of_kernels_out_of_range() {
    on_all(Config::new().debug(true), |program| {
        let (x, y) = (program.field::<f32>(&[4])?, program.field::<f32>(&[4])?);
        gathers(&x, &y, 0)?;
        let error = gathers(&x, &y, 2).unwrap_err();
        let said = error.to_string();
        assert!(matches!(error, Error::Fault { index: true, .. }), "{said}");
        assert!(said.contains("(kernel=gathers) Accessing field ("), "{said}");
        assert!(said.contains("of size (4) with indices (4)"), "{said}");
        assert!(
            said.contains(
                "x[i] = y[i + at];
"
            ),
            "{said}"
        );
        assert!(said.lines().any(|line| line.trim() == "^^^^^^^^^"), "{said}");
        assert!(gathers(&x, &y, -1).is_err());
        assert!(matches!(x.get(&[4]), Err(Error::Layout(_))) && x.set(&[-1], 0.0).is_err());
        Ok(())
    });
    // Without checks nothing is read or written beyond the field.
    on_all(Config::new(), |program| {
        let (x, y) = (program.field::<f32>(&[4])?, program.field::<f32>(&[4])?);
        y.fill(1.0)?;
        gathers(&x, &y, 1000)?;
        assert_eq!(x.to_vec()?, [0.0; 4]);
        Ok(())
    });
}

#[kernel]
fn narrows(x: &Field<i32>) {
    let mut a = 1;
    a = 2.7;
    let mut f = 0.5;
    f = 1;
    x[0] = a;
    x[1] = f;
    x[0] += 1.5;
    for i in x {
        x[i] += i;
    }
}

#[test]
fn t_17_stores_that_lose_precision_are_noted() {
    let program = Program::new(Config::new()).unwrap();
    let x = program.field::<i32>(&[2]).unwrap();
    narrows(&x).unwrap();
    let warnings = program.warnings();
    let said: Vec<String> = warnings.iter().map(|w| w.what.to_string()).collect();
    let want = [
        "Assign may lose precision: i32 <- f32",
        "Assign may lose precision: i32 <- f32",
        "atomic_add may lose precision: i32 <- f32",
    ];
    assert_eq!(said, want);
    assert!(warnings[0].place.text.contains("a = 2.7;"), "{}", warnings[0]);
    assert_eq!(x.to_vec().unwrap(), [3, 2]);
    let silent = Program::new(Config::new().warnings(false)).unwrap();
    narrows(&silent.field::<i32>(&[2]).unwrap()).unwrap();
    assert_eq!(silent.warnings(), []);
}

#[kernel]
fn sines(x: &Field<i32>) {
    for i in x {
        x[i] = sin(x[i]);
    }
}

#[kernel]
fn bits(x: &Field<f32>) {
    x[0] = x[1] & 3;
}

#[kernel]
fn leaves_a_parallel_loop(x: &Field<i32>) {
    for i in x {
        if i > 2 {
            break;
        }
    }
}

#[kernel]
fn indexes(x: &Field<i32>) {
    x[(0, 1)] = 2;
}

#[kernel]
fn shapes(x: &Field<Vector<f32, 2>>) {
    x[0] = x[0] + [1, 2, 3];
}

#[test]
fn t_55_errors_have_file_line_and_caret() {
    let program = Program::new(Config::new()).unwrap();
    let (x, y) = (program.field::<i32>(&[4]).unwrap(), program.field::<f32>(&[4]).unwrap());
    let v = program.field::<Vector<f32, 2>>(&[1]).unwrap();
    let said = |result: ivy_taichi::Result<()>| result.unwrap_err().to_string();
    let sine = said(sines(&x));
    let lines: Vec<&str> = sine.lines().collect();
    assert!(lines[0].contains("errors.rs:"), "{sine}");
    assert_eq!(lines[1].trim(), "x[i] = sin(x[i]);");
    assert_eq!(lines[2].find('^'), lines[1].find("sin"), "{sine}");
    assert_eq!(lines[2].trim(), "^^^^^^^^^");
    assert_eq!(lines[3], "'sin' takes real inputs only, however 'i32' is provided");
    assert!(said(bits(&y)).ends_with("unsupported operand type(s) for '&': 'f32' and 'i32'"));
    assert!(
        said(shapes(&v)).ends_with("'+': '[Tensor (2) f32]' and '[Tensor (3) i32]'"),
        "{}",
        said(shapes(&v))
    );
    let left = leaves_a_parallel_loop(&x).unwrap_err();
    assert!(matches!(&left, Error::Kernel(placed) if matches!(placed.what, Misuse::Here { .. })), "{left}");
    let error = indexes(&x).unwrap_err();
    let Error::Kernel(placed) = error else { panic!("{error}") };
    assert!(matches!(placed.what, Misuse::Arity { takes: 1, given: 2, .. }), "{placed}");
}

#[func]
fn endless(n: i32) -> i32 {
    endless(n)
}

#[kernel]
fn recurses() -> i32 {
    endless(1)
}

#[kernel]
fn asserts_much() {
    assert!(1 > 2, "{} {} {} {} {} {} {}", 1, 2, 3, 4, 5, 6, 7);
}

#[kernel]
fn prints_much(x: f32) {
    print!("{} {} {:.2} {:5}|{:<5}|{:e} {{{}}} {}", 1, [2, 3], x, 4, 5, x, 7, [[1, 2], [3, 4]]);
    print!("end");
}

#[test]
fn t_55_lines_of_many_values() {
    on_all(Config::new().keep_printed(true), |program| {
        program.make_current();
        prints_much(0.512345)?;
        let line = "1 [2, 3] 0.51     4|5    |5.123450e-01 {7} [[1, 2], [3, 4]]";
        assert_eq!(program.take_printed(), [line, "end"]);
        Ok(())
    });
}

#[kernel]
fn gives_nothing(n: i32) -> i32 {
    let _k = n;
}

#[test]
fn t_55_what_kernels_may_not_do() {
    let program = Program::new(Config::new().debug(true)).unwrap();
    program.make_current();
    for error in [recurses().map(drop), asserts_much(), gives_nothing(1).map(drop)].map(Result::unwrap_err) {
        assert!(matches!(error, Error::Kernel(_)), "{error}");
    }
}

#[kernel]
fn has_no_end(x: &Field<i32>, end: i32) {
    for i in x {
        let mut k = 0;
        while k != end {
            k += 2;
            x[i] = k;
        }
    }
}

#[test]
fn t_37_loops_without_an_end() {
    on_all(Config::new().debug(true).loop_limit(100), |program| {
        let x = program.field::<i32>(&[3])?;
        has_no_end(&x, 60)?;
        assert_eq!(x.to_vec()?, [60; 3]);
        let Err(Error::Fault { text, place, index: false }) = has_no_end(&x, 61) else { panic!("it ends") };
        assert_eq!(text, "a loop has not ended after 100 iterations");
        assert!(place.text.contains("while k != end {"), "{place}");
        assert_eq!(x.to_vec()?, [200; 3]);
        Ok(())
    });
}

#[kernel]
fn shifts(x: &Field<i32>, amount: i32) {
    for i in x {
        x[i] = 1 << amount;
    }
}

#[test]
fn t_06_amounts_of_shifts_in_debug_mode() {
    for debug in [false, true] {
        on_all(Config::new().debug(debug), |program| {
            let x = program.field::<i32>(&[2])?;
            shifts(&x, 5)?;
            assert_eq!(x.to_vec()?, [32; 2]);
            for amount in [-1, 32] {
                match shifts(&x, amount) {
                    Ok(()) => assert!(!debug),
                    Err(error) => {
                        let said = format!("a shift of i32 by {amount} bits");
                        assert!(debug && error.to_string().contains(&said), "{error}");
                    }
                }
            }
            Ok(())
        });
    }
}

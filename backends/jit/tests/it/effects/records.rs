//! Records: prints, assertions, and numbers that are out of bounds, with the place in the user's source.

use super::{ELEMENT, FREE, LOG, choice, memory, of_f32, of_i64, targets, task, uniform};
use ivy_backend_jit::ir::{Builder, Code, Kernel, Type, verify};
use ivy_backend_jit::program::{
    Argument, Fault, Memory, Order, Program, Report, Scalar, Site, SiteKind, Target, Task,
};
use std::sync::Arc;

fn site(kind: SiteKind, place: &str, text: &str, values: &[Type]) -> Site {
    Site { kind, place: place.into(), text: text.into(), values: values.to_vec() }
}

/// `out[i] = x[index[i]]`, of which each is written once more than it was, that says what is wrong.
fn gathers() -> (Kernel, Vec<Site>) {
    let params = vec![ELEMENT, memory(Type::F32), memory(Type::I64), memory(Type::F32), LOG];
    let mut b = Builder::with_effects(params, FREE);
    let i = b.load(0, 0);
    let [x, index, out] = [1, 2, 3].map(|n| b.memory(n));
    let place = b.load_at(index, i);
    let there = b.in_bounds(x, place);
    let outside = b.unary(Code::Not, there);
    b.record(outside, 0, i, &[place]);
    let value = b.load_at(x, place);
    let zero = b.float(Type::F32, 0.0);
    let negative = b.binary(Code::Lt, value, zero);
    b.record(negative, 1, i, &[value, place]);
    let one = b.float(Type::F32, 1.0);
    let before = b.load_at(out, i);
    let after = b.binary(Code::Add, before, one);
    b.store_at(out, i, after);
    let large = b.float(Type::F32, 8.0);
    let is_large = b.binary(Code::Lt, large, value);
    b.record(is_large, 2, i, &[i, value, is_large]);
    let kernel = b.finish();
    assert_eq!(verify(&kernel), Ok(()), "{kernel}");
    let sites = vec![
        site(SiteKind::Index, "user.py:7", "index {} of x, which has 10 elements", &[Type::I64]),
        site(SiteKind::Assertion, "user.py:8", "{} at {}", &[Type::F32, Type::I64]),
        site(SiteKind::Print, "user.py:11", "{}: {} {}!", &[Type::I64, Type::F32, Type::Bool]),
    ];
    (kernel, sites)
}

fn report(target: &Arc<dyn Target>, indices: &[i64], order: Order) -> (Report, Vec<f32>) {
    let (kernel, sites) = gathers();
    let count = indices.len();
    let program =
        Program::new(target, vec![task(&kernel, count as i64, order)], sites, choice(true), None).unwrap();
    assert!(!program.is_serial(0) || order == Order::Serial, "the order of records is nobody's concern");
    let x: Vec<f32> = (0..10).map(|i| i as f32 + 0.5).collect();
    let given = [of_f32(&x), of_i64(indices), of_f32(&vec![0.0; count])];
    let mut memories: Vec<Memory> =
        given.iter().map(|(ty, bytes)| Memory::new(&**target, *ty, bytes).unwrap()).collect();
    let report = program.run(&mut memories, &[]).unwrap();
    (report, super::to_f32(memories[2].bytes().unwrap().bytes()))
}

#[test]
fn faults_name_their_statement_and_nothing_runs_twice() {
    let mut indices: Vec<i64> = (0..100).map(|i| i % 10).collect();
    for (name, target) in targets() {
        for order in [Order::Fast, Order::Serial] {
            let (fine, out) = report(&target, &indices, order);
            assert_eq!(fine.fault, None, "{name}");
            assert_eq!(out, vec![1.0; 100], "{name}");
            let want: Vec<String> = (0..100)
                .filter(|i| i % 10 >= 8)
                .map(|i| format!("{i}: {} true!", (i % 10) as f32 + 0.5))
                .collect();
            assert_eq!((fine.printed, fine.lost), (want, 0), "{name}");
        }
    }
    (indices[71], indices[44], indices[90]) = (10, -1, i64::MIN);
    for (name, target) in targets() {
        let (report, out) = report(&target, &indices, Order::Deterministic);
        let want = Fault {
            site: 0,
            kind: SiteKind::Index,
            place: "user.py:7".into(),
            text: "index -1 of x, which has 10 elements".into(),
            task: 0,
            element: 44,
        };
        assert_eq!(report.fault.as_ref(), Some(&want), "{name}");
        let said =
            "user.py:7: index out of range: index -1 of x, which has 10 elements, in element 44 of task 0";
        assert_eq!(want.to_string(), said);
        // Each element ran once, those at fault as well.
        assert_eq!(out, vec![1.0; 100], "{name}");
    }
}

/// What there is no room for is counted.
#[test]
fn records_beyond_the_end() {
    for (name, target) in targets() {
        let (report, _) = report(&target, &vec![9; 3000], Order::Serial);
        assert_eq!((report.printed.len() as u64 + report.lost, report.fault), (3000, None), "{name}");
        assert!(report.lost > 0 && report.printed[5] == "5: 9.5 true!", "{name}");
    }
}

/// The values of all types.
#[test]
fn values_of_records() {
    let types = [Type::I8, Type::U16, Type::I32, Type::U64, Type::F64, Type::Bool];
    let bits = [0x80, 0xffff, 7, u64::MAX, (-0.25f64).to_bits(), 1];
    let mut params: Vec<_> = types.iter().map(|&ty| uniform(ty)).collect();
    params.extend([ELEMENT, LOG]);
    let mut b = Builder::with_effects(params, FREE);
    let values: Vec<_> = (0..6).map(|n| b.load(n, 0)).collect();
    let i = b.load(6, 0);
    let always = b.constant(Type::Bool, 1);
    b.record(always, 0, i, &values);
    let kernel = b.finish();
    assert_eq!(verify(&kernel), Ok(()), "{kernel}");
    let arguments = (0..6).map(Argument::Scalar).chain([Argument::Element, Argument::Log]).collect();
    let task = Task { arguments, ..task(&kernel, 1, Order::Fast) };
    let scalars: Vec<Scalar> = types.iter().zip(bits).map(|(&ty, bits)| Scalar { ty, bits }).collect();
    for (name, target) in targets() {
        let sites = vec![site(SiteKind::Print, "", "{} {} {} {} {} {}", &types)];
        let program = Program::new(&target, vec![task.clone()], sites, choice(true), None).unwrap();
        let report = program.run(&mut [], &scalars).unwrap();
        assert_eq!(report.printed, ["-128 65535 7 18446744073709551615 -0.25 true"], "{name}");
    }
}

//! What the stand-in makes of texts: lanes that part and meet, arithmetic by the bits, and faults of all that PTX
//! leaves open.

use ivy_ptx_machine::{Fault, Grid, Memory, launch, parse};

/// A function whose argument is an address, from lines; registers of every bank are declared. `%d1` is the address of
/// the thread's 8 bytes, `%r1` its number, of a block along x.
fn function(lines: &str) -> String {
    format!(
        ".version 6.4\n.target sm_70\n.address_size 64\n.visible .entry k(\n.param .align 8 .b8 arguments[8]\n)\n{{\n\
         .reg .pred %p<9>;\n.reg .b32 %r<19>;\n.reg .b64 %d<19>;\n.shared .align 8 .b8 shared[64];\n\
         mov.u32 %r1, %tid.x;\nld.param.u64 %d0, [arguments+0];\nmad.wide.u32 %d1, %r1, 8, %d0;\n{lines}\nret;\n}}\n"
    )
}

/// The 8 bytes of each thread of a block, which were `start` before.
fn run(lines: &str, threads: u32, start: impl Fn(u64) -> u64) -> Result<Vec<u64>, Fault> {
    let mut memory = Memory::new(1 << 20);
    let address = memory.allocate(u64::from(threads) * 8).unwrap();
    for thread in 0..u64::from(threads) {
        memory.bytes(address + thread * 8, 8)?.copy_from_slice(&start(thread).to_le_bytes());
    }
    let grid = Grid { blocks: [1; 3], threads: [threads, 1, 1], shared: 0 };
    launch(&parse(&function(lines))?[0], grid, &address.to_le_bytes(), &mut memory)?;
    (0..u64::from(threads))
        .map(|thread| Ok(u64::from_le_bytes(memory.bytes(address + thread * 8, 8)?.try_into().unwrap())))
        .collect()
}

fn told(lines: &str, threads: u32) -> String {
    match run(lines, threads, |_| 0) {
        Ok(values) => panic!("no fault, but {values:?}"),
        Err(Fault(text)) => text,
    }
}

/// Each thread adds the numbers below its own, so that lanes go round as often as they are.
const SUMS: &str = "mov.u32 %r2, 0;\nmov.u32 %r3, 0;\n\
    $again:\nsetp.ge.u32 %p1, %r2, %r1;\n@%p1 bra $done;\nadd.u32 %r3, %r3, %r2;\nadd.u32 %r2, %r2, 1;\nbra $again;\n$done:\n";

#[test]
fn lanes_that_part_go_each_its_own_way() {
    for threads in [1, 31, 32, 40, 64, 1024] {
        let lines = format!("{SUMS}cvt.u64.u32 %d2, %r3;\nst.global.u64 [%d1+0], %d2;");
        let want: Vec<u64> = (0..u64::from(threads)).map(|n| n * n.saturating_sub(1) / 2).collect();
        assert_eq!(run(&lines, threads, |_| 7).unwrap(), want);
    }
}

#[test]
fn lanes_that_have_parted_meet_at_shuffles_and_barriers() {
    // What the lane behind has found, by another number of iterations.
    let lines = format!(
        "{SUMS}shfl.sync.down.b32 %r4, %r3, 1, 31, 0xffffffff;\nst.shared.u32 [shared+0], %r4;\nbar.sync 0;\n\
         shfl.sync.idx.b32 %r5, %r4, 3, 31, 0xffffffff;\nbar.warp.sync 0xffffffff;\n\
         cvt.u64.u32 %d2, %r5;\nst.global.u64 [%d1+0], %d2;"
    );
    // Of each warp's fourth lane the one behind: 4 and 36.
    let want: Vec<u64> = (0..64).map(|n| if n < 32 { 6 } else { 36 * 35 / 2 }).collect();
    assert_eq!(run(&lines, 64, |_| 0).unwrap(), want);
    // Beyond the last lane there is its own value.
    let lines = "shfl.sync.down.b32 %r2, %r1, 16, 31, 0xffffffff;\ncvt.u64.u32 %d2, %r2;\nst.global.u64 [%d1+0], %d2;";
    let want: Vec<u64> = (0..32).map(|n| if n < 16 { n + 16 } else { n }).collect();
    assert_eq!(run(lines, 32, |_| 0).unwrap(), want);
    // Lanes of the same value.
    let lines = "and.b32 %r2, %r1, 1;\nmatch.any.sync.b32 %r3, %r2, 0xffffffff;\npopc.b32 %r4, %r3;\n\
         and.b32 %r5, %r3, 1;\nadd.u32 %r6, %r5, %r4;\ncvt.u64.u32 %d2, %r6;\nst.global.u64 [%d1+0], %d2;";
    let want: Vec<u64> = (0..32).map(|n| 17 - n % 2).collect();
    assert_eq!(run(lines, 32, |_| 0).unwrap(), want);
}

#[test]
fn waiting_for_what_does_not_come_is_a_fault() {
    let few = "setp.lt.u32 %p1, %r1, 5;\n";
    let shuffle = "shfl.sync.down.b32 %r2, %r1, 1, 31, 0xffffffff;";
    let waits = "threads wait for each other, or for one that is done";
    assert_eq!(told(&format!("{few}@%p1 ret;\n{shuffle}"), 32), waits);
    assert_eq!(told(&format!("{few}@%p1 {shuffle}"), 32), waits);
    assert_eq!(told(&format!("{few}@%p1 ret;\nbar.sync 0;"), 32), waits);
    // A warp that is done altogether.
    let first = "setp.lt.u32 %p1, %r1, 32;\n@%p1 ret;\nbar.sync 0;";
    assert_eq!(told(first, 64), waits);
    let two = "@%p1 bra $other;\nbar.sync 0;\nbra $end;\n$other:\nbar.sync 0;\n$end:";
    assert_eq!(told(&format!("{few}{two}"), 32), "threads wait at different barriers");
    assert_eq!(told(&format!("setp.lt.u32 %p1, %r1, 32;\n{two}"), 64), "threads wait at different barriers");
    assert!(told(shuffle, 31).contains("a warp that is not whole"));
    assert!(told("shfl.sync.down.b32 %r2, %r1, 1, 31, 0xffff;", 32).contains("only a part of a warp"));
}

#[test]
fn what_was_not_written_is_not_read() {
    let unwritten = "a register is read that was not written";
    assert!(told("add.u32 %r3, %r2, 1;", 1).ends_with(unwritten));
    // In some lanes it is: those alone may read it.
    let some = "setp.lt.u32 %p1, %r1, 5;\n@%p1 mov.u32 %r2, 8;\n";
    assert!(told(&format!("{some}add.u32 %r3, %r2, 1;"), 32).ends_with(unwritten));
    assert!(told(&format!("{some}@!%p1 add.u32 %r3, %r2, 1;"), 32).ends_with(unwritten));
    assert!(told(&format!("{some}@%p2 add.u32 %r3, %r2, 1;"), 32).ends_with(unwritten));
    let lines = format!(
        "{some}@%p1 add.u32 %r3, %r2, 1;\n@%p1 cvt.u64.u32 %d2, %r3;\n@%p1 st.global.u64 [%d1+0], %d2;"
    );
    let want: Vec<u64> = (0..32).map(|n| if n < 5 { 9 } else { 7 }).collect();
    assert_eq!(run(&lines, 32, |_| 7).unwrap(), want);
    // Nor is it there in the next block.
    let once = "mov.u32 %r4, %ctaid.x;\nsetp.eq.u32 %p1, %r4, 0;\n@%p1 mov.u32 %r2, 8;\nadd.u32 %r3, %r2, 1;";
    let mut memory = Memory::new(1 << 20);
    let grid = Grid { blocks: [2, 1, 1], threads: [1; 3], shared: 0 };
    let fault = launch(&parse(&function(once)).unwrap()[0], grid, &[0; 8], &mut memory).unwrap_err();
    assert!(fault.0.ends_with(unwritten), "{fault:?}");
}

#[test]
fn memory_is_what_was_allocated() {
    assert!(told("ld.global.u64 %d2, [%d1+8];", 1).contains("an access of 8 bytes"));
    assert!(told("ld.global.u64 %d2, [%d1+-8];", 1).contains("an access of 8 bytes"));
    assert!(told("ld.global.u32 %r2, [%d1+2];", 1).contains("not aligned"));
    assert!(told("st.global.u32 [%d1+2], %r1;", 1).contains("1 values of 4 bytes"));
    assert!(told("ld.shared.u64 %d2, [shared+64];", 1).contains("8 bytes at 64 of 64"));
    assert!(told("st.shared.u64 [shared+64], %d0;", 1).contains("8 bytes at 64 of 64"));
    let mut memory = Memory::new(4096);
    let blocks: Vec<u64> = (0..4).map(|_| memory.allocate(1000).unwrap()).collect();
    assert_eq!((memory.allocate(97), memory.used()), (None, 4000));
    assert!(memory.release(blocks[1]) && !memory.release(blocks[1]) && !memory.release(blocks[2] + 1));
    assert!(memory.bytes(blocks[1], 1).is_err() && memory.bytes(blocks[2] - 1, 1).is_err());
    for at in [0, 2, 3] {
        assert_eq!(memory.bytes(blocks[at], 1000).unwrap()[999], 0xa5);
        assert!(memory.bytes(blocks[at], 1001).is_err() && memory.bytes(blocks[at] + 1000, 1).is_err());
    }
    assert_eq!((memory.used(), memory.free()), (3000, 1096));
}

/// Numbers of all sizes and signs.
fn bits(n: u64) -> u64 {
    let edge = [0, 1, u64::MAX, 1 << 31, (1 << 31) - 1, 1 << 63, (1 << 63) - 1, 0xffff_ffff];
    match n.checked_sub(edge.len() as u64) {
        None => edge[n as usize],
        Some(n) => n.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(n as u32) >> (n % 61),
    }
}

#[test]
fn integers_by_the_bits() {
    // Of one number and the one that the lane 7 further has, or a third.
    const ALL: u32 = 96;
    let all = |name: &str, want: &dyn Fn(u64, u64) -> u64| {
        let wide = name.ends_with("64");
        let text = if wide {
            format!("{name} %d5, %d2, %d3")
        } else {
            format!("{name} %r5, %r2, %r3;\ncvt.u64.u32 %d5, %r5")
        };
        let lines = format!(
            "ld.global.u64 %d2, [%d1+0];\nmul.lo.u64 %d3, %d2, 0x2545f4914f6cdd1d;\nshr.u64 %d3, %d3, 7;\n\
             cvt.u32.u64 %r2, %d2;\ncvt.u32.u64 %r3, %d3;\n{text};\nst.global.u64 [%d1+0], %d5;"
        );
        let other = |x: u64| x.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 7;
        let cut = |x: u64| if wide { x } else { x & 0xffff_ffff };
        let want: Vec<u64> =
            (0..u64::from(ALL)).map(bits).map(|x| cut(want(cut(x), cut(other(x))))).collect();
        assert_eq!(run(&lines, ALL, bits).unwrap(), want, "{name}");
    };
    for ty in ["u32", "s32", "u64", "s64"] {
        all(&format!("add.{ty}"), &u64::wrapping_add);
        all(&format!("sub.{ty}"), &u64::wrapping_sub);
        all(&format!("mul.lo.{ty}"), &u64::wrapping_mul);
    }
    all("min.u32", &u64::min);
    all("max.u64", &u64::max);
    all("min.s32", &|a, b| (a as i32).min(b as i32) as u64);
    all("max.s32", &|a, b| (a as i32).max(b as i32) as u64);
    all("min.s64", &|a, b| (a as i64).min(b as i64) as u64);
    all("and.b32", &|a, b| a & b);
    all("or.b64", &|a, b| a | b);
    all("xor.b32", &|a, b| a ^ b);
    let amounts = |name: &str, want: &dyn Fn(u64, u32) -> u64| {
        let wide = name.ends_with("64");
        for amount in [0, 1, 31, 32, 33, 63, 64, 200] {
            let text = if wide {
                format!("{name} %d5, %d2, {amount}")
            } else {
                format!("{name} %r5, %r2, {amount};\ncvt.u64.u32 %d5, %r5")
            };
            let lines = format!(
                "ld.global.u64 %d2, [%d1+0];\ncvt.u32.u64 %r2, %d2;\n{text};\nst.global.u64 [%d1+0], %d5;"
            );
            let want: Vec<u64> = (0..u64::from(ALL)).map(bits).map(|x| want(x, amount)).collect();
            assert_eq!(run(&lines, ALL, bits).unwrap(), want, "{name} by {amount}");
        }
    };
    amounts("shl.b32", &|x, by| u64::from((x as u32).checked_shl(by).unwrap_or(0)));
    amounts("shl.b64", &|x, by| x.checked_shl(by).unwrap_or(0));
    amounts("shr.u32", &|x, by| u64::from((x as u32).checked_shr(by).unwrap_or(0)));
    amounts("shr.u64", &|x, by| x.checked_shr(by).unwrap_or(0));
    amounts("shr.s32", &|x, by| u64::from((x as i32 >> by.min(31)) as u32));
    amounts("shr.s64", &|x, by| (x as i64 >> by.min(63)) as u64);
}

#[test]
fn numbers_in_the_text_have_the_width_of_their_instruction() {
    for (text, want) in [
        ("min.s32 %r5, %r1, -1", 0xffff_ffff),
        ("max.u32 %r5, %r1, -1", 0xffff_ffff),
        ("max.s32 %r5, %r1, -1", 0),
        ("add.u32 %r5, %r1, -1", 0xffff_ffff),
        ("mov.b32 %r5, -1", 0xffff_ffff),
        ("setp.gt.u32 %p1, 5, %r1;\nselp.b32 %r5, -1, 3, %p1", 0xffff_ffff),
        ("setp.lt.s32 %p1, %r1, -1;\nselp.b32 %r5, -1, 3, %p1", 3),
    ] {
        let lines = format!("{text};\ncvt.u64.u32 %d5, %r5;\nst.global.u64 [%d1+0], %d5;");
        assert_eq!(run(&lines, 1, |_| 0).unwrap(), [want], "{text}");
    }
    let wide = |text: &str| run(&format!("{text};\nst.global.u64 [%d1+0], %d5;"), 1, |_| 0).unwrap()[0];
    assert_eq!(wide("mov.u32 %r2, -3;\nmad.wide.s32 %d5, %r2, 4, 100"), 88);
    assert_eq!(wide("mov.u32 %r2, -3;\nmad.wide.u32 %d5, %r2, 4, 100"), 4 * 0xffff_fffd + 100);
    assert_eq!(
        wide("mov.b64 %d2, 0x123456789abcdef0;\nmov.b64 {%r2, %r3}, %d2;\nmov.b64 %d5, {%r3, %r2}"),
        0x9abc_def0_1234_5678
    );
}

#[test]
fn quotients_that_are_not_specified_are_faults() {
    let divided = |ty: &str, a: &str, b: &str| {
        let bank = if ty.ends_with("64") { "d" } else { "r" };
        run(
            &format!(
                "mov.{ty} %{bank}2, {a};\nmov.{ty} %{bank}3, {b};\ndiv.{ty} %{bank}5, %{bank}2, %{bank}3;\n\
             {}st.global.u64 [%d1+0], %d5;",
                if bank == "r" { "cvt.u64.u32 %d5, %r5;\n" } else { "" }
            ),
            1,
            |_| 0,
        )
    };
    for ty in ["u32", "s32", "u64", "s64"] {
        assert!(divided(ty, "7", "0").unwrap_err().0.contains("division by zero"));
        assert_eq!(divided(ty, "7", "2").unwrap(), [3]);
    }
    assert_eq!(divided("s32", "-7", "2").unwrap(), [0xffff_fffd]);
    assert_eq!(divided("s64", "-7", "-1").unwrap(), [7]);
    assert_eq!(divided("u32", "-7", "2").unwrap(), [0x7fff_fffc]);
    for (ty, least) in [("s32", "0x80000000"), ("s64", "0x8000000000000000")] {
        assert!(divided(ty, least, "-1").unwrap_err().0.contains("too many bits"));
    }
}

/// What an atomic leaves, and what it gives, of 8 bytes of each of 4 threads, one after the other.
fn atomic(text: &str, start: u64, x: u64) -> (u64, Vec<u64>) {
    let lines = format!(
        "mov.b64 %d2, {x};\ncvt.u32.u64 %r2, %d2;\n{text};\ncvt.u64.u32 %d6, %r5;\n\
         setp.eq.u32 %p1, %r1, 0;\n@!%p1 st.global.u64 [%d1+0], %d6;"
    );
    let all = run(&lines, 4, |_| start).unwrap();
    (all[0], all[1..].to_vec())
}

#[test]
fn atomics_go_one_after_the_other() {
    let word = |name: &str, start, x| atomic(&format!("atom.global.{name} %r5, [%d0], %r2"), start, x);
    assert_eq!(word("add.u32", 5, 3), (17, vec![8, 11, 14]));
    assert_eq!(word("min.s32", 5, 0xffff_ffff), (0xffff_ffff, vec![0xffff_ffff; 3]));
    assert_eq!(word("min.u32", 5, 0xffff_ffff), (5, vec![5; 3]));
    assert_eq!(word("max.s32", 5, 0xffff_ffff), (5, vec![5; 3]));
    assert_eq!(word("and.b32", 12, 10), (8, vec![8; 3]));
    assert_eq!(word("or.b32", 12, 10), (14, vec![14; 3]));
    assert_eq!(word("xor.b32", 12, 10), (12, vec![6, 12, 6]));
    assert_eq!(word("exch.b32", 12, 10), (10, vec![10; 3]));
    // What is compared comes before what takes its place.
    let swap = |start| atomic("atom.global.cas.b32 %r5, [%d0], 12, %r2", start, 10);
    assert_eq!(swap(12), (10, vec![10; 3]));
    assert_eq!(swap(11), (11, vec![11; 3]));
    let wide = "atom.global.add.u64 %d5, [%d0], %d2;\ncvt.u32.u64 %r5, %d5";
    assert_eq!(atomic(wide, 1 << 40, 3), ((1 << 40) + 12, vec![3, 6, 9]));
    let floats = |x: f32, y: f32| word("add.f32", u64::from(x.to_bits()), u64::from(y.to_bits())).0;
    assert_eq!(floats(1.5, 0.25), u64::from(2.5f32.to_bits()));
    // In global memory what is subnormal is zero; in shared memory it is not.
    let small = f32::from_bits(1);
    assert_eq!((floats(small, small), floats(-0.0, -small)), (0, 0x8000_0000));
    let shared = "setp.eq.u32 %p2, %r1, 0;\nmov.b32 %r3, 0;\n@%p2 st.shared.u32 [shared+0], %r3;\n\
         atom.shared.add.f32 %r5, [shared+0], %r2;\nld.shared.b32 %r5, [shared+0]";
    assert_eq!(atomic(shared, 0, 1).1, [4; 3]);
    assert!(told("atom.global.add.u32 %r2, [%d0+2], %r1;", 1).contains("an atomic of 4 bytes"));
    assert!(told("atom.global.add.b32 %r2, [%d0], %r1;", 1).contains("no instruction"));
}

#[test]
fn each_thread_has_memory_of_its_own() {
    let lines = ".local .align 8 .b8 first[4];\n.local .align 8 .b8 own[16];\nmov.b64 %d2, own;\n\
         st.local.u32 [%d2+8], %r1;\nst.local.u32 [first+0], %r1;\nld.local.b32 %r2, [%d2+8];\n\
         ld.local.b32 %r3, [first+0];\nadd.u32 %r2, %r2, %r3;\ncvt.u64.u32 %d3, %r2;\nst.global.u64 [%d1+0], %d3;";
    assert_eq!(run(lines, 40, |_| 0).unwrap(), (0..40).map(|n| 2 * n).collect::<Vec<u64>>());
    let outside = lines.replace("[%d2+8]", "[%d2+16]");
    assert!(told(&outside, 1).contains("4 bytes at 24 of 24"));
}

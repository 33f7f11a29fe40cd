//! One broken kernel for each rule of kernels with effects.

use super::{ELEMENT, FREE, LOG, memory, uniform};
use ivy_backend_jit::ir::{Access, BLOCK, Builder, Code, Effects, Id, Kernel, OWN, Param, Type, verify};

/// Loops, conditionals, memory of all kinds, atomics and a barrier.
fn good() -> Kernel {
    let params = vec![ELEMENT, memory(Type::I64), uniform(Type::I64), LOG];
    let mut b = Builder::with_effects(params, Effects { block: 32, serial: false });
    let (i, times) = (b.load(0, 0), b.load(2, 0));
    let (cells, shared) = (b.memory(1), b.shared(Type::I64, 8));
    let own = b.alloca(Type::I64, 2);
    let [zero, one] = [0, 1].map(|x| b.constant(Type::I64, x));
    let (open, iteration) = b.open_loop(&[zero]);
    let more = b.binary(Code::Lt, iteration[0], times);
    b.while_true(more);
    b.atomic(Code::AtomicAdd, shared, zero, i);
    b.barrier();
    let next = b.binary(Code::Add, iteration[0], one);
    b.close_loop(open, &[next]);
    let x = b.load_at(cells, i);
    b.store_at(own, zero, x);
    let old = b.compare_and_swap(cells, i, x, i);
    let inside = b.in_bounds(cells, old);
    b.record(inside, 0, i, &[x]);
    b.finish()
}

fn find(kernel: &Kernel, code: Code) -> usize {
    kernel.statements.iter().position(|s| s.code == code).unwrap()
}

#[track_caller]
fn broken(rule: u32, change: impl Fn(&mut Kernel)) {
    let mut kernel = good();
    change(&mut kernel);
    assert_eq!(verify(&kernel).map_err(|broken| broken.rule), Err(rule), "{kernel}");
}

#[test]
fn a_good_kernel_passes() {
    verify(&good()).unwrap();
}

#[test]
fn types_of_accesses() {
    // A number that is no i64, a value of another type, an atomic on what it is not for.
    let float = |k: &mut Kernel| {
        let id = Id(k.statements.len() as u32);
        let constant = k.statements[find(k, Code::Constant)].clone();
        k.statements.push(ivy_backend_jit::ir::Statement { ty: Type::F64, imm: 0, ..constant });
        k.blocks[0].insert(0, id);
        id
    };
    for (code, operand) in [(Code::LoadAt, 1), (Code::StoreAt, 2), (Code::AtomicCas, 2), (Code::InBounds, 1)]
    {
        broken(4, |k| {
            let (at, x) = (find(k, code), float(k));
            k.statements[at].operands[operand] = x;
        });
    }
    let narrow = |code: Code, ty: Type| {
        let mut b = Builder::with_effects(vec![ELEMENT, memory(ty)], FREE);
        let i = b.load(0, 0);
        let cells = b.memory(1);
        let x = b.load_at(cells, i);
        b.atomic(code, cells, i, x);
        verify(&b.finish()).map_err(|broken| broken.rule)
    };
    assert_eq!(narrow(Code::AtomicAdd, Type::I32), Ok(()));
    assert_eq!(narrow(Code::AtomicAdd, Type::I16), Err(4));
    assert_eq!(narrow(Code::AtomicXor, Type::F32), Err(4));
}

#[test]
fn rule_17_parameters_and_how_elements_run() {
    broken(17, |k| k.effects = None);
    broken(17, |k| k.effects = Some(Effects { block: 24, serial: false }));
    broken(17, |k| k.effects = Some(Effects { block: 2 * BLOCK, serial: false }));
    broken(17, |k| k.effects = Some(Effects { block: 32, serial: true }));
    broken(17, |k| k.params[2].access = Access::Linear);
    broken(17, |k| k.params.push(Param { access: Access::Out, ..memory(Type::I64) }));
    broken(17, |k| k.params.push(memory(Type::I64)));
    broken(17, |k| k.params[3].ty = Type::U64);
    broken(17, |k| k.guarantees.lengths = vec![1]);
    broken(17, |k| k.guarantees.lengths = vec![0; 50]);
}

#[test]
fn rule_18_what_names_memory() {
    let moved = |code: Code, to: usize| {
        move |k: &mut Kernel| {
            let id = Id(find(k, code) as u32);
            k.blocks.iter_mut().for_each(|block| block.retain(|&i| i != id));
            k.blocks[to].insert(0, id);
        }
    };
    broken(18, moved(Code::Memory, 1));
    broken(18, moved(Code::Shared, 1));
    broken(18, moved(Code::Alloca, 0));
    broken(18, |k| {
        let at = find(k, Code::Memory);
        k.statements[at].imm = 0;
    });
    broken(18, |k| {
        let at = find(k, Code::Memory);
        k.statements[at].ty = Type::F64;
    });
    for imm in [0, OWN + 1] {
        broken(18, |k| {
            let at = find(k, Code::Alloca);
            k.statements[at].imm = imm;
        });
    }
    for imm in [0, 1 << 20, u64::MAX] {
        broken(18, |k| {
            let at = find(k, Code::Shared);
            k.statements[at].imm = imm;
        });
    }
    // A kernel without memory of its launch's, and without effects.
    broken(18, |k| {
        *k = {
            let mut b = Builder::new(vec![Param { access: Access::Out, ..memory(Type::I64) }]);
            b.shared(Type::I64, 1);
            let zero = b.constant(Type::I64, 0);
            b.store(0, &[zero]);
            b.finish()
        };
    });
}

#[test]
fn rule_19_accesses() {
    // Something else than memory; a value that is none; in the top block; atomics on an element's own.
    broken(19, |k| {
        let at = find(k, Code::LoadAt);
        k.statements[at].operands[0] = Id(0);
    });
    broken(3, |k| {
        let (at, named) = (find(k, Code::StoreAt), find(k, Code::Alloca));
        k.statements[at].operands[2] = Id(named as u32);
    });
    broken(19, |k| {
        let at = Id(find(k, Code::LoadAt) as u32);
        let constant = Id(find(k, Code::Constant) as u32);
        k.blocks[1].retain(|&id| id != at);
        k.statements[at.0 as usize].operands[1] = constant;
        let last = k.blocks[0].len() - 1;
        k.blocks[0].insert(last, at);
    });
    broken(19, |k| {
        let (at, named) = (find(k, Code::AtomicCas), find(k, Code::Alloca));
        k.statements[at].operands[0] = Id(named as u32);
    });
    // What is rare is computed for all, and may have no effect.
    let mut b = Builder::with_effects(vec![ELEMENT, memory(Type::I64)], FREE);
    let i = b.load(0, 0);
    let cells = b.memory(1);
    let there = b.in_bounds(cells, i);
    let value = b.rare(there, i, |b| b.atomic(Code::AtomicAdd, cells, i, i));
    b.store_at(cells, i, value);
    assert_eq!(verify(&b.finish()).unwrap_err().rule, 19);
}

#[test]
fn rule_20_barriers() {
    // In the top block, in a conditional, and in a loop that elements leave at different times.
    broken(20, |k| {
        let at = Id(find(k, Code::Barrier) as u32);
        k.blocks.iter_mut().for_each(|block| block.retain(|&i| i != at));
        k.blocks[0].insert(0, at);
    });
    broken(20, |k| {
        let at = Id(find(k, Code::Barrier) as u32);
        k.blocks.iter_mut().for_each(|block| block.retain(|&i| i != at));
        let branch = k.held(Id(find(k, Code::If) as u32))[0];
        k.blocks[branch].insert(0, at);
    });
    broken(20, |k| {
        let (more, element) = (find(k, Code::Lt), find(k, Code::Load));
        k.statements[more].operands[1] = Id(element as u32);
    });
}

//! One broken kernel for each rule of the verifier.

use ivy_backend_jit::ir::{
    Access, Branches, Builder, Code, Id, Join, Kernel, PARTS, Param, Place, Steps, Type, verify,
};

fn good() -> Kernel {
    let input = |access| Param { ty: Type::I32, parts: 1, access };
    let mut b = Builder::new(vec![input(Access::Linear), input(Access::Uniform), input(Access::Out)]);
    let (x, y) = (b.load(0, 0), b.load(1, 0));
    let two = b.constant(Type::I32, 2);
    let sum = b.binary(Code::Add, x, y);
    let product = b.binary(Code::Mul, sum, two);
    b.store(2, &[product]);
    b.finish()
}

/// The number of the statement with this code.
fn find(kernel: &Kernel, code: Code) -> usize {
    kernel.statements.iter().position(|s| s.code == code).unwrap()
}

#[track_caller]
fn broken(mut kernel: Kernel, rule: u32, change: impl Fn(&mut Kernel)) {
    change(&mut kernel);
    assert_eq!(verify(&kernel).unwrap_err().rule, rule, "{kernel}");
}

/// With a block for what is rare.
fn nested() -> Kernel {
    let param = |access| Param { ty: Type::F32, parts: 1, access };
    let mut b = Builder::new(vec![param(Access::Linear), param(Access::Out)]);
    let (x, zero) = (b.load(0, 0), b.float(Type::F32, 0.0));
    let negative = b.binary(Code::Lt, x, zero);
    let value = b.rare(negative, x, |b| {
        let root = b.unary(Code::Sqrt, x);
        b.binary(Code::Add, root, root)
    });
    b.store(1, &[value]);
    b.finish()
}

#[test]
fn a_good_kernel_passes() {
    verify(&good()).unwrap();
    verify(&nested()).unwrap();
}

#[test]
fn blocks_of_what_is_rare() {
    // No such block; one that is held twice; one that nobody holds; one with a store in it.
    broken(nested(), 2, |k| {
        let rare = find(k, Code::Rare);
        k.statements[rare].imm = 7;
    });
    broken(nested(), 2, |k| {
        let rare = find(k, Code::Rare);
        k.statements[rare].imm = 1;
    });
    broken(nested(), 2, |k| {
        let constant = k.blocks[0][0];
        k.blocks.push(vec![constant]);
    });
    broken(nested(), 7, |k| {
        let store = k.blocks[1].pop().unwrap();
        k.statements[store.0 as usize].operands[0] = *k.blocks[2].last().unwrap();
        k.blocks[2].push(store);
    });
    // What it makes is not known after it, nor to its condition.
    broken(nested(), 3, |k| {
        let (root, store) = (find(k, Code::Sqrt), find(k, Code::Store));
        k.statements[store].operands[0] = Id(root as u32);
    });
    broken(nested(), 3, |k| {
        let (root, rare) = (find(k, Code::Sqrt), find(k, Code::Rare));
        k.statements[rare].operands[1] = Id(root as u32);
    });
}

/// With a loop that counts down, and a conditional in it.
fn repeated() -> Kernel {
    let param = |access| Param { ty: Type::I32, parts: 1, access };
    let mut b = Builder::new(vec![param(Access::Linear), param(Access::Out)]);
    let (x, zero, one) = (b.load(0, 0), b.constant(Type::I32, 0), b.constant(Type::I32, 1));
    let (open, carried) = b.open_loop(&[x, zero]);
    let more = b.binary(Code::Lt, zero, carried[0]);
    b.while_true(more);
    let less = b.binary(Code::Sub, carried[0], one);
    let bits = b.binary(Code::And, carried[0], one);
    let odd = b.convert(bits, Type::Bool);
    let mut open_if = b.open_if(odd);
    let sum = b.binary(Code::Add, carried[1], carried[0]);
    b.otherwise(&mut open_if, &[sum]);
    let difference = b.binary(Code::Sub, carried[1], carried[0]);
    let chosen = b.close_if(open_if, &[difference]);
    let done = b.close_loop(open, &[less, chosen[0]]);
    b.store(1, &[done[1]]);
    b.finish()
}

#[test]
fn loops_and_conditionals() {
    verify(&repeated()).unwrap();
    // Blocks: 2 is the loop's, 3 and 4 those of the conditional.
    broken(repeated(), 2, |k| {
        let statement = find(k, Code::If);
        k.statements[statement].imm = Branches { then: 3, otherwise: 3 }.imm();
    });
    broken(repeated(), 2, |k| {
        let (at, open) = (find(k, Code::Loop), k.blocks[1].remove(1));
        assert_eq!(at, open.0 as usize);
        let last = k.blocks[0].len() - 1;
        k.blocks[0].insert(last, open);
        k.statements[at].operands[0] = k.blocks[0][0];
    });
    // What is made in a block is not seen after it.
    broken(repeated(), 3, |k| {
        let (less, store) = (find(k, Code::Sub), find(k, Code::Store));
        k.statements[store].operands[0] = Id(less as u32);
    });
    broken(repeated(), 4, |k| {
        let test = find(k, Code::While);
        k.statements[test].operands[0] = k.blocks[2][0];
    });
    broken(repeated(), 7, |k| {
        let store = k.blocks[1].pop().unwrap();
        k.statements[store.0 as usize].operands[0] = k.blocks[2][0];
        k.blocks[2].insert(3, store);
    });
    // Carried values: one too few, in another order, and one that stands elsewhere.
    broken(repeated(), 11, |k| {
        let open = find(k, Code::Loop);
        k.statements[open].operands.pop();
    });
    broken(repeated(), 11, |k| k.blocks[2].swap(0, 1));
    broken(repeated(), 11, |k| {
        let carried = k.blocks[2][0];
        k.statements.push(k.statements[carried.0 as usize].clone());
        let more = Id(k.statements.len() as u32 - 1);
        k.blocks[1].insert(0, more);
    });
    broken(repeated(), 11, |k| {
        let test = find(k, Code::While) as u32;
        k.blocks[2].retain(|id| id.0 != test);
    });
    broken(repeated(), 11, |k| {
        k.blocks[2].pop();
    });
    broken(repeated(), 11, |k| {
        let next = find(k, Code::Next);
        k.statements[next].operands.pop();
    });
    // Branches: one without an end, with another type, with an end too much.
    broken(repeated(), 12, |k| {
        k.blocks[4].pop();
    });
    broken(repeated(), 12, |k| {
        let end = k.blocks[4].last().unwrap().0 as usize;
        k.statements[end].operands[0] = Id(find(k, Code::Convert) as u32);
    });
    broken(repeated(), 12, |k| {
        let end = k.blocks[4].last().unwrap().0 as usize;
        k.statements.push(k.statements[end].clone());
        let more = Id(k.statements.len() as u32 - 1);
        k.blocks[2].insert(2, more);
        k.statements[more.0 as usize].operands.clear();
    });
    // Results: of nothing, of something that gives fewer, of another type, and elsewhere.
    broken(repeated(), 13, |k| {
        let result = k.statements.iter().rposition(|s| s.code == Code::Result).unwrap();
        k.statements[result].operands[0] = Id(0);
    });
    broken(repeated(), 13, |k| {
        let result = k.statements.iter().rposition(|s| s.code == Code::Result).unwrap();
        k.statements[result].imm = 2;
    });
    broken(repeated(), 13, |k| {
        let result = k.statements.iter().rposition(|s| s.code == Code::Result).unwrap();
        k.statements[result].ty = Type::I64;
    });
    broken(repeated(), 13, |k| {
        let result = k.blocks[2].iter().position(|&id| k.statement(id).code == Code::Result).unwrap();
        let result = k.blocks[2].remove(result);
        let next = find(k, Code::Next);
        k.statements[next].operands[1] = k.blocks[2][1];
        k.blocks[1].push(result);
    });
}

#[test]
fn each_rule_has_a_kernel_that_breaks_it() {
    broken(good(), 1, |k| k.blocks[0].truncate(2));
    broken(good(), 1, |k| k.blocks[0].rotate_right(1));
    broken(good(), 1, |k| k.blocks.truncate(1));
    broken(good(), 2, |k| {
        let first = k.blocks[1][0];
        k.blocks[1].insert(0, first);
    });
    broken(good(), 2, |k| k.blocks[1].insert(0, Id(99)));
    broken(good(), 3, |k| k.blocks[1].swap(0, 1));
    broken(good(), 3, |k| {
        let (store, add) = (find(k, Code::Store), find(k, Code::Mul));
        k.statements[add].operands[0] = Id(store as u32);
    });
    broken(good(), 4, |k| {
        let add = find(k, Code::Add);
        k.statements[add].operands.pop();
    });
    broken(good(), 4, |k| {
        let add = find(k, Code::Add);
        k.statements[add].ty = Type::F32;
    });
    broken(good(), 4, |k| {
        let add = find(k, Code::Add);
        k.statements[add].code = Code::Sqrt;
    });
    broken(good(), 5, |k| {
        let constant = find(k, Code::Constant);
        k.statements[constant].imm = 1 << 40;
    });
    broken(good(), 6, |k| {
        let load = find(k, Code::Load);
        k.statements[load].imm = Place { param: 2, part: 0 }.imm();
    });
    broken(good(), 6, |k| k.params[0].access = Access::Uniform);
    broken(good(), 7, |k| {
        let store = find(k, Code::Store);
        k.statements[store].imm = 0;
    });
    broken(good(), 8, |k| k.params.push(k.params[2]));
    broken(good(), 8, |k| {
        k.blocks[1].pop();
    });
    broken(good(), 9, |k| k.params[0].access = Access::Step(7));
    // Beside one that is not read in order, beside itself, beside nothing; too far.
    for (leader, by) in [(1, 1), (0, 1), (9, 1)] {
        broken(good(), 9, |k| k.params[0].access = Access::Beside { leader, by });
        broken(good(), 9, |k| k.params[0].access = Access::GuardedBeside { leader, by });
    }
    broken(good(), 9, |k| {
        k.params.push(Param { access: Access::Beside { leader: 0, by: 5 }, ..k.params[0] });
    });
    broken(good(), 9, |k| {
        k.params[0].access = Access::Transposed;
        k.params[2].access = Access::Along(Join::Add);
    });
    broken(good(), 10, |k| k.params[2].access = Access::Along(Join::And));
    broken(good(), 10, |k| {
        let more = Param { access: Access::Across(Join::Add), ..k.params[2] };
        k.params.push(more);
    });
    broken(good(), 10, |k| {
        let more = [Access::Along(Join::Add), Access::Row(Join::Add)];
        let more = more.map(|access| Param { access, ..k.params[2] });
        k.params.extend(more);
    });
    broken(good(), 9, |k| k.params[0].parts = PARTS + 1);
    broken(good(), 9, |k| k.params[0].parts = 0);
    broken(good(), 9, |k| k.params[0] = Param { access: Access::Ahead, parts: 3, ..k.params[0] });
}

#[test]
fn what_is_guarded_and_counted() {
    let param = |ty, access| Param { ty, parts: 1, access };
    let good = || {
        let mut b = Builder::new(vec![
            param(Type::I64, Access::Counter(Steps::One)),
            param(Type::F32, Access::Guarded(Steps::One)),
            param(Type::F32, Access::Out),
        ]);
        let place = b.load(0, 0);
        let inside = b.binary(Code::Eq, place, place);
        let value = b.load_where(1, 0, inside);
        b.store(2, &[value]);
        b.finish()
    };
    verify(&good()).unwrap();
    let code = |code| find(&good(), code);
    let read = code(Code::LoadWhere);
    // Of another input, another part, another type, where something is that is no truth value.
    broken(good(), 16, |k| k.statements[read].imm = Place { param: 0, part: 0 }.imm());
    broken(good(), 16, |k| k.statements[read].imm = Place { param: 1, part: 1 }.imm());
    broken(good(), 16, |k| k.params[1].ty = Type::I32);
    broken(good(), 16, |k| k.params[1].access = Access::Linear);
    broken(good(), 4, |k| k.statements[read].operands[0] = Id(code(Code::Load) as u32));
    // Read everywhere; counted as something else; read for each element, but once a row.
    broken(good(), 16, |k| k.params[0].access = Access::Guarded(Steps::One));
    broken(good(), 16, |k| k.params[0].ty = Type::U64);
    broken(good(), 6, |k| k.params[0].access = Access::Counter(Steps::None));
    let top = |k: &mut Kernel| {
        k.params[0].access = Access::Counter(Steps::None);
        let ids: Vec<Id> = k.blocks[1].drain(..3).collect();
        k.blocks[0].splice(0..0, ids);
    };
    broken(good(), 16, top);
    let mut rows = good();
    top(&mut rows);
    rows.params[1].access = Access::Guarded(Steps::None);
    verify(&rows).unwrap();
}

#[test]
fn gathers_and_checks() {
    let param = |ty, access| Param { ty, parts: 1, access };
    let good = || {
        let mut b = Builder::new(vec![
            param(Type::I64, Access::Linear),
            param(Type::F32, Access::Gather(Steps::One)),
            param(Type::F32, Access::Out),
            Param::FLAG,
        ]);
        let index = b.load(0, 0);
        let inside = b.binary(Code::Eq, index, index);
        b.check(0, inside);
        let value = b.gather(1, 0, index);
        b.store(2, &[value]);
        b.finish()
    };
    verify(&good()).unwrap();
    let code = |code| find(&good(), code);
    // Of another input, another part, another type, at a distance that is no i64; read otherwise.
    broken(good(), 14, |k| k.statements[code(Code::Gather)].imm = Place { param: 0, part: 0 }.imm());
    broken(good(), 14, |k| k.statements[code(Code::Gather)].imm = Place { param: 1, part: 1 }.imm());
    broken(good(), 14, |k| k.params[1].ty = Type::I32);
    broken(good(), 4, |k| k.statements[code(Code::Gather)].operands[0] = Id(code(Code::Eq) as u32));
    broken(good(), 14, |k| k.params[0].access = Access::Gather(Steps::None));
    // A flag that is none, is not the last, or is there twice; no truth value; in the top block.
    broken(good(), 15, |k| k.statements[code(Code::Check)].imm = Place { param: 2, part: 0 }.imm());
    broken(good(), 15, |k| k.params.swap(2, 3));
    broken(good(), 15, |k| k.params.push(Param::FLAG));
    broken(good(), 15, |k| k.params[3].ty = Type::I8);
    broken(good(), 4, |k| k.statements[code(Code::Check)].operands[0] = Id(code(Code::Load) as u32));
    broken(good(), 15, |k| {
        k.params[0].access = Access::Uniform;
        let ids: Vec<Id> = k.blocks[1].drain(..3).collect();
        k.blocks[0].splice(0..0, ids);
    });
}

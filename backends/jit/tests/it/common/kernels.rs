//! Kernels of one statement, of one operation, and of one fold: each with all types it takes.
#![allow(dead_code)]

use ivy_backend_jit::ir::{Access, Builder, Code, Effects, Join, Kernel, Param, Rule, Steps, Type};
use ivy_backend_jit::lower::{Parts, lower, memory, supports};
use ivy_backend_jit::passes;
use ivy_backend_jit::trace::Kind;
use ivy_core::{BinaryOp, Dtype, UnaryOp};

pub fn param(ty: Type, access: Access) -> Param {
    Param { ty, parts: 1, access }
}

/// A kernel of one statement: operands of one type, and the value's.
pub fn single(code: Code, from: Type, to: Type) -> Option<Kernel> {
    let (operands, result) = match code.rule() {
        Rule::Unary(set) if set.contains(from) && from == to => (vec![from], from),
        Rule::Binary(set) if set.contains(from) && from == to => (vec![from; 2], from),
        Rule::Ternary(set) if set.contains(from) && from == to => (vec![from; 3], from),
        Rule::Compare(set) if set.contains(from) && to == Type::Bool => (vec![from; 2], to),
        Rule::Select | Rule::Rare if from == to => (vec![Type::Bool, from, from], from),
        Rule::Convert if from != to => (vec![from], to),
        Rule::Bitcast if from != to && from.bits() == to.bits() => (vec![from], to),
        Rule::Between(first, second) if (from, to) == (first, second) => (vec![from], to),
        _ => return None,
    };
    let mut params: Vec<Param> = operands.iter().map(|&t| param(t, Access::Linear)).collect();
    params.push(param(result, Access::Out));
    let count = operands.len() as u32;
    let mut b = Builder::new(params);
    let x: Vec<_> = (0..count).map(|i| b.load(i, 0)).collect();
    let value = match code.rule() {
        Rule::Unary(_) => b.unary(code, x[0]),
        Rule::Binary(_) | Rule::Compare(_) => b.binary(code, x[0], x[1]),
        Rule::Ternary(_) => b.fma(x[0], x[1], x[2]),
        Rule::Select => b.select(x[0], x[1], x[2]),
        Rule::Rare => b.rare(x[0], x[1], |_| x[2]),
        Rule::Convert => b.convert(x[0], to),
        Rule::Between(..) => b.between(code, x[0]),
        _ => b.bitcast(x[0], to),
    };
    b.store(count, &[value]);
    Some(b.finish())
}

/// Every kernel of one statement, with the types of its operands and its value.
pub fn singles() -> impl Iterator<Item = (Code, Type, Type, Kernel)> {
    let types = || Type::ALL.iter().flat_map(|&from| Type::ALL.iter().map(move |&to| (from, to)));
    Code::ALL
        .iter()
        .flat_map(move |&code| types().map(move |(from, to)| (code, from, to)))
        .filter_map(|(code, from, to)| single(code, from, to).map(|kernel| (code, from, to, kernel)))
}

/// The kernel of one operation as the engine makes it.
pub fn operation(kind: Kind, from: Dtype, to: Dtype) -> Kernel {
    let dtypes = match kind {
        Kind::Where => vec![Dtype::BOOL, from, from],
        Kind::Binary(_) => vec![from, from],
        _ => vec![from],
    };
    let param = |dtype, access| memory(dtype).map(|(ty, parts)| Param { ty, parts, access }).unwrap();
    let mut params: Vec<Param> = dtypes.iter().map(|&d| param(d, Access::Linear)).collect();
    params.push(param(to, Access::Out));
    let counts: Vec<u32> = params.iter().map(|p| p.parts).collect();
    let mut b = Builder::new(params);
    let operands: Vec<Parts> =
        (0..dtypes.len()).map(|i| (0..counts[i]).map(|part| b.load(i as u32, part)).collect()).collect();
    let given: Vec<(Dtype, &Parts)> = dtypes.iter().copied().zip(&operands).collect();
    let value = lower(&mut b, kind, to, &given).expect("an operation that has a form");
    b.store(dtypes.len() as u32, &value);
    let mut kernel = b.finish();
    passes::run(&mut kernel, passes::PIPELINE);
    kernel
}

/// Every operation on every dtype that the engine has a form of.
pub fn operations() -> Vec<(Kind, Dtype, Dtype)> {
    let unary = UnaryOp::ALL.iter().map(|&op| Kind::Unary(op));
    let binary = BinaryOp::ALL.iter().map(|&op| Kind::Binary(op));
    let kinds: Vec<Kind> = unary.chain(binary).chain([Kind::Where, Kind::Cast]).collect();
    let mut list = Vec::new();
    for kind in kinds {
        for from in Dtype::all() {
            list.extend(Dtype::all().filter(|&to| supports(kind, from, to)).map(|to| (kind, from, to)));
        }
    }
    list
}

/// Every fold of every type: each joined value is the input's element.
pub fn folds() -> Vec<(Join, Kernel)> {
    let mut list = Vec::new();
    for &join in Join::ALL {
        for &ty in Type::ALL {
            for parts in [1, 2] {
                if !join.takes(ty, parts) || parts == 2 && !ty.is_float() {
                    continue;
                }
                for result in [Access::Along(join), Access::Across(join)] {
                    let params = [Access::Strided, result].map(|access| Param { ty, parts, access });
                    let mut b = Builder::new(params.to_vec());
                    let value: Vec<_> = (0..parts).map(|part| b.load(0, part)).collect();
                    b.store(1, &value);
                    list.push((join, b.finish()));
                }
            }
        }
    }
    list
}

/// Follows indices until one is negative; gives how often that went on.
fn chased() -> Kernel {
    let ty = Type::I64;
    let params = [Access::Linear, Access::Uniform, Access::Gather(Steps::None), Access::Out];
    let mut params: Vec<Param> = params.map(|access| param(ty, access)).to_vec();
    params.push(Param::FLAG);
    let mut b = Builder::new(params);
    let (first, length) = (b.load(0, 0), b.load(1, 0));
    let [zero, one] = [0, 1].map(|c| b.constant(ty, c));
    let (open, s) = b.open_loop(&[first, zero]);
    let more = b.binary(Code::Le, zero, s[0]);
    b.while_true(more);
    let inside = b.binary(Code::Lt, s[0], length);
    b.check(0, inside);
    let place = b.select(inside, s[0], zero);
    let (next, count) = (b.gather(2, 0, place), b.binary(Code::Add, s[1], one));
    let last = b.close_loop(open, &[next, count])[1];
    b.store(3, &[last]);
    b.finish()
}

/// Every type of elements: in one part and, of floats, in two.
fn elements() -> impl Iterator<Item = (Type, u32)> {
    Type::ALL.iter().flat_map(|&ty| (1..=if ty.is_float() { 2 } else { 1 }).map(move |parts| (ty, parts)))
}

/// Elements of every type at checked indices: from one place, in rows, and at strides; and in a loop.
pub fn gathers() -> Vec<Kernel> {
    let mut list = Vec::new();
    for (ty, parts) in elements() {
        for steps in [Steps::None, Steps::One, Steps::Any] {
            let param = |ty, parts, access| Param { ty, parts, access };
            let mut b = Builder::new(vec![
                param(Type::I64, 1, Access::Linear),
                param(Type::I64, 1, Access::Uniform),
                param(ty, parts, Access::Gather(steps)),
                param(ty, parts, Access::Out),
                Param::FLAG,
            ]);
            let (index, length) = (b.load(0, 0), b.load(1, 0));
            let zero = b.constant(Type::I64, 0);
            let [a, n] = [index, length].map(|x| b.bitcast(x, Type::U64));
            let inside = b.binary(Code::Lt, a, n);
            b.check(0, inside);
            let place = b.select(inside, index, zero);
            let value: Vec<_> = (0..parts).map(|part| b.gather(2, part, place)).collect();
            b.store(3, &value);
            list.push(b.finish());
        }
    }
    list.push(chased());
    list
}

/// Elements of every type where what is counted is inside of a length, else zero: for each of the ways
/// to find elements, and to count.
pub fn guarded() -> Vec<Kernel> {
    let mut list = Vec::new();
    for (ty, parts) in elements() {
        for steps in [Steps::None, Steps::One, Steps::Any] {
            for count in [Steps::None, Steps::One, Steps::Any] {
                list.push(guarded_by(Param { ty, parts, access: Access::Guarded(steps) }, count));
            }
        }
    }
    list
}

/// Elements of an input where what is counted in such steps is inside of a length, else zero.
pub fn guarded_by(input: Param, count: Steps) -> Kernel {
    let mut b = Builder::new(vec![
        param(Type::I64, Access::Counter(count)),
        param(Type::I64, Access::Uniform),
        input,
        Param { access: Access::Out, ..input },
    ]);
    let (place, length) = (b.load(0, 0), b.load(1, 0));
    let [place, length] = [place, length].map(|x| b.bitcast(x, Type::U64));
    let inside = b.binary(Code::Lt, place, length);
    let value: Vec<_> = (0..input.parts).map(|part| b.load_where(2, part, inside)).collect();
    b.store(3, &value);
    b.finish()
}

/// The sum of three elements beside each other where what is counted for each is inside of a length, else of
/// zeros: the first one is found so, and the others beside it.
pub fn guarded_beside(ty: Type, first: Access) -> Kernel {
    let counter = param(Type::I64, Access::Counter(Steps::One));
    let beside = |by| param(ty, Access::GuardedBeside { leader: 4, by });
    let length = param(Type::I64, Access::Uniform);
    let inputs = [counter, counter, counter, length, param(ty, first), beside(1), beside(2)];
    let mut b = Builder::new(inputs.into_iter().chain([param(ty, Access::Out)]).collect());
    let length = b.load(3, 0);
    let length = b.bitcast(length, Type::U64);
    let read = |b: &mut Builder, n: u32| {
        let place = b.load(n, 0);
        let place = b.bitcast(place, Type::U64);
        let inside = b.binary(Code::Lt, place, length);
        b.load_where(4 + n, 0, inside)
    };
    let [x, y, z] = [0, 1, 2].map(|n| read(&mut b, n));
    let sum = b.binary(Code::Add, x, y);
    let sum = b.binary(Code::Add, sum, z);
    b.store(7, &[sum]);
    b.finish()
}

/// Kernels with effects that do all that there is to a type of memory: elements by themselves, in order, and
/// in blocks, which share memory.
pub fn effects() -> Vec<Kernel> {
    let ways =
        [Effects::FREE, Effects { serial: true, ..Effects::FREE }, Effects { block: 64, ..Effects::FREE }];
    ways.into_iter().flat_map(|way| Type::ALL.iter().map(move |&ty| effect(ty, way))).collect()
}

fn effect(ty: Type, way: Effects) -> Kernel {
    let element = param(Type::I64, Access::Counter(Steps::One));
    let params =
        [element, param(ty, Access::Memory), param(ty, Access::Uniform), param(Type::I64, Access::Log)];
    let mut b = Builder::with_effects(params.to_vec(), way);
    let (i, given) = (b.load(0, 0), b.load(2, 0));
    let cells = b.memory(1);
    let (local, scratch) = (b.alloca(ty, 1), b.alloca(ty, 5));
    let mut memories = vec![cells];
    if way.block > 1 {
        memories.push(b.shared(ty, 7));
    }
    let one = b.constant(Type::I64, 1);
    // By the number itself, by one more, and by one that is computed.
    let next = b.binary(Code::Add, i, one);
    let far = b.binary(Code::Mul, i, i);
    b.set(local, given);
    for &memory in &memories {
        for at in [i, next, far] {
            let x = b.load_at(memory, at);
            b.store_at(scratch, at, x);
            let mut sum = b.load_at(scratch, far);
            for &code in Code::ALL.iter().filter(|_| at == far) {
                let old = match code.rule() {
                    Rule::Atomic(set) if set.contains(ty) => b.atomic(code, memory, at, sum),
                    Rule::Cas if ty.bits() >= 32 => b.compare_and_swap(memory, at, x, sum),
                    _ => continue,
                };
                let both = if ty.is_int() { Code::Xor } else { Code::Add };
                sum = b.binary(both, sum, old);
            }
            let inside = b.in_bounds(memory, at);
            b.record(inside, 0, i, &[sum]);
            let value = b.get(local);
            b.store_at(memory, at, value);
            b.set(local, sum);
        }
        if way.block > 1 {
            b.barrier();
        }
    }
    b.finish()
}

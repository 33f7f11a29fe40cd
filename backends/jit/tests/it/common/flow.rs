//! Kernels with loops and conditionals, of one input and one result.
#![allow(dead_code)]

use ivy_backend_jit::ir::{Access, Builder, Code, Id, Kernel, Param, Type};

fn kernel(ty: Type, body: impl FnOnce(&mut Builder, Id) -> Id) -> Kernel {
    let param = |access| Param { ty, parts: 1, access };
    let mut b = Builder::new(vec![param(Access::Linear), param(Access::Out)]);
    let x = b.load(0, 0);
    let value = body(&mut b, x);
    b.store(1, &[value]);
    b.finish()
}

/// How many steps it takes from a number to 1: half of it, or 3 times it and 1.
pub fn collatz() -> Kernel {
    kernel(Type::U32, |b, x| {
        let [zero, one, three] = [0, 1, 3].map(|c| b.constant(Type::U32, c));
        let (open, s) = b.open_loop(&[x, zero]);
        let more = b.binary(Code::Lt, one, s[0]);
        b.while_true(more);
        let bit = b.binary(Code::And, s[0], one);
        let odd = b.convert(bit, Type::Bool);
        let mut branch = b.open_if(odd);
        let triple = b.binary(Code::Mul, s[0], three);
        let up = b.binary(Code::Add, triple, one);
        b.otherwise(&mut branch, &[up]);
        let down = b.binary(Code::Shr, s[0], one);
        let next = b.close_if(branch, &[down]);
        let count = b.binary(Code::Add, s[1], one);
        b.close_loop(open, &[next[0], count])[1]
    })
}

/// Fibonacci numbers: both change to what the other was, or is made of.
pub fn fibonacci() -> Kernel {
    kernel(Type::I64, |b, x| {
        let [zero, one] = [0, 1].map(|c| b.constant(Type::I64, c));
        let (open, s) = b.open_loop(&[x, zero, one]);
        let more = b.binary(Code::Lt, zero, s[0]);
        b.while_true(more);
        let less = b.binary(Code::Sub, s[0], one);
        let sum = b.binary(Code::Add, s[1], s[2]);
        b.close_loop(open, &[less, s[2], sum])[1]
    })
}

/// For even elements a loop, which for odd ones has no end, in a loop which for some has none.
pub fn guarded() -> Kernel {
    kernel(Type::U8, |b, x| {
        let [zero, one, two, ten] = [0, 1, 2, 10].map(|c| b.constant(Type::U8, c));
        let bit = b.binary(Code::And, x, one);
        let odd = b.convert(bit, Type::Bool);
        let mut branch = b.open_if(odd);
        b.otherwise(&mut branch, &[ten]);
        let (outer, o) = b.open_loop(&[x, zero, zero]);
        let bounded = b.binary(Code::Lt, o[2], two);
        b.while_true(bounded);
        let (inner, s) = b.open_loop(&[o[0], o[1]]);
        let more = b.binary(Code::Ne, s[0], zero);
        b.while_true(more);
        let less = b.binary(Code::Sub, s[0], two);
        let count = b.binary(Code::Add, s[1], one);
        let inner = b.close_loop(inner, &[less, count]);
        let iterations = b.binary(Code::Add, o[2], one);
        let outer = b.close_loop(outer, &[inner[0], inner[1], iterations]);
        b.close_if(branch, &[outer[1]])[0]
    })
}

/// The sum of `y` below `i` for each `i` below `x % 9`, and roots that are the same every time.
pub fn nested() -> Kernel {
    kernel(Type::F64, |b, x| {
        let [zero, one, nine] = [0.0, 1.0, 9.0].map(|c| b.float(Type::F64, c));
        let quotient = b.binary(Code::Div, x, nine);
        let whole = b.unary(Code::Floor, quotient);
        let most = b.binary(Code::Mul, whole, nine);
        let most = b.binary(Code::Sub, x, most);
        // Carried without a change, carried without a use, and a sum.
        let (outer, o) = b.open_loop(&[zero, x, zero, zero]);
        let more = b.binary(Code::Lt, o[0], most);
        b.while_true(more);
        let (inner, s) = b.open_loop(&[zero, o[3]]);
        let more = b.binary(Code::Lt, s[0], o[0]);
        b.while_true(more);
        let root = b.unary(Code::Sqrt, o[1]);
        let large = b.binary(Code::Lt, nine, root);
        let chosen = b.rare(large, root, |b| b.binary(Code::Add, root, nine));
        let sum = b.binary(Code::Add, s[1], chosen);
        let sum = b.binary(Code::Add, sum, s[0]);
        let next = b.binary(Code::Add, s[0], one);
        let inner = b.close_loop(inner, &[next, sum]);
        let unused = b.binary(Code::Mul, o[2], inner[1]);
        let next = b.binary(Code::Add, o[0], one);
        b.close_loop(outer, &[next, o[1], unused, inner[1]])[3]
    })
}

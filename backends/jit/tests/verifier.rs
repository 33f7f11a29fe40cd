//! One broken kernel for each rule of the verifier.

use ivy_backend_jit::ir::{Access, Builder, Code, Id, Join, Kernel, Param, Place, Type, verify};

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
fn broken(rule: u32, change: impl Fn(&mut Kernel)) {
    let mut kernel = good();
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
    #[track_caller]
    fn broken(rule: u32, change: impl Fn(&mut Kernel)) {
        let mut kernel = nested();
        change(&mut kernel);
        assert_eq!(verify(&kernel).unwrap_err().rule, rule, "{kernel}");
    }
    // No such block; one that is held twice; one that nobody holds; one with a store in it.
    broken(2, |k| {
        let rare = find(k, Code::Rare);
        k.statements[rare].imm = 7;
    });
    broken(2, |k| {
        let rare = find(k, Code::Rare);
        k.statements[rare].imm = 1;
    });
    broken(2, |k| {
        let constant = k.blocks[0][0];
        k.blocks.push(vec![constant]);
    });
    broken(2, |k| {
        let store = k.blocks[1].pop().unwrap();
        k.blocks[2].push(store);
    });
    // What it makes is not known after it, nor to its condition.
    broken(3, |k| {
        let (root, store) = (find(k, Code::Sqrt), find(k, Code::Store));
        k.statements[store].operands[0] = Id(root as u32);
    });
    broken(3, |k| {
        let (root, rare) = (find(k, Code::Sqrt), find(k, Code::Rare));
        k.statements[rare].operands[1] = Id(root as u32);
    });
}

#[test]
fn each_rule_has_a_kernel_that_breaks_it() {
    broken(1, |k| k.blocks[0].truncate(2));
    broken(1, |k| k.blocks[0].rotate_right(1));
    broken(1, |k| k.blocks.truncate(1));
    broken(2, |k| {
        let first = k.blocks[1][0];
        k.blocks[1].insert(0, first);
    });
    broken(2, |k| k.blocks[1].insert(0, Id(99)));
    broken(3, |k| k.blocks[1].swap(0, 1));
    broken(3, |k| {
        let (store, add) = (find(k, Code::Store), find(k, Code::Mul));
        k.statements[add].operands[0] = Id(store as u32);
    });
    broken(4, |k| {
        let add = find(k, Code::Add);
        k.statements[add].operands.pop();
    });
    broken(4, |k| {
        let add = find(k, Code::Add);
        k.statements[add].ty = Type::F32;
    });
    broken(4, |k| {
        let add = find(k, Code::Add);
        k.statements[add].code = Code::Sqrt;
    });
    broken(5, |k| {
        let constant = find(k, Code::Constant);
        k.statements[constant].imm = 1 << 40;
    });
    broken(6, |k| {
        let load = find(k, Code::Load);
        k.statements[load].imm = Place { param: 2, part: 0 }.imm();
    });
    broken(6, |k| k.params[0].access = Access::Uniform);
    broken(7, |k| {
        let store = find(k, Code::Store);
        k.statements[store].imm = 0;
    });
    broken(8, |k| k.params.push(k.params[2]));
    broken(8, |k| {
        k.blocks[1].pop();
    });
    broken(9, |k| k.params[0].access = Access::Step(7));
    broken(9, |k| {
        k.params[0].access = Access::Turned;
        k.params[2].access = Access::Along(Join::Add);
    });
    broken(10, |k| k.params[2].access = Access::Along(Join::And));
    broken(10, |k| {
        let more = Param { access: Access::Across(Join::Add), ..k.params[2] };
        k.params.push(more);
    });
    broken(9, |k| k.params[0].parts = 3);
    broken(9, |k| k.params[0].parts = 2);
}

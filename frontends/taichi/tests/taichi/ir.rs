//! The IR: what it prints, what the verifier refuses, what passes leave.

use crate::support::golden;
use ivy_taichi::ir::{Builder, Code, Data, FieldInfo, Gives, Id, Ir, Rule, TaskKind, verify};
use ivy_taichi::types::{AtomicOp, BinaryOp, PrimitiveType};
use ivy_taichi::{Arch, Config, Field, Program, func, init, kernel, passes, stages};

const I32: PrimitiveType = PrimitiveType::I32;
const F32: PrimitiveType = PrimitiveType::F32;

#[kernel]
fn foo() {
    for i in 0..10 {
        if i < 4 {
            print!("{}", i);
        }
    }
}

/// The IR of a stage.
fn stage(found: &[(&'static str, Ir)], name: &str) -> Ir {
    found
        .iter()
        .find(|(other, _)| *other == name)
        .unwrap_or_else(|| panic!("there is no stage {name}"))
        .1
        .clone()
}

fn last<'f>(found: &'f [(&'static str, Ir)]) -> &'f Ir {
    &found.last().unwrap().1
}

#[test]
fn t_45_the_example_prints_as_the_document_has_it() {
    init(Config::new().arch(Arch::Interp)).unwrap();
    let found = stages(foo).unwrap();
    golden("foo.txt", &last(&found).to_string());
    let text = last(&found).to_string();
    for line in [
        "offloaded range_for(0, 10)",
        "loop $0 index 0",
        "const [4]",
        "= cmp_lt $",
        ": if $",
        "print \"{}\", $",
    ] {
        assert!(text.contains(line), "{line}:\n{text}");
    }
}

#[kernel]
fn mixed(x: &Field<f32>, y: &Field<i32>, n: i32) -> f32 {
    let mut total = 0.0;
    let mut k = 0;
    while k < n {
        k += 1;
        if k == 3 {
            continue;
        }
        if k > 6 {
            break;
        }
        total += k;
    }
    for (i, j) in x {
        x[(i, j)] += total;
        y[None] += 1;
    }
    return total;
}

#[test]
fn t_46_stages_are_named_in_order_and_each_is_well_formed() {
    let program = Program::new(Config::new().arch(Arch::Interp).debug(true)).unwrap();
    let (x, y) = (program.field::<f32>(&[3, 5]).unwrap(), program.field::<i32>(&[]).unwrap());
    let found = stages(|| mixed(&x, &y, 9)).unwrap();
    let names: Vec<&str> = found.iter().map(|(name, _)| *name).collect();
    let want: Vec<&str> =
        std::iter::once("frontend").chain(passes::PIPELINE.iter().map(|pass| pass.name)).collect();
    assert_eq!(names, want);
    for (name, ir) in &found {
        assert_eq!(verify(ir), Ok(()), "{name}:\n{ir}");
    }
    for name in ["frontend", "lower_flow", "offload", "die"] {
        golden(&format!("mixed_{name}.txt"), &stage(&found, name).to_string());
    }
}

/// Each pass changes nothing of what it has left itself.
#[test]
fn t_47_passes_are_idempotent() {
    let program = Program::new(Config::new().arch(Arch::Interp).debug(true)).unwrap();
    let (x, y) = (program.field::<f32>(&[3, 5]).unwrap(), program.field::<i32>(&[]).unwrap());
    let found = stages(|| mixed(&x, &y, 9)).unwrap();
    for (before, pass) in found.iter().zip(passes::PIPELINE) {
        let mut once = before.1.clone();
        (pass.run)(&mut once);
        let text = once.to_string();
        let again = (pass.run)(&mut once);
        assert_eq!((again, once.to_string()), (false, text), "{}", pass.name);
    }
}

#[func]
fn known() -> i32 {
    2 + 3 * 4
}

#[kernel]
fn constants(y: &Field<i32>) {
    let a = known();
    let b = a * 1 + 0;
    if a == 14 {
        y[None] = b;
    } else {
        y[None] = -1;
    }
}

#[test]
fn t_47_what_is_known_is_computed_before() {
    let program = Program::new(Config::new().arch(Arch::Interp)).unwrap();
    let y = program.field::<i32>(&[]).unwrap();
    let ir = stages(|| constants(&y)).unwrap();
    let codes: Vec<Code> = last(&ir).in_order().iter().map(|&id| last(&ir).statement(id).code).collect();
    let wanted = |code: &Code| {
        matches!(
            code,
            Code::Offloaded | Code::Constant | Code::Linearize | Code::ElementPtr | Code::GlobalStore
        )
    };
    assert!(codes.iter().all(wanted), "{}", last(&ir));
    constants(&y).unwrap();
    assert_eq!(y.get(&[]).unwrap(), 14);
}

/// A load after a store is the value, and the variable is gone.
#[test]
fn t_50_stores_are_forwarded_to_loads() {
    let mut b = Builder::new("k", vec![field(1)], vec![]);
    let x = b.constant(I32, 7);
    let variable = b.alloca(I32);
    b.store(variable, x);
    let first = b.load(variable);
    let second = b.load(variable);
    let sum = b.binary(BinaryOp::Add, I32, first, second);
    b.store(variable, sum);
    let i = b.constant(I32, 0);
    let to = b.global_ptr(0, 0, vec![i]);
    let third = b.load(variable);
    b.store(to, third);
    let mut ir = b.finish();
    assert_eq!(verify(&ir), Ok(()));
    assert!(passes::forward(&mut ir) && passes::die(&mut ir));
    assert_eq!(verify(&ir), Ok(()), "{ir}");
    let has = |code| ir.in_order().iter().any(|&id| ir.statement(id).code == code);
    assert!(!has(Code::Alloca) && !has(Code::LocalLoad) && !has(Code::LocalStore), "{ir}");
    let value = ir.in_order().into_iter().find(|&id| ir.statement(id).code == Code::GlobalStore).unwrap();
    assert_eq!(ir.statement(value).operands[1], sum, "{ir}");
}

/// In a loop a variable is what the iteration before has left.
#[test]
fn t_50_loads_in_loops_stay() {
    let mut b = Builder::new("k", vec![field(1)], vec![]);
    let (zero, ten) = (b.constant(I32, 0), b.constant(I32, 10));
    let variable = b.alloca(I32);
    b.store(variable, zero);
    let whole = b.push(Code::RangeFor, None, vec![zero, ten], Data::None);
    let outer = b.open(whole);
    let before = b.load(variable);
    let after = b.binary(BinaryOp::Add, I32, before, ten);
    b.store(variable, after);
    b.close(outer);
    let to = b.global_ptr(0, 0, vec![zero]);
    let sum = b.load(variable);
    b.store(to, sum);
    let mut ir = b.finish();
    passes::full_simplify(&mut ir);
    assert_eq!(verify(&ir), Ok(()), "{ir}");
    let loads = ir.in_order().iter().filter(|&&id| ir.statement(id).code == Code::LocalLoad).count();
    assert_eq!(loads, 2, "{ir}");
}

#[kernel]
fn increments(x: &Field<f32>, y: &Field<f32>) {
    for i in x {
        x[i] += 1;
        y[i] += x[i];
        y[0] += 1;
    }
}

#[test]
fn t_51_atomics_on_elements_of_the_iteration_are_none() {
    let program = Program::new(Config::new().arch(Arch::Interp)).unwrap();
    let (x, y) = (program.field::<f32>(&[8]).unwrap(), program.field::<f32>(&[8]).unwrap());
    let found = stages(|| increments(&x, &y)).unwrap();
    let atomics = |ir: &Ir| ir.in_order().iter().filter(|&&id| ir.statement(id).code == Code::Atomic).count();
    assert_eq!(atomics(&stage(&found, "full_simplify_2")), 3);
    // Those of x are each iteration's own; y is reached at 0 as well.
    assert_eq!(atomics(last(&found)), 2);
}

#[kernel]
fn powers(x: &Field<f32>, n: &Field<i32>) {
    for i in x {
        x[i] = pow(x[i], 2) + pow(x[i], -3) + pow(x[i], 4.0) + pow(x[i], 0);
        n[i] = pow(n[i], 5);
    }
}

#[test]
fn t_08_powers_of_known_whole_numbers_are_products() {
    let program = Program::new(Config::new().arch(Arch::Interp)).unwrap();
    let (x, n) = (program.field::<f32>(&[4]).unwrap(), program.field::<i32>(&[4]).unwrap());
    let is_power = |ir: &Ir, id: ivy_taichi::ir::Id| {
        ir.statement(id).data == ivy_taichi::ir::Data::Binary(ivy_taichi::types::BinaryOp::Pow)
    };
    let count = |ir: &Ir| ir.in_order().iter().filter(|&&id| is_power(ir, id)).count();
    let found = stages(|| powers(&x, &n)).unwrap();
    assert_eq!((count(&stage(&found, "full_simplify_1")), count(last(&found))), (5, 0));
    let values = [0.5f32, -1.5, 3.1, 1e-3];
    x.from_slice(&values).unwrap();
    n.from_slice(&[-3, 0, 2, 70000]).unwrap();
    powers(&x, &n).unwrap();
    let want = values.map(|x| x * x + 1.0 / (x * (x * x)) + (x * x) * (x * x) + 1.0);
    assert_eq!(x.to_vec().unwrap(), want);
    assert_eq!(n.to_vec().unwrap(), [-243, 0, 32, 70000i32.wrapping_pow(5)]);
}

#[kernel]
fn pulled(x: &Field<f32>, v: &Field<f32>) {
    for i in x {
        for j in 0..8 {
            v[i] += x[j];
        }
    }
}

/// Fields of one tree are no more one memory than others are; one field that is given twice is.
#[test]
fn t_51_fields_of_one_cell_are_told_apart() {
    let program = Program::new(Config::new().arch(Arch::Interp)).unwrap();
    let mut builder = program.fields_builder();
    let [x, v] = ["x", "v"].map(|name| builder.field(name, ivy_taichi::types::PrimitiveType::F32).unwrap());
    builder.root().dense("i", &[8]).and_then(|cell| cell.place(&[x, v]).map(drop)).unwrap();
    let tree = program.build(builder.finalize().unwrap()).unwrap();
    let (x, v) = (tree.field::<f32>(x).unwrap(), tree.field::<f32>(v).unwrap());
    let atomics = |ir: &Ir| ir.in_order().iter().filter(|&&id| ir.statement(id).code == Code::Atomic).count();
    assert_eq!(atomics(last(&stages(|| pulled(&x, &v)).unwrap())), 0);
    assert_eq!(atomics(last(&stages(|| pulled(&x, &x)).unwrap())), 1);
    x.from_slice(&[1.0; 8]).unwrap();
    pulled(&x, &v).unwrap();
    assert_eq!(v.to_vec().unwrap(), [8.0; 8]);
}

#[test]
fn t_42_a_task_over_a_dense_field_is_one_over_a_range() {
    let program = Program::new(Config::new().arch(Arch::Interp).packed(true)).unwrap();
    let (x, y) = (program.field::<f32>(&[5]).unwrap(), program.field::<f32>(&[5]).unwrap());
    let found = stages(|| increments(&x, &y)).unwrap();
    let kinds = |ir: &Ir| ir.tasks().map(|(_, kind)| kind).collect::<Vec<_>>();
    assert_eq!(kinds(&stage(&found, "offload")), [TaskKind::StructFor { field: 0 }]);
    let end = ivy_taichi::ir::Limit::Known(5);
    assert_eq!(kinds(last(&found)), [TaskKind::RangeFor { begin: 0, end }]);
}

#[test]
fn t_44_tasks_have_kinds() {
    let program = Program::new(Config::new().arch(Arch::Interp)).unwrap();
    let (x, y) = (program.field::<f32>(&[3, 5]).unwrap(), program.field::<i32>(&[]).unwrap());
    let found = stages(|| mixed(&x, &y, 9)).unwrap();
    let kinds: Vec<TaskKind> = stage(&found, "offload").tasks().map(|(_, kind)| kind).collect();
    assert_eq!(kinds.first(), Some(&TaskKind::Serial), "the loop within: {kinds:?}");
    assert!(kinds.contains(&TaskKind::StructFor { field: 0 }), "{kinds:?}");
    assert_eq!(kinds.last(), Some(&TaskKind::Serial), "what is returned: {kinds:?}");
}

#[test]
fn t_49_accesses_are_lowered() {
    let program = Program::new(Config::new().arch(Arch::Interp)).unwrap();
    let x = program.field::<f32>(&[3, 5]).unwrap();
    let found = stages(|| transposed(&x)).unwrap();
    golden("lower_access.txt", &last(&found).to_string());
    let has = |code| last(&found).in_order().iter().any(|&id| last(&found).statement(id).code == code);
    assert!(!has(Code::GlobalPtr) && has(Code::Linearize) && has(Code::ElementPtr));
}

#[kernel]
fn transposed(x: &Field<f32>) {
    for (i, j) in ndrange(3, 3) {
        x[(i, j)] = x[(j, i)] + 1.0;
    }
}

/// A field of one axis.
fn field(extent: i64) -> FieldInfo {
    let digits = vec![ivy_taichi::ir::Digit { axis: 0, below: 1, count: extent, stride: 1 }];
    FieldInfo {
        name: "x".into(),
        ty: I32,
        matrix: None,
        shape: vec![extent],
        offset: vec![],
        digits,
        components: vec![0],
        guarded: false,
        memory: 0,
        length: 0,
        packed: None,
        sparse: None,
    }
}

/// A well-formed kernel with a statement of most codes: of each, the first.
fn sample() -> Ir {
    let mut b = Builder::new("k", vec![field(8)], vec![F32]);
    let (zero, ten) = (b.constant(I32, 0), b.constant(I32, 10));
    let given = b.argument(0);
    let whole = b.cast(given, I32);
    let variable = b.alloca(I32);
    b.store(variable, whole);
    let before = b.load(variable);
    let range = b.push(Code::RangeFor, None, vec![zero, ten], Data::None);
    let outer = b.open(range);
    let i = b.loop_index(range, 0, I32);
    let less = b.binary(BinaryOp::CmpLt, I32, i, before);
    let choice = b.push(Code::If, None, vec![less], Data::None);
    let inner = b.open(choice);
    let to = b.global_ptr(0, 0, vec![i]);
    b.atomic(AtomicOp::Add, to, i);
    b.store(to, i);
    b.close(inner);
    let inner = b.open(choice);
    b.push(Code::Continue, None, vec![], Data::None);
    b.close(inner);
    b.close(outer);
    b.finish()
}

fn first(ir: &Ir, code: Code) -> Id {
    ir.in_order().into_iter().find(|&id| ir.statement(id).code == code).unwrap()
}

/// One kernel for each rule, which breaks it.
#[test]
fn t_48_the_verifier_refuses_what_breaks_a_rule() {
    assert_eq!(verify(&sample()), Ok(()), "{}", sample());
    type Break = fn(&mut Ir);
    let cases: &[(Rule, Break)] = &[
        (Rule::Once, |ir| {
            let id = first(ir, Code::LocalStore);
            ir.blocks[0].push(id);
        }),
        (Rule::Operands, |ir| {
            let id = first(ir, Code::Binary);
            ir.statement_mut(id).operands.pop();
        }),
        (Rule::Blocks, |ir| {
            let id = first(ir, Code::If);
            ir.statement_mut(id).blocks.pop();
        }),
        (Rule::Known, |ir| {
            let (id, late) = (first(ir, Code::LocalStore), first(ir, Code::LoopIndex));
            ir.statement_mut(id).operands[1] = late;
        }),
        (Rule::Kinds, |ir| {
            let id = first(ir, Code::LocalLoad);
            ir.statement_mut(id).operands[0] = first(ir, Code::Constant);
        }),
        (Rule::Typed, |ir| {
            let id = first(ir, Code::Binary);
            ir.statement_mut(id).ty = None;
        }),
        (Rule::Data, |ir| {
            let id = first(ir, Code::Argument);
            ir.statement_mut(id).data = Data::Number(1);
        }),
        (Rule::Memory, |ir| {
            let id = first(ir, Code::LocalStore);
            ir.statement_mut(id).code = Code::GlobalStore;
        }),
        (Rule::Stored, |ir| {
            let id = first(ir, Code::LocalStore);
            ir.statement_mut(id).operands[1] = first(ir, Code::Argument);
        }),
        (Rule::Operation, |ir| {
            let id = first(ir, Code::Binary);
            ir.statement_mut(id).operands[1] = first(ir, Code::Argument);
        }),
        (Rule::LoopIndex, |ir| {
            let id = first(ir, Code::LoopIndex);
            ir.statement_mut(id).data = Data::Number(1);
        }),
        (Rule::InLoop, |ir| {
            let id = first(ir, Code::Continue);
            let choice = first(ir, Code::If);
            let inner = ir.statement(choice).blocks[1];
            ir.blocks[inner].clear();
            ir.blocks[0].push(id);
        }),
        (Rule::Asks, |ir| {
            let id = first(ir, Code::RangeFor);
            let s = ir.statement_mut(id);
            (s.code, s.operands) = (Code::While, vec![]);
        }),
        (Rule::Tasks, |ir| {
            let id = first(ir, Code::LocalStore);
            let block = ir.blocks.len();
            ir.blocks.push(vec![]);
            let s = ir.statement_mut(id);
            (s.code, s.data, s.blocks) = (Code::Offloaded, Data::Task(TaskKind::Serial), vec![block]);
            s.operands.clear();
        }),
        (Rule::Indices, |ir| {
            let id = first(ir, Code::GlobalPtr);
            ir.statement_mut(id).operands.clear();
        }),
        (Rule::Range, |ir| {
            let id = first(ir, Code::RangeFor);
            ir.statement_mut(id).operands[1] = first(ir, Code::Argument);
        }),
    ];
    for (rule, change) in cases {
        let mut ir = sample();
        change(&mut ir);
        let broken = verify(&ir).unwrap_err();
        assert!(broken.iter().any(|b| b.rule == *rule), "{rule:?}: {broken:?}");
        assert!(broken.iter().all(|b| b.to_string().contains(b.rule.text())));
    }
}

/// The list says of every code what the printer and the verifier go by.
#[test]
fn t_45_every_statement_is_in_the_list_once() {
    let mut names: Vec<&str> = Code::ALL.iter().map(|code| code.name()).collect();
    names.sort_unstable();
    let count = names.len();
    names.dedup();
    assert_eq!(names.len(), count);
    let pointers = Code::ALL.iter().filter(|code| code.gives() == Gives::Pointer);
    assert_eq!(pointers.count(), 4, "variables, shared ones, and elements by indices and numbers");
}

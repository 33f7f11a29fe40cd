//! What can be seen of the engine's work: the log, labels, graphs and lists.

use ivy_backend_jit::JitBackend;
use ivy_backend_jit::cache::Generator;
use ivy_backend_jit::engine::Variable;
use ivy_backend_jit::log::{self, Level};
use ivy_backend_jit::passes;
use ivy_core::backend::{Backend, Value};
use ivy_core::host::HostArray;
use ivy_core::{BinaryOp, Dtype, Op, Scalar, Shape, UnaryOp};
use std::process::Command;
use std::sync::{Arc, Mutex};

fn engine() -> (JitBackend, Value) {
    let b = JitBackend::new(Generator::Interp);
    let x = HostArray::from_vec(vec![1.0f32, 4.0, 9.0], [3].into()).unwrap();
    let x = b.from_host(x).unwrap();
    (b, x)
}

/// `sqrt(2.5 x)`, twice, and its elements.
fn work(b: &JitBackend, x: &Value) -> Vec<Value> {
    let full = Op::Full { shape: Shape::default(), dtype: Dtype::FLOAT32, value: Scalar::Float(2.5) };
    let c = b.execute(&full, &[]).unwrap().remove(0);
    let product = b.execute(&Op::Binary(BinaryOp::Multiply), &[x, &c]).unwrap().remove(0);
    let roots: Vec<Value> =
        (0..2).map(|_| b.execute(&Op::Unary(UnaryOp::Sqrt), &[&product]).unwrap().remove(0)).collect();
    b.to_host(&roots[0]).unwrap();
    roots
}

/// The only test of this process that hears the log.
#[test]
fn the_log_says_nodes_statements_and_launches() {
    let said: Arc<Mutex<Vec<(Level, String)>>> = Arc::default();
    let hear = said.clone();
    let callback: log::Callback =
        Arc::new(move |level, text| hear.lock().unwrap().push((level, text.to_string())));
    // Standard error keeps a level of its own.
    assert_eq!(log::set_level(Level::Off), Level::Warn);
    assert!(log::set_callback(Some((Level::Trace, callback.clone()))).is_none());
    let (b, x) = engine();
    work(&b, &x);
    log::set_callback(Some((Level::Warn, callback)));
    let count = said.lock().unwrap().len();
    let (other, y) = engine();
    work(&other, &y);
    let (level, _) = log::set_callback(None).expect("the callback");
    assert_eq!(level, Level::Warn);
    assert_eq!(log::set_level(Level::Warn), Level::Off);
    assert_eq!(said.lock().unwrap().len(), count, "nothing is said at Warn");
    let said = said.lock().unwrap();
    let nodes: Vec<&str> =
        said.iter().map(|(_, text)| text.as_str()).filter(|text| text.starts_with("jit_var_new")).collect();
    let lines = [
        "jit_var_new(): float32 r0[3] = data",
        "jit_var_new(): float32 r1[1] = 0x40200000 [literal]",
        "jit_var_new(): float32 r2[3] = multiply(r0, r1)",
        "jit_var_new(): float32 r3[3] = sqrt(r2)",
        "jit_var_new(): float32 r3[3] = sqrt(r2) [lvn hit]",
    ];
    assert_eq!(nodes, lines);
    let kernel = said.iter().find(|(_, text)| text.starts_with("kernel ")).expect("the statements");
    assert!(
        kernel.0 == Level::Debug && kernel.1.contains("mul") && kernel.1.contains("sqrt"),
        "{}",
        kernel.1
    );
    for pass in passes::PIPELINE {
        let about = format!("after the pass `{}`:\nkernel(", pass.name);
        assert!(said.iter().any(|(_, text)| text.starts_with(&about)), "{about}");
    }
    let hash = &kernel.1["kernel ".len()..][..16];
    for what in ["compiled", "launch"] {
        let about = format!("{what} {hash}");
        assert!(
            said.iter().any(|(level, text)| *level == Level::Info && text.starts_with(&about)),
            "{about}"
        );
    }
}

#[test]
fn labels_are_in_graphs_and_lists_and_in_no_kernel() {
    let (b, x) = engine();
    let label = |value: &Value, label: &str| value.data::<Variable>().unwrap().set_label(label);
    let graph = |value: &Value| b.engine().graphviz(&[value.data().unwrap()]);
    label(&x, "the \"in|put\"");
    let roots = work(&b, &x);
    label(&roots[0], "root");
    assert!(graph(&x).contains(r#"|the \"in\|put\"}"#), "{}", graph(&x));
    // Equal work is one node.
    assert!(graph(&roots[1]).contains("|root}"), "{}", graph(&roots[1]));
    assert!(b.engine().whos().contains("float32 (3,) data \"root\"\n"), "{}", b.engine().whos());
    label(&roots[0], "");
    assert!(!b.engine().whos().contains("root"));
    // What is made in the place of something that is gone has no label.
    label(&roots[0], "gone");
    drop(roots);
    let y = work(&b, &x);
    assert!(!b.engine().whos().contains("gone"), "{}", b.engine().whos());
    label(&y[0], "another name");
    assert_eq!(b.engine().counters().compiled, 1);
}

/// Run by another test, in processes of its own; by itself it does nothing.
#[test]
fn a_process() {
    if ["IVY_JIT_DEBUG", log::VARIABLE].iter().any(|name| std::env::var_os(name).is_some()) {
        let (b, x) = engine();
        work(&b, &x);
    }
}

/// What a process says whose environment has a variable.
fn said_with(variable: &str, value: &str) -> String {
    let mut child = Command::new(std::env::current_exe().unwrap());
    let child = child.args(["--exact", "introspection::a_process", "--nocapture"]).env(variable, value);
    String::from_utf8(child.output().unwrap().stderr).unwrap()
}

#[test]
fn a_switch_that_is_neither_on_nor_off_is_said() {
    assert!(said_with("IVY_JIT_DEBUG", "yes").contains("ivy jit: IVY_JIT_DEBUG = yes: `on` or `off`\n"));
    for value in ["on", "off", ""] {
        assert!(!said_with("IVY_JIT_DEBUG", value).contains("ivy jit"));
    }
}

#[test]
fn the_environment_sets_the_level() {
    let said = |level: &str| said_with(log::VARIABLE, level);
    assert!(!said("off").contains("ivy jit"), "{}", said("off"));
    assert!(!said("").contains("ivy jit"));
    let info = said("info");
    assert!(info.contains("ivy jit: launch") && !info.contains("kernel("), "{info}");
    assert!(said("trace").contains("ivy jit: jit_var_new(): float32 r0[3] = data\n"));
    let debug = said("debug");
    assert!(debug.contains("ivy jit: kernel ") && !debug.contains("jit_var_new"), "{debug}");
    let wrong = said("loud");
    let says = "ivy jit: IVY_JIT_LOG = loud: a level is off, error, warn, info, symbolic, debug, trace\n";
    assert!(wrong.contains(says) && !wrong.contains("launch"), "{wrong}");
}
